"""Import names and modules when they are first used, so that the first frame and most commands start sooner.

A package declares such names by imports under `TYPE_CHECKING`, which only type checkers execute (`test_late.py`).
"""

import re
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from types import ModuleType

_IMPORT = re.compile(r"^    from (\S+) import (\([^)]*\)|.*)$", re.MULTILINE)
_NAME = re.compile(r"(\w+) as \1\b")


class _LateModule(ModuleType):
    """Placeholder for a module that is imported when one of its names is first used."""

    def __getattr__(self, name: str) -> object:
        value: object = getattr(import_module(self.__name__), name)
        return value

    def __setattr__(self, name: str, value: object) -> None:
        setattr(import_module(self.__name__), name, value)


def late_names(package: str, file: str, *, modules: bool = False) -> Callable[[str], object]:
    """Return the `__getattr__` of the package whose `__init__` is `file`.

    Names are declared once, imported as themselves under `TYPE_CHECKING`, and loaded when they are first used. With
    `modules`, modules of the package can also be imported as a whole: `from package import module`.
    """
    imports = _IMPORT.findall(Path(file).read_text("utf-8"))
    module_of = {name: module for module, names in imports if module != package for name in _NAME.findall(names)}

    def imported(name: str) -> object:
        if name in module_of:
            value: object = getattr(import_module(module_of[name]), name)
        elif modules and _is_module(Path(file).parent / name):
            value = _LateModule(f"{package}.{name}")
        else:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        setattr(sys.modules[package], name, value)
        return value

    return imported


def _is_module(path: Path) -> bool:
    return path.with_suffix(".py").is_file() or path.is_dir()
