"""Values of attributes (in complex_values, limits, requests, load values) as text and number."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from qmon_tui.scheduler.configuration.complex_attributes import Attribute, AttributeTable
from qmon_tui.scheduler.configuration.lenient_parsing import number_or_none
from qmon_tui.values import canonical, is_pattern, split_entries


@dataclass(frozen=True, slots=True)
class Value:
    """A value as text and, for numeric attributes, as a number (0 if the text is not numeric)."""

    text: str
    number: float = 0.0


def entries_of(text: str, separator: str) -> tuple[tuple[str, str], ...]:
    """Return the `name=value` entries of a list; a list with a syntax error has none."""
    try:
        return split_entries(text, separator)
    except ValueError:
        return ()


def stored_value(attribute: Attribute, text: str) -> Value:
    """Return the value as the qmaster stores it: times in whole seconds, host names in lower case."""
    if not attribute.numeric:
        plain_host = attribute.type == "HOST" and not is_pattern(text)
        return Value(canonical(text) if plain_host else text)
    amount = number_or_none(text)
    if amount is None:
        return Value(text)
    if attribute.type == "TIME" and text.upper() != "INFINITY":
        return Value(whole_seconds(amount), amount)
    return Value(text, amount)


@lru_cache(maxsize=4096)
def whole_seconds(amount: float) -> str:
    """Return a time in seconds as the text that the qmaster stores (`%.0f`)."""
    return f"{amount:.0f}"


def configured_values(text: str, separator: str, attributes: AttributeTable) -> Mapping[str, Value]:
    """Return full name -> value of complex_values, without unknown attributes; the first entry of a name counts."""
    return _values(entries_of(text, separator), attributes)


def _values(entries: Iterable[tuple[str, str]], attributes: AttributeTable) -> Mapping[str, Value]:
    values: dict[str, Value] = {}
    for name, text in entries:
        attribute = attributes.find(name)
        if attribute is not None:
            values.setdefault(attribute.name, stored_value(attribute, text))
    return values
