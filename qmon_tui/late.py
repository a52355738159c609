"""What is loaded when it is first used: the first frame, and a command that needs only a part, do not wait for it.

Type checkers read the import that stands beside it under `TYPE_CHECKING`; a test compares the two.
"""

import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from types import ModuleType


class _LateModule(ModuleType):
    """Stands for a module until something of it is asked for."""

    def __getattr__(self, name: str) -> object:
        value: object = getattr(import_module(self.__name__), name)
        return value

    def __setattr__(self, name: str, value: object) -> None:
        setattr(import_module(self.__name__), name, value)


def late_module(name: str) -> ModuleType:
    """A module by its full name, imported when something of it is first used."""
    return _LateModule(name)


def late_names(package: str, modules: Mapping[str, Sequence[str]]) -> Callable[[str], object]:
    """`__getattr__` of a package whose face is late: module of the package -> the names that it offers to others."""
    module_of = {name: module for module, names in modules.items() for name in names}

    def imported(name: str) -> object:
        if name not in module_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value: object = getattr(import_module(f"{package}.{module_of[name]}"), name)
        setattr(sys.modules[package], name, value)
        return value

    return imported
