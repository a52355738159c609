"""Parallel simulations on the cores of this machine, or on a Dask cluster; each is a pure function of a value.

Dask is optional: the extra `qmon-tui[dask]` installs it.
"""

import os
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import get_context, parent_process
from multiprocessing.connection import wait as wait_for_objects
from threading import Thread
from typing import Any, Final, TypeVar

from qmon_tui.gc_pause import calm_collector

T = TypeVar("T")
R = TypeVar("R")
_ATTEMPTS: Final = 3
_AHEAD: Final = 4
"""Number of points queued for each process; the others are sent later."""


class WorkersDied(RuntimeError):
    """Raised if processes died `_ATTEMPTS` times; the text is a sentence for the user."""


def usual_processes() -> int:
    """Return the number of cores that this process may use."""
    return max(1, len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1)


def computed_all(
    function: Callable[[T], R],
    points: Sequence[T],
    *,
    processes: int = 1,
    note: Callable[[int, int], None] | None = None,
) -> Iterator[R]:
    """Yield the result of each point, in their order. Raises the errors of the function, and WorkersDied."""
    results: dict[int, R] = {}
    nexts = 0
    for done, (number, result) in enumerate(computed(function, points, processes=processes), start=1):
        results[number] = result
        if note is not None:
            note(done, len(points))
        while nexts in results:
            yield results.pop(nexts)
            nexts += 1


def computed(function: Callable[[T], R], points: Sequence[T], *, processes: int = 1) -> Iterator[tuple[int, R]]:
    """Yield number and result of each point when it is done. Raises the errors of the function, and WorkersDied.

    Points that were being computed when a process died are tried again by new processes.
    """
    if processes <= 1 or len(points) <= 1:
        yield from ((number, function(point)) for number, point in enumerate(points))
        return
    left = dict.fromkeys(range(len(points)))
    for _ in range(_ATTEMPTS):
        try:
            for number, result in _in_pool(function, points, list(left), processes):
                del left[number]
                yield number, result
        except BrokenProcessPool:
            continue
        return
    raise WorkersDied(
        f"the processes died {_ATTEMPTS} times with {len(left)} of {len(points)} simulations to go; "
        "there may be too little memory, fewer processes need less"
    )


def _in_pool(
    function: Callable[[T], R], points: Sequence[T], numbers: Sequence[int], processes: int
) -> Iterator[tuple[int, R]]:
    # A forked process would copy locks that threads hold: new processes come from a fork server.
    pool = ProcessPoolExecutor(min(processes, len(numbers)), mp_context=get_context("forkserver"), initializer=_begin)
    sent: dict[Future[R], int] = {}
    coming = iter(numbers)
    is_whole = False
    try:
        while True:
            with _without_interrupts():
                for number in coming:
                    sent[pool.submit(function, points[number])] = number
                    if len(sent) >= processes * _AHEAD:
                        break
            if not sent:
                is_whole = True
                return
            finished, _ = wait(sent, return_when=FIRST_COMPLETED)
            for future in finished:
                yield sent.pop(future), future.result()
    finally:
        # After an interrupt the days still being simulated are of no use.
        workers = () if is_whole else tuple((getattr(pool, "_processes", None) or {}).values())
        pool.shutdown(wait=False, cancel_futures=True)
        for worker in workers:
            worker.terminate()


def _begin() -> None:
    calm_collector()
    _end_with_parent()


def _end_with_parent() -> None:
    """End this process when its parent has ended in any way."""
    parent = parent_process()
    if parent is not None:
        Thread(target=_wait_for_end, args=(parent.sentinel,), daemon=True).start()


def _wait_for_end(sentinel: int) -> None:
    wait_for_objects([sentinel])
    os._exit(1)


@contextmanager
def _without_interrupts() -> Iterator[None]:
    """Block ctrl-c and hangups for processes that are started in this context; the parent ends them."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGHUP})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


_ANSWERS_WITHIN: Final = 15
"""Seconds within which a Dask scheduler must answer."""


class DaskUnusable(RuntimeError):
    """Raised if Dask is missing, does not answer, or its workers die; the text is a sentence for the user."""


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
