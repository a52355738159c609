"""Why a job waits: its place in the order, the reasons in qstat -j's words, and alike reasons said once."""

from collections.abc import Iterable

from qmon_tui.scheduler.outcome import Explanation
from qmon_tui.tui.present.jobs import JobRow
from qmon_tui.tui.present.moves import ordinal, words
from qmon_tui.tui.present.priority import priority_lines
from qmon_tui.tui.present.reasons import HEADINGS, folded, group_reasons, not_said
from qmon_tui.tui.present.spans import Idea, Line, Span, fit, wrap
from qmon_tui.tui.present.words import count, state_idea, state_words
from qmon_tui.workspace.moves import Move


def title_line(row: JobRow, explanation: Explanation | None, cells: int, *, waiting: bool = False) -> Line:
    """Which job it is, its state, and its place in the pending list; an ellipsis while that is worked out anew."""
    state = row.task.state
    place = ""
    if explanation is not None and explanation.rank is not None:
        place = f"  {ordinal(explanation.rank)} of {explanation.pending} pending"
    return fit(
        (
            Span(f"{row.number} {row.job.name}", Idea.STRONG),
            Span(f"  {row.job.owner}", Idea.DIM),
            Span(f"  {state} ", state_idea(state)),
            Span(state_words(state), state_idea(state)),
            Span(place, Idea.DIM),
            Span("  …" if waiting else "", Idea.DIM),
        ),
        cells,
    )


def job_lines(
    row: JobRow,
    found: Explanation | str | None,
    move: Move | None,
    cells: int,
    *,
    in_full: bool = False,
    waiting: bool = False,
) -> tuple[Line, ...]:
    """All that the live pane says of the chosen job; `in_full` for the dialog, with every number opened.

    `found` is a text where the job cannot be explained; `waiting` says that it is being explained anew.
    """
    explanation = found if isinstance(found, Explanation) else None
    lines: list[Line] = [title_line(row, explanation, cells, waiting=waiting)]
    if move is not None:
        lines.extend(wrap(f"the last change: {words(move)}", cells, Idea.MOVED))
    if row.task.granted:
        lines.extend(wrap(_granted(row), cells, Idea.RUNNING))
    if isinstance(found, str):
        lines.extend(wrap(found, cells, Idea.WARNING))
    if explanation is None:
        return tuple(lines)
    if in_full:
        lines.append(())
    lines.extend(priority_lines(explanation, cells, in_full=in_full))
    if explanation.rejected or row.job.rejected:
        lines.append(())
        lines.append((Span("✗ qsub would refuse this job", Idea.ERROR),))
        lines.extend(_bullets([explanation.rejected or row.job.rejected or ""], cells, Idea.PLAIN))
    if row.job.not_simulated:
        lines.append(())
        lines.append((Span("! Not simulated yet, so the job is left pending", Idea.WARNING),))
        lines.extend(_bullets(row.job.not_simulated, cells, Idea.PLAIN))
    if not row.task.granted:
        lines.extend(_waiting(explanation, cells))
    return tuple(lines)


def _granted(row: JobRow) -> str:
    verb = "would start now on" if row.task.state == "t" else "runs on"
    places = ", ".join(
        place if slots == 1 else f"{place} ({count(slots, 'slot')})" for place, slots in row.task.granted.items()
    )
    return f"{verb} {places}"


def _waiting(explanation: Explanation, cells: int) -> Iterable[Line]:
    groups = group_reasons(explanation.instances)
    others = not_said(explanation.reasons, explanation.instances)
    if groups or others:
        yield ()
        yield (Span("Why it waits", Idea.TITLE),)
        yield from _bullets(others, cells, Idea.PLAIN)
    heading = ""
    for group in groups:
        if heading != HEADINGS[group.nearness]:
            heading = HEADINGS[group.nearness]
            yield (Span(heading, Idea.DIM),)
        yield from _bullets([group.message], cells, Idea.PLAIN)
        if len(group.instances) > 1:
            places = f"{len(group.instances)}: {folded(group.instances)}"
            yield from wrap(places, cells, Idea.DIM, first="    ", rest="    ")
    if explanation.changes:
        yield ()
        yield (Span("What would let it run now", Idea.TITLE),)
        for change in explanation.changes:
            yield from _bullets([change.description], cells, Idea.ADDED, sign="→")


def _bullets(texts: Iterable[str], cells: int, idea: Idea, sign: str = "·") -> Iterable[Line]:
    for text in texts:
        yield from wrap(text, cells, idea, first=f"{sign} ", rest="  ")
