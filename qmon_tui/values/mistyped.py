"""Suggestions for mistyped words."""

from collections.abc import Iterable
from functools import lru_cache

_ALIKE = 0.6
"""How much of two words must agree, from 0 to 1."""
_CANDIDATES = 3
_LETTERS_PER_SLIP = 3


def nearest_word(word: str, known: Iterable[str], alike: float = _ALIKE) -> str | None:
    """Return the known word that is most like an unknown one; None if none begins alike or is a few slips away."""
    return _nearest(word, tuple(known), alike)


@lru_cache(maxsize=4096)  # a file may have the same wrong word thousands of times
def _nearest(word: str, known: tuple[str, ...], alike: float) -> str | None:
    from difflib import get_close_matches  # late: files seldom have such words

    near = get_close_matches(word, known, _CANDIDATES, alike)
    return next((other for other in near if _is_slip(word.lower(), other.lower())), None)


def _is_slip(word: str, other: str) -> bool:
    """Return True if one word begins the other, or if typing slips of a third of the letters make it the other."""
    shorter, longer = sorted((word, other), key=len)
    return longer.startswith(shorter) or _slips(word, other) * _LETTERS_PER_SLIP <= len(longer)


def _slips(word: str, other: str) -> int:
    """Count the letters to insert, delete, replace or exchange with the next one (Damerau and Levenshtein)."""
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, letter in enumerate(word, 1):
        earlier, before, row = before, row, [i]
        for j, wanted in enumerate(other, 1):
            cost = min(before[j] + 1, row[-1] + 1, before[j - 1] + (letter != wanted))
            if i > 1 and j > 1 and letter == other[j - 2] and word[i - 2] == wanted:
                cost = min(cost, earlier[j - 2] + 1)
            row.append(cost)
    return row[-1]


def meant(word: str, known: Iterable[str], alike: float = _ALIKE) -> str:
    """Return `did you mean queue?` for the known word nearest to `word`; empty if none is near."""
    nearest = nearest_word(word, known, alike)
    return f"did you mean {nearest}?" if nearest else ""
