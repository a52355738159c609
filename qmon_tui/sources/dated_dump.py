"""The date of a dump in which no file tells a time: that of its newest file, or today."""

import os
import time
from collections.abc import Iterable
from dataclasses import replace

from qmon_tui.formats.state import DEFAULT_START
from qmon_tui.model import State
from qmon_tui.values import parse_time


def tells_no_time(state: State) -> bool:
    """True if no file of a folder has told a time: submissions then count from a fixed one."""
    return min((job.submitted for job in state.jobs), default=state.now) == parse_time(DEFAULT_START)


def newest(folder: str, names: Iterable[str]) -> int:
    """Return when the newest of the files was written, seconds since the epoch; now if there is none."""
    times: list[float] = []
    for name in names:
        try:
            times.append(os.stat(os.path.join(folder, name)).st_mtime)
        except OSError:
            continue
    return int(max(times, default=time.time()))


def dated(state: State, start: int) -> State:
    """Return a state without times as of `start`, with all submissions as far before it as they were."""
    shift = start - state.now
    return replace(
        state,
        now=start,
        beginning=None if state.beginning is None else state.beginning + shift,
        jobs=tuple(replace(job, submitted=job.submitted + shift) for job in state.jobs),
    )
