"""The lines above the job table: counts, where the last change came from, and what the schedule cannot say."""

from collections.abc import Sequence
from dataclasses import dataclass

from qmon_tui.model import Cluster, Drains, Kind
from qmon_tui.report.live_instances import InstanceRows
from qmon_tui.report.live_jobs import LiveJobRows, TaskCounts, Weights, count_tasks, job_rows
from qmon_tui.report.spans import Line, Span, TextRole, fit, width, wrap
from qmon_tui.report.words import clock, milliseconds, not_grid_engine_words
from qmon_tui.values import parse_double
from qmon_tui.workspace import ChangeOrigin, Result

_SOURCES = {
    ChangeOrigin.FORM: "edited here",
    ChangeOrigin.FILE: "read from disk",
    ChangeOrigin.QMASTER: "read from the qmaster",
}


@dataclass(frozen=True, slots=True)
class LivePaneContent:
    """The live pane's content for a run; made in the worker, so that drawing computes nothing."""

    result: Result
    rows: LiveJobRows
    counts: TaskCounts
    instances: InstanceRows


def live_pane_content(result: Result, cluster: Cluster, drains: Drains) -> LivePaneContent:
    """The rows and counts of a result, with the weights and drains of what it is the result of."""
    outcome = result.outcome
    if outcome is None:
        return LivePaneContent(result, LiveJobRows(), TaskCounts(), InstanceRows())
    rows = LiveJobRows(job_rows(outcome), weights_of(cluster))
    instances = InstanceRows(outcome.queue_instances, outcome.quotas or (), drains)
    return LivePaneContent(result, rows, count_tasks(outcome), instances)


def weights_of(cluster: Cluster) -> Weights:
    """weight_urgency, weight_ticket and weight_priority; 0 for what is no number."""
    scheduler = cluster.single(Kind.SCHEDULER)
    urgency, tickets, posix = (_number(scheduler.text(f"weight_{name}")) for name in ("urgency", "ticket", "priority"))
    return urgency, tickets, posix


def _number(text: str) -> float:
    try:
        return parse_double(text)
    except ValueError:
        return 0.0


def counts_line(counts: TaskCounts, cells: int) -> Line:
    """How many tasks are in which condition; with little room only the first ones."""
    shown = (
        (counts.running, "running", TextRole.RUNNING, True),
        (counts.suspended, "suspended", TextRole.SUSPENDED, False),
        (counts.starting, "would start", TextRole.RUNNING, False),
        (counts.pending, "waiting", TextRole.WAITING, True),
        (counts.held, "held", TextRole.HELD, False),
        (counts.failed, "in error", TextRole.FAILED, False),
        (counts.rejected, "refused", TextRole.ERROR, False),
    )
    spans: list[Span] = []
    for number, word, role, always in shown:
        if number or always:
            spans.extend((Span(f" {number}", role), Span(f" {word} ", TextRole.DIM)))
    return fit(spans, cells)


def source_words(result: Result, changed_at: float) -> str:
    """Where the last change came from, when, and how long the run took."""
    return f"{_SOURCES[result.origin]} {clock(changed_at)} · {milliseconds(result.seconds)}"


@dataclass(frozen=True, slots=True)
class Notice:
    """An important fact about the whole schedule."""

    text: str
    role: TextRole = TextRole.WARNING


def notices(result: Result) -> tuple[Notice, ...]:
    """Failures, staleness, and what the engine does not simulate."""
    shown: list[Notice] = []
    if result.error:
        shown.append(Notice(f"✗ {result.error}", TextRole.ERROR))
    if result.stale:
        files = ", ".join(result.stale_files)
        shown.append(
            Notice(f"! Stale: {files} cannot be read; this is its last good state. f lists what is wrong.")
            if files
            else Notice("! Stale: this is the outcome of the last run that worked.")
        )
    if result.outcome and result.outcome.not_grid_engine:
        shown.append(Notice(f"{not_grid_engine_words(result.outcome.not_grid_engine)} F changes them."))
    if result.outcome:
        shown.extend(Notice(f"! Not simulated yet: {text}") for text in result.outcome.not_simulated)
    return tuple(shown)


def notice_lines(shown: Sequence[Notice], cells: int, most: int = 3) -> tuple[Line, ...]:
    """The notices wrapped, at most `most` lines."""
    lines = [
        line for notice in shown for line in wrap(notice.text, max(10, cells - 2), notice.role, first=" ", rest="   ")
    ]
    if len(lines) > most:
        more = f" … {len(lines) - most} more lines"
        lines[most - 1] = (*fit(lines[most - 1], cells - len(more)), Span(more, TextRole.DIM))
    return tuple(lines[:most])


def status_lines(shown: LivePaneContent, changed_at: float, cells: int, moves: Line) -> tuple[Line, ...]:
    """Counts at the left, then the source and the duration of the run, and what has moved since when.

    They are at the right where all have room, else on lines below.
    """
    if shown.result.outcome is None:
        return ((Span(" no schedule yet", TextRole.DIM),),)
    counts = counts_line(shown.counts, cells)
    words = source_words(shown.result, changed_at)
    moved = tuple(span._replace(action=_COMPARE) for span in moves)
    both = (Span(f"{words}   ", TextRole.DIM), *moved)
    gap = cells - width(counts) - width(both) - 1
    if gap > 0:
        return ((*counts, Span(" " * gap), *both),)
    if width(both) + 1 <= cells:
        return counts, (Span(" "), *both)
    return counts, (Span(f" {words}", TextRole.DIM),), (Span(" "), *moved)


_COMPARE = "screen.do('compare')"
