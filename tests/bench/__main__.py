"""`make bench`: prints each figure as a time and as a multiple of a Python that does nothing, measured in this run."""

import asyncio
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path

from qmon_tui.model.kinds import Kind
from qmon_tui.sources import Reading, read_folder
from tests.bench.cases import CASES, EDITS, measured
from tests.bench.folders import write_qconf_folder
from tests.bench.gains import print_gains
from tests.bench.keys import answers, minimal_answers
from tests.bench.large import large_cluster, large_state
from tests.bench.paint import print_paint
from tests.bench.real import print_duels
from tests.bench.running import print_running
from tests.bench.saved import saved_cluster
from tests.bench.simulations import print_simulations
from tests.bench.timing import bare_python, first_text_seconds, median, medians, process_seconds

CONFIGS = Path(__file__).resolve().parents[2] / "configs"
MINIMAL = Path(__file__).with_name("minimal_app.py")


def main() -> None:
    """Measure everything and print one line each."""
    with tempfile.TemporaryDirectory() as compiled:
        # An installed program is compiled, so what is measured here is, too, whatever the environment says.
        os.environ["PYTHONPYCACHEPREFIX"] = compiled
        # Nor is anything remembered from earlier sessions.
        os.environ.update(dict.fromkeys(("XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"), compiled))
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        measure_all()


def measure_all() -> None:
    """Each process is started once before it is measured, so that it finds itself compiled."""
    unit = bare_python()
    print(f"{'bare Python start':58} {unit * 1000:9.1f} ms     1.0 x")

    def tell(what: str, seconds: float) -> None:
        print(f"{what:58} {seconds * 1000:9.1f} ms {seconds / unit:7.1f} x")

    print_cases(unit)
    wanted = os.environ.get("REAL", "")
    if wanted:
        print_duels(wanted if wanted.isalpha() else "a")
        return
    print_simulations(tell)
    print_running()
    print_gains()
    cluster, state = large_cluster(), large_state()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "large"
        write_qconf_folder(folder, cluster, state)
        tell("reading that folder (qconf layout, jobs in YAML)", median(lambda: reading_seconds(folder), 3))
        tell("reading it again after an edit of one host", median(lambda: reading_again_seconds(folder), 3))
        tell("check of that folder (whole process)", median(lambda: cli_seconds("check", folder), 3))
        tell("schedule of that folder (whole process)", median(lambda: cli_seconds("schedule", folder), 3))
        tell_answers(folder, list(cluster.objects(Kind.COMPLEX)))
        print_paint(folder)
        (folder / "jobs.yaml").unlink()
        tell("check of it without the jobs (whole process)", median(lambda: cli_seconds("check", folder), 5))
        saved = Path(scratch) / "saved"
        write_qconf_folder(saved, saved_cluster())
        tell(
            "check of a running cluster as it is saved (whole process)", median(lambda: cli_seconds("check", saved), 5)
        )
    program = [sys.executable, "-m", "qmon_tui", str(CONFIGS / "teaching")]
    minimal, first = medians(
        lambda: first_text_seconds([sys.executable, str(MINIMAL)], b"first frame"),
        lambda: first_text_seconds(program, b"Jobs"),
        runs=11,
    )
    tell("first frame of a minimal Textual app", minimal)
    tell("first frame of qmon-tui on the teaching cluster", first)
    print(f"{'  against the minimal app':58} {'':12} {first / minimal:7.2f} x")
    tell("a file saved elsewhere -> the pane repainted (teaching)", asyncio.run(repaint_seconds()))


def tell_answers(folder: Path, names: list[str]) -> None:
    """How soon keys are answered; elapsed time, which tells also what else runs on the machine."""
    least = minimal_answers(MINIMAL)
    told = {
        "a key to the screen, minimal Textual app": least,
        "a key to the screen, nothing running": answers(folder, names, busy=False),
        "a key to the screen, the engine running": answers(folder, names, busy=True),
    }
    for what, found in told.items():
        print(
            f"{what:58} {found.median * 1000:9.1f} ms {found.median / least.median:7.1f} x the minimal app's;"
            f" nine of ten within {found.tenth * 1000:.1f} ms"
        )


def print_cases(unit: float) -> None:
    """The scheduling runs: CPU time in ms, and as a multiple of the unit."""
    print("\n10,000 pending jobs on 1,000 hosts x 2 queues, CPU ms of one run, each case in a process of its own:")
    print(f"{'':37}{'first':>8}{'x':>6}{'again':>10}{'MB':>6}{'started':>9}", end="")
    print("".join(f"{name:>8}" for name in (*EDITS, "job", "shown", "why", "change")))
    for letter, case in CASES.items():
        figures = measured(letter)
        print(f"({letter}) {case.title:33}{figures.first * 1000:8.0f}{figures.first / unit:6.1f}", end="")
        print(f"{figures.again * 1000:10.0f}{figures.megabytes:6.0f}{figures.started:9}", end="")
        others = (*figures.rerun.values(), figures.shown, figures.why, figures.change)
        print("".join(f"{seconds * 1000:8.1f}" for seconds in others), flush=True)
    print(
        "first: nothing known; again: the jobs read anew, with the configuration and what they ask for known, as a"
        " qmaster knows them; then re-runs after one edit, and what a screen reads of one; why: one job explained"
    )
    print("REAL=1 measures a real scheduler beside it\n")


def reading_seconds(folder: Path, previous: Reading | None = None) -> float:
    """CPU seconds of reading a folder, with or without what is known of it."""
    start = time.process_time()
    read_folder(folder, previous)
    return time.process_time() - start


def reading_again_seconds(folder: Path) -> float:
    """CPU seconds of reading a folder in which one file has changed."""
    previous = read_folder(folder)
    host = folder / "execution" / "node0500"
    host.write_text(f"# edited\n{host.read_text()}")
    return reading_seconds(folder, previous)


def cli_seconds(command: str, folder: Path) -> float:
    """CPU time of one command of the program."""
    return process_seconds([sys.executable, "-m", "qmon_tui", command, str(folder), "--format", "json"])


async def repaint_seconds() -> float:
    """Median time from replacing jobs.yaml's neighbour to the live pane showing the new decision."""
    from tests.bench.repaint import measure

    with tempfile.TemporaryDirectory() as scratch:
        os.environ["XDG_STATE_HOME"] = scratch
        folder = Path(scratch) / "teaching"
        shutil.copytree(CONFIGS / "teaching", folder)
        return await measure(folder)


if __name__ == "__main__":
    main()
