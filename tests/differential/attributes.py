"""Drawing resource attributes of all types, values for them, and requests of them."""

from collections.abc import Iterable, Sequence
from random import Random
from typing import Final

TEXT_TYPES: Final = ("STRING", "CSTRING", "RESTRING")
WORDS: Final = ("red", "Red", "blue", "gpu2", "gpu10", "lx-amd64")
PATTERNS: Final = (*WORDS, "r*", "R?d", "gpu[0-9]", "!red", "red|blue", "(b*|g*)&!gpu10", "*", "LX-*")
AMOUNTS: Final = {
    "INT": ("0", "1", "2", "3", "0x4", "010", "1K"),
    "DOUBLE": ("0", "0.5", "1", "2.25", "3e0"),
    "TIME": ("0:0:30", "60", "1:0:0", "0:90:0", "90"),
    "MEMORY": ("100M", "512m", "1G", "1.5G", "2147483648"),
    "BOOL": ("TRUE", "FALSE", "1", "0"),
}
"""By type; both what is offered and what is asked for."""
URGENCIES: Final = ("0", "0", "1", "100", "0.25", "-50", "0.001")
"""None so small that five decimals cannot tell which of two jobs was placed first."""

Attribute = dict[str, str]
"""An entry of the complex list, with its `name`."""


def attribute(random: Random, name: str) -> Attribute:
    """Any attribute that the qmaster accepts (complex.md#what-can-go-together)."""
    kind = random.choice((*AMOUNTS, *AMOUNTS, *TEXT_TYPES))
    text = kind in TEXT_TYPES
    consumable = "NO" if text else random.choice(("NO", "YES", "YES", "JOB"))
    requestable = random.choice(("YES", "YES", "YES", "YES", "NO", "FORCED"))
    relop = random.choice(("==", "==", "!=") if text else ("<=", "<=", ">=", "==", "<", ">", "!="))
    if consumable != "NO":
        relop = "EXCL" if kind == "BOOL" else "<="
    elif kind == "BOOL":
        relop = "=="
    default = "NONE" if text else "0"
    if consumable != "NO" and requestable != "FORCED":
        default = random.choice(("0", "1", AMOUNTS[kind][2]) if requestable == "YES" else ("1", AMOUNTS[kind][2]))
    return {
        "name": name,
        "shortcut": name[:2],
        "type": kind,
        "relop": relop,
        "requestable": requestable,
        "consumable": consumable,
        "default": default,
        "urgency": random.choice(URGENCIES),
    }


def complexes(attributes: Iterable[Attribute]) -> dict[str, Attribute]:
    """The `complexes` section."""
    return {entry["name"]: {field: text for field, text in entry.items() if field != "name"} for entry in attributes}


def amount(random: Random, entry: Attribute, *, offered: bool) -> str:
    """A value to offer or to ask for."""
    kind = entry["type"]
    if kind in TEXT_TYPES:
        return random.choice(WORDS if offered else PATTERNS)
    drawn = random.choice(AMOUNTS[kind])
    if offered and entry["consumable"] != "NO" and kind in ("INT", "DOUBLE"):
        return str(random.randint(1, 12))
    return drawn


def complex_values(random: Random, attributes: Sequence[Attribute], chance: float) -> str:
    """What a queue or host offers: each attribute with that chance."""
    chosen = [entry for entry in attributes if random.random() < chance]
    return ",".join(f"{entry['name']}={amount(random, entry, offered=True)}" for entry in chosen) or "NONE"


def threshold(random: Random, attributes: Sequence[Attribute]) -> str:
    """A load or suspend threshold."""
    entry = random.choice(attributes)
    return f"{entry['name']}={amount(random, entry, offered=True)}"


def request(random: Random, entry: Attribute) -> str:
    """One element of -l."""
    name = random.choice((entry["name"], entry["shortcut"]))
    if entry["type"] == "BOOL" and random.random() < 0.3:
        return name
    return f"{name}={amount(random, entry, offered=False)}"
