"""Letting a simulation run from the command line: how far it is, and stopping it without losing what was reached."""

import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

from qmon_tui.simulation import Simulator
from qmon_tui.values import format_time

_REPEATED: Final = 0.5
"""Seconds between two lines that tell how far it is."""


class Stop:
    """Set by ctrl-c; the second one ends the program at once."""

    def __init__(self) -> None:
        self.is_wanted = False

    def want(self, *_: object) -> None:
        """Somebody has pressed ctrl-c."""
        if self.is_wanted:
            raise KeyboardInterrupt
        self.is_wanted = True


@contextmanager
def stopping() -> Iterator[Stop]:
    """Ctrl-c asks to stop between two steps, so that what was reached is whole."""
    stop = Stop()
    if threading.current_thread() is not threading.main_thread():
        yield stop
        return
    before = signal.signal(signal.SIGINT, stop.want)
    try:
        yield stop
    finally:
        signal.signal(signal.SIGINT, before)


def run(simulator: Simulator, stop: Stop, *, label: str = "") -> bool:
    """Go on to the end; False where it was stopped before."""
    progress = _Progress(simulator, label)
    while not simulator.is_over:
        if stop.is_wanted:
            progress.clear()
            return False
        simulator.step()
        progress.tell()
    simulator.run()
    progress.clear()
    return True


class _Progress:
    """A line on stderr that is written again and again, where it is a terminal."""

    def __init__(self, simulator: Simulator, label: str) -> None:
        self._simulator = simulator
        self._label = label
        self._begun = self._told = time.monotonic()
        self._from, self._ended = simulator.now, self._ended_tasks()
        self._is_shown = sys.stderr is not None and sys.stderr.isatty()
        self._width = 0

    def tell(self) -> None:
        """Tell how far it is, now and then."""
        now = time.monotonic()
        if not self._is_shown or now - self._told < _REPEATED:
            return
        self._told = now
        self._write(progress_line(self._simulator, self._from, self._ended_tasks() - self._ended, now - self._begun,
                                  self._label))  # fmt: skip

    def clear(self) -> None:
        """Leave the line empty."""
        if self._width:
            self._write("")
            self._write_raw("\r")

    def _write(self, line: str) -> None:
        self._write_raw("\r" + line.ljust(self._width))
        self._width = len(line)

    def _write_raw(self, text: str) -> None:
        with suppress(OSError):
            sys.stderr.write(text)
            sys.stderr.flush()

    def _ended_tasks(self) -> int:
        return sum(record.ended is not None for record in self._simulator.records.values())


def progress_line(simulator: Simulator, begun_at: int, ended: int, seconds: float, label: str = "") -> str:
    """How far a simulation is, how fast it goes, and how long it still takes as far as that can be known.

    By its end where it has one, else by the tasks that are left. `begun_at` is the simulated time from which on it went
    for so many `seconds`, in which so many tasks `ended`.
    """
    until = simulator.settings.until
    left = simulator.coming + sum(record.ended is None for record in simulator.records.values())
    total = left + sum(record.ended is not None for record in simulator.records.values())
    by_tasks = ended / max(1, left + ended)
    done = by_tasks if until is None else (simulator.now - begun_at) / max(1, until - begun_at)
    words = [
        *([label] if label else []),
        format_time(simulator.now),
        f"run {simulator.runs}",
        f"{total - left} of {total} tasks ended",
        f"{ended / max(seconds, 0.001):.0f} jobs/s",
    ]
    if done > 0.01:
        words.append(f"about {_length(seconds / done - seconds)} left")
    return "  ".join(words)


def _length(seconds: float) -> str:
    whole = round(seconds)
    return f"{whole} s" if whole < 120 else f"{whole // 60} min" if whole < 7200 else f"{whole // 3600} h"
