"""Layouts of cluster folders: the files that belong to the cluster, and the file of each object."""

from collections.abc import Iterable
from enum import StrEnum
from functools import lru_cache
from typing import Final

from qmon_tui.model import Kind
from qmon_tui.model.catalogue import specs


class Layout(StrEnum):
    """Layout of a cluster folder."""

    YAML = "yaml"
    QCONF = "qconf"
    FILES = "files"
    """Files of `qconf -s*` under any names, recognised by their content; read-only."""


LISTS: Final = frozenset({Kind.MANAGERS, Kind.OPERATORS, Kind.ADMIN_HOSTS, Kind.SUBMIT_HOSTS})
YAML_ENDINGS: Final = (".yaml", ".yml")

_FOLDERS: Final = {known.folder: kind for kind, known in specs().items()}
_FILES: Final = frozenset(kind for kind, known in specs().items() if known.single or kind is Kind.COMPLEX)
_ORDER: Final = {folder: index for index, folder in enumerate(_FOLDERS)}


def is_yaml(file: str) -> bool:
    """True if a file of the folder is read as YAML: a file at the top with the ending of YAML."""
    return "/" not in file and file.endswith(YAML_ENDINGS) and not is_passed_over(file)


@lru_cache(maxsize=16384)  # called repeatedly for each of the thousands of files of a large cluster
def kind_of_file(file: str) -> Kind | None:
    """Return the kind of the objects in a file of a qconf folder; None if the file is not part of the cluster."""
    folder, slash, name = file.partition("/")
    kind = _FOLDERS.get(folder)
    if kind is None or "/" in name or is_passed_over(name):
        return None
    return kind if bool(slash) == (kind not in _FILES) else None


def is_passed_over(file: str) -> bool:
    """Return True for hidden files and backups of editors (`#all.q#`, `all.q~`), which are no objects."""
    name = file.rpartition("/")[2]
    return name.startswith((".", "#")) or name.endswith("~")


def file_of(kind: Kind, name: str) -> str:
    """Return the file of an object in a qconf folder. Raises ValueError if the name cannot be that of a file."""
    folder = specs()[kind].folder
    if kind in _FILES:
        return folder
    if not name or is_passed_over(name) or "/" in name or "\0" in name:
        raise ValueError(f'{kind} "{name}" cannot be kept in a file of that name: rename it first')
    return f"{folder}/{name}"


def detect(files: Iterable[str]) -> Layout | None:
    """Return the layout of a folder from the names of its files; None if no file belongs to a cluster."""
    names = list(files)
    if any(kind_of_file(name) for name in names):
        return Layout.QCONF
    return Layout.YAML if any(is_yaml(name) for name in names) else None


def in_order(layout: Layout, files: Iterable[str]) -> list[str]:
    """Return the files of the cluster, sorted: in a qconf folder by kind in the catalogue's order, then by name."""
    if layout is Layout.YAML:
        return sorted(file for file in files if is_yaml(file))
    if layout is Layout.FILES:
        return sorted(files)
    known = (file for file in files if kind_of_file(file) or is_yaml(file))
    return sorted(known, key=lambda file: (_ORDER.get(file.partition("/")[0], len(_ORDER)), file))
