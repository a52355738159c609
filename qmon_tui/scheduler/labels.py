"""What the qmaster says of the name and the account of a job (validation/clients.md section 7).

All texts were seen in 8.1.9, with every character of ASCII.
"""

from functools import lru_cache
from typing import Final

SILENT: Final = "Error reading answer list from qmaster"
"""What is left for qsub to say where the qmaster refuses without a word."""

TOO_LONG: Final = "string is longer than 512, this is not allowed for objectnames"
NAME_TOO_LONG: Final = "job name too long, maximum allowed length is 512 characters"
_LONGEST: Final = 512
_KEYWORDS: Final = ("NONE", "ALL", "TEMPLATE")
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
"""In the order in which they are looked for."""


@lru_cache(maxsize=4096)
def name_objection(name: str) -> str | None:
    """What is said of a job's name, None where it may be used."""
    if name[:1].isdigit():
        return f'denied: "{name}" is not a valid object name (cannot start with a digit)'
    return NAME_TOO_LONG if len(name) > _LONGEST else _objection(name)


def account_objection(account: str) -> str | None:
    """The same of what is accounted for (-A)."""
    return _objection(account)


def _objection(text: str) -> str | None:
    if len(text) > _LONGEST:
        return TOO_LONG
    for character, words in _FORBIDDEN.items():
        if character in text:
            return f"{words} not allowed in objectname"
    if text.upper() in _KEYWORDS:
        return f'Keyword ("{text.upper()}") not allowed as objectname'
    return SILENT if any(not "!" <= character <= "~" for character in text) else None
