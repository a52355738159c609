"""Upper and lower case as the qmaster sees them: in the C locale only ASCII letters have a case."""

from string import ascii_lowercase, ascii_uppercase

_LOWER = str.maketrans(ascii_uppercase, ascii_lowercase)


def lower(text: str) -> str:
    """Turn the ASCII letters into lower case and leave all others alone."""
    return text.lower() if text.isascii() else text.translate(_LOWER)
