"""Put a fault into the functions of a process that has loaded them already."""

import gc
from collections import Counter
from collections.abc import Iterator, Set
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, FunctionType


class LoadedFunctions:
    """The functions of the modules below a folder, by their file and code."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._by_code: dict[tuple[str, CodeType], list[FunctionType]] = {}
        gc.unfreeze()  # what is frozen is not listed
        for function in gc.get_objects():
            if type(function) is FunctionType and function.__code__.co_filename.startswith(str(folder)):
                key = (function.__code__.co_filename, function.__code__)
                self._by_code.setdefault(key, []).append(function)
        gc.freeze()

    def of(self, code: CodeType) -> list[FunctionType]:
        return self._by_code.get((code.co_filename, code), [])


@dataclass(frozen=True)
class CodeChange:
    """What differs between two texts of a module."""

    changed: dict[CodeType, CodeType]
    lost: list[CodeType]
    """Code of the first text for which the second has nothing."""

    def innermost(self) -> Iterator[CodeType]:
        """The code that differs itself: what only contains other code that does is left out."""
        for code in (*self.changed, *self.lost):
            if not any(inner in self.changed for inner in _directly_inside(code)):
                yield code

    def ran(self, seen: Set[tuple[str, CodeType]]) -> bool:
        return any((code.co_filename, code) in seen for code in self.innermost())

    def apply(self, functions: LoadedFunctions) -> bool:
        """False where a function cannot take its new code."""
        try:
            for before, after in self.changed.items():
                for function in functions.of(before):
                    function.__code__ = after
        except ValueError:  # it uses other variables of the function around it
            return False
        return not any(functions.of(code) for code in self.lost)


def code_change(path: str, before: str, after: str) -> CodeChange:
    partners = dict(_named(compile(after, path, "exec")))
    changed: dict[CodeType, CodeType] = {}
    lost: list[CodeType] = []
    for name, code in _named(compile(before, path, "exec")):
        partner = partners.get(name)
        if partner is None:
            lost.append(code)
        elif partner != code:
            changed[code] = partner
    return CodeChange(changed, lost)


def _named(module: CodeType) -> Iterator[tuple[tuple[str, int], CodeType]]:
    """Each code of a module, by its name and how many of that name stand before it."""
    numbers: Counter[str] = Counter()
    for code in _all_inside(module):
        yield (code.co_qualname, numbers[code.co_qualname]), code
        numbers[code.co_qualname] += 1


def _all_inside(code: CodeType) -> Iterator[CodeType]:
    yield code
    for inner in _directly_inside(code):
        yield from _all_inside(inner)


def _directly_inside(code: CodeType) -> Iterator[CodeType]:
    return (constant for constant in code.co_consts if isinstance(constant, CodeType))
