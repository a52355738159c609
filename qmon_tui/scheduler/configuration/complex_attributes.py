"""Complex attributes as the scheduler uses them (complex(5), matching.md#attributes)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from qmon_tui.model import ConfigObject, complex_entry, default_complexes
from qmon_tui.scheduler.configuration.lenient_parsing import number

NUMERIC_TYPES = frozenset({"INT", "TIME", "MEMORY", "BOOL", "DOUBLE"})
_SLOTS = next(entry for entry in default_complexes() if entry.name == "slots")


@dataclass(frozen=True, slots=True)
class Attribute:
    """A complex attribute, with words in one spelling and numbers parsed."""

    name: str
    shortcut: str
    type: str
    relop: str
    requestable: str
    """YES, NO or FORCED."""
    consumable: str
    """YES (per slot), JOB or NO."""
    default: str
    default_amount: float
    """The number in `default`; 0 if it has none."""
    urgency: float
    numeric: bool
    is_consumable: bool
    """True if `consumable` is YES or JOB."""
    per_job: bool
    """True if `consumable` is JOB."""
    exclusive: bool
    """True if `relop` is EXCL."""

    @property
    def is_plain_consumable(self) -> bool:
        """True if a request fits whenever enough is left: a numeric consumable with relop <=."""
        return self.is_consumable and self.numeric and self.relop == "<="


@dataclass(frozen=True, slots=True)
class AttributeTable:
    """All complex attributes, by full name and by shortcut."""

    by_name: Mapping[str, Attribute]
    by_shortcut: Mapping[str, Attribute]
    forced: tuple[Attribute, ...]
    """Attributes with requestable FORCED, sorted by name as in the qmaster's list."""

    @property
    def has_exclusive(self) -> bool:
        """True if some attribute has relop EXCL."""
        return any(attribute.exclusive for attribute in self.by_name.values())

    def find(self, name: str) -> Attribute | None:
        return self.by_name.get(name) or self.by_shortcut.get(name)


def compile_attribute(entry: ConfigObject) -> Attribute:
    """Parse one complex entry; `slots` gets the values that the qmaster enforces."""
    parsed = complex_entry(entry)
    if parsed.name == "slots":
        parsed = parsed._replace(type="INT", relop="<=", requestable="YES", consumable="YES", default="1")
    return Attribute(
        name=parsed.name,
        shortcut=parsed.shortcut,
        type=parsed.type,
        relop=parsed.relop,
        requestable=parsed.requestable if parsed.requestable in ("YES", "FORCED") else "NO",
        consumable=parsed.consumable if parsed.consumable in ("YES", "JOB") else "NO",
        default=parsed.default,
        default_amount=number(parsed.default),
        urgency=number(parsed.urgency),
        numeric=parsed.type in NUMERIC_TYPES,
        is_consumable=parsed.consumable in ("YES", "JOB"),
        per_job=parsed.consumable == "JOB",
        exclusive=parsed.relop == "EXCL",
    )


def compile_attributes(entries: Iterable[ConfigObject]) -> AttributeTable:
    """Parse all complex entries; add `slots` if it is missing, as every qmaster has it."""
    attributes = [compile_attribute(entry) for entry in entries]
    if all(attribute.name != _SLOTS.name for attribute in attributes):
        attributes.append(compile_attribute(_SLOTS))
    forced = [attribute for attribute in attributes if attribute.requestable == "FORCED"]
    return AttributeTable(
        by_name={attribute.name: attribute for attribute in attributes},
        by_shortcut={attribute.shortcut: attribute for attribute in reversed(attributes)},
        forced=tuple(sorted(forced, key=lambda attribute: attribute.name.encode())),
    )
