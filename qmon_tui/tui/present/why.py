"""Why a job waits: its place and who is ahead, the reasons in qstat -j's words, and what would let it run."""

from collections.abc import Iterable

from qmon_tui.scheduler.explanation import Explanation, Why
from qmon_tui.tui.present.bars import stroke
from qmon_tui.tui.present.jobs import JobRow
from qmon_tui.tui.present.moves import ordinal, words
from qmon_tui.tui.present.priority import priority_lines, term_named
from qmon_tui.tui.present.spans import Idea, Line, Span, fit, left, wrap
from qmon_tui.tui.present.words import count, state_idea, state_words
from qmon_tui.workspace.moves import Move
from qmon_tui.workspace.reasons import HEADINGS, ahead_words, all_of, folded, headed, not_said

_LOOKS = {
    Why.HELD: Idea.HELD, Why.POLICY: Idea.HELD, Why.QUOTA: Idea.WARNING,
    Why.BUSY: Idea.WAITING, Why.STATE: Idea.SUSPENDED, Why.NEVER: Idea.ERROR,
}  # fmt: skip
_SIGNS = {Why.HELD: "‖", Why.POLICY: "§", Why.QUOTA: "≤", Why.BUSY: "◐", Why.STATE: "◌", Why.NEVER: "✗"}
_NEAREST = 3
"""How many jobs ahead the live pane names."""


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
    searching: bool = False,
) -> tuple[Line, ...]:
    """All that the live pane says of the chosen job; `in_full` for the dialog, with every number opened.

    `found` is a text where the job cannot be explained; `waiting` says that it is being explained anew, `searching`
    that more changes are being tried.
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
        lines.extend(_waiting(explanation, cells, in_full))
        lines.extend(_nearest(explanation, cells))
        lines.extend(change_lines(explanation, cells, searching=searching, in_full=in_full))
        lines.extend(_ahead(explanation, cells, in_full))
    return tuple(lines)


def _granted(row: JobRow) -> str:
    verb = "would start now on" if row.task.state == "t" else "runs on"
    places = ", ".join(
        place if slots == 1 else f"{place} ({count(slots, 'slot')})" for place, slots in row.task.granted.items()
    )
    return f"{verb} {places}"


def _ahead(explanation: Explanation, cells: int, in_full: bool) -> Iterable[Line]:
    """Who is tried earlier, and by which term: all that are known in full, else as many as a line or two hold."""
    ahead = explanation.ahead
    if not ahead:
        return
    count = (explanation.rank or 1) - 1
    yield ()
    yield (Span("Ahead of it", Idea.TITLE), Span(f"  {count}", Idea.DIM))
    shown = ahead if in_full else ahead[-_NEAREST:]
    if len(shown) < count:
        left_out = "the first of the list and the last before it" if in_full else "the last before it"
        yield from wrap(f"{left_out}:", cells, Idea.DIM)
    number = max(len(str(one.job)) for one in shown)
    name = min(14, max(len(one.name) for one in shown))
    for one in shown:
        idea = term_named(one.by)
        yield fit(
            (
                Span(f"{one.job:>{number}} ", Idea.PLAIN),
                Span(left(one.name, name), Idea.PLAIN),
                Span(f" +{one.lead:.5f} ", Idea.STRONG),
                Span(f"{stroke(idea)} {ahead_words(one)}", idea),
                Span(f"  starts on {one.place}" if one.place else "", Idea.RUNNING),
            ),
            cells,
        )


def _waiting(explanation: Explanation, cells: int, in_full: bool) -> Iterable[Line]:
    if explanation.groups:
        yield ()
        yield (Span("Why it waits", Idea.TITLE),)
    for why, groups in headed(explanation.groups).items():
        yield (Span(f"{_SIGNS[why]} ", _LOOKS[why]), Span(HEADINGS[why], _LOOKS[why]))
        for group in groups:
            yield from wrap(group.message, cells, Idea.PLAIN, first="  ", rest="    ")
            if len(group.instances) > 1:
                places = f"{len(group.instances)}: {folded(group.instances)}"
                yield from wrap(places, cells, Idea.DIM, first="    ", rest="    ")
    if in_full:
        yield from _said_besides(explanation, cells)


def _said_besides(explanation: Explanation, cells: int) -> Iterable[Line]:
    said = not_said(explanation.reasons, explanation.groups)
    if said:
        yield ()
        yield (Span("What qstat -j says besides", Idea.TITLE),)
        yield from _bullets(said, cells, Idea.DIM)


def _nearest(explanation: Explanation, cells: int) -> Iterable[Line]:
    """The place that misses least: what is wanted, and how much of it is there, as a bar."""
    nearest = explanation.nearest
    if nearest is None:
        return
    yield ()
    yield (Span("Nearest", Idea.TITLE), Span(f"  {nearest.place}", Idea.STRONG))
    for missing in nearest.missing:
        yield from wrap(missing.words, cells, Idea.PLAIN, first="  ", rest="    ")


def change_lines(explanation: Explanation, cells: int, *, searching: bool, in_full: bool) -> Iterable[Line]:
    """What would let it run; in full each with the key that makes it, or the command that does on a real cluster."""
    if explanation.changes or searching:
        yield ()
        yield (
            Span("What would let it run now", Idea.TITLE),
            Span("  looking for more …" if searching else "", Idea.DIM),
        )
    for number, change in enumerate(explanation.changes, start=1):
        parts = all_of(change)
        sign = f"{number} " if in_full else "→ "
        words = ", and ".join(part.description for part in parts)
        action = f"screen.choose({number})" if in_full else ""
        for line in wrap(words, cells, Idea.ADDED, first=sign, rest="  "):
            yield tuple(span._replace(action=action) for span in line)
        if in_full:
            yield from wrap(
                f"then it starts on {', '.join(change.starts_on)}", cells, Idea.DIM, first="    ", rest="    "
            )
            for part in parts:
                if part.command:
                    yield from wrap(part.command, cells, Idea.DIM, first="    $ ", rest="      ")
    if explanation.changes and not in_full:
        yield (Span("w", Idea.ACCENT), Span(" shows all of it and makes a change", Idea.DIM))


def _bullets(texts: Iterable[str], cells: int, idea: Idea, sign: str = "·") -> Iterable[Line]:
    for text in texts:
        yield from wrap(text, cells, idea, first=f"{sign} ", rest="  ")
