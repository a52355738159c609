"""What a mistyped word may have been meant to be."""

from collections.abc import Iterable
from functools import lru_cache

_ALIKE = 0.6
"""How much of two words must agree, from 0 to 1."""


def nearest_word(word: str, known: Iterable[str], alike: float = _ALIKE) -> str | None:
    """The known word that is most like one that is unknown; None where none is nearly the same."""
    return _nearest(word, tuple(known), alike)


@lru_cache(maxsize=4096)  # a file may have the same wrong word thousands of times
def _nearest(word: str, known: tuple[str, ...], alike: float) -> str | None:
    from difflib import get_close_matches  # late: files seldom have such words

    return next(iter(get_close_matches(word, known, 1, alike)), None)


def meant(word: str, known: Iterable[str], alike: float = _ALIKE) -> str:
    """`did you mean queue?`, where a word is nearly one of the known ones; empty where it is none."""
    nearest = nearest_word(word, known, alike)
    return f"did you mean {nearest}?" if nearest else ""
