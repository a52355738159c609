"""The mistakes that the files of configs/broken and configs/broken-qconf announce in their comments."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

CONFIGS: Final = Path(__file__).parents[3] / "configs"

Place = tuple[str, int, str]
"""File relative to its folder, line and rule."""

_ANNOUNCEMENT: Final = re.compile(r"\s*# ([a-z_]+(?:\.[a-z_0-9]+)+)( \(this file\))?: \S")


def announced(folder: Path) -> list[Place]:
    """Every announcement of a folder, sorted: it is for the first line below that is no comment, or for line 1."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    return sorted(place for path in files for place in _in_file(path, path.relative_to(folder).as_posix()))


def _in_file(path: Path, name: str) -> Iterator[Place]:
    # Some files are no UTF-8 on purpose, and their lines end in LF or CR LF alone.
    lines = path.read_bytes().decode("latin-1").split("\n")
    for number, line in enumerate(lines, 1):
        found = _ANNOUNCEMENT.match(line)
        if found:
            yield name, 1 if found.group(2) else _below(lines, number), found.group(1)


def _below(lines: list[str], number: int) -> int:
    while number < len(lines) and lines[number].lstrip().startswith("#"):
        number += 1
    return number + 1
