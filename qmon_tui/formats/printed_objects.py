"""What `qconf -s*` prints, recognised by its content: of which kind the objects are, and the objects.

Source: formats.md#what-tells-the-kind-of-a-text.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from qmon_tui.formats.folder_reader import missed
from qmon_tui.formats.qconf import read_complexes, read_object, read_quotas, read_sharetree
from qmon_tui.model import ConfigObject, Finding, Kind, recognised
from qmon_tui.model.catalogue import spec
from qmon_tui.model.catalogue.complexes import TYPES

_COMMAND: Final = re.compile(r"^.*[$#>%]\s*(?:\S*/)?qconf\s.*$", re.MULTILINE)
"""A prompt with the command that printed the rest."""
_TREE: Final = re.compile(r"[ \t]*id[ \t]*=[ \t]*\d+[ \t]*")
_HEADER: Final = re.compile(r"#name[ \t]+shortcut[ \t]+type\b")
_CONFIGURATION: Final = re.compile(r"^#[\w.\-]+:[ \t]*$", re.MULTILINE)
_NAME: Final = re.compile(r"[ \t]*([A-Za-z0-9_.\-]+)(?:[ \t]|$)")
_COLUMNS: Final = 8
"""Of an entry of the complexes."""
_PRINTED_ONLY: Final = ("load_values", "processors")
_CONTINUED: Final = re.compile(r"\\[ \t]*$")
_NAME_VALUE: Final = tuple(
    kind
    for kind in Kind
    if kind not in (Kind.COMPLEX, Kind.QUOTA, Kind.SHARETREE)
    and kind not in (Kind.MANAGERS, Kind.OPERATORS, Kind.ADMIN_HOSTS, Kind.SUBMIT_HOSTS)
)
_INSTANCE: Final = re.compile(r"^[ \t]*hostname(?=[ \t])", re.MULTILINE)
HOW_TO_TELL: Final = (
    "a queue begins with qname, a host with hostname, a configuration with #global:, quota sets with {, a share tree"
    " with id=0, the complexes with #name"
)


class Printed(NamedTuple):
    """The objects of one text, and what is wrong with it."""

    kind: Kind
    objects: tuple[ConfigObject, ...]
    findings: tuple[Finding, ...]
    instance: bool = False
    """It is a queue instance (`qconf -sq Q@H`): values on one host, whose host list is that host."""


def read_printed(text: str, file: str) -> Printed | None:
    """What a text says that qconf printed, or that is written for it; None where its kind cannot be recognised."""
    text = _COMMAND.sub("", text)
    kind = printed_kind(text)
    if kind is None:
        return None
    if kind is Kind.COMPLEX:
        return Printed(kind, *read_complexes(text, file))
    if kind is Kind.QUOTA:
        return Printed(kind, *read_quotas(text, file))
    if kind is Kind.SHARETREE:
        tree, findings = read_sharetree(text, file)
        return Printed(kind, (tree,) if tree else (), findings)
    instance = kind is Kind.QUEUE and "hostlist" not in _names(text) and "hostname" in _names(text)
    if instance:
        text = _INSTANCE.sub("hostlist", text)
    objects: list[ConfigObject] = []
    said: list[Finding] = []
    for part in _parts(kind, text):
        obj, findings = read_object(kind, part, file)
        objects += [obj] if obj is not None else []
        said += findings
    fork = recognised({kind: {obj.name: obj for obj in objects}})
    return Printed(kind, tuple(objects), tuple(missed(said, fork)), instance)


def printed_kind(text: str) -> Kind | None:
    """The kind of the objects in a text; None where nothing tells it."""
    lines = [line for line in text.splitlines() if line.strip()]
    if not lines:
        return None
    if any(_HEADER.match(line) for line in lines):
        return Kind.COMPLEX
    if _CONFIGURATION.search(text):
        return Kind.CONFIGURATION
    plain = [line for line in lines if not line.lstrip().startswith("#")]
    if plain and plain[0].strip().startswith("{"):
        return Kind.QUOTA
    if any(_TREE.fullmatch(line) for line in plain):
        return Kind.SHARETREE
    if plain and all(_is_entry(line.split()) for line in plain):
        return Kind.COMPLEX
    return _by_names(_names(text))


def _is_entry(words: Sequence[str]) -> bool:
    return len(words) >= _COLUMNS and words[2].upper() in TYPES


def _names(text: str) -> list[str]:
    """The words at the beginnings of lines that are no continuation of others."""
    names: list[str] = []
    continued = False
    for line in text.splitlines():
        if not continued and (match := _NAME.match(line)):
            names.append(match[1])
        continued = bool(_CONTINUED.search(line))
    return names


def _by_names(names: list[str]) -> Kind | None:
    """The kind that has most of the attributes; that of the attribute with the name where as many are known."""

    def fit(kind: Kind) -> tuple[int, bool]:
        known = spec(kind)
        hits = {name for name in names if name in known.by_name or name in _PRINTED_ONLY}
        return len(hits), known.name_field in names

    kind = max(_NAME_VALUE, key=fit)
    hits, _ = fit(kind)
    return kind if hits >= 2 and hits * 2 >= len(set(names)) else None


def _parts(kind: Kind, text: str) -> Iterator[str]:
    """The objects that qconf printed one after the other, each behind as many line ends as there are before it."""
    start = _CONFIGURATION if kind is Kind.CONFIGURATION else _beginning(spec(kind).name_field)
    places = [match.start() for match in start.finditer(text)] if start is not None else []
    if len(places) < 2:
        yield text
        return
    for begin, end in zip([0, *places[1:]], [*places[1:], len(text)], strict=True):
        yield "\n" * text.count("\n", 0, begin) + text[begin:end]


def _beginning(name: str | None) -> re.Pattern[str] | None:
    return re.compile(rf"^[ \t]*{re.escape(name)}(?=[ \t])", re.MULTILINE) if name else None
