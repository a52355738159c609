"""Checks of texts in a job: names, paths and -binding.

All messages were seen in 8.1.9, with every character of ASCII.

Source: clients.md#what-the-qmaster-refuses-of-a-job.
"""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Final

from qmon_tui.model import Job
from qmon_tui.values import FORBIDDEN, LONGEST, TOO_LONG, character_problem, first_character_problem, keyword_problem

SILENT: Final = "Error reading answer list from qmaster"
"""qsub's message if the qmaster refuses a job without one."""

NAME_TOO_LONG: Final = f"job name too long, maximum allowed length is {LONGEST} characters"
_FORBIDDEN: Final = {
    "\n": "Return",
    "\t": "Tab",
    "\r": "Carriage return",
    "/": "Slash ('/')",
    ":": "Colon (':')",
    "@": "At ('@')",
    "\\": "Backslash ('\\')",
    "*": "Asterisk ('*')",
    "?": "Questionmark ('?')",
}


_FORBIDDEN_IN_PATTERNS: Final = {character: words for character, words in FORBIDDEN.items() if character not in "[]"}


def unnumbered_objection(job: Job) -> str | None:
    """Return why a job is refused before it gets a number; None if it is not. Only then its number stays unused."""
    request = job.request
    if len(job.name) > LONGEST:
        return NAME_TOO_LONG
    text = (
        _object_objection(request.project or "", FORBIDDEN)
        or account_objection(request.account or "")
        or _object_objection(request.checkpoint or "", FORBIDDEN)
        or _object_objection(request.pe.name if request.pe else "", _FORBIDDEN_IN_PATTERNS)
    )
    if text is None and request.array is None and request.max_running_tasks:
        return 'invalid "task concurrency" value in job request'
    return text


@lru_cache(maxsize=4096)
def name_objection(name: str) -> str | None:
    """Return the objection to a job's name; None if it is valid."""
    if name[:1].isdigit():
        return f'denied: "{name}" is not a valid object name (cannot start with a digit)'
    return NAME_TOO_LONG if len(name) > LONGEST else _objection(name)


@lru_cache(maxsize=4096)
def account_objection(account: str) -> str | None:
    """Return the objection to an account (-A); None if it is valid."""
    return _objection(account)


def _object_objection(name: str, forbidden: Mapping[str, str]) -> str | None:
    """Return the objection to the name of a requested object; None if it is valid or empty."""
    return first_character_problem(name) or _objection(name, forbidden) if name else None


def _objection(text: str, forbidden: Mapping[str, str] = _FORBIDDEN) -> str | None:
    if len(text) > LONGEST:
        return TOO_LONG
    silent = SILENT if any(not "!" <= character <= "~" for character in text) else None
    return character_problem(text, forbidden) or keyword_problem(text) or silent


_PATHS: Final = ("-o", "-i", "-S", "-e")
"""The options in the order of checking."""
_TWICE: Final = "ERROR! two files are specified for the same host"
_UNBOUND: Final = {"linear": "BN_parameter is n", "striding": "BN_parameter_n is 0"}
_NO_CORE: Final = re.compile(r":*0+(?::|$)")


def objection_to_paths_and_binding(kept: Mapping[str, str]) -> str | None:
    """Return the objection to paths and -binding; None if they are valid."""
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
    """Yield the host of each path; empty for a path without host."""
    for entry in filter(None, paths.split(",")):
        host, colon, _ = entry.partition(":")
        yield host.lower() if colon else ""
