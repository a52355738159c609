"""`python -m tests.differential.families [FAMILY [NUMBERS]] [-j N] [--leave FOLDER]`."""

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from tests.differential.agreement import Agreement, table
from tests.differential.clock import universal_time
from tests.differential.families import Family, families
from tests.differential.playing import Played, Task, play_all
from tests.differential.qmaster import why_unavailable


def main(words: list[str]) -> int:
    """Play, print what differs, then the table; 1 if something differs, 2 if nothing can be played."""
    asked = _parser().parse_args(words)
    reason = why_unavailable()
    if reason:
        print(reason, file=sys.stderr)
        return 2
    chosen = [families()[asked.family]] if asked.family else list(families().values())
    leave_in = asked.leave or Path(tempfile.mkdtemp(prefix="differential-"))
    found = {family.name: Agreement() for family in chosen}
    started = time.monotonic()
    with universal_time():
        for played in play_all(list(_tasks(chosen, asked.numbers)), leave_in, asked.j):
            _count(found[played.task.family], played)
    print(f"\n{table(found)}\nin {time.monotonic() - started:.0f} s")
    return 0 if all(agreement.whole for agreement in found.values()) else 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("python -m tests.differential.families")
    parser.add_argument("family", nargs="?", choices=sorted(families()))
    parser.add_argument("numbers", nargs="?", type=_numbers, help="a number or first-last")
    parser.add_argument("-j", type=int, default=4, help="how many qmasters side by side (4); they mostly wait")
    parser.add_argument("--leave", type=Path, help="where to leave what differs (a new folder)")
    return parser


def _numbers(text: str) -> range:
    first, _, last = text.partition("-")
    return range(int(first), int(last or first) + 1)


def _tasks(chosen: list[Family], numbers: range | None) -> Iterator[Task]:
    for family in chosen:
        for number in numbers or range(family.numbers):
            yield Task(family.name, number)


def _count(agreement: Agreement, played: Played) -> None:
    name = f"{played.task.family} {played.task.number}"
    if played.verdict is None:
        agreement.scenarios += 1
        agreement.failures += 1
        print(f"{name}: could not be played: {played.failure}\n  {played.folder}", flush=True)
        return
    agreement.add(played.verdict)
    if played.verdict.complaint:
        print(f"{name}: differs, {played.folder}{played.verdict.complaint}", flush=True)
    elif played.verdict.not_simulated:
        print(f"{name}: not simulated: {', '.join(sorted(played.verdict.not_simulated))}", flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
