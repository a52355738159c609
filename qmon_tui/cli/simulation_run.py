"""Running a simulation from the command line: its progress, and stopping it so that it can be continued."""

import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

from qmon_tui.cli.answer import InputError
from qmon_tui.simulation import Simulator
from qmon_tui.values import format_time

_END_SIGNALS: Final = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
"""Signals that ask a program to end."""
_UPDATE_SECONDS: Final = 0.5
"""Seconds between two updates of the progress line."""
_MOST_EVENTS: Final = 1000
"""Greatest number of events between two checks for a request to stop; runs may be days apart."""


class Stop:
    """A request to stop by a signal: ctrl-c, kill, or a closed terminal; the second signal ends immediately."""

    def __init__(self) -> None:
        self.signal = 0
        """Number of the signal; 0 for none."""

    @property
    def is_wanted(self) -> bool:
        """True after a signal."""
        return self.signal != 0

    @property
    def exit_code(self) -> int:
        """Exit code for the signal: 128 + its number."""
        return 128 + self.signal

    def want(self, number: int, _: object = None) -> None:
        """Note the signal; end at the second one."""
        if self.is_wanted:
            raise KeyboardInterrupt(number)
        self.signal = number

    def end(self, number: int, _: object = None) -> None:
        """Note the signal and raise KeyboardInterrupt, as there are no steps to stop between."""
        self.signal = number
        raise KeyboardInterrupt(number)


@contextmanager
def stopping(*, at_once: bool = False) -> Iterator[Stop]:
    """Turn signals into requests to stop between two steps.

    With `at_once`, every signal raises KeyboardInterrupt, as ctrl-c does: no process is left behind.
    """
    stop = Stop()
    before = {}
    if threading.current_thread() is threading.main_thread():
        for number in _END_SIGNALS:
            # The caller may ignore a signal: nohup, or a background job of a shell.
            if signal.getsignal(number) is not signal.SIG_IGN:
                before[number] = signal.signal(number, stop.end if at_once else stop.want)
    try:
        yield stop
    finally:
        for number, old in before.items():
            signal.signal(number, old)


def run(simulator: Simulator, stop: Stop) -> bool:
    """Simulate to the end; return False if it was stopped earlier. Raises InputError for an endless day."""
    progress = _Progress(simulator)
    while not simulator.is_over:
        if stop.is_wanted:
            progress.clear()
            return False
        simulator.step(_MOST_EVENTS)
        progress.show()
    simulator.run()
    progress.clear()
    refuse_endless(simulator)
    return True


def refuse_endless(simulator: Simulator) -> None:
    """Raise InputError if the simulated time does not advance."""
    if simulator.event_bound.error:
        raise InputError(f"{simulator.event_bound.error}.")


class _Progress:
    """A progress line that is updated in place, if stderr is a terminal."""

    def __init__(self, simulator: Simulator) -> None:
        self._simulator = simulator
        self._begun = self._shown_at = time.monotonic()
        self._from, self._ended = simulator.now, self._ended_tasks()
        self._is_shown = sys.stderr is not None and sys.stderr.isatty()
        self._width = 0

    def show(self) -> None:
        """Update the line, at most every `_UPDATE_SECONDS` seconds."""
        now = time.monotonic()
        if not self._is_shown or now - self._shown_at < _UPDATE_SECONDS:
            return
        self._shown_at = now
        ended = self._ended_tasks() - self._ended
        self._write(progress_line(self._simulator, self._from, ended, now - self._begun))

    def clear(self) -> None:
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


def progress_line(simulator: Simulator, begun_at: int, ended: int, seconds: float) -> str:
    """Return the progress of a simulation, its speed, and the estimated time left (if known).

    The estimate uses the end of the day if it has one, else the number of tasks left. Since simulated time `begun_at`,
    `ended` tasks ended in `seconds` of real time.
    """
    until = simulator.settings.until
    left = simulator.coming + sum(record.ended is None for record in simulator.records.values())
    total = left + sum(record.ended is not None for record in simulator.records.values())
    by_tasks = ended / max(1, left + ended)
    done = by_tasks if until is None else (simulator.now - begun_at) / max(1, until - begun_at)
    words = [
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
