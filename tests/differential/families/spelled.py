"""Clusters of other families, each value spelled in another way that the qmaster takes: it ought to mean the same."""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from random import Random
from typing import Any, Final

import yaml

from qmon_tui.checks.check_cluster import check_object
from qmon_tui.formats.folder_reader import read_texts
from qmon_tui.formats.layout import Layout
from qmon_tui.model.catalogue import single_name, specs
from qmon_tui.model.cluster import Cluster
from qmon_tui.model.complex_entries import complex_index
from qmon_tui.model.fields import Field, KindSpec, Separator, ValueType
from qmon_tui.model.findings import Severity
from qmon_tui.model.kinds import Kind
from tests.differential import families
from tests.differential.drawing import scenario
from tests.differential.scenarios import CLUSTER, Scenario

BASES: Final = (
    *("mixed", "mixed", "matching", "quota", "loads", "pe", "urgency", "ordering", "reservation", "subordination"),
    *("calendars", "functional", "sharetree", "access", "override", "crossed", "granting", "arrays"),
)
CHANCE: Final = 0.6
_SEPARATORS: Final = {
    Separator.BLANK_OR_COMMA: (" ", ",", ", ", "  "),
    Separator.BLANK: (" ", "  "),
    Separator.COMMA: (",", ", "),
}
_DIGITS: Final = re.compile(r"\d+")
_TIME: Final = re.compile(r"(\d+):(\d+):(\d+)")
_MEMORY: Final = re.compile(r"(\d+)([KMG])")
_FRACTION: Final = re.compile(r"\d*\.\d+|\d+")
_WORD: Final = re.compile(r"[A-Za-z_]\w*")
_OVERRIDE: Final = re.compile(r"(?<=\[)([^=\]]+=)([^\]]*)(?=\])")
_RESOURCES: Final = re.compile(r"(?<=-l )('?)([\w.]+=[^' ]*)\1")

Spell = Callable[[Random, str], str]
"""Another text that means the same."""


def draw(random: Random) -> Scenario:
    """A scenario of another family, with as many values spelled anew as are still accepted."""
    base = families.families()[random.choice(BASES)].draw(random)
    sections = yaml.load(base.files[CLUSTER], yaml.BaseLoader)
    cluster = _cluster(sections)
    names = _Names(cluster)
    for key, spec in {spec.yaml_key: spec for spec in specs().values()}.items():
        if isinstance(sections.get(key), dict):
            _respell_section(random, names, sections, key, spec)
    lines = [_RESOURCES.sub(lambda found: _resources(random, names, found), line) for line in base.session.splitlines()]
    drawn = scenario(sections, lines)
    return replace(drawn, files={**base.files, **drawn.files})


def _cluster(sections: Mapping[str, Any]) -> Cluster:
    return read_texts(Layout.YAML, "spelled", scenario(sections, ()).files).cluster


def _respell_section(random: Random, names: "_Names", sections: dict[str, Any], key: str, spec: KindSpec) -> None:
    """Respell the objects of one section, and leave those alone that would be refused."""
    objects = {single_name(spec.kind): sections[key]} if spec.single else sections[key]
    for name, values in objects.items():
        if not isinstance(values, dict):
            continue
        for field, text in values.items():
            known = spec.by_name.get(field)
            if known is None or not isinstance(text, str) or random.random() > CHANCE:
                continue
            values[field] = _field(random, names, known, text)
            if values[field] != text and not _is_accepted(sections, spec.kind, name):
                values[field] = text


def _is_accepted(sections: Mapping[str, Any], kind: Kind, name: str) -> bool:
    cluster = _cluster(sections)
    obj = cluster.get(kind, name)
    return obj is not None and all(finding.severity is not Severity.ERROR for finding in check_object(cluster, obj))


def _field(random: Random, names: "_Names", field: Field, text: str) -> str:
    spell = _SPELLINGS.get(field.type)
    if field.type in (ValueType.NAMES, ValueType.HOSTS, ValueType.SUBORDINATES):
        spell = lambda random, text: _separated(random, field, text)  # noqa: E731
    if field.type is ValueType.ENTRIES:
        spell = lambda random, text: _entries(random, names, text)  # noqa: E731
    if field.type is ValueType.RULES:
        return re.sub(r"(?<= to )(\S+)", lambda found: _entries(random, names, found[1]), text)
    if field.type is ValueType.LOAD_FORMULA:
        return _WORD.sub(lambda found: names.other(random, found[0]), text)
    if spell is None or text.upper() in ("NONE", "INFINITY"):
        return text
    if not field.per_host or "[" not in text:
        return spell(random, text)
    own, bracket, rest = text.partition("[")
    plain = own.rstrip(", ")
    respelled = own.replace(plain, spell(random, plain), 1) if plain and plain.upper() != "NONE" else own
    return respelled + _OVERRIDE.sub(lambda found: found[1] + spell(random, found[2]), bracket + rest)


class _Names:
    """The attributes by both their names, with their types."""

    def __init__(self, cluster: Cluster) -> None:
        self._index = complex_index(cluster)

    def other(self, random: Random, name: str) -> str:
        entry = self._index.find(name)
        return name if entry is None else random.choice((entry.name, entry.shortcut))

    def spell(self, random: Random, name: str, text: str) -> str:
        entry = self._index.find(name)
        spell = None if entry is None else _AMOUNTS.get(entry.type)
        return text if spell is None else spell(random, text)


def _resources(random: Random, names: _Names, found: re.Match[str]) -> str:
    return f"{found[1]}{_entries(random, names, found[2])}{found[1]}"


def _entries(random: Random, names: _Names, text: str) -> str:
    pairs = (entry.partition("=") for entry in text.split(","))
    return ",".join(
        names.other(random, name) + equals + names.spell(random, name, value) if name else equals + value
        for name, equals, value in pairs
    )


# -- one value


def _whole(random: Random, text: str) -> str:
    return random.choice((text, f"0{text}", f"+{text}")) if _DIGITS.fullmatch(text) else text


def _number(random: Random, text: str) -> str:
    if not _DIGITS.fullmatch(text) or (text.startswith("0") and text != "0"):
        return text
    return random.choice((text, f"{text}.0", f"+{text}", hex(int(text)), oct(int(text)).replace("o", ""), f"{text}e0"))


def _time(random: Random, text: str) -> str:
    found = _TIME.fullmatch(text)
    if found:
        hours, minutes, seconds = map(int, found.groups())
    elif _DIGITS.fullmatch(text):
        hours, minutes, seconds = 0, 0, int(text)
    else:
        return text
    total = hours * 3600 + minutes * 60 + seconds
    spellings = (text, f"{total}", f"0:0:{total}", f"{total // 3600:02}:{total // 60 % 60:02}:{total % 60:02}")
    return random.choice(
        (*spellings, f"0:{total // 60}:{total % 60}", f"{total // 3600}:{total // 60 % 60}:{total % 60}")
    )


def _memory(random: Random, text: str) -> str:
    found = _MEMORY.fullmatch(text)
    if not found:
        return _number(random, text)
    amount = int(found[1]) * 1024 ** (" KMG".index(found[2]))
    return random.choice((text, f"{amount}", f"{amount // 1024}K", f"{amount / 1024**2}M", f"{amount / 1024**3}G"))


def _double(random: Random, text: str) -> str:
    if not _FRACTION.fullmatch(text):
        return text
    value = float(text)
    return random.choice((text, repr(value), f"{value:.6f}", f"{value!r}0", f"0{text}", f"+{text}", f"{value:e}"))


def _boolean(random: Random, text: str) -> str:
    on, off = ("TRUE", "true", "True", "1", "T", "t", "YES", "Yes", "y"), ("FALSE", "false", "0", "f", "NO", "no", "n")
    for spellings in (on, off):
        if text in spellings:
            return random.choice(spellings)
    return text


def _capitals(random: Random, text: str) -> str:
    return random.choice((text, text.upper(), text.lower(), text.capitalize()))


def _separated(random: Random, field: Field, text: str) -> str:
    return re.sub(r"[ ,]+", lambda _: random.choice(_SEPARATORS[field.separator]), text)


_SPELLINGS: Final[Mapping[ValueType, Spell]] = {
    ValueType.UNSIGNED: _whole,
    ValueType.NUMBER: _number,
    ValueType.TIME: _time,
    ValueType.MEMORY: _memory,
    ValueType.DOUBLE: _double,
    ValueType.BOOLEAN: _boolean,
    ValueType.CHOICE: lambda random, text: _boolean(random, text) if random.random() < 0.5 else _capitals(random, text),
    ValueType.FLAGS: _capitals,
    ValueType.STRING: _capitals,
}
_AMOUNTS: Final[Mapping[str, Spell]] = {
    "INT": _number, "DOUBLE": _double, "TIME": _time, "MEMORY": _memory, "BOOL": _boolean,
}  # fmt: skip
