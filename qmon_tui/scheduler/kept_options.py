"""What the qmaster objects to in options that mean nothing to the scheduler: paths and -binding (seen in 8.1.9)."""

import re
from collections.abc import Iterator, Mapping
from typing import Final

_PATHS: Final = ("-o", "-i", "-S", "-e")
"""In the order in which they are looked at."""
_TWICE: Final = "ERROR! two files are specified for the same host"
_UNBOUND: Final = {"linear": "BN_parameter is n", "striding": "BN_parameter_n is 0"}
_NO_CORE: Final = re.compile(r":*0+(?::|$)")


def objection_to_kept(kept: Mapping[str, str]) -> str | None:
    """What is said of a job with these options, None where it is let in."""
    twice = [_TWICE for option in _PATHS if option in kept and _names_a_host_twice(kept[option])]
    if twice:
        return "\n".join(twice)
    strategy, _, rest = kept.get("-binding", "").rpartition(" ")[2].partition(":")
    if strategy in _UNBOUND and _NO_CORE.match(rest):
        return f"job rejected: binding parameter not consistent with strategy ({_UNBOUND[strategy]})"
    return None


def _names_a_host_twice(paths: str) -> bool:
    hosts = list(_hosts(paths))
    return len(set(hosts)) < len(hosts)


def _hosts(paths: str) -> Iterator[str]:
    """The host of each path, empty where it is for all."""
    for entry in filter(None, paths.split(",")):
        host, colon, _ = entry.partition(":")
        yield host.lower() if colon else ""
