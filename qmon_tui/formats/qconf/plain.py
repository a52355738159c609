"""Files as qconf prints them: every line a name, blanks and a value, nothing else. Such a file is read at one go.

A cluster has hundreds of hosts whose files have the same attributes, so what can be said of the names is said once.
"""

import re
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Final, NamedTuple

from qmon_tui.formats.qconf.expected import is_expected, missing_fields
from qmon_tui.formats.qconf.wrap import glue_of, unwrap
from qmon_tui.model.kinds import Kind

_ATTRIBUTE: Final = re.compile(r"^([A-Za-z0-9_.\-]++)[ \t]++([^ \t\n\\#\r](?:[^\n\\#\r]++|\\\n)*+)\n", re.MULTILINE)
"""A comment, a line end of another system or a backslash in the midst of a line is unusual and not matched."""


class Plain(NamedTuple):
    """What is in such a file: attribute -> value, and attribute -> 1-based line."""

    values: dict[str, str]
    lines: Mapping[str, int]


def read_plain(kind: Kind, text: str) -> Plain | None:
    """The attributes of a file in which nothing is unusual; None for a file that has to be read word by word."""
    values: dict[str, str] = dict(found := _ATTRIBUTE.findall(text))
    lines = _expected_lines(kind, tuple(values))
    continued = sum([value.count("\n") for value in values.values() if "\\" in value]) if "\\" in text else 0
    if lines is None or len(found) + continued != text.count("\n") or len(values) != len(found):
        return None
    if continued:
        lines = _counted(values)
        values |= {name: unwrap(value, glue_of(kind, name)) for name, value in values.items() if "\\" in value}
    if " \n" in text or "\t\n" in text:
        values = {name: value.rstrip(" \t") for name, value in values.items()}
    return Plain(values, lines) if text.endswith("\n") and all(values.values()) else None


@lru_cache(maxsize=256)
def _expected_lines(kind: Kind, names: tuple[str, ...]) -> Mapping[str, int] | None:
    """The lines of these attributes, one each; None where one is not expected or missing."""
    if not names or not all(is_expected(kind, name) for name in names) or missing_fields(kind, names):
        return None
    return MappingProxyType({name: line for line, name in enumerate(names, 1)})


def _counted(values: Mapping[str, str]) -> Mapping[str, int]:
    """The lines where values go on in the next line."""
    lines: dict[str, int] = {}
    line = 1
    for name, value in values.items():
        lines[name] = line
        line += 1 + value.count("\n")
    return lines
