"""What the qmaster says of the name and the account of a job (validation/clients.md section 7).

All texts were seen in 8.1.9, with every character of ASCII.
"""

from functools import lru_cache
from typing import Final

from qmon_tui.values.names import LONGEST, TOO_LONG, character_problem, keyword_problem

SILENT: Final = "Error reading answer list from qmaster"
"""What is left for qsub to say where the qmaster refuses without a word."""

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


@lru_cache(maxsize=4096)
def name_objection(name: str) -> str | None:
    """What is said of a job's name, None where it may be used."""
    if name[:1].isdigit():
        return f'denied: "{name}" is not a valid object name (cannot start with a digit)'
    return NAME_TOO_LONG if len(name) > LONGEST else _objection(name)


def account_objection(account: str) -> str | None:
    """The same of what is accounted for (-A)."""
    return _objection(account)


def _objection(text: str) -> str | None:
    if len(text) > LONGEST:
        return TOO_LONG
    silent = SILENT if any(not "!" <= character <= "~" for character in text) else None
    return character_problem(text, _FORBIDDEN) or keyword_problem(text) or silent
