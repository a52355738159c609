"""A program that is killed while it saves leaves whole files: all of them old ones, or all of them new ones."""

import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

from qmon_tui.model.kinds import Kind
from qmon_tui.sources import read_folder
from qmon_tui.sources.folder_files import TEMPORARY_PREFIX

ROOT = Path(__file__).parents[3]
KILLS, MOST_KILLS = 6, 60
"""How many are killed; more where none of them was saving just then."""

# Saves all the time: each round gives the queue and the scheduler the same new number, in two files.
SAVER = """
import sys
from itertools import count
from qmon_tui.model.kinds import Kind
from qmon_tui.sources import read_folder
reading = read_folder(sys.argv[1])
for number in count(1):
    cluster = reading.cluster
    queue = cluster.objects(Kind.QUEUE)["all.q"].with_value("slots", str(number))
    scheduler = cluster.single(Kind.SCHEDULER).with_value("maxujobs", str(number))
    reading = reading.source.write(reading, reading.source.plan(reading, cluster.with_objects((queue, scheduler))))
    print(number, flush=True)
"""


def test_killed_at_any_moment_all_files_are_whole(tmp_path: Path) -> None:
    folder = tmp_path / "teaching"
    shutil.copytree(ROOT / "configs" / "teaching", folder)
    before = {path.name: path.read_text() for path in folder.iterdir()}
    moments = random.Random(1)
    killed = interrupted = 0
    while killed < KILLS or (not interrupted and killed < MOST_KILLS):
        killed += 1
        with subprocess.Popen(
            [sys.executable, "-c", SAVER, str(folder)], stdout=subprocess.PIPE, cwd=ROOT, text=True
        ) as saver:
            assert saver.stdout is not None
            assert saver.stdout.readline() == "1\n"
            time.sleep(moments.uniform(0, 0.05))
            saver.send_signal(signal.SIGKILL)
        left_something = any(path.name.startswith(TEMPORARY_PREFIX) for path in folder.iterdir())
        reading = read_folder(folder)
        assert reading.findings == ()
        assert len(reading.state.jobs) == 8
        slots = int(reading.cluster.objects(Kind.QUEUE)["all.q"].text("slots"))
        most = int(reading.cluster.single(Kind.SCHEDULER).text("maxujobs"))
        assert slots == most
        interrupted += left_something
        for path in folder.glob("*.yaml"):
            changed = set(path.read_text().splitlines()) ^ set(before[path.name].splitlines())
            assert {line.split(":")[0].strip() for line in changed} <= {"slots", "maxujobs"}
        assert sorted(path.name for path in folder.iterdir()) == sorted(before)
    assert interrupted, "none was killed while it saved"
