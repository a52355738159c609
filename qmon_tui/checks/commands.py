"""Commands in the fields of objects: their path and the $variables in them.

Source: validation/others.md sections 4, 5 and 12.
"""

import re

from qmon_tui.values.lists import is_none

_VARIABLE = re.compile(r"\$([A-Za-z0-9_]*)")


def variable_problem(text: str, known: frozenset[str]) -> str | None:
    """What the qmaster says against the first $variable that is not among the known ones, None if there is none."""
    for found in _VARIABLE.finditer(text):
        name = found.group(1)
        if not name:
            return "variables need at least one character"
        if name not in known:
            return f'unknown variable "{name}"'
    return None


def is_command(text: str) -> bool:
    """Whether a text is NONE or [user@]/path with arguments."""
    return is_none(text) or text.split()[0].rpartition("@")[2].startswith("/")
