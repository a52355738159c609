"""Names of objects, hosts and hostgroups. Source: sge_types(1) object_name, values.md#names-of-objects, #hosts."""

import re
from collections.abc import Mapping
from functools import lru_cache

from qmon_tui.values.c_library import lower

LONGEST = 512
TOO_LONG = f"string is longer than {LONGEST}, this is not allowed for objectnames"
_KEYWORDS = ("NONE", "ALL", "TEMPLATE")
_NEVER_FIRST = {".": "Dot ('.')", "#": "Hash ('#')"}
FORBIDDEN = {
    " ": "Space (' ')",
    "\t": "Space (' ')",
    "/": "Slash ('/')",
    ":": "Colon (':')",
    "'": "Quote (''')",
    '"': "Double quote ('\"')",
    "\\": "Backslash ('\\')",
    "[": "Brackets ('[')",
    "]": "Brackets (']')",
    "{": "Braces ('{')",
    "}": "Braces ('}')",
    "|": "Pipe ('|')",
    "(": "Parenthesis ('(')",
    ")": "Parenthesis (')')",
    "@": "At ('@')",
    "%": "Percent ('%')",
    ",": "Comma (',')",
}
"""Character -> how it is named, in the order in which the qmaster looks for them."""


def name_problem(name: str) -> str | None:
    """Return the qmaster's objection to an object's name; None if it has none."""
    if not name:
        return "the name is missing"
    if len(name) > LONGEST:
        return TOO_LONG
    if name[0] == ".":
        return first_character_problem(name)
    if name[0] == "#":
        return "a name that starts with # is read as a comment"
    problem = character_problem(name, FORBIDDEN)
    if problem is not None:
        return problem
    odd = next((character for character in name if not character.isascii() or not character.isprintable()), None)
    if odd is not None:
        return f"{odd!r} is not allowed in the name of an object: only printable ASCII is"
    return keyword_problem(name)


def first_character_problem(name: str) -> str | None:
    """Return the qmaster's objection to a first character (dot; in files also hash); None if it has none."""
    words = _NEVER_FIRST.get(name[:1])
    return None if words is None else f"{words} not allowed as first character of objectname"


def character_problem(text: str, forbidden: Mapping[str, str]) -> str | None:
    """Return the qmaster's objection to a forbidden character, the first of `forbidden` in the text; None without."""
    words = next((words for character, words in forbidden.items() if character in text), None)
    return None if words is None else f"{words} not allowed in objectname"


def keyword_problem(text: str) -> str | None:
    """Return the qmaster's objection to a name that is a keyword, in any case; None if it is not."""
    return f'Keyword ("{text.upper()}") not allowed as objectname' if text.upper() in _KEYWORDS else None


_LABEL = r"[A-Za-z0-9_](?:[A-Za-z0-9_-]*[A-Za-z0-9_])?"
_HOST = re.compile(rf"{_LABEL}(?:\.{_LABEL})*\.?")
_LONGEST_HOST = 255


def is_group(name: str) -> bool:
    """True if the name is a hostgroup's: it starts with @."""
    return name.startswith("@")


@lru_cache(maxsize=65536)
def canonical(name: str) -> str:
    """Return the spelling under which a host is stored: lower case; a hostgroup's name stays unchanged."""
    return name if is_group(name) else lower(name)


def same_host(a: str, b: str) -> bool:
    """True if two names mean one host or hostgroup."""
    return comparable(a) == comparable(b)


def comparable(name: str) -> str:
    """Return the form in which the qmaster compares names and patterns of hosts and hostgroups: lower case."""
    return lower(name)


def meant_host(name: str, known: frozenset[str]) -> str:
    """Return `did you mean node1.cluster.local?` for node1, and the other way round; empty if no known host is meant.

    `known` has names in lower case; of several hosts with the same first label none is meant.
    """
    plain = lower(name)
    others = _by_label(known).get(plain.partition(".")[0], ()) if plain not in known else ()
    return f"did you mean {others[0]}?" if len(others) == 1 else ""


@lru_cache(maxsize=8)
def _by_label(known: frozenset[str]) -> dict[str, list[str]]:
    labels: dict[str, list[str]] = {}
    for name in sorted(known):
        labels.setdefault(name.partition(".")[0], []).append(name)
    return labels


def is_host_name(name: str) -> bool:
    """True if a name resolver could know the name: labels of letters, digits, `-` and `_` between dots."""
    return len(name) <= _LONGEST_HOST and _HOST.fullmatch(name) is not None
