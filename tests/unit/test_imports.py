"""What starting loads: a command pays only for what it uses. Each is looked at in a process of its own."""

import ast
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from pathlib import Path

import pytest

from qmon_tui.model import strongly_connected_components
from qmon_tui.sources import read_folder
from qmon_tui.sources.conversion import convert

CONFIGS = Path(__file__).parents[2] / "configs"
PACKAGE = Path(__file__).parents[2] / "qmon_tui"
SCREEN = {"textual", "rich.console", "rich.text", "rich.segment", "asyncio", "watchfiles"}
"""Reports measure the width of a text with `rich.cells`, which needs nothing else of Rich and loads in 4 ms."""
YAML = {"ruamel", "yaml", "ClusterShell"}
SAVING = {"tempfile", "qmon_tui.formats.folder_writer", "qmon_tui.sources.atomic_write"}
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
    assert own == {"qmon_tui.cli", *(f"qmon_tui.cli.{name}" for name in ("answer", "command_list", "screen"))}


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


_FIRST_FRAME = """
import asyncio, os, sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from pathlib import Path
from qmon_tui.sources import read_folder
from qmon_tui.tui.opening import QmonApp
from qmon_tui.workspace import Workspace

def painted():
    strips = app.screen._compositor.render_strips()
    shown = "".join(segment.text for strip in strips for segment in strip).split()
    print(*sys.modules, "shown", *shown, flush=True)
    os._exit(0)

async def run():
    async with app.run_test(size=(140, 40)) as pilot:
        await pilot.pause(5)

app = QmonApp(Workspace(read_folder(Path(sys.argv[1]))))
app.when_painted = painted
asyncio.run(run())
"""


def test_the_first_frame_shows_the_cluster_and_waits_for_nothing_else() -> None:
    command = [sys.executable, "-c", _FIRST_FRAME, str(CONFIGS / "teaching")]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    modules, _, shown = ran.stdout.partition(" shown ")
    assert {"Complexes", "gpu", "lic", "Queues", "h_rt"} <= set(shown.split())
    loaded = {name.rsplit(".", depth)[0] for name in modules.split() for depth in range(name.count(".") + 1)}
    late = {
        *("watchfiles", "ruamel", "ClusterShell", "importlib.metadata", "argparse", "tomllib"),
        *("qmon_tui.scheduler", "qmon_tui.checks", "qmon_tui.formats.folder_writer", "qmon_tui.formats.qconf.objects"),
        *("qmon_tui.workspace.edits", "qmon_tui.workspace.merge", "qmon_tui.workspace.evaluation"),
        *("qmon_tui.tui.screens.action_dialogs", "qmon_tui.tui.dialogs", "qmon_tui.tui.forms.object_form"),
        *(
            "qmon_tui.tui.panes.live_pane",
            "qmon_tui.tui.jobs.view",
            "qmon_tui.tui.cluster.view",
            "qmon_tui.tui.screens.palette_targets",
        ),
    }
    assert not late & loaded


def unexplained(path: Path) -> Iterator[str]:
    """Imports inside functions without a comment in the function above them, or beside them."""
    text = path.read_text("utf-8")
    lines = text.splitlines()
    for function in ast.walk(ast.parse(text)):
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            for node in ast.walk(function):
                if isinstance(node, ast.Import | ast.ImportFrom) and "#" not in "".join(
                    lines[function.lineno - 2 : node.end_lineno]
                ):
                    yield f"{path.name}:{node.lineno}"


def test_an_import_inside_a_function_says_why() -> None:
    assert [place for path in sorted(PACKAGE.rglob("*.py")) for place in unexplained(path)] == []


IN_CIRCLES = {"formats": 3, "scheduler": 2, "simulation": 11}
"""Package -> how many of its modules lie in circles of imports, which docs/ARCHITECTURE.md names; none may get more."""


def module_of(path: Path) -> str:
    """Return the dotted name of a file's module or package."""
    return ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__")


class Imports:
    """All imports of the program: at run time, for type checkers only, inside functions, and through public APIs."""

    def __init__(self, sources: Mapping[str, str], packages: Set[str]) -> None:
        kinds = (ast.ImportFrom, ast.Attribute)
        self._nodes = {
            module: [node for node in ast.walk(ast.parse(source)) if isinstance(node, kinds)]
            for module, source in sources.items()
        }
        self._packages = packages
        self._offered = {
            package: {alias.asname or alias.name: (origin, alias.name) for origin, alias in self._names(package)}
            for package in packages
        }

    def graph(self) -> dict[str, list[str]]:
        """Module -> the modules that define the names that it imports; public APIs themselves have no imports."""
        return {
            module: [] if module in self._packages else sorted(set(self._imported(module)) - {module})
            for module in self._nodes
        }

    def _names(self, module: str) -> Iterator[tuple[str, ast.alias]]:
        for node in self._nodes[module]:
            if isinstance(node, ast.ImportFrom):
                yield from ((node.module or "", alias) for alias in node.names)

    def _defining(self, module: str, name: str) -> str:
        """Return the module that defines a name that others import from `module`."""
        if f"{module}.{name}" in self._nodes:
            return f"{module}.{name}"
        if name in self._offered.get(module, {}):
            return self._defining(*self._offered[module][name])
        return module

    def _imported(self, module: str) -> Iterator[str]:
        aliases: dict[str, str] = {}
        for origin, alias in self._names(module):
            if origin.startswith("qmon_tui"):
                found = aliases[alias.asname or alias.name] = self._defining(origin, alias.name)
                yield found
        for node in self._nodes[module]:
            match node:
                case ast.Attribute(value=ast.Name(id=name)) if aliases.get(name) in self._packages:
                    yield self._defining(aliases[name], node.attr)


def circles(graph: Mapping[str, Sequence[str]]) -> list[list[str]]:
    """Return the groups of modules that reach each other, each sorted."""
    groups: dict[int, list[str]] = {}
    for module, component in sorted(strongly_connected_components(graph).items()):
        groups.setdefault(component, []).append(module)
    return sorted(group for group in groups.values() if len(group) > 1)


def test_few_modules_import_each_other_in_circles() -> None:
    files = {module_of(path): path for path in PACKAGE.rglob("*.py")}
    packages = {module for module, path in files.items() if path.name == "__init__.py"}
    found = circles(Imports({module: path.read_text("utf-8") for module, path in files.items()}, packages).graph())
    counted = Counter(module.split(".")[1] for circle in found for module in circle)
    assert dict(counted - Counter(IN_CIRCLES)) == {}, found


def test_circles_through_public_apis_and_type_checking_are_noticed() -> None:
    sources = {
        "qmon_tui.a": "from qmon_tui.a.x import X as X",
        "qmon_tui.a.x": "def f():\n    from qmon_tui.b import y\n    return y.Y",
        "qmon_tui.b": "",
        "qmon_tui.b.y": "from qmon_tui import a\nif TYPE_CHECKING:\n    z: a.X",
        "qmon_tui.b.z": "from qmon_tui.a import X",
    }
    graph = Imports({"qmon_tui": "", **sources}, {"qmon_tui", "qmon_tui.a", "qmon_tui.b"}).graph()
    assert circles(graph) == [["qmon_tui.a.x", "qmon_tui.b.y"]]


def test_only_the_gate_changes_a_cluster() -> None:
    callers = [path.name for path in PACKAGE.rglob("*.py") if ".clients.change(" in path.read_text("utf-8")]
    assert callers == ["gate.py"]
