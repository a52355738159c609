"""Keys of the user: a TOML file in the XDG configuration folder.

    undo = "ctrl+z"                # one key
    redo = ["U", "ctrl+shift+z"]   # several; an empty list takes the keys away
    jobs.why = "w"                 # an action of a page or panel; `qmon-tui keys` lists all names

A line that is invalid, or gives a key two meanings, is ignored and reported as a sentence.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from qmon_tui.sources.regular_file import read_regular
from qmon_tui.sources.xdg import config_folder
from qmon_tui.tui.keys import KeyRegistry, clash, key_named, shown_key
from qmon_tui.tui.registry import REGISTRY

ALWAYS_BOUND = frozenset({"help", "quit", "palette", *(entry.id for entry in REGISTRY.local)})
"""Actions that must keep a key: help, quit, palette, and those within lists and forms."""
RESERVED = {"ctrl+q": "quit", "ctrl+c": ""}
"""Keys that mean the same in every dialog and cannot be given to anything else."""


class ConfiguredKeys(NamedTuple):
    """The registry with the user's keys, and the problems of the file as sentences."""

    registry: KeyRegistry
    problems: tuple[str, ...] = ()


def keys_file() -> Path:
    """Return the path of the file: $XDG_CONFIG_HOME/qmon-tui/keys.toml."""
    return config_folder() / "keys.toml"


def read_keys(file: Path | None = None) -> ConfiguredKeys:
    """Read the user's keys; without a file, the default keys. Never raises because of the content."""
    try:
        file = keys_file() if file is None else file
        text = read_regular(file).decode("utf-8")
    except (FileNotFoundError, NotADirectoryError, RuntimeError):
        return ConfiguredKeys(REGISTRY)
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        return ConfiguredKeys(REGISTRY, (f"{file} cannot be read: {reason}. The default keys are used.",))
    return keys_from_toml(text, str(file))


def keys_from_toml(text: str, name: str) -> ConfiguredKeys:
    """Return the keys that the text of a keys file sets; `name` is the file in problems."""
    import tomllib  # late: without such a file the first frame does not wait for it

    try:
        wanted = dict(_flat(tomllib.loads(text)))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        return ConfiguredKeys(REGISTRY, (f"{name} is not TOML: {error}. The default keys are used.",))
    lines = _lines_of(text, wanted)

    def sentence(id_: str, what: str) -> str:
        return f"{name} line {lines[id_]}: {what}" if id_ in lines else f"{name}: {what}"

    keys: dict[str, tuple[str, ...]] = {}
    problems: list[str] = []
    for id_, value in wanted.items():
        try:
            keys[id_] = _keys(id_, value)
        except ValueError as error:
            problems.append(sentence(id_, str(error)))
    while (first_clash := _first_clash(keys)) is not None:
        id_, key, other = first_clash
        del keys[id_]
        meaning = f"{shown_key(key)} is {other} already"
        problems.append(
            sentence(id_, f"{meaning}, so {id_} keeps its keys. Give {other} another key, too, or take one.")
        )
    return ConfiguredKeys(REGISTRY.with_keys(keys), tuple(problems))


def _flat(table: Mapping[str, object], lead: str = "") -> Iterator[tuple[str, object]]:
    """Yield id and value of each line; TOML reads `jobs.why` as a table in a table."""
    for name, value in table.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{lead}{name}.")
        else:
            yield f"{lead}{name}", value


def _lines_of(text: str, ids: Mapping[str, object]) -> dict[str, int]:
    """Return id -> line number; an id whose line is not found is left out."""
    lines: dict[str, int] = {}
    for number, line in enumerate(text.splitlines(), 1):
        name = re.sub(r"[\"'\s]", "", line.partition("=")[0])
        for id_ in ids:
            if name and (name == id_ or id_.endswith(f".{name}")):
                lines.setdefault(id_, number)
    return lines


def _keys(id_: str, value: object) -> tuple[str, ...]:
    """Return the keys of one line. Raises ValueError with a sentence."""
    if id_ not in {entry.id for entry in REGISTRY}:
        raise ValueError(f"there is no action {id_}. `qmon-tui keys` lists them.")
    texts = [value] if isinstance(value, str) else value
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise ValueError(f'the keys of {id_} are a text such as "ctrl+z" or a list of texts.')
    keys = []
    for text in texts:
        key = key_named(text)
        if key is None:
            raise ValueError(
                f"there is no key {text[:40]!r}. Keys are written as in x, X, /, ctrl+x, F5, Enter, Space."
            )
        if RESERVED.get(key, id_) != id_:
            raise ValueError(f"{shown_key(key)} means the same in every dialog, so {id_} cannot have it.")
        keys.append(key)
    if not keys and id_ in ALWAYS_BOUND:
        raise ValueError(f"{id_} must keep a key, or it could not be reached.")
    return tuple(dict.fromkeys(keys))


def _first_clash(keys: Mapping[str, tuple[str, ...]]) -> tuple[str, str, str] | None:
    """Return the last id of the file that shares a key, the key, and the other id; None if no keys clash."""
    registry = REGISTRY.with_keys(keys)
    entries = {entry.id: entry for entry in registry}
    usually = {entry.id: set(entry.keys) for entry in REGISTRY}
    for id_ in reversed(tuple(keys)):
        for other in entries.values():
            usual = usually.get(id_, set()) & usually.get(other.id, set())
            shared = [key for key in entries[id_].keys if key in other.keys and key not in usual]
            if other.id != id_ and shared and clash(entries[id_], other):
                return id_, shared[0], other.id
    return None
