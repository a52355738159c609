"""From a key to its frame in the places that people look at most: `python -m tests.bench.paint`.

Told is elapsed time, which depends on what else the machine does, so each is told as a multiple of a minimal Textual
app that was measured just before.
"""

import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import cycle
from pathlib import Path

from tests.bench.folders import write_qconf_folder
from tests.bench.keys import PAUSE, Answers, minimal_answers, of
from tests.bench.large import large_cluster, large_state
from tests.bench.terminal import Terminal

CONFIGS = Path(__file__).resolve().parents[2] / "configs"
MINIMAL = Path(__file__).with_name("minimal_app.py")
KEYS = 40
CURSOR = "▸".encode()
"""Stands before the row to which the cursor goes, so that each move paints it."""
Step = tuple[bytes, bytes]
"""A key, and what is in the frame that it brings."""


@contextmanager
def _opened(folder: Path, *keys: bytes, settled: float) -> Iterator[Terminal]:
    with Terminal([sys.executable, "-m", "qmon_tui", str(folder)]) as terminal:
        terminal.wait_for(b"Chosen job")
        terminal.idle(settled)
        for key in keys:
            terminal.press(key, b"")
            terminal.idle(1.0)
        yield terminal


def _measured(terminal: Terminal, steps: Sequence[Step]) -> Answers:
    """The keys in turn, again and again; those without an expectation are not measured."""
    seconds: list[float] = []
    for key, expected in cycle(steps):
        took = terminal.press(key, expected)
        if expected:
            seconds.append(took)
        terminal.idle(PAUSE)
        if len(seconds) == KEYS:
            return of(seconds)
    raise AssertionError


MOVES: Sequence[Step] = (*[(b"j", CURSOR)] * 9, *[(b"k", CURSOR)] * 9)


def jobs(large: Path) -> Answers:
    """The cursor over 10,000 jobs."""
    with _opened(large, b"J", settled=8.0) as terminal:
        return _measured(terminal, MOVES)


def queues(campus: Path) -> Answers:
    """The cursor in the list of queues, whose form follows it."""
    with _opened(campus, b":", b"queue day.q", b"\r", settled=3.0) as terminal:
        return _measured(terminal, ((b"k", CURSOR), (b"j", CURSOR)))


def monitor(campus: Path) -> Answers:
    """The speed while a day is played."""
    with _opened(campus, b"4", b"{", b"{", b" ", settled=3.0) as terminal:
        return _measured(terminal, ((b"}", b"10x"), (b"{", b"1x")))


def form(campus: Path) -> Answers:
    """A letter in a field: every key is an edit, which is checked and scheduled."""
    with _opened(campus, b":", b"queue day.q", b"\r", b"\r", b"\x1b[B" * 8, b"\r", b"z", settled=3.0) as terminal:
        return _measured(terminal, ((b"q", b"zq"), (b"\x7f", b"")))


def print_paint(large: Path) -> None:
    """A line for each place."""
    least = minimal_answers(MINIMAL)
    campus = CONFIGS / "campus"
    for what, found in (
        ("minimal Textual app", least),
        ("Jobs, 10,000 of them", jobs(large)),
        ("Queues", queues(campus)),
        ("Monitor while a day is played", monitor(campus)),
        ("a field of a form", form(campus)),
    ):
        print(
            f"{'a key to its frame, ' + what:58} {found.median * 1000:9.1f} ms {found.median / least.median:7.1f} x;"
            f" nine of ten within {found.tenth * 1000:.1f} ms",
            flush=True,
        )


def main() -> None:
    """Measure all of them."""
    with tempfile.TemporaryDirectory() as scratch:
        os.environ.update(dict.fromkeys(("XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"), scratch))
        large = Path(scratch) / "large"
        write_qconf_folder(large, large_cluster(), large_state())
        print_paint(large)


if __name__ == "__main__":
    main()
