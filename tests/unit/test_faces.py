"""Packages are rooms with faces: others import what `__init__` offers, and nothing behind it."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FILES = sorted((ROOT / "qmon_tui").rglob("*.py"))
PACKAGES = {".".join(path.parent.relative_to(ROOT).parts) for path in FILES if path.name == "__init__.py"}
OPEN = {
    "qmon_tui.model.catalogue",
    "qmon_tui.qmaster.commands",
    "qmon_tui.sources",
    "qmon_tui.tui",
}
"""Packages whose modules others import one by one, since loading all of them takes too long before the first frame."""


def package_of(path: Path) -> str:
    return ".".join(path.parent.relative_to(ROOT).parts)


def behind_a_face(path: Path, tree: ast.AST) -> Iterator[str]:
    """What a file imports from behind the face of a package in which it does not stand itself."""
    own = package_of(path)
    for node in ast.walk(tree):
        if not isinstance(node, ast.ImportFrom) or not (node.module or "").startswith("qmon_tui.") or not node.module:
            continue
        if node.module in PACKAGES:
            continue
        package = node.module.rpartition(".")[0]
        if package not in OPEN and own != package and not own.startswith(f"{package}."):
            yield f"{node.module} (line {node.lineno})"


@pytest.mark.parametrize("path", [pytest.param(path, id=str(path.relative_to(ROOT))) for path in FILES])
def test_nobody_reaches_past_a_face(path: Path) -> None:
    assert list(behind_a_face(path, ast.parse(path.read_text()))) == []


def test_reaching_past_a_face_is_noticed() -> None:
    tree = ast.parse(
        "from qmon_tui.scheduler.matching.level import Level\nfrom qmon_tui.scheduler.matching import Level\n"
    )
    assert list(behind_a_face(ROOT / "qmon_tui" / "explain" / "x.py", tree)) == [
        "qmon_tui.scheduler.matching.level (line 1)"]  # fmt: skip


@pytest.mark.parametrize("package", sorted(PACKAGES - OPEN - {"qmon_tui"}))
def test_a_face_names_what_it_offers(package: str) -> None:
    tree = ast.parse((ROOT / Path(*package.split(".")) / "__init__.py").read_text())
    top = [node for node in tree.body if not isinstance(node, ast.FunctionDef | ast.ClassDef)]
    imports = [node for statement in top for node in ast.walk(statement) if isinstance(node, ast.ImportFrom)]
    own = [node for node in imports if f"{node.module}.".startswith(package)]
    named = {alias.name for node in own for alias in node.names}
    named |= {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    assigned = {ast.unparse(node.targets[0]): node.value for node in tree.body if isinstance(node, ast.Assign)}
    offered = set(ast.literal_eval(assigned.pop("__all__")))
    assert offered == {name for name in (*named, *assigned) if not name.startswith("_")}
