"""All texts of a cluster folder to a cluster, in either layout, and which file an object belongs in."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from qmon_tui.formats.problems import problem
from qmon_tui.formats.qconf.lists import read_list
from qmon_tui.formats.qconf.loads import reported_loads
from qmon_tui.formats.qconf.objects import read_object
from qmon_tui.formats.qconf.quotas import read_quotas
from qmon_tui.formats.qconf.sharetree import read_sharetree
from qmon_tui.formats.qconf.table import read_complexes
from qmon_tui.formats.state.reader import StateItem, StateParts, read_state
from qmon_tui.formats.yaml.reader import read_file
from qmon_tui.model.catalogue import specs
from qmon_tui.model.cluster import Cluster, ConfigObject
from qmon_tui.model.defaults import default_complexes, default_objects
from qmon_tui.model.findings import Finding, Severity
from qmon_tui.model.kinds import Kind
from qmon_tui.model.state import State


class Layout(StrEnum):
    """How a cluster is kept in a folder."""

    YAML = "yaml"
    QCONF = "qconf"


LISTS: Final = frozenset({Kind.MANAGERS, Kind.OPERATORS, Kind.ADMIN_HOSTS, Kind.SUBMIT_HOSTS})
YAML_ENDINGS: Final = (".yaml", ".yml")

Objects = tuple[tuple[ConfigObject, ...], tuple[Finding, ...]]


@dataclass(frozen=True, slots=True)
class Contents:
    """What the texts of a folder say."""

    cluster: Cluster
    state: State
    findings: tuple[Finding, ...]
    simulation: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))


def is_yaml(file: str) -> bool:
    """Tell whether a file of the folder is read as YAML: it stands at the top and is named like it."""
    return "/" not in file and file.endswith(YAML_ENDINGS) and not file.startswith(".")


def kind_of_file(file: str) -> Kind | None:
    """The kind of object in a file of a qconf folder, None for a file that is no part of the cluster."""
    folder, slash, name = file.partition("/")
    kind = _FOLDERS.get(folder)
    if kind is None or "/" in name or name.startswith("."):
        return None
    return kind if bool(slash) == (kind not in _FILES) else None


def file_of(kind: Kind, name: str) -> str:
    """The file of a qconf folder in which an object is kept; ValueError for a name that no file can have there."""
    folder = specs()[kind].folder
    if kind in _FILES:
        return folder
    if not name or name.startswith(".") or "/" in name or "\0" in name:
        raise ValueError(f'{kind} "{name}" cannot be kept in a file of that name: rename it first')
    return f"{folder}/{name}"


def detect(files: Iterable[str]) -> Layout | None:
    """The layout of a folder from the names of its files; None where it holds nothing of a cluster."""
    names = list(files)
    if any(kind_of_file(name) for name in names):
        return Layout.QCONF
    return Layout.YAML if any(is_yaml(name) for name in names) else None


def read_texts(layout: Layout, name: str, texts: Mapping[str, str]) -> Contents:
    """The cluster that the texts of a folder (relative name -> text) describe; files of other purpose are ignored."""
    return _read_qconf(name, texts) if layout is Layout.QCONF else _read_yaml(name, texts)


def _tables() -> tuple[dict[str, Kind], frozenset[Kind]]:
    files = frozenset(kind for kind, known in specs().items() if known.single or kind is Kind.COMPLEX)
    return {known.folder: kind for kind, known in specs().items()}, files


_FOLDERS, _FILES = _tables()


# -- qconf


def read_qconf_file(kind: Kind, text: str, file: str) -> Objects:
    """The objects of one file of a qconf folder."""
    if kind is Kind.COMPLEX:
        return read_complexes(text, file)
    if kind is Kind.QUOTA:
        return read_quotas(text, file)
    if kind in LISTS:
        obj, findings = read_list(kind, text, file)
        return (obj,), findings
    found, findings = read_sharetree(text, file) if kind is Kind.SHARETREE else read_object(kind, text, file)
    return (found,) if found else (), findings


def _read_qconf(name: str, texts: Mapping[str, str]) -> Contents:
    collected = _Collected()
    items: list[tuple[str, StateItem]] = []
    for file in _in_order(texts):
        kind = kind_of_file(file)
        if kind is not None:
            objects, findings = read_qconf_file(kind, texts[file], file)
            collected.findings += findings
            collected.add(objects)
        elif is_yaml(file):
            items += _state_only(texts[file], file, collected)
    if "centry" not in texts:
        collected.defaults(default_complexes())
    present = {kind_of_file(file) for file in texts}
    collected.defaults(obj for obj in default_objects() if obj.kind not in present)
    parts = read_state(items)
    loads = reported_loads(collected.objects.get(Kind.HOST, {}).values())
    return collected.contents(name, parts, {**loads, **parts.state.loads})


def _state_only(text: str, file: str, collected: "_Collected") -> Iterator[tuple[str, StateItem]]:
    """The jobs and load values of a YAML file in a qconf folder, which may hold nothing else."""
    found = read_file(text, file)
    collected.findings += found.findings
    for section in found.sections:
        message = f"{section.key.text} does not belong into a YAML file of a folder in qconf's layout"
        collected.findings.append(
            problem("format.overlap", message, file=file, line=section.key.line, column=1, kind=section.kind)
        )
    yield from ((file, item) for item in found.state)


def _in_order(texts: Mapping[str, str]) -> list[str]:
    """File names by kind in the catalogue's order, then by name."""
    order = {folder: index for index, folder in enumerate(_FOLDERS)}
    return sorted(texts, key=lambda file: (order.get(file.partition("/")[0], len(order)), file))


# -- YAML


def _read_yaml(name: str, texts: Mapping[str, str]) -> Contents:
    collected = _Collected()
    removed: set[tuple[Kind, str]] = set()
    items: list[tuple[str, StateItem]] = []
    for file in sorted(texts):
        if not is_yaml(file):
            continue
        found = read_file(texts[file], file)
        collected.findings += found.findings
        collected.add(map(_completed, found.objects()))
        removed |= {(entry.kind, entry.key.text) for entry in found.entries if entry.removed}
        items += ((file, item) for item in found.state)
    everything = (*default_complexes(), *default_objects())
    collected.defaults(obj for obj in everything if (obj.kind, obj.name) not in removed)
    parts = read_state(items)
    return collected.contents(name, parts, parts.state.loads)


def _completed(obj: ConfigObject) -> ConfigObject:
    """An entry for a complex of the default list keeps what it does not give."""
    if obj.kind is not Kind.COMPLEX:
        return obj
    default = _DEFAULT_COMPLEXES.get(obj.name)
    return obj if default is None else obj.with_values({**default.values, **obj.values})


_DEFAULT_COMPLEXES = {obj.name: obj for obj in default_complexes()}


class _Collected:
    """Objects by kind and name, and findings, while files are read."""

    def __init__(self) -> None:
        self.objects: dict[Kind, dict[str, ConfigObject]] = {}
        self.findings: list[Finding] = []

    def add(self, objects: Iterable[ConfigObject]) -> None:
        """Take objects; of two with one name the first is kept, and the second's place is said."""
        for obj in objects:
            known = self.objects.setdefault(obj.kind, {})
            if obj.name not in known:
                known[obj.name] = obj
            else:
                self._say_twice(known[obj.name], obj)

    def defaults(self, objects: Iterable[ConfigObject]) -> None:
        """Take what a new cluster has, unless it was read."""
        for obj in objects:
            self.objects.setdefault(obj.kind, {}).setdefault(obj.name, obj)

    def contents(self, name: str, parts: StateParts, loads: Mapping[str, Mapping[str, str]]) -> Contents:
        """The finished cluster and state."""
        kinds = {kind: MappingProxyType(self.objects[kind]) for kind in specs() if kind in self.objects}
        cluster = Cluster(name, kinds=MappingProxyType(kinds))
        state = replace(parts.state, loads=MappingProxyType(dict(loads)))
        findings = (*self.findings, *parts.findings)
        return Contents(cluster, state, findings, parts.simulation)

    def _say_twice(self, first: ConfigObject, second: ConfigObject) -> None:
        where = f"{first.origin.file} line {first.origin.line}" if first.origin else "the defaults"
        self.findings.append(
            problem(
                "format.duplicate",
                f'{second.kind} "{second.name}" is written twice: the first is in {where}',
                file=second.origin.file if second.origin else None,
                line=second.origin.line if second.origin else None,
                kind=second.kind,
                name=second.name,
                hint="keep one of the two",
                severity=Severity.ERROR,
            )
        )
