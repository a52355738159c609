"""Cells of Grid Engine: places of their qmaster and clients, from the environment or from clusters.toml."""

import os
import re
import tomllib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, NamedTuple

from qmon_tui.sources.source import SourceError
from qmon_tui.sources.xdg import config_folder
from qmon_tui.values import whole_number

SCHEME: Final = "qmaster:"
"""Prefix of the name of a running cluster, which users give instead of a folder."""
REFRESH_SECONDS: Final = 15.0
_PLACE: Final = "/var/lib/gridengine"
"""SGE_ROOT of Debian's packages; their clients need no variable for it."""
_PORTS: Final = {"qmaster_port": "SGE_QMASTER_PORT", "execd_port": "SGE_EXECD_PORT"}
_SETTING: Final = r"^\s*{}=(\d+)"
_LONGEST: Final = 1024 * 1024
_LAST_PORT: Final = 65535


@dataclass(frozen=True, slots=True)
class Cell:
    """Facts about one cell that its clients need."""

    root: str
    """SGE_ROOT."""
    cell: str = "default"
    name: str = ""
    """The name in clusters.toml; empty for the cell of the environment."""
    qmaster_port: int | None = None
    execd_port: int | None = None
    """Ports; None if the clients look the port up."""
    clients: str = ""
    """The folder of the clients; empty for `binary_path` of the cell's bootstrap."""
    version: str = ""
    """The version that the clients must have; empty for any."""
    refresh: float = REFRESH_SECONDS
    """Minimum seconds between two readings."""
    prefix: tuple[str, ...] = ()
    """The words before each command, such as `sudo -n -u sgeadmin`."""
    protected: tuple[str, ...] = ()
    """Objects, as KIND/NAME with patterns, that no plan may change."""
    write: bool = False
    """True if the screen may change the cluster without --write."""
    shared: str = ""
    """The folder of the log, the lock and the reasons of drains; empty for one beside the cell."""

    @property
    def location(self) -> str:
        """The words by which the cell is opened."""
        return f"{SCHEME}{self.name}"

    @property
    def common(self) -> Path:
        """The folder of bootstrap and accounting."""
        return Path(self.root, self.cell, "common")

    @property
    def accounting(self) -> str:
        """Path of the accounting file; accounting.jsonl if Open Cluster Scheduler writes one."""
        json_lines = self.common / "accounting.jsonl"
        return str(json_lines if json_lines.is_file() else self.common / "accounting")

    def environment(self) -> dict[str, str]:
        """Return the environment of its clients: the cell's variables, LC_ALL=C, and no wrapped lines."""
        ports = {"SGE_QMASTER_PORT": self.qmaster_port, "SGE_EXECD_PORT": self.execd_port}
        kept = {name: text for name in ("HOME", "TZ", "SGE_ARCH", "LD_LIBRARY_PATH") if (text := os.environ.get(name))}
        return {
            **kept,
            "PATH": "/usr/bin:/bin",
            "LC_ALL": "C",
            "SGE_ROOT": self.root,
            "SGE_CELL": self.cell,
            "SGE_SINGLE_LINE": "1",
            **{name: str(port) for name, port in ports.items() if port is not None},
        }


class _Kind(NamedTuple):
    """Type of a value of clusters.toml, and its description in error sentences."""

    type: type | tuple[type, ...]
    words: str


_NUMBER: Final = _Kind(int, "a whole number")
_TEXT: Final = _Kind(str, "a text")
_TEXTS: Final = _Kind(list, "a list of texts")
_KEYS: Final = {
    "root": _TEXT, "cell": _TEXT, "qmaster_port": _NUMBER, "execd_port": _NUMBER, "clients": _TEXT, "version": _TEXT,
    "refresh": _Kind((int, float), "a number of seconds"), "prefix": _TEXTS, "protected": _TEXTS,
    "write": _Kind(bool, "true or false"), "shared": _TEXT,
}  # fmt: skip


def clusters_file() -> Path:
    """Return the file in which the user names cells."""
    return config_folder() / "clusters.toml"


def find_cell(name: str = "") -> Cell:
    """Return the cell of this name in clusters.toml; without a name that of the environment. Raises SourceError."""
    if not name:
        return _with_ports(_of_environment())
    known = _named_cells()
    if name not in known:
        names = f"it names {', '.join(sorted(known))}" if known else "there are none in it"
        raise SourceError(f"no cluster is called {name} in {clusters_file()}: {names}")
    return _with_ports(_read_cell(name, known[name]))


def cell_names() -> tuple[str, ...]:
    """Return the names in clusters.toml, in its order. Raises SourceError."""
    return tuple(_named_cells())


def _of_environment() -> Cell:
    root = os.environ.get("SGE_ROOT", "")
    if not root and os.path.isdir(_PLACE):
        root = _PLACE
    if not root:
        raise SourceError(
            "SGE_ROOT is not set, so no qmaster is known: source the settings.sh of the cell, or name the cell in"
            f" {clusters_file()} and give qmaster:NAME"
        )
    ports = tuple(map(_port, _PORTS.values()))
    return Cell(root, os.environ.get("SGE_CELL") or "default", qmaster_port=ports[0], execd_port=ports[1])


def _port(variable: str) -> int | None:
    """Return the port number in an environment variable; None if it is unset or empty. Raises SourceError."""
    text = os.environ.get(variable, "")
    number = whole_number(text, 1, _LAST_PORT) if text else None
    if text and number is None:
        raise SourceError(f'{variable} is "{text[:40]}": set the number of a port, or nothing')
    return number


def _with_ports(cell: Cell) -> Cell:
    """Add missing ports from the cell's settings.sh. Raises SourceError if the cell has no bootstrap."""
    if not (cell.common / "bootstrap").is_file():
        raise SourceError(
            f"{cell.common / 'bootstrap'} does not exist: {cell.root} holds no cell {cell.cell}; set SGE_ROOT and"
            f" SGE_CELL, or root and cell in {clusters_file()}"
        )
    try:
        with open(cell.common / "settings.sh", encoding="utf-8", errors="replace") as file:
            settings = file.read(_LONGEST)
    except OSError:
        return cell
    matches = {key: re.search(_SETTING.format(variable), settings, re.MULTILINE) for key, variable in _PORTS.items()}
    ports = {key: whole_number(match[1], 1, _LAST_PORT) if match else None for key, match in matches.items()}
    return replace(
        cell,
        qmaster_port=cell.qmaster_port or ports["qmaster_port"],
        execd_port=cell.execd_port or ports["execd_port"],
    )


def _named_cells() -> dict[str, Any]:
    place = clusters_file()
    try:
        with open(place, "rb") as file:
            known = tomllib.loads(file.read(_LONGEST).decode())
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise SourceError(f"cannot read {place}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SourceError(f"{place} is not TOML: {error}") from None
    return known


def _read_cell(name: str, entry: Any) -> Cell:
    """Return the cell of one table of clusters.toml. Raises SourceError that names the wrong key."""
    where = f"{clusters_file()}, [{name}]"
    if not isinstance(entry, dict):
        raise SourceError(f'{where}: write a table with root = "/opt/sge"')
    for key, value in entry.items():
        if key not in _KEYS:
            raise SourceError(f"{where}: {key} is none of {', '.join(_KEYS)}")
        kind = _KEYS[key]
        is_right = isinstance(value, kind.type) and isinstance(value, bool) is (kind.type is bool)
        if not is_right or (kind is _TEXTS and not all(isinstance(text, str) for text in value)):
            raise SourceError(f"{where}: {key} is {kind.words}")
    if not entry.get("root"):
        raise SourceError(f'{where}: root is missing, for instance root = "/opt/sge"')
    for key in _PORTS:
        if key in entry and not 0 < entry[key] <= _LAST_PORT:
            raise SourceError(f"{where}: {key} is a number from 1 to 65535")
    if not 1 <= entry.get("refresh", REFRESH_SECONDS) <= 86400:
        raise SourceError(f"{where}: refresh is a number of seconds from 1 to 86400")
    values: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in entry.items()}
    return Cell(name=name, **values)
