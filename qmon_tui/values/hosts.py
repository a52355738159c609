"""Names of hosts and hostgroups (values.md#hosts)."""

import re
from functools import lru_cache

from qmon_tui.values.c_library import lower

_LABEL = r"[A-Za-z0-9_](?:[A-Za-z0-9_-]*[A-Za-z0-9_])?"
_HOST = re.compile(rf"{_LABEL}(?:\.{_LABEL})*\.?")
_LONGEST_HOST = 255


def is_group(name: str) -> bool:
    """True if the name is a hostgroup's: it starts with @."""
    return name.startswith("@")


@lru_cache(maxsize=65536)
def canonical(name: str) -> str:
    """Spelling under which a host is kept: lower case; the name of a hostgroup is kept as it is."""
    return name if is_group(name) else lower(name)


def same_host(a: str, b: str) -> bool:
    """True if two names mean one host or hostgroup."""
    return comparable(a) == comparable(b)


def comparable(name: str) -> str:
    """Form in which the qmaster compares names of hosts and hostgroups (and patterns of them): case never counts."""
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
