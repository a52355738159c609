"""How soon the screen answers a key while the engine runs in the background."""

import statistics
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from tests.bench.terminal import Terminal

PAUSE = 0.05
"""Seconds between an answer and the next key."""
KEYS_A_RUN = 12
RUNS = 5
UNDER_WAY = 0.7
"""Seconds after which a change on disk has been read, and a run is under way."""


class Answers(NamedTuple):
    """Seconds from a key to the frame with what it brings: half of them, and nine of ten, are not later."""

    median: float
    tenth: float


def of(seconds: Sequence[float]) -> Answers:
    """What measured seconds come to."""
    return Answers(statistics.median(seconds), statistics.quantiles(seconds, n=10)[-1])


def minimal_answers(program: Path) -> Answers:
    """Of a Textual app that counts keys."""
    with Terminal([sys.executable, str(program)]) as terminal:
        terminal.wait_for(b"first frame")
        terminal.idle(0.5)
        seconds: list[float] = []
        for number in range(1, KEYS_A_RUN * RUNS + 1):
            seconds.append(terminal.press(b"j", b"frame after key %d." % number))
            terminal.idle(PAUSE)
    return of(seconds)


def answers(folder: Path, names: Sequence[str], *, busy: bool) -> Answers:
    """Of the cursor in the list of attributes, whose names these are; busy: while the engine runs."""
    with Terminal([sys.executable, "-m", "qmon_tui", str(folder)]) as terminal:
        terminal.wait_for(b"Chosen job")
        terminal.idle(6.0)
        for key in (b":", b"complexes", b"\r"):  # a first start shows Jobs
            terminal.press(key, b"")
            terminal.idle(1.0)
        seconds: list[float] = []
        steps = _up_and_down(names)
        for run in range(RUNS):
            if busy:
                _change(folder / "schedconf", run)
                terminal.idle(UNDER_WAY)
            for _ in range(KEYS_A_RUN):
                key, name = next(steps)
                seconds.append(terminal.press(key, name.encode()))
                terminal.idle(PAUSE)
            if busy:
                terminal.idle(3.0)
    return of(seconds)


def _up_and_down(names: Sequence[str]) -> Iterator[tuple[bytes, str]]:
    """Keys and where they lead, from the first name on."""
    while True:
        yield from ((b"j", name) for name in names[1:10])
        yield from ((b"k", name) for name in names[8::-1])


def _change(file: Path, run: int) -> None:
    """Another weight."""
    lines = file.read_text().splitlines(keepends=True)
    changed = [f"weight_urgency 0.{3 + run}\n" if line.startswith("weight_urgency") else line for line in lines]
    file.write_text("".join(changed))
