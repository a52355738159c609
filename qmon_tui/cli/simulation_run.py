"""Letting a simulation run from the command line: how far it is, and stopping it without losing what was reached."""

import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Final

from qmon_tui.cli.answer import InputError
from qmon_tui.simulation import Simulator
from qmon_tui.values import format_time

_ASKING: Final = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
"""Signals that ask a program to end."""
_REPEATED: Final = 0.5
"""Seconds between two lines that tell how far it is."""
_AT_ONCE: Final = 1000
"""So many things happen at most until somebody who asks to stop is heard: runs may be days apart."""


class Stop:
    """Set by a signal that asks to stop: ctrl-c, kill, or a terminal that is closed; the second one ends at once."""

    def __init__(self) -> None:
        self.signal = 0
        """The one that came, 0 for none."""

    @property
    def is_wanted(self) -> bool:
        """True if a signal has come."""
        return self.signal != 0

    @property
    def exit_code(self) -> int:
        """As shells tell what a signal has ended: 130 for ctrl-c."""
        return 128 + self.signal

    def want(self, number: int, _: object = None) -> None:
        """A signal has come."""
        if self.is_wanted:
            raise KeyboardInterrupt(number)
        self.signal = number

    def end(self, number: int, _: object = None) -> None:
        """The same where nothing can be stopped between two steps."""
        self.signal = number
        raise KeyboardInterrupt(number)


@contextmanager
def stopping() -> Iterator[Stop]:
    """A signal asks to stop between two steps, so that what was reached is whole."""
    stop = Stop()
    with _handled_by(stop.want):
        yield stop


@contextmanager
def ending() -> Iterator[Stop]:
    """A signal ends what is worked out as ctrl-c does, by KeyboardInterrupt, so that no process is left behind."""
    stop = Stop()
    with _handled_by(stop.end):
        yield stop


@contextmanager
def _handled_by(handler: Callable[[int, object], None]) -> Iterator[None]:
    before = {}
    if threading.current_thread() is threading.main_thread():
        for number in _ASKING:
            # Who has started the program may want that a signal does nothing: nohup, or a shell in the background.
            if signal.getsignal(number) is not signal.SIG_IGN:
                before[number] = signal.signal(number, handler)
    try:
        yield
    finally:
        for number, old in before.items():
            signal.signal(number, old)


def run(simulator: Simulator, stop: Stop, *, label: str = "") -> bool:
    """Go on to the end; False where it was stopped before. Raises InputError for an endless day."""
    progress = _Progress(simulator, label)
    while not simulator.is_over:
        if stop.is_wanted:
            progress.clear()
            return False
        simulator.step(_AT_ONCE)
        progress.tell()
    simulator.run()
    progress.clear()
    refuse_endless(simulator)
    return True


def refuse_endless(simulator: Simulator) -> None:
    """Raise InputError for a day whose clock does not advance."""
    if simulator.event_bound.error:
        raise InputError(f"{simulator.event_bound.error}.")


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
