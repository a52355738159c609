"""A program that is killed while it saves leaves whole files."""

import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from qmon_tui.model.kinds import Kind
from qmon_tui.sources.convert import convert
from qmon_tui.sources.folder import read_folder
from qmon_tui.workspace.difference import changes

TEACHING = Path(__file__).parents[3] / "configs" / "teaching"

KEEPS_ON_SAVING = """
import sys
from pathlib import Path
from qmon_tui.model.kinds import Kind
from qmon_tui.sources.folder import read_folder
from qmon_tui.workspace.edits import Batch, SetField
from qmon_tui.workspace.versions import keep_saved
from qmon_tui.workspace.workspace import Workspace
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


@pytest.mark.parametrize("layout", ["yaml", "qconf"])
@pytest.mark.parametrize("after", [0.01, 0.05, 0.11, 0.23])
def test_files_are_whole_whenever_a_saving_program_is_killed(
    layout: str, after: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    folder = tmp_path / "teaching"
    if layout == "yaml":
        shutil.copytree(TEACHING, folder)
    else:
        convert(read_folder(TEACHING), folder, "qconf")
    original = read_folder(folder)
    program = subprocess.Popen([sys.executable, "-c", KEEPS_ON_SAVING, str(folder)], stdout=subprocess.PIPE)
    assert program.stdout is not None
    assert program.stdout.readline() == b"saving\n"
    try:
        program.wait(after)
    except subprocess.TimeoutExpired:
        program.send_signal(signal.SIGKILL)
    assert program.wait() == -signal.SIGKILL
    program.stdout.close()
    left = read_folder(folder)
    assert left.findings == original.findings
    assert set(left.files) == set(original.files)
    touched = {(change.kind, change.name, field[0]) for change in changes(original.cluster, left.cluster)
               for field in change.fields}  # fmt: skip
    assert touched <= {(Kind.QUEUE, "all.q", "slots"), (Kind.COMPLEX, "gpu", "urgency")}
