"""Rules for the names of objects. Source: sge_types(1) object_name, values.md#names-of-objects."""

from collections.abc import Mapping

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
