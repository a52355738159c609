"""A queue field that differs per host: `default,[key=value],[key=value]` (queue.md#values-that-differ-per-host)."""

from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Final

from qmon_tui.values.names import comparable, is_group, same_host

_BLANKS: Final = " \t"
_DEFAULT_KEY: Final = "@/"
"""The key under which the qmaster itself keeps the default; `[@/=1]` is another way to write it."""

_Part = tuple[str | None, str]


class OverridesError(ValueError):
    """Raised for a text that is no default with overrides; `read` has its (key or None, value) pairs before the error.

    The qmaster looks at each value before it reads on, so that a bad value in `read` is reported first.
    """

    def __init__(self, message: str, read: tuple[_Part, ...]) -> None:
        super().__init__(message)
        self.read = read


@dataclass(frozen=True, slots=True)
class Overrides:
    """The value of one queue field: its default (None if there are only brackets) and the values per host or @group."""

    default: str | None
    keyed: tuple[tuple[str, str], ...] = ()
    typed: str | None = field(default=None, compare=False)
    """The text as read; None after a change."""

    def text(self) -> str:
        """Return the text as typed; after a change, the canonical text."""
        return self.canonical() if self.typed is None else self.typed

    def canonical(self) -> str:
        """Return the text as the qmaster prints it: the default, then all groups, then all hosts."""
        groups = [pair for pair in self.keyed if is_group(pair[0])]
        hosts = [pair for pair in self.keyed if not is_group(pair[0])]
        parts = [f"[{key}={value}]" for key, value in groups + hosts]
        return ",".join(parts if self.default is None else [self.default, *parts])

    def get(self, key: str) -> str | None:
        """Return the value given for a host or @group in any case; None if there is none."""
        return next((value for known, value in self.keyed if same_host(known, key)), None)

    def with_default(self, value: str) -> "Overrides":
        """Return a copy with this default."""
        return self if value == self.default else replace(self, default=value, typed=None)

    def with_key(self, key: str, value: str | None) -> "Overrides":
        """Return a copy with the value of a host or @group set in its place, or at the end; None removes it."""
        old = self.get(key)
        if value == old:
            return self
        if value is None:
            keyed = tuple(pair for pair in self.keyed if not same_host(pair[0], key))
        elif old is None:
            keyed = (*self.keyed, (key, value))
        else:
            keyed = tuple((known, value if same_host(known, key) else kept) for known, kept in self.keyed)
        return replace(self, keyed=keyed, typed=None)


@lru_cache(maxsize=4096)
def parse_overrides(text: str) -> Overrides:
    """Split a queue field into default and overrides; raises OverridesError in the qmaster's words."""
    parts: list[_Part] = []
    seen: set[str] = set()
    # Like C's strtok, brackets in a row count as one.
    pieces = [piece.rstrip(_BLANKS) for piece in text.split("[") if piece] or [""]
    for index, piece in enumerate(pieces):
        try:
            part = _part(piece, text, first=index == 0, last=index + 1 == len(pieces))
        except ValueError as error:
            raise OverridesError(str(error), tuple(parts)) from None
        parts.append(part)
        key = _DEFAULT_KEY if part[0] is None else part[0]
        if comparable(key) in seen:
            raise OverridesError(f'error: Value for "{key}" is multiply defined', tuple(parts))
        seen.add(comparable(key))
    default = next((value for name, value in parts if name is None), None)
    return Overrides(default, tuple((name, value) for name, value in parts if name is not None), text)


def _part(piece: str, text: str, *, first: bool, last: bool) -> _Part:
    """Return key (None for the default) and value of the text between two brackets. Raises ValueError."""
    if text and not piece:
        raise ValueError("error: No value specified")
    if last and piece.endswith(","):
        raise ValueError(f'error: There is an extra comma at the end of the list: "{text}"')
    if not last:
        if not piece.endswith(","):
            raise ValueError(f'error: All list elements must be separated by commas: "{text}"')
        piece = piece[:-1].rstrip(_BLANKS)
    if not piece.endswith("]"):
        if first:
            return None, piece
        raise ValueError(f'error: The last character of each list item must be enclosed in brackets: "{text}"')
    key, equals, value = piece[:-1].partition("=")
    if not equals:
        raise ValueError("error: '=' has to separate host or group from value")
    return None if key == _DEFAULT_KEY else key, value
