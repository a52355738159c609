"""What is loaded when it is first used is what the import for type checkers beside it says."""

import ast
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from qmon_tui.late import late_module, late_names

ROOT = Path(__file__).parents[2]
FILES = [path for path in sorted((ROOT / "qmon_tui").rglob("*.py")) if "late import" in path.read_text("utf-8")]


def branches(tree: ast.Module) -> tuple[list[ast.stmt], list[ast.stmt]]:
    """What stands under TYPE_CHECKING and in its else."""
    (checked,) = (node for node in tree.body if isinstance(node, ast.If))
    assert isinstance(checked.test, ast.Name)
    assert checked.test.id == "TYPE_CHECKING"
    return checked.body, checked.orelse


def calls(statements: list[ast.stmt], function: str) -> Iterator[tuple[str, ast.Call]]:
    """Name that is given a value -> the call of the function that makes it."""
    for node in statements:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call) and isinstance(node.targets[0], ast.Name):
            called = node.value.func
            if isinstance(called, ast.Name) and called.id == function:
                yield node.targets[0].id, node.value


def differing(path: Path) -> Iterator[str]:
    """Names for which a file says one thing to type checkers and another at run time."""
    for_checker, at_run_time = branches(ast.parse(path.read_text("utf-8")))
    imports = [node for node in for_checker if isinstance(node, ast.ImportFrom)]
    plain = [node for node in for_checker if isinstance(node, ast.Import)]
    named = {alias.asname or alias.name: f"{node.module}.{alias.name}" for node in imports for alias in node.names}
    named |= {alias.name: alias.name for node in plain for alias in node.names}
    yield from (
        name for name, call in calls(at_run_time, "late_module") if named[name] != ast.literal_eval(call.args[0])
    )
    if any(calls(at_run_time, "late_names")):
        package = ".".join(path.parent.relative_to(ROOT).parts)
        names = {name: module for name, module in named.items() if module != f"{package}.{name}"}
        yield from (name for name in names if getattr(import_module(package), name, None) is None)
        # Once the module has been imported, its package would offer the module under the name.
        yield from (name for name in names if (path.parent / f"{name}.py").exists() or (path.parent / name).is_dir())


def test_what_is_late_is_what_the_type_checker_reads() -> None:
    assert [(str(path.relative_to(ROOT)), name) for path in FILES for name in differing(path)] == []


def test_late_modules_are_imported_when_they_are_used(tmp_path: Path) -> None:
    module = late_module("colorsys")
    assert module.rgb_to_hsv(0, 0, 0) == (0, 0, 0)
    with pytest.raises(AttributeError):
        module.nothing  # noqa: B018 - asking is what is tried
    face = tmp_path / "__init__.py"
    face.write_text(
        "if TYPE_CHECKING:\n    from xml.dom import Node as Node\n    from json import (\n    loads as loads,\n    )\n"
    )
    offered = late_names("xml", str(face))
    assert offered("Node").__name__ == "Node"  # type: ignore[attr-defined]
    assert offered("loads").__name__ == "loads"  # type: ignore[attr-defined]
    with pytest.raises(AttributeError, match="has no attribute 'Other'"):
        offered("Other")
