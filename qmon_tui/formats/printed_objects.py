"""Recognise and read what `qconf -s*` prints, by its content: the kind of the objects, and the objects.

Source: formats.md#what-tells-the-kind-of-a-text.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from qmon_tui.formats.folder_reader import missed
from qmon_tui.formats.qconf import read_complexes, read_list, read_object, read_quotas, read_sharetree
from qmon_tui.model import GLOBAL, ONLY_SHOWN, ConfigObject, Finding, Kind, recognised
from qmon_tui.model.catalogue import spec
from qmon_tui.model.catalogue.complexes import TYPES

_COMMAND: Final = re.compile(r"^.*[$#>%]\s*(?:\S*/)?qconf\s.*$", re.MULTILINE)
"""A prompt with the command that printed the rest."""
_TREE: Final = re.compile(r"[ \t]*id[ \t]*=[ \t]*\d+[ \t]*")
_HEADER: Final = re.compile(r"#name[ \t]+shortcut[ \t]+type\b")
_CONFIGURATION: Final = re.compile(r"^#[\w.\-]+:[ \t]*$", re.MULTILINE)
_NAME: Final = re.compile(r"[ \t]*([A-Za-z0-9_.\-]+)(?:[ \t]|$)")
_COLUMNS: Final = 8
"""Number of columns of a complex entry."""
_CONTINUED: Final = re.compile(r"\\[ \t]*$")
_NAME_VALUE: Final = tuple(
    kind
    for kind in Kind
    if kind not in (Kind.COMPLEX, Kind.QUOTA, Kind.SHARETREE)
    and kind not in (Kind.MANAGERS, Kind.OPERATORS, Kind.ADMIN_HOSTS, Kind.SUBMIT_HOSTS)
)
_LISTS: Final = tuple(
    (kind, re.compile(pattern))
    for kind, pattern in (
        (Kind.MANAGERS, r"manager|^sm$"),
        (Kind.OPERATORS, r"operator|^so$"),
        (Kind.SUBMIT_HOSTS, r"submit|^ss$"),
        (Kind.ADMIN_HOSTS, r"adm[a-z]*[_.-]?h|^sh$"),
    )
)
"""Kinds of lists by the names of their files."""
_CONFIGURATION_FILE: Final = re.compile(
    r"^(?:(?:q|s|host|local|exec|sge)?conf(?:ig|iguration)?s?[_.-]|(?:host|local|sge|cluster)[_.-])+"
    r"|[_.-](?:conf(?:ig|iguration)?|cfg|txt|bak)$"
)
"""The parts of the name of a configuration's file that are not the host."""
_FOR_ALL: Final = ("conf", "config", "configuration", "sconf", "sge", "cluster", "all", "host", "global")
_INSTANCE: Final = re.compile(r"^[ \t]*hostname(?=[ \t])", re.MULTILINE)
HOW_TO_TELL: Final = (
    "a queue begins with qname, a host with hostname, a configuration with #global:, quota sets with {, a share tree"
    " with id=0, the complexes with #name"
)


class Printed(NamedTuple):
    """The objects of one text, and its findings."""

    kind: Kind
    objects: tuple[ConfigObject, ...]
    findings: tuple[Finding, ...]
    instance: bool = False
    """True for a queue instance (`qconf -sq Q@H`): values on one host, which is its host list."""


def read_printed(text: str, file: str) -> Printed | None:
    """Return the objects of a text that qconf printed, or that is written for it; None if its kind is unknown."""
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
    all_findings: list[Finding] = []
    for part in _parts(kind, text):
        obj, findings = read_object(kind, part, file)
        objects += [obj] if obj is not None else []
        all_findings += findings
    fork = recognised({kind: {obj.name: obj for obj in objects}})
    return Printed(kind, tuple(objects), tuple(missed(all_findings, fork)), instance)


def read_folder_file(text: str, file: str) -> Printed | None:
    """Return the objects of a file among others in a folder; None if qconf did not print it.

    The file's name determines the kind of a list of names, and the host of a configuration without a header.
    """
    kind = _listed_kind(text, file)
    if kind is not None:
        obj, findings = read_list(kind, text, file)
        return Printed(kind, (obj,), findings)
    printed = read_printed(text, file) if _is_whole(_COMMAND.sub("", text)) else None
    if printed is None or printed.instance or printed.kind is not Kind.CONFIGURATION or _CONFIGURATION.search(text):
        return None if printed is None or printed.instance else printed
    name = _configured(file)
    return printed._replace(objects=tuple(obj.renamed(name) for obj in printed.objects))


def _is_whole(text: str) -> bool:
    """Return True if a text has what qconf prints of an object of its kind: files of other programs look alike."""
    kind, names = printed_kind(text), set(_names(text))
    if kind is Kind.COMPLEX:
        return True
    if kind is Kind.QUOTA:
        return {"name", "limit"} <= names
    if kind is Kind.SHARETREE:
        return "childnodes=" in text
    if kind is None:
        return False
    known = spec(kind)
    hits = len(names & known.by_name.keys())
    if kind is Kind.CONFIGURATION:
        return hits * 2 >= len(names) > 0
    return (known.name_field or next(iter(known.by_name))) in names and hits * 2 > len(known.fields)


def _listed_kind(text: str, file: str) -> Kind | None:
    """Return the kind of list that a file of names is by its own name (managers, submit_hosts); None if it is none."""
    stem = file.rpartition("/")[2].lower()
    kind = next((kind for kind, pattern in _LISTS if pattern.search(stem)), None)
    lines = text.split("\n")
    is_list = any(line.strip() for line in lines) and all(
        len(line.split()) <= 1 or line.startswith("no ") for line in lines
    )
    return kind if is_list else None


def _configured(file: str) -> str:
    """Return the host that a configuration's file is named for: node1 for conf_node1; global for cluster_conf."""
    stem = _CONFIGURATION_FILE.sub("", file.rpartition("/")[2])
    return stem if stem and stem not in _FOR_ALL else GLOBAL


def printed_kind(text: str) -> Kind | None:
    """Return the kind of the objects in a text; None if the text does not show it."""
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
    """Return the first word of each line that does not continue another line."""
    names: list[str] = []
    continued = False
    for line in text.splitlines():
        if not continued and (match := _NAME.match(line)):
            names.append(match[1])
        continued = bool(_CONTINUED.search(line))
    return names


def _by_names(names: list[str]) -> Kind | None:
    """Return the kind that has most of these attributes, preferably with its name field; None below half of them."""

    def fit(kind: Kind) -> tuple[int, bool]:
        known = spec(kind)
        hits = {name for name in names if name in known.by_name or name in ONLY_SHOWN}
        return len(hits), known.name_field in names

    kind = max(_NAME_VALUE, key=fit)
    hits, _ = fit(kind)
    return kind if hits >= 2 and hits * 2 >= len(set(names)) else None


def _parts(kind: Kind, text: str) -> Iterator[str]:
    """Yield the text of each object, after as many line ends as precede it in the whole, to keep line numbers."""
    start = _CONFIGURATION if kind is Kind.CONFIGURATION else _beginning(spec(kind).name_field)
    places = [match.start() for match in start.finditer(text)] if start is not None else []
    if len(places) < 2:
        yield text
        return
    for begin, end in zip([0, *places[1:]], [*places[1:], len(text)], strict=True):
        yield "\n" * text.count("\n", 0, begin) + text[begin:end]


def _beginning(name: str | None) -> re.Pattern[str] | None:
    return re.compile(rf"^[ \t]*{re.escape(name)}(?=[ \t])", re.MULTILINE) if name else None
