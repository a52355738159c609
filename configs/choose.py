"""`make run`: choose one of the example clusters, or the first lesson; each is opened as a private copy.

Without a terminal, or with just Enter, the teaching cluster is opened.
"""

import os
import shutil
import sys
from pathlib import Path

HERE = Path(__file__).parent
CLUSTERS = {
    "teaching": "three users, three licences: the study of priorities",
    "site": "queues for short, long and GPU jobs, licences, quotas",
    "campus": "quotas, share tree, calendars, subordination, reservations",
    "genome": "memory, licences, quotas",
    "racks": "a parallel environment for each rack, GPUs, reservations",
    "desktops": "office hours, thresholds, slot-wise subordination",
    "day": "a day of 1,000 jobs: in Monitor, Space plays it",
    "broken": "one instance of every mistake; f lists them",
}
LESSON = "half_rule"


def private_copy(name: str) -> Path:
    """The copy of a cluster whose edits stay, made where there is none yet."""
    data = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "qmon-tui" / "examples"
    target = data / name
    if not target.exists():
        data.mkdir(parents=True, exist_ok=True)
        shutil.copytree(HERE / name, target)
    return target


def menu() -> str:
    """What there is to choose from."""
    rows = [f"  {number}  {name:<9} {about}" for number, (name, about) in enumerate(CLUSTERS.items(), 1)]
    return "\n".join(("Which cluster?", *rows, "  l  the first lesson", "Number, or Enter for the first: "))


def command(answer: str) -> list[str] | None:
    """The arguments of qmon-tui for an answer; None where it is none of those offered."""
    names = tuple(CLUSTERS)
    chosen = answer.strip().lower() or "1"
    if chosen == "l":
        return ["learn", LESSON]
    if chosen.isdecimal() and 1 <= int(chosen) <= len(names):
        chosen = names[int(chosen) - 1]
    if chosen not in CLUSTERS:
        return None
    return [] if chosen == "teaching" else [str(private_copy(chosen))]


def main() -> None:
    """Ask, and become qmon-tui."""
    program = str(Path(sys.executable).with_name("qmon-tui"))
    arguments: list[str] | None = sys.argv[1:]
    if not arguments and sys.stdin.isatty():
        arguments = command(input(menu()))
        while arguments is None:
            arguments = command(input("One of the numbers, or l: "))
    os.execv(program, [program, *(arguments or [])])


if __name__ == "__main__":
    try:
        main()
    except (EOFError, KeyboardInterrupt):
        print()
