"""The time zone that everything here is in: the dates of -a and -dl have none, and recordings must not depend on it."""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def universal_time() -> Iterator[None]:
    """This process in the zone of the qmaster's world for as long as the block lasts."""
    before = os.environ.get("TZ")
    _set(zone="UTC")
    try:
        yield
    finally:
        _set(before)


def _set(zone: str | None) -> None:
    if zone is None:
        os.environ.pop("TZ", None)
    else:
        os.environ["TZ"] = zone
    time.tzset()
