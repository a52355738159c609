"""Two who write one file at the same time, as fast as they can: `python -m tests.unit.sources.saving_stress 10000`.

Each has a queue of its own in it. What one has saved must be there when that one reads the file again.
"""

import os
import random
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from qmon_tui.model import Kind
from qmon_tui.sources import ConflictError, read_folder

TAKEN_BACK = 5
"""Seconds within which a save is taken back that has met an edit, also on a busy machine."""
TEXT = "queues:\n  a.q: {slots: 1}\n  b.q: {slots: 1}\nhosts: {}\n"


def save(folder: Path, queue: str, rounds: int) -> tuple[int, int]:
    """Save a queue so many times with the program; how often something was lost, and how often it was a conflict."""
    lost = conflicts = number = 0
    last = "1"
    while number < rounds:
        reading = read_folder(folder)
        found = reading.cluster.objects(Kind.QUEUE)[queue]
        lost += found.text("slots") != last
        last = str(number + 2)
        plan = reading.source.plan(reading, reading.cluster.with_object(found.with_value("slots", last)))
        try:
            reading.source.write(reading, plan)
            number += 1
        except ConflictError:
            conflicts += 1
            last = found.text("slots")
    return lost, conflicts


def edit(folder: Path, queue: str, rounds: int) -> tuple[int, int]:
    """Change a queue so many times as an editor does, which replaces the file whatever is there."""
    lost, last, place = 0, "1", re.compile(rf"(?<={queue}: {{slots: )\d+")
    file, new = folder / "c.yaml", folder / ".c.yaml.swp"
    for number in range(2, rounds + 2):
        # A save that comes just after an edit has the place until it has seen that, and is taken back.
        end = time.monotonic() + TAKEN_BACK
        while place.findall(text := file.read_text()) != [last] and time.monotonic() < end:
            time.sleep(0.001)
        lost += place.findall(text) != [last]
        last = str(number)
        new.write_text(place.sub(last, text))
        os.replace(new, file)
        time.sleep(random.uniform(0, 0.02))  # as long as a save takes, so that they meet at each of its moments
    return lost, 0


def both(folder: Path, rounds: int, other: str) -> tuple[int, int]:
    """Two processes of `rounds` rounds each, the second of which saves or edits: what was lost, and the conflicts."""
    (folder / "c.yaml").write_text(TEXT)
    command = [sys.executable, "-m", __name__ if __name__ != "__main__" else "tests.unit.sources.saving_stress"]
    processes = [
        subprocess.Popen(
            [*command, work, str(folder), queue, str(rounds)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        for work, queue in (("save", "a.q"), (other, "b.q"))
    ]
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    told = [tuple(map(int, process.communicate()[0].split())) for process in processes]
    # What an editor writes over a save is the editor's doing.
    return (told[0][0] if other == "save" else 0) + told[1][0], told[0][1] + told[1][1]


if __name__ == "__main__":
    if sys.argv[1] in ("save", "edit"):
        work, path, name, times = sys.argv[1:]
        print("ready", flush=True)
        input()
        print(*{"save": save, "edit": edit}[work](Path(path), name, int(times)))
    else:
        for other in ("save", "edit"):
            with tempfile.TemporaryDirectory() as made:
                losses, clashes = both(Path(made), int(sys.argv[1]), other)
                print(f"{other}: {losses} lost of 2 x {sys.argv[1]}, {clashes} conflicts told")
