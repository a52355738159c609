"""Read the texts of a cluster folder, in any layout, into a cluster and its state."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from operator import is_
from types import MappingProxyType
from typing import NamedTuple

from qmon_tui.formats import qconf, state as state_format
from qmon_tui.formats.format_findings import problem
from qmon_tui.formats.layout import Layout, in_order, kind_of_file
from qmon_tui.formats.parsed_files import ParsedFile, parse_file
from qmon_tui.formats.state import StateContents, StateItem, empty_state_contents
from qmon_tui.model import (
    Cluster,
    ConfigObject,
    Finding,
    Kind,
    Severity,
    State,
    default_complexes,
    default_objects,
    dialect,
    recognised,
)
from qmon_tui.model.catalogue import specs

Objects = Mapping[str, ConfigObject]
Items = tuple[tuple[str, StateItem], ...]
"""(file, item) of each top-level YAML key that is state, not configuration."""


class Contents(NamedTuple):
    """Objects, state and findings read from the texts of a folder."""

    layout: Layout
    cluster: Cluster
    state: State
    findings: tuple[Finding, ...]
    parts: Mapping[str, ParsedFile]
    """File -> its parsed contents."""
    items: Items
    state_parts: StateContents


def read_texts(layout: Layout, name: str, texts: Mapping[str, str], known: Contents | None = None) -> Contents:
    """Read the cluster from the texts of a folder (relative name -> text); other files are ignored.

    `known` is an earlier reading: files with the same text are not read again, and a kind or state with the same
    contents stays the same object, so that results memoized for it stay valid.
    """
    known = known if known and known.layout is layout else None
    parts = {file: _part(layout, file, texts[file], known) for file in in_order(layout, texts)}
    collected = _Collected()
    for part in parts.values():
        collected.findings += part.findings
        collected.add(part.objects)
    collected.defaults(_defaults(layout, parts))
    items = tuple((file, item) for file, part in parts.items() for item in part.state)
    if known and known.items == items:
        state_parts = known.state_parts
    else:
        state_parts = state_format.read_state(items) if items else empty_state_contents()
    fork = state_parts.dialect or recognised(collected.objects)
    needed = missed(collected.findings, fork)
    return Contents(
        layout,
        Cluster(name, fork, MappingProxyType(collected.kinds(known))),
        _state(layout, collected, state_parts, known),
        (*needed, *state_parts.findings),
        parts,
        items,
        state_parts,
    )


def missed(findings: Iterable[Finding], fork: str) -> list[Finding]:
    """Drop findings of missing attributes that the dialect lacks; keep only the first missing one per object."""
    return _first_missing(finding for finding in findings if not _dialect_lacks(fork, finding))


def _dialect_lacks(name: str, finding: Finding) -> bool:
    """Return True if the finding reports a missing attribute that the dialect does not have."""
    if finding.rule != "format.missing" or finding.kind is None:
        return False
    return finding.field in dialect(name).lacks.get(Kind(finding.kind), ())


def _first_missing(findings: Iterable[Finding]) -> list[Finding]:
    """Keep the first missing field per object, as the qmaster does, with the number of others in its hint."""
    kept: list[Finding] = []
    more: dict[int, int] = {}
    first: dict[tuple[str, str, str | None, int | None], int] = {}
    for finding in findings:
        place = len(kept)
        owner = (finding.kind, finding.name, finding.file, finding.line)
        if finding.rule == "format.missing" and (at := first.setdefault(owner, place)) != place:
            more[at] = more.get(at, 0) + 1
        else:
            kept.append(finding)
    for at, number in more.items():
        others = f"{number} more attribute{'s are' if number > 1 else ' is'} missing"
        kept[at] = kept[at]._replace(hint=f"{kept[at].hint}; {others}" if kept[at].hint else others)
    return kept


def _part(layout: Layout, file: str, text: str, known: Contents | None) -> ParsedFile:
    before = known.parts.get(file) if known else None
    return before if before and before.text == text else parse_file(layout, file, text)


def _defaults(layout: Layout, parts: Mapping[str, ParsedFile]) -> Iterator[ConfigObject]:
    """Yield the default objects of a new cluster that the folder neither defines nor removes."""
    everything = (*default_complexes(), *default_objects())
    if layout is Layout.YAML:
        removed = {name for part in parts.values() for name in part.removed}
        yield from (obj for obj in everything if (obj.kind, obj.name) not in removed)
        return
    decided: set[Kind | None] = {kind_of_file(file) for file in parts}
    if layout is Layout.FILES:
        decided = {obj.kind for part in parts.values() for obj in part.objects}
    yield from (obj for obj in everything if obj.kind not in decided)


def _state(layout: Layout, collected: "_Collected", read: StateContents, known: Contents | None) -> State:
    """Return the state with the load values that hosts report in what qconf printed."""
    loads = read.state.loads
    if layout is not Layout.YAML:
        reported = qconf.reported_loads(collected.objects.get(Kind.HOST, {}).values())
        loads = MappingProxyType({**reported, **loads})
    if known and read is known.state_parts and loads == known.state.loads:
        return known.state
    return replace(read.state, loads=loads)


class _Collected:
    """Objects by kind and name, and findings, while files are read."""

    def __init__(self) -> None:
        self.objects: dict[Kind, dict[str, ConfigObject]] = {}
        self.findings: list[Finding] = []

    def add(self, objects: Iterable[ConfigObject]) -> None:
        """Add objects; of two with the same name the first is kept, and a finding reports the second."""
        for obj in objects:
            known = self.objects.setdefault(obj.kind, {})
            if obj.name not in known:
                known[obj.name] = obj
            else:
                self._report_duplicate(known[obj.name], obj)

    def defaults(self, objects: Iterable[ConfigObject]) -> None:
        """Add the default objects of a new cluster, unless they were read."""
        for obj in objects:
            self.objects.setdefault(obj.kind, {}).setdefault(obj.name, obj)

    def kinds(self, known: Contents | None) -> dict[Kind, Objects]:
        """Return kind -> objects in the catalogue's order; the mapping of `known` if its objects are identical."""
        before = known.cluster.kinds if known else {}
        return {
            kind: _same(before.get(kind, {}), self.objects[kind]) or MappingProxyType(self.objects[kind])
            for kind in specs()
            if kind in self.objects
        }

    def _report_duplicate(self, first: ConfigObject, second: ConfigObject) -> None:
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


def _same(before: Objects, after: Objects) -> Objects | None:
    """Return `before` if its objects are identical; None otherwise: equal objects may come from other places."""
    same = len(before) == len(after) and all(map(is_, before.values(), after.values()))
    return before if same else None
