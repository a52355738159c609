"""A queue field that differs per host: `default,[key=value],[key=value]` (validation/queue.md section 5)."""

from dataclasses import dataclass, field, replace

_BLANKS = " \t"
_DEFAULT_KEY = "@/"
"""The name under which the qmaster itself keeps the default; typed as a key it defines the default twice."""


@dataclass(frozen=True, slots=True)
class Overrides:
    """The value of one queue field: its default (None if there are only brackets) and the values per host or @group."""

    default: str | None
    keyed: tuple[tuple[str, str], ...] = ()
    typed: str | None = field(default=None, compare=False)
    """The text that was read, as long as nothing is changed."""

    def text(self) -> str:
        """As typed if nothing has changed since it was read, else in the qmaster's order."""
        return self.canonical() if self.typed is None else self.typed

    def canonical(self) -> str:
        """In the order in which the qmaster prints: the default, then all groups, then all hosts."""
        groups = [pair for pair in self.keyed if pair[0].startswith("@")]
        hosts = [pair for pair in self.keyed if not pair[0].startswith("@")]
        parts = [f"[{key}={value}]" for key, value in groups + hosts]
        return ",".join(parts if self.default is None else [self.default, *parts])

    def get(self, key: str) -> str | None:
        """Value typed for a host or @group; None if there is none. Host names are compared without case."""
        return next((value for known, value in self.keyed if _same_key(known, key)), None)

    def with_default(self, value: str) -> "Overrides":
        """The same overrides with another default."""
        return self if value == self.default else replace(self, default=value, typed=None)

    def with_key(self, key: str, value: str | None) -> "Overrides":
        """Set the value of a host or @group in its place, or at the end; None takes it away."""
        if value == self.get(key):
            return self
        if value is None:
            keyed = tuple(pair for pair in self.keyed if not _same_key(pair[0], key))
        elif self.get(key) is None:
            keyed = (*self.keyed, (key, value))
        else:
            keyed = tuple((known, value if _same_key(known, key) else old) for known, old in self.keyed)
        return replace(self, keyed=keyed, typed=None)


def parse_overrides(text: str) -> Overrides:
    """Split a queue field into default and overrides; raises ValueError in the qmaster's words."""
    if text.rstrip(_BLANKS).endswith(","):
        raise ValueError(f'error: There is an extra comma at the end of the list: "{text}"')
    if "[" not in text:
        return Overrides(text, (), text)
    # Like C's strtok, brackets in a row count as one.
    first, *others = (part for part in text.split("[") if part)
    default = None
    keyed: list[tuple[str, str]] = []
    if text.startswith("[") and first.rstrip(_BLANKS + ",").endswith("]"):
        others = [first, *others]
    else:
        default = _without_comma(first, text) if others else first
    for index, part in enumerate(others):
        body = (_without_comma(part, text) if index + 1 < len(others) else part).rstrip(_BLANKS)
        if not body.endswith("]"):
            raise ValueError(f'error: The last character of each list item must be enclosed in brackets: "{text}"')
        key, equals, value = body[:-1].partition("=")
        if not equals:
            raise ValueError("error: '=' has to separate host or group from value")
        if key == _DEFAULT_KEY or any(_same_key(key, known) for known, _ in keyed):
            raise ValueError(f'error: Value for "{key}" is multiply defined')
        keyed.append((key, value.strip(_BLANKS)))
    return Overrides(default, tuple(keyed), text)


def _without_comma(part: str, text: str) -> str:
    """Take away the one comma that ends a part before a bracket."""
    body = part.rstrip(_BLANKS)
    if not body.endswith(","):
        raise ValueError(f'error: All list elements must be separated by commas: "{text}"')
    return body[:-1].rstrip(_BLANKS)


def _same_key(one: str, other: str) -> bool:
    return one == other if one.startswith("@") else one.lower() == other.lower()
