"""The top line: the path from cluster to field, unsaved edits and findings."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from qmon_tui.model import Finding, Severity, memoized
from qmon_tui.report import unsaved_changes
from qmon_tui.report.spans import Line, Span, TextRole, justify, width
from qmon_tui.report.words import count, milliseconds
from qmon_tui.workspace import ObjectChange


class HeaderState(NamedTuple):
    """Content of the top line."""

    crumbs: tuple[str, ...]
    """Path of the current place: cluster, kind, object, field."""
    decisions: str = ""
    """Version of Grid Engine that is simulated, if the cluster has another version; empty otherwise."""
    read_only: bool = False
    writes: str = ""
    """Role in which a running cluster is changed; empty if changes are not written to one."""
    edits: str = ""
    """Number of unsaved edits and of edited objects, in words (`edits_made`)."""
    errors: int = 0
    warnings: int = 0
    seconds: float | None = None
    """Duration of the last run; None before the first."""
    running: bool = False
    stale: bool = False
    disk: bool = False
    """A change on disk awaits a decision."""
    lost: str = ""
    """The problem of the folder as a whole; empty without one."""
    moment: str = ""
    """The moment of a simulated day that is shown; empty for the cluster as it is in the folder."""
    clients: str = ""
    """Version of a running cluster's clients; empty for a folder."""
    age: float = 0.0
    """Seconds since a running cluster was read."""
    reading: bool = False
    """True if a running cluster has not answered for some seconds."""
    hosts: str = ""
    """Progress of reading execution hosts, `480/1000`; empty if all are read."""
    load: str = ""
    """Commands, bytes and seconds of clients per minute, in words."""
    paused: bool = False
    """A running cluster is read only when the user asks for it."""


def count_severities(findings: Iterable[Finding]) -> tuple[int, int]:
    """Return the number of errors and of warnings."""
    errors = warnings = 0
    for finding in findings:
        errors += finding.severity is Severity.ERROR
        warnings += finding.severity is Severity.WARNING
    return errors, warnings


@memoized(size=2)
def edits_made(changes: tuple[ObjectChange, ...], actions: int | None) -> str:
    """Return `2 edits`, or `1 edit of 3 objects` if one action changed several; "" if there are none.

    `actions`: number of unsaved undo steps (`Workspace.unsaved_steps`); None counts equal changes as one edit.
    """
    if not changes:
        return ""
    groups = unsaved_changes.with_groups(changes)
    objects = sum(len(unsaved_changes.names_of(change)) for change in groups)
    edits = len(groups) if actions is None else max(1, min(len(groups), actions))
    return count(edits, "edit") if objects == edits else f"{count(edits, 'edit')} of {count(objects, 'object')}"


def header_line(heading: HeaderState, cells: int) -> Line:
    """Return the top line; if it does not fit, signs replace the words at the right."""
    crumbs = _crumbs(heading.crumbs)
    for brief in (False, True):
        facts = _facts(heading, brief=brief)
        if width(crumbs) + width(facts) + 2 <= cells:
            break
    return justify(crumbs, (*facts, Span(" ")), cells)


def age_words(seconds: float) -> str:
    """Return `12 s`, `3 min` or `2 h`."""
    amount, unit = (
        (seconds, "s") if seconds < 120 else (seconds / 60, "min") if seconds < 7200 else (seconds / 3600, "h")
    )
    return f"{amount:.0f} {unit}"


_CRUMB_ACTIONS = ("kinds", "objects", "edit")
"""Actions of a click on the cluster, the kind, the object."""


def _crumbs(crumbs: Sequence[str]) -> Line:
    spans = [Span(" qmon", TextRole.ACCENT, "screen.do('about')")]
    for index, crumb in enumerate(crumbs):
        spans.append(Span(" ▸ ", TextRole.DIM))
        role = TextRole.STRONG if index == len(crumbs) - 1 else TextRole.PLAIN
        spans.append(Span(crumb, role, f"screen.do('{_CRUMB_ACTIONS[min(index, 2)]}')"))
    return tuple(spans)


def _facts(heading: HeaderState, *, brief: bool) -> Line:
    gap = Span("  " if brief else "   ")
    facts: list[Span] = []

    def add(text: str, role: TextRole, action: str = "") -> None:
        facts.extend((gap, Span(text, role, f"screen.do('{action}')" if action else "")))

    source = "qmaster" if heading.clients else "folder"
    if heading.clients:
        version = heading.clients.removeprefix("SGE ")
        facts_of_age = f"{'paused, ' if heading.paused else ''}{age_words(heading.age)} old"
        role = TextRole.WARNING if heading.paused or heading.lost else TextRole.PLAIN
        if heading.reading:
            add("…" if brief else "asking the qmaster …", TextRole.WARNING)
        if heading.hosts:
            add(f"hosts {heading.hosts}" if brief else f"hosts {heading.hosts} read", TextRole.WARNING, "about")
        add(facts_of_age if brief else f"clients {version}, {facts_of_age}{heading.load}", role, "pause")
    if heading.decisions:
        add(f"≈ {heading.decisions}" if brief else f"≈ decisions of {heading.decisions}", TextRole.WARNING, "live")
    if heading.moment:
        add(f"◷ {heading.moment}" if brief else f"◷ simulated {heading.moment}", TextRole.CHANGED, "go-monitor")
    if heading.lost:
        add(f"✗ {source}" if brief else f"✗ {source} {heading.lost}", TextRole.ERROR, "reload")
    if heading.disk:
        place = "cluster" if heading.clients else "disk"
        add(f"⇅ {place}" if brief else f"⇅ changed on {place}", TextRole.WARNING, "reload")
    if heading.read_only:
        add("[RO]" if brief else "[READ-ONLY]", TextRole.WARNING, "about")
    if heading.writes:
        add("[W]" if brief else f"[WRITES as {heading.writes}]", TextRole.WARNING, "about")
    if heading.edits:
        add(f"● {heading.edits.partition(' edit')[0] if brief else heading.edits}", TextRole.CHANGED, "save")
    if heading.errors:
        add(f"✗ {heading.errors}" if brief else f"✗ {count(heading.errors, 'error')}", TextRole.ERROR, "findings")
    if heading.warnings:
        add(f"! {heading.warnings}", TextRole.WARNING, "findings")
    if heading.stale:
        add("stale", TextRole.WARNING, "findings")
    if heading.running:
        add("↻ …", TextRole.DIM)
    elif heading.seconds is not None:
        add(f"↻ {milliseconds(heading.seconds)}", TextRole.DIM, "live")
    return tuple(facts[1:])
