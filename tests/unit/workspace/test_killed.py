"""A program that is killed while it saves leaves whole files."""

import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from qmon_tui.model.kinds import Kind
from qmon_tui.sources import read_folder
from qmon_tui.sources.conversion import convert
from qmon_tui.sources.journal import abandoned_journals
from qmon_tui.workspace import Workspace, read_edits, replayed
from qmon_tui.workspace.difference import changes

TEACHING = Path(__file__).parents[3] / "configs" / "teaching"

KEEPS_ON_SAVING = """
import sys
from pathlib import Path
from qmon_tui.model.kinds import Kind
from qmon_tui.sources import read_folder
from qmon_tui.workspace import Batch, SetField
from qmon_tui.workspace import keep_saved
from qmon_tui.workspace import Workspace
workspace = Workspace(read_folder(Path(sys.argv[1])))
print("saving", flush=True)
for number in range(3, 10**9):
    workspace.apply(Batch("both", (
        SetField(Kind.QUEUE, "all.q", "slots", str(number)), SetField(Kind.COMPLEX, "gpu", "urgency", str(number)),
    )))
    before, made = workspace.reading, workspace.changes()
    workspace.save()
    keep_saved(before, workspace.reading, made)
"""


ALTERS_JOBS = """
import sys
from pathlib import Path
from qmon_tui.qmaster import Qalter, Qdel, Qsub, next_job
from qmon_tui.qmaster.commands import Target, new_job
from qmon_tui.sources import read_folder
from qmon_tui.sources.journal import Journal
from qmon_tui.workspace import edits_text
from qmon_tui.workspace import keep_saved
from qmon_tui.workspace import CommandEdit, Workspace
folder = Path(sys.argv[1])
workspace = Workspace(read_folder(folder))
journal = Journal(folder)
print("altering", flush=True)
for number in range(1, 10**9):
    workspace.apply(CommandEdit(Qalter((Target(4), Target(8)), f"-p -{number % 1000}")))
    state, line = workspace.state, f"-N j{number} sleep 60"
    workspace.apply(CommandEdit(Qsub(new_job(state, "userb", line, number=next_job(state)))))
    journal.write(edits_text(str(folder.resolve()), workspace.base_document, workspace.document))
    workspace.apply(CommandEdit(Qdel((Target(workspace.state.jobs[-1].id),), force=True)))
    if number % 2:
        before, made = workspace.reading, workspace.changes()
        workspace.save()
        keep_saved(before, workspace.reading, made)
"""


@pytest.mark.parametrize("layout", ["yaml", "qconf"])
@pytest.mark.parametrize("after", [0.02, 0.09, 0.17, 0.31])
def test_jobs_are_whole_and_edits_are_offered_whenever_a_program_that_alters_jobs_is_killed(
    layout: str, after: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    folder = teaching_as(layout, tmp_path / "teaching")
    original = read_folder(folder)
    killed(ALTERS_JOBS, folder, after)
    left = read_folder(folder)
    assert left.findings == original.findings
    assert changes(original.cluster, left.cluster) == ()
    jobs = {job.id: job for job in left.state.jobs}
    assert set(jobs) == {job.id for job in original.state.jobs}
    assert jobs[4].request.priority == jobs[8].request.priority or jobs[4] in original.state.jobs
    for journal in abandoned_journals(folder):
        document = Workspace(read_folder(folder)).base_document
        edits = read_edits(journal.text)
        assert edits is not None, "what was kept is whole"
        again = replayed(edits, document).document
        assert {job.id for job in again.state.jobs} >= set(jobs)
        journal.leave()


def teaching_as(layout: str, folder: Path) -> Path:
    """The teaching cluster in one of the layouts."""
    if layout == "yaml":
        shutil.copytree(TEACHING, folder)
    else:
        convert(read_folder(TEACHING), folder, "qconf")
    return folder


def killed(program: str, folder: Path, after: float) -> None:
    """Run a program on a folder and kill it so many seconds after its first line."""
    process = subprocess.Popen([sys.executable, "-c", program, str(folder)], stdout=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stdout.readline()
    try:
        process.wait(after)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL
    process.stdout.close()


@pytest.mark.parametrize("layout", ["yaml", "qconf"])
@pytest.mark.parametrize("after", [0.01, 0.05, 0.11, 0.23])
def test_files_are_whole_whenever_a_saving_program_is_killed(
    layout: str, after: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    folder = teaching_as(layout, tmp_path / "teaching")
    original = read_folder(folder)
    killed(KEEPS_ON_SAVING, folder, after)
    left = read_folder(folder)
    assert left.findings == original.findings
    assert set(left.files) == set(original.files)
    touched = {(change.kind, change.name, field[0]) for change in changes(original.cluster, left.cluster)
               for field in change.fields}  # fmt: skip
    assert touched <= {(Kind.QUEUE, "all.q", "slots"), (Kind.COMPLEX, "gpu", "urgency")}
