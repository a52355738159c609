"""Upper and lower case as the qmaster sees them: in the C locale only ASCII letters have a case."""

_LOWER = {capital: capital + 32 for capital in range(ord("A"), ord("Z") + 1)}


def lower(text: str) -> str:
    """Turn the ASCII letters into lower case and leave all others alone."""
    return text.lower() if text.isascii() else text.translate(_LOWER)
