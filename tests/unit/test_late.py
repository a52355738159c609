"""What is loaded when it is first used is what the import for type checkers beside it says."""

import ast
import xml
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from qmon_tui.late import late_names

ROOT = Path(__file__).parents[2]
FACES = [
    path for path in sorted((ROOT / "qmon_tui").rglob("*.py")) if "else:\n    __getattr__" in path.read_text("utf-8")
]


def differing(path: Path) -> Iterator[str]:
    """Names for which a face says one thing to type checkers and another at run time."""
    (checked,) = (node for node in ast.parse(path.read_text("utf-8")).body if isinstance(node, ast.If))
    imports = [node for node in checked.body if isinstance(node, ast.ImportFrom)]
    named = {alias.asname or alias.name: f"{node.module}.{alias.name}" for node in imports for alias in node.names}
    package = ".".join(path.parent.relative_to(ROOT).parts)
    names = {name: module for name, module in named.items() if module != f"{package}.{name}"}
    yield from (name for name in names if getattr(import_module(package), name, None) is None)
    # Once the module has been imported, its package would offer the module under the name.
    yield from (name for name in names if (path.parent / f"{name}.py").exists() or (path.parent / name).is_dir())


def test_what_is_late_is_what_the_type_checker_reads() -> None:
    assert [(str(path.relative_to(ROOT)), name) for path in FACES for name in differing(path)] == []


def test_late_modules_are_imported_when_they_are_used(tmp_path: Path) -> None:
    module = late_names("xml", xml.__file__, modules=True)("sax")
    assert module.handler.version == "2.0beta"  # type: ignore[attr-defined]
    with pytest.raises(AttributeError):
        module.nothing  # type: ignore[attr-defined]  # noqa: B018 - asking is what is tried
    face = tmp_path / "__init__.py"
    face.write_text(
        "if TYPE_CHECKING:\n    from xml.dom import Node as Node\n    from json import (\n    loads as loads,\n    )\n"
    )
    offered = late_names("xml", str(face))
    assert offered("Node").__name__ == "Node"  # type: ignore[attr-defined]
    assert offered("loads").__name__ == "loads"  # type: ignore[attr-defined]
    with pytest.raises(AttributeError, match="has no attribute 'Other'"):
        offered("Other")
