"""The top line: the path from cluster to field, unsaved edits and findings."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from qmon_tui.model import Finding, Severity, memoized
from qmon_tui.report import unsaved_changes
from qmon_tui.report.spans import Line, Span, TextRole, justify, width
from qmon_tui.report.words import count, milliseconds
from qmon_tui.workspace import ObjectChange


class HeaderState(NamedTuple):
    """Facts of the top line."""

    crumbs: tuple[str, ...]
    """Cluster, kind, object, field: from the whole to the part."""
    decisions: str = ""
    """The version of Grid Engine whose decisions are shown, where the cluster is one of another; empty otherwise."""
    read_only: bool = False
    writes: str = ""
    """The rights with which a running cluster may be changed; empty if nothing is written to one."""
    edits: str = ""
    """The number of unsaved edits, and of how many objects they are (`edits_made`)."""
    errors: int = 0
    warnings: int = 0
    seconds: float | None = None
    """How long the last run took; None before the first."""
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
    """A running cluster has been asked for some seconds, and has not answered yet."""
    hosts: str = ""
    """Progress of reading execution hosts, `480/1000`; empty if all are read."""
    load: str = ""
    """Commands, bytes and seconds of clients per minute, in words."""
    paused: bool = False
    """A running cluster is read only when the user asks for it."""


def count_severities(findings: Iterable[Finding]) -> tuple[int, int]:
    """How many errors and warnings there are."""
    errors = warnings = 0
    for finding in findings:
        errors += finding.severity is Severity.ERROR
        warnings += finding.severity is Severity.WARNING
    return errors, warnings


@memoized(size=2)
def edits_made(changes: tuple[ObjectChange, ...], actions: int | None) -> str:
    """Return `2 edits`, or `1 edit of 3 objects` if one action has changed several; "" if there are none.

    `actions`: the steps that have made them (`Workspace.unsaved_steps`); None counts what has changed alike as one.
    """
    if not changes:
        return ""
    groups = unsaved_changes.with_groups(changes)
    objects = sum(len(unsaved_changes.names_of(change)) for change in groups)
    edits = len(groups) if actions is None else max(1, min(len(groups), actions))
    return count(edits, "edit") if objects == edits else f"{count(edits, 'edit')} of {count(objects, 'object')}"


def header_line(heading: HeaderState, cells: int) -> Line:
    """The top line for a width; with little room the words at the right give way to their signs."""
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


_GOES_TO = ("kinds", "objects", "edit")
"""Actions of a click on the cluster, the kind, the object."""


def _crumbs(crumbs: Sequence[str]) -> Line:
    spans = [Span(" qmon", TextRole.ACCENT, "screen.do('about')")]
    for index, crumb in enumerate(crumbs):
        spans.append(Span(" ▸ ", TextRole.DIM))
        role = TextRole.STRONG if index == len(crumbs) - 1 else TextRole.PLAIN
        spans.append(Span(crumb, role, f"screen.do('{_GOES_TO[min(index, 2)]}')"))
    return tuple(spans)


def _facts(heading: HeaderState, *, brief: bool) -> Line:
    gap = Span("  " if brief else "   ")
    facts: list[Span] = []

    def say(text: str, role: TextRole, action: str = "") -> None:
        facts.extend((gap, Span(text, role, f"screen.do('{action}')" if action else "")))

    source = "qmaster" if heading.clients else "folder"
    if heading.clients:
        version = heading.clients.removeprefix("SGE ")
        facts_of_age = f"{'paused, ' if heading.paused else ''}{age_words(heading.age)} old"
        role = TextRole.WARNING if heading.paused or heading.lost else TextRole.PLAIN
        if heading.reading:
            say("…" if brief else "asking the qmaster …", TextRole.WARNING)
        if heading.hosts:
            say(f"hosts {heading.hosts}" if brief else f"hosts {heading.hosts} read", TextRole.WARNING, "about")
        say(facts_of_age if brief else f"clients {version}, {facts_of_age}{heading.load}", role, "pause")
    if heading.decisions:
        say(f"≈ {heading.decisions}" if brief else f"≈ decisions of {heading.decisions}", TextRole.WARNING, "live")
    if heading.moment:
        say(f"◷ {heading.moment}" if brief else f"◷ simulated {heading.moment}", TextRole.CHANGED, "go-monitor")
    if heading.lost:
        say(f"✗ {source}" if brief else f"✗ {source} {heading.lost}", TextRole.ERROR, "reload")
    if heading.disk:
        place = "cluster" if heading.clients else "disk"
        say(f"⇅ {place}" if brief else f"⇅ changed on {place}", TextRole.WARNING, "reload")
    if heading.read_only:
        say("[RO]" if brief else "[READ-ONLY]", TextRole.WARNING, "about")
    if heading.writes:
        say("[W]" if brief else f"[WRITES as {heading.writes}]", TextRole.WARNING, "about")
    if heading.edits:
        say(f"● {heading.edits.partition(' edit')[0] if brief else heading.edits}", TextRole.CHANGED, "save")
    if heading.errors:
        say(f"✗ {heading.errors}" if brief else f"✗ {count(heading.errors, 'error')}", TextRole.ERROR, "findings")
    if heading.warnings:
        say(f"! {heading.warnings}", TextRole.WARNING, "findings")
    if heading.stale:
        say("stale", TextRole.WARNING, "findings")
    if heading.running:
        say("↻ …", TextRole.DIM)
    elif heading.seconds is not None:
        say(f"↻ {milliseconds(heading.seconds)}", TextRole.DIM, "live")
    return tuple(facts[1:])
