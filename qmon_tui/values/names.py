"""Which names an object may have. Source: sge_types(1) object_name, validation/others.md section 1.1."""

_LONGEST = 512
_KEYWORDS = ("NONE", "ALL", "TEMPLATE")
_FORBIDDEN = {
    " ": "Space (' ')",
    "\t": "Space (' ')",
    "/": "Slash ('/')",
    ":": "Colon (':')",
    "'": "Quote (''')",
    '"': "Double quote ('\"')",
    "\\": "Backslash ('\\')",
    "[": "Brackets ('[')",
    "]": "Brackets ('[')",
    "{": "Braces ('{')",
    "}": "Braces ('{')",
    "(": "Parenthesis ('(')",
    ")": "Parenthesis ('(')",
    "|": "Pipe ('|')",
    "@": "At ('@')",
    "%": "Percent ('%')",
    ",": "Comma (',')",
}


def name_problem(name: str) -> str | None:
    """What the qmaster says against an object's name, None if it may be used."""
    if not name:
        return "the name is missing"
    if len(name) > _LONGEST:
        return f"string is longer than {_LONGEST}, this is not allowed for objectnames"
    if name[0] == ".":
        return "Dot ('.') not allowed as first character of objectname"
    if name[0] == "#":
        return "a name that starts with # is read as a comment"
    for character in name:
        if character in _FORBIDDEN:
            return f"{_FORBIDDEN[character]} not allowed in objectname"
        if not character.isascii() or not character.isprintable():
            return f"{character!r} is not allowed in the name of an object: only printable ASCII is"
    if name.upper() in _KEYWORDS:
        return f'Keyword ("{name.upper()}") not allowed as objectname'
    return None
