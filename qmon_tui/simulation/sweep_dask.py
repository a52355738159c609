"""Points worked out by a Dask cluster; the only module that knows Dask, which the extra `qmon-tui[dask]` installs."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, TypeVar

T = TypeVar("T")
R = TypeVar("R")
_ANSWERS_WITHIN: Final = 15
"""Seconds in which a scheduler has to answer."""


class DaskUnusable(RuntimeError):
    """No Dask, no answer, or workers that die; the text is a sentence for the user."""


def computed_by_dask(
    address: str, function: Callable[[T], R], points: Sequence[T], *, patience: float = _ANSWERS_WITHIN
) -> Iterator[tuple[int, R]]:
    """Yield number and result of each point when it is done. Raises DaskUnusable after the results so far."""
    try:
        from distributed import Client, as_completed  # late: an optional package
    except ImportError as error:
        raise DaskUnusable("--dask needs Dask: install qmon-tui[dask]") from error
    client = _client(Client, address, patience)
    try:
        if not _workers(client, patience):
            raise DaskUnusable(f"the Dask scheduler at {address} has no workers")
        # The cluster is sent with each point: it is small, and workers may come and go.
        sent = {client.submit(function, point, pure=False): number for number, point in enumerate(points)}
        for future in as_completed(list(sent), loop=client.loop):
            yield sent[future], _result(future, address, len(points))
    finally:
        client.close(timeout=patience)


def _client(client: Any, address: str, patience: float) -> Any:
    try:
        return client(address, timeout=patience, set_as_default=False)
    except (OSError, TimeoutError, ValueError, RuntimeError) as error:
        raise DaskUnusable(f"the Dask scheduler at {address} does not answer") from error


def _workers(client: Any, patience: float) -> bool:
    try:
        client.wait_for_workers(1, timeout=patience)
    except (OSError, TimeoutError):
        return False
    return True


def _result(future: Any, address: str, count: int) -> Any:
    from distributed import CancelledError, KilledWorker  # late: as above

    try:
        return future.result()
    except (KilledWorker, CancelledError, OSError, TimeoutError) as error:
        raise DaskUnusable(
            f"workers of {address} died over one of {count} points; with --results the same command continues"
        ) from error
