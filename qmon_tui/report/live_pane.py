"""The lines above the job table: counts, source of the last change, and limits of the simulation."""

from collections.abc import Sequence
from dataclasses import dataclass

from qmon_tui.model import Cluster, Drains, Kind
from qmon_tui.report.live_instances import Before, InstanceRows
from qmon_tui.report.live_jobs import LiveJobRows, Weights, job_rows
from qmon_tui.report.spans import Line, Span, TextRole, fit, width, wrap
from qmon_tui.report.task_counts import TaskCounts
from qmon_tui.report.words import clock, count, milliseconds, not_grid_engine_words
from qmon_tui.values import parse_double
from qmon_tui.workspace import ChangeOrigin, Figures, Result

_SOURCES = {
    ChangeOrigin.FORM: "edited here",
    ChangeOrigin.FILE: "read from disk",
    ChangeOrigin.QMASTER: "read from the qmaster",
}


@dataclass(frozen=True, slots=True)
class LivePaneContent:
    """The live pane's content for a run, built in a worker so that drawing is fast."""

    result: Result
    rows: LiveJobRows
    counts: TaskCounts
    instances: InstanceRows


def live_pane_content(result: Result, cluster: Cluster, drains: Drains) -> LivePaneContent:
    """Return the content for a result; `cluster` and `drains` are those of its run."""
    outcome = result.outcome
    if outcome is None:
        return LivePaneContent(result, LiveJobRows(), TaskCounts(), InstanceRows())
    rows = LiveJobRows(job_rows(outcome), weights_of(cluster))
    before = Before(outcome.instances_before, outcome.quotas_before or ())
    instances = InstanceRows(outcome.queue_instances, outcome.quotas or (), drains, before)
    return LivePaneContent(result, rows, TaskCounts.of(outcome), instances)


def weights_of(cluster: Cluster) -> Weights:
    """Return weight_urgency, weight_ticket and weight_priority; 0 for a text that is no number."""
    scheduler = cluster.single(Kind.SCHEDULER)
    urgency, tickets, posix = (_number(scheduler.text(f"weight_{name}")) for name in ("urgency", "ticket", "priority"))
    return urgency, tickets, posix


def _number(text: str) -> float:
    try:
        return parse_double(text)
    except ValueError:
        return 0.0


def counts_lines(counts: TaskCounts, figures: Figures, cells: int) -> tuple[Line, ...]:
    """Return the number of tasks by condition, on as many lines as needed."""
    lines: list[Line] = []
    for part in counts.parts(figures):
        if lines and width(lines[-1]) + width(part) + 2 <= cells:
            lines[-1] = (*lines[-1], Span("  "), *part)
        else:
            lines.append((Span(" "), *part))
    return tuple(lines)


@dataclass(frozen=True, slots=True)
class Notice:
    """An important fact about the whole schedule."""

    text: str
    role: TextRole = TextRole.WARNING


def notices(result: Result) -> tuple[Notice, ...]:
    """Return notices of failures, stale results and features that are not simulated."""
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
    """Return the wrapped notices, cut to `most` lines with the number of hidden lines."""
    lines = [
        line for notice in shown for line in wrap(notice.text, max(10, cells - 2), notice.role, first=" ", rest="   ")
    ]
    if len(lines) > most:
        more = f" {count(len(lines) - most, 'more line')}"
        lines[most - 1] = (*fit(lines[most - 1], cells - len(more)), Span(more, TextRole.DIM))
    return tuple(lines[:most])


def status_lines(
    shown: LivePaneContent, figures: Figures, changed_at: float, cells: int, moves: Line
) -> tuple[Line, ...]:
    """Return counts, source and duration of the run, and `moves`, the line about moved jobs.

    Everything is on the last line of counts if it fits, else on lines below.
    """
    if shown.result.outcome is None:
        return ((Span(" no schedule yet", TextRole.DIM),),)
    lines = counts_lines(shown.counts, figures, cells)
    words = f"{_SOURCES[shown.result.origin]} {clock(changed_at)} · {milliseconds(shown.result.seconds)}"
    moved = tuple(span._replace(action=_COMPARE) for span in moves)
    both = (Span(f"{words}   ", TextRole.DIM), *moved)
    gap = cells - width(lines[-1]) - width(both) - 1
    if gap > 0:
        return (*lines[:-1], (*lines[-1], Span(" " * gap), *both))
    if width(both) + 1 <= cells:
        return (*lines, (Span(" "), *both))
    return (*lines, (Span(f" {words}", TextRole.DIM),), (Span(" "), *moved))


_COMPARE = "screen.do('compare')"
