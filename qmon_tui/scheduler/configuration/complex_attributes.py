"""Complex attributes as the scheduler uses them (complex(5), matching.md#attributes)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from qmon_tui.model import ConfigObject, complex_entry, default_complexes
from qmon_tui.scheduler.configuration.lenient_parsing import number

NUMERIC_TYPES = frozenset({"INT", "TIME", "MEMORY", "BOOL", "DOUBLE"})
_SLOTS = next(entry for entry in default_complexes() if entry.name == "slots")


@dataclass(frozen=True, slots=True)
class Attribute:
    """One complex entry with normalized words and parsed numbers."""

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
    urgency: float
    numeric: bool
    is_consumable: bool
    per_job: bool
    exclusive: bool
    """relop EXCL."""

    @property
    def is_plain_consumable(self) -> bool:
        """True if the only condition is that enough of it is left (numeric, relop <=)."""
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
    """Parse one complex entry; `slots` is always the consumable that the qmaster makes of it."""
    given = complex_entry(entry)
    if given.name == "slots":
        given = given._replace(type="INT", relop="<=", requestable="YES", consumable="YES", default="1")
    return Attribute(
        name=given.name,
        shortcut=given.shortcut,
        type=given.type,
        relop=given.relop,
        requestable=given.requestable if given.requestable in ("YES", "FORCED") else "NO",
        consumable=given.consumable if given.consumable in ("YES", "JOB") else "NO",
        default=given.default,
        default_amount=number(given.default),
        urgency=number(given.urgency),
        numeric=given.type in NUMERIC_TYPES,
        is_consumable=given.consumable in ("YES", "JOB"),
        per_job=given.consumable == "JOB",
        exclusive=given.relop == "EXCL",
    )


def compile_attributes(entries: Iterable[ConfigObject]) -> AttributeTable:
    """Parse all complex entries; `slots` is added if it is missing, as every qmaster has it."""
    attributes = [compile_attribute(entry) for entry in entries]
    if all(attribute.name != _SLOTS.name for attribute in attributes):
        attributes.append(compile_attribute(_SLOTS))
    forced = [attribute for attribute in attributes if attribute.requestable == "FORCED"]
    return AttributeTable(
        by_name={attribute.name: attribute for attribute in attributes},
        by_shortcut={attribute.shortcut: attribute for attribute in reversed(attributes)},
        forced=tuple(sorted(forced, key=lambda attribute: attribute.name.encode())),
    )
