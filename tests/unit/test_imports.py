"""What starting loads: a command pays only for what it uses. Each is looked at in a process of its own."""

import subprocess
import sys
from pathlib import Path

import pytest

from qmon_tui.sources.convert import convert
from qmon_tui.sources.folder import read_folder

CONFIGS = Path(__file__).parents[2] / "configs"
SCREEN = {"textual", "rich", "asyncio", "watchfiles"}
YAML = {"ruamel", "yaml", "ClusterShell"}
SAVING = {"tempfile", "qmon_tui.formats.edit", "qmon_tui.sources.atomic"}
ENGINE = {"qmon_tui.scheduler"}

_MODULES = """
import sys
from qmon_tui.cli import main
code = main(sys.argv[1:])
print(code, *sys.modules, file=sys.stderr)
"""


def loaded(*arguments: str) -> set[str]:
    """All modules, and the packages that they are in, after a command that went well."""
    ran = subprocess.run([sys.executable, "-c", _MODULES, *arguments], capture_output=True, text=True, check=True)
    code, *modules = ran.stderr.splitlines()[-1].split()
    assert code == "0", ran.stderr
    return {name.rsplit(".", depth)[0] for name in modules for depth in range(name.count(".") + 1)}


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A folder as save_sge_config.sh writes it: no YAML file in it."""
    folder = tmp_path_factory.mktemp("clusters") / "saved"
    convert(read_folder(CONFIGS / "teaching"), folder, "qconf")
    for file in folder.glob("*.yaml"):
        file.unlink()
    return str(folder)


def test_the_version_needs_nothing_of_a_cluster() -> None:
    own = {name for name in loaded("--version") if name.startswith("qmon_tui.")}
    assert own == {"qmon_tui.cli", "qmon_tui.cli.screen", "qmon_tui.cli.terminal"}


def test_a_check_of_saved_files_needs_no_yaml_no_saving_and_no_engine(saved: str) -> None:
    assert not (SCREEN | YAML | SAVING | ENGINE) & loaded("check", saved)


def test_a_check_of_yaml_files_needs_one_parser() -> None:
    modules = loaded("check", str(CONFIGS / "teaching"))
    assert not (SCREEN | SAVING | ENGINE | {"ruamel"}) & modules
    assert "yaml" in modules


@pytest.mark.parametrize("command", [["schedule"], ["why", "7"], ["info"], ["diff", str(CONFIGS / "teaching")]])
def test_no_command_loads_the_screen(command: list[str]) -> None:
    name, *more = command
    arguments = [name, *more, str(CONFIGS / "teaching")] if name == "diff" else [name, str(CONFIGS / "teaching"), *more]
    assert not SCREEN & loaded(*arguments)


def test_the_first_frame_waits_for_no_engine_no_dialog_and_no_watch() -> None:
    script = "import sys, qmon_tui.tui.app; print(*sys.modules)"
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    late = {
        *("watchfiles", "ruamel", "yaml", "ClusterShell", "importlib.metadata"),
        *("qmon_tui.scheduler.run", "qmon_tui.scheduler.explain", "qmon_tui.formats.edit"),
        *("qmon_tui.tui.screens.deeds", "qmon_tui.tui.forms.dialogs.factory", "qmon_tui.tui.dialogs.help"),
    }
    assert not late & set(ran.stdout.split())
