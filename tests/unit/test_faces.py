"""Packages are rooms with faces: others import what `__init__` offers, and nothing behind it."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
FILES = sorted((ROOT / "qmon_tui").rglob("*.py"))
MODULES = {".".join(path.relative_to(ROOT).with_suffix("").parts) for path in FILES if path.name != "__init__.py"}
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
    for module, line in imported_modules(tree):
        package, _, name = module.rpartition(".")
        inside = own == package or own.startswith(f"{package}.")
        if not inside and package not in OPEN and name not in offered_names(package):
            yield f"{module} (line {line})"


@cache
def offered_names(package: str) -> frozenset[str]:
    """Names that the `__init__` of a package offers: what it imports as itself, and what it defines."""
    tree = ast.parse((ROOT / Path(*package.split(".")) / "__init__.py").read_text())
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    offered = {alias.name for node in imports for alias in node.names if alias.asname == alias.name}
    return frozenset(offered | {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)})


def imported_modules(tree: ast.AST) -> Iterator[tuple[str, int]]:
    """The modules of ours, packages left out, that a file imports, with the line of each import."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("qmon_tui"):
            names = [f"{node.module}.{alias.name}" for alias in node.names]
            found = [str(node.module)] if node.module in MODULES else [name for name in names if name in MODULES]
        else:
            continue
        yield from ((module, node.lineno) for module in found)


def test_nobody_reaches_past_a_face() -> None:
    reached = {path: list(behind_a_face(path, ast.parse(path.read_text()))) for path in FILES}
    assert {str(path): modules for path, modules in reached.items() if modules} == {}


def test_reaching_past_a_face_is_noticed() -> None:
    tree = ast.parse(
        "from qmon_tui.scheduler.matching.level import Level\nfrom qmon_tui.scheduler.matching import Level\n"
        "from qmon_tui.scheduler.matching import level\n"
    )
    assert list(behind_a_face(ROOT / "qmon_tui" / "explain" / "x.py", tree)) == [
        f"qmon_tui.scheduler.matching.level (line {line})" for line in (1, 3)]  # fmt: skip


def foreign_offers(package: str) -> list[str | None]:
    """Modules outside a package from which its `__init__` offers names."""
    tree = ast.parse((ROOT / Path(*package.split(".")) / "__init__.py").read_text())
    offering = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)
                and any(alias.asname == alias.name for alias in node.names)]  # fmt: skip
    return [node.module for node in offering if not f"{node.module}.".startswith(f"{package}.")]


def test_a_face_offers_only_what_is_its_own() -> None:
    assert {package: foreign_offers(package) for package in PACKAGES if foreign_offers(package)} == {}


def hidden_offers(package: str) -> list[str]:
    """Names of other modules that a package offers and that a module of its own hides once it is imported."""
    folder = ROOT / Path(*package.split("."))
    tree = ast.parse((folder / "__init__.py").read_text())
    offered = [(node.module, alias.name) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)
               for alias in node.names if alias.asname == alias.name]  # fmt: skip
    return [
        name
        for module, name in offered
        if module not in (package, f"{package}.{name}") and f"{package}.{name}" in MODULES | PACKAGES
    ]


def test_no_module_hides_what_its_package_offers() -> None:
    assert {package: hidden_offers(package) for package in PACKAGES if hidden_offers(package)} == {}
