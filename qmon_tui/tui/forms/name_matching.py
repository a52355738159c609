"""Search of names by a few of their letters; no Textual here."""

from collections.abc import Iterable


def match_rank(name: str, typed: str) -> int | None:
    """Return how well a name matches the typed text, 0 for best; None if its letters do not occur in this order."""
    name, typed = name.casefold(), typed.casefold().strip()
    if name.startswith(typed):
        return 0 if name == typed else 1
    if typed in name:
        return 2
    letters = iter(name)
    return 3 if all(letter in letters for letter in typed) else None


def best_matches(names: Iterable[str], typed: str) -> list[str]:
    """Return the names that match, best first; equally good ones in the given order."""
    ranked = [(rank, place, name) for place, name in enumerate(names) if (rank := match_rank(name, typed)) is not None]
    return [name for _, _, name in sorted(ranked)]
