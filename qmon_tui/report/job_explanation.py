"""Why a job waits: its rank, the jobs ahead, the reasons of qstat -j, and changes that would let it run."""

from collections.abc import Iterable, Sequence

from qmon_tui.explain import Explanation, ReasonGroup, ReasonKind
from qmon_tui.report.bars import stroke
from qmon_tui.report.header import age_words
from qmon_tui.report.live_jobs import LiveJobRow
from qmon_tui.report.priority import priority_lines, term_named
from qmon_tui.report.reason_text import (
    ahead_words,
    alike_reasons,
    all_changes,
    by_heading,
    closing_words,
    commands_of,
    details_of,
    heading,
    no_change_words,
    no_forecast_words,
    other_reasons,
    short_names,
    spelt_out,
    split_reasons,
    start_words,
    waiting_words,
)
from qmon_tui.report.schedule_changes import ordinal, words
from qmon_tui.report.spans import Line, Span, TextRole, fit, left, wrap
from qmon_tui.report.words import count, not_grid_engine_words, shown_figure, stands_still, state_role, state_words
from qmon_tui.workspace import Figures, ScheduleChange

_ROLES = {
    ReasonKind.IMPOSSIBLE: TextRole.ERROR, ReasonKind.NOT_YET: TextRole.WAITING,
    ReasonKind.HELD: TextRole.HELD, ReasonKind.POLICY: TextRole.HELD, ReasonKind.QUOTA: TextRole.WARNING,
    ReasonKind.BUSY: TextRole.WAITING, ReasonKind.STATE: TextRole.SUSPENDED, ReasonKind.NEVER: TextRole.ERROR,
}  # fmt: skip
_SIGNS = {
    ReasonKind.IMPOSSIBLE: "✗",
    ReasonKind.HELD: "‖",
    ReasonKind.NOT_YET: "◷",
    ReasonKind.POLICY: "§",
    ReasonKind.QUOTA: "≤",
    ReasonKind.BUSY: "◐",
    ReasonKind.STATE: "◌",
    ReasonKind.NEVER: "✗",
}
_NEAREST = 3
"""Number of jobs ahead that the live pane names."""


def title_line(row: LiveJobRow, explanation: Explanation | None, cells: int, *, waiting: bool = False) -> Line:
    """Return number, name, owner, state and rank of a job; `waiting` adds an ellipsis while it is computed."""
    state, place = row.task.state, ""
    before = row.task.state_before or state
    # Only waiting tasks and tasks that this run starts have the rank of their job.
    takes_part = not row.task.granted or state == "t"
    if takes_part and explanation is not None and explanation.rank is not None:
        place = f"  {ordinal(explanation.rank)} of {explanation.pending} pending"
    return fit(
        (
            Span(f"{row.number} {row.job.name}", TextRole.STRONG),
            Span(f"  {row.job.owner}", TextRole.DIM),
            Span(f"  {shown_figure(Figures.CHANGES, before, state)} ", state_role(state)),
            Span(state_words(state), state_role(state)),
            Span(place, TextRole.DIM),
            Span("  …" if waiting else "", TextRole.DIM),
        ),
        cells,
    )


def in_one_line(row: LiveJobRow, explained: Explanation | str | None, cells: int) -> Line:
    """Return one line, for screens without the pane: where the job runs, or its first reason and the nearest place."""
    name = Span(f"{row.number} ", TextRole.STRONG)
    if row.task.granted:
        role = TextRole.SUSPENDED if stands_still(row.task.state) else TextRole.RUNNING
        return fit((name, Span(_granted(row), role)), cells)
    if not isinstance(explained, Explanation):
        return fit((name, Span(state_words(row.task.state), state_role(row.task.state))), cells)
    group = next((group for groups in split_reasons(explained.groups) for group in groups), None)
    if group is None:
        return fit((name, *title_line(row, explained, cells)[2:]), cells)
    nearest = explained.nearest
    where = f"; closest: {nearest.words}: {nearest.missing[0].words}" if nearest and nearest.missing else ""
    cause = Span(f"{_SIGNS[group.why]} {heading(group.why, explained.groups)}", _ROLES[group.why])
    return fit((name, cause, Span(where)), cells)


_MOST_MESSAGES = 12
_OLD_SECONDS = 60.0
"""Age from which the details of a job may be outdated."""


def scheduler_lines(messages: Sequence[str], ours: Sequence[str], cells: int) -> tuple[Line, ...]:
    """Return the messages of the real scheduler's last run that this run does not repeat; empty without any."""
    others = [message for message in dict.fromkeys(messages) if message not in ours]
    if not others:
        return ()
    lines: list[Line] = [(), (Span("The scheduler's last run also says", TextRole.TITLE),)]
    for message in others[:_MOST_MESSAGES]:
        lines.extend(wrap(f"· {message}", cells, rest="  "))
    if len(others) > _MOST_MESSAGES:
        lines.append((Span(f"… {len(others) - _MOST_MESSAGES} more: qstat -j shows them", TextRole.DIM),))
    return tuple(lines)


def details_age(seconds: float) -> tuple[Line, ...]:
    """Return the age of a job's details, with a warning if -tc, -R or a hold may have changed since."""
    is_old = seconds > _OLD_SECONDS
    words = f"Its details (qstat -j) are {age_words(max(0.0, seconds))} old" + (
        ", and may be others now." if is_old else "."
    )
    return (), (Span(words, TextRole.WARNING if is_old else TextRole.DIM),)


def job_lines(
    row: LiveJobRow,
    explained: Explanation | str | None,
    move: ScheduleChange | None,
    cells: int,
    *,
    since: str = "by the last change",
    in_full: bool = False,
    waiting: bool = False,
    searching: bool = False,
    tried: bool = True,
    keys: bool = True,
) -> tuple[Line, ...]:
    """Return the explanation of a job: short for the live pane, or `in_full` with all numbers.

    `explained` is a sentence if the job cannot be explained. `waiting`: a new explanation is being computed;
    `searching`: more changes are being tried; `tried`: the changes that let it run are known;
    `keys`: the digit keys make these changes.
    """
    explanation = explained if isinstance(explained, Explanation) else None
    lines: list[Line] = [title_line(row, explanation, cells, waiting=waiting)]
    if move is not None:
        lines.extend(wrap(f"moved {since}: {words(move)}", cells, TextRole.MOVED))
    if row.task.granted:
        role = TextRole.SUSPENDED if stands_still(row.task.state) else TextRole.RUNNING
        lines.extend(wrap(_granted(row), cells, role))
    if isinstance(explained, str):
        lines.extend(wrap(explained, cells, TextRole.WARNING))
    if explanation is None:
        return tuple(lines)
    if in_full and explanation.not_grid_engine:
        lines.extend(wrap(not_grid_engine_words(explanation.not_grid_engine), cells, TextRole.WARNING))
    for note in explanation.notes:
        lines.extend(wrap(note, cells, TextRole.RUNNING))
    waits = not row.task.granted
    if in_full:
        story = tuple(_waiting_in_full(explanation, cells, searching, tried, keys)) if waits else ()
        priority = priority_lines(explanation, cells, in_full=True)
        lines.extend((*story, (), *priority) if priority else story)
    else:
        lines.extend(priority_lines(explanation, cells))
    lines.extend(_rejections(row, explanation, cells))
    if not waits and explanation.groups:
        lines.extend(((), (Span("Why it is suspended", TextRole.TITLE),), *_reasons(explanation, cells)))
    if waits and in_full:
        lines.extend(_other_reasons(explanation, cells))
    elif waits:
        lines.extend(_waiting_in_short(explanation, cells, searching))
    return tuple(lines)


def _rejections(row: LiveJobRow, explanation: Explanation, cells: int) -> Iterable[Line]:
    """Yield why the run does not consider the job; nothing if it does."""
    if explanation.rejected or row.job.rejected:
        yield ()
        yield (Span("✗ qsub would refuse this job", TextRole.ERROR),)
        refusal = (explanation.rejected or row.job.rejected or "").splitlines()
        yield from _bullets((*refusal, *row.job.meant), cells)
    if row.job.not_simulated:
        yield ()
        yield (Span("! Not simulated yet, so the job is left pending", TextRole.WARNING),)
        yield from _bullets(row.job.not_simulated, cells)


def _waiting_in_full(explanation: Explanation, cells: int, searching: bool, tried: bool, keys: bool) -> Iterable[Line]:
    """Yield the reasons in full: temporary ones, the nearest place, fixes and jobs ahead, then permanent reasons."""
    soon, never = split_reasons(explanation.groups)
    if explanation.groups:
        yield ()
        yield (Span("Why it waits", TextRole.TITLE),)
        yield from _reasons(explanation, cells, soon or never)
    nearest = explanation.nearest
    if nearest is not None:
        yield ()
        yield (Span("Closest to fitting", TextRole.TITLE), Span(f"  {nearest.words}", TextRole.STRONG))
        for missing in nearest.missing:
            yield from wrap(missing.words, cells, TextRole.PLAIN, first="  ", rest="    ")
    if explanation.changes or searching or (tried and explanation.waits and explanation.groups):
        yield ()
        yield from _changes_in_full(explanation, cells, searching, keys)
    yield from _ahead(explanation, cells)
    if soon and never:
        yield ()
        yield from _reasons(explanation, cells, never)


def _waiting_in_short(explanation: Explanation, cells: int, searching: bool) -> Iterable[Line]:
    """Yield the short form for the pane: temporary reasons, the nearest place, fixes, jobs ahead."""
    soon, never = split_reasons(explanation.groups)
    yield from _reasons(explanation, cells, soon or never)
    nearest = explanation.nearest
    if nearest is not None:
        words = "; ".join(missing.words for missing in nearest.missing)
        yield from wrap(f"closest: {nearest.words}: {words}", cells, TextRole.PLAIN, rest="  ")
    if explanation.expected is not None:
        yield from wrap(waiting_words(explanation.expected, explanation.at), cells, TextRole.RUNNING, rest="  ")
    for change in explanation.changes:
        words = ", and ".join(part.description for part in all_changes(change))
        yield from wrap(words, cells, TextRole.ADDED, first="→ ", rest="  ")
    if searching:
        yield (Span("→ looking for what would let it run …", TextRole.DIM),)
    if explanation.ahead:
        shown = explanation.ahead[-_NEAREST:]
        names = ", ".join(
            f"{ahead.job} ({start_words(ahead) if ahead.left_out else ahead_words(ahead)})" for ahead in shown
        )
        more = (explanation.rank or 1) - 1 - min(_NEAREST, len(explanation.ahead))
        yield from wrap(
            f"ahead of it {names}" + (f" and {more} more" if more > 0 else ""), cells, TextRole.DIM, rest="  "
        )
    if soon and never:
        unfit = sum(len(group.instances) for group in never)
        yield from wrap(f"✗ {count(unfit, 'queue instance')} can never run it", cells, TextRole.DIM, rest="  ")


def _granted(row: LiveJobRow) -> str:
    verb = (
        "is suspended on"
        if stands_still(row.task.state)
        else "would start now on"
        if row.task.state == "t"
        else "runs on"
    )
    places = ", ".join(
        place if slots == 1 else f"{place} ({count(slots, 'slot')})" for place, slots in row.task.granted.items()
    )
    return f"{verb} {places}"


def _ahead(explanation: Explanation, cells: int) -> Iterable[Line]:
    """Yield the jobs that are tried earlier, each with the priority term that causes it."""
    ahead = explanation.ahead
    if not ahead:
        return
    number_ahead = (explanation.rank or 1) - 1
    yield ()
    left_out = "  the first of the list and the last before it" if len(ahead) < number_ahead else ""
    yield (Span("Ahead of it", TextRole.TITLE), Span(f"  {number_ahead}{left_out}", TextRole.DIM))
    number = max(len(str(earlier_job.job)) for earlier_job in ahead)
    name = min(max(14, cells // 4), max(len(earlier_job.name) for earlier_job in ahead))
    for job_ahead in ahead:
        role = term_named(job_ahead.by)
        yield fit(
            (
                Span(f"  {job_ahead.job:>{number}} ", TextRole.PLAIN),
                Span(left(job_ahead.name, name), TextRole.PLAIN),
                Span(f" +{job_ahead.lead:.5f} ", TextRole.STRONG),
                Span(f"{stroke(role)} {ahead_words(job_ahead)}", role),
                Span(f"  {start_words(job_ahead)}", TextRole.DIM if job_ahead.left_out else TextRole.RUNNING),
            ),
            cells,
        )


def _reasons(explanation: Explanation, cells: int, groups: Iterable[ReasonGroup] | None = None) -> Iterable[Line]:
    """Yield reason groups below their headings, with their queue instances; None means all groups."""
    groups = explanation.groups if groups is None else groups
    for why, same in by_heading(groups).items():
        yield (Span(f"{_SIGNS[why]} ", _ROLES[why]), Span(heading(why, explanation.groups), _ROLES[why]))
        for group in same:
            message = spelt_out(group.message, explanation.quota_filters)
            yield from wrap(message, cells, TextRole.PLAIN, first="  ", rest="    ")
            if group.closing is not None:
                yield from wrap(closing_words(group.closing), cells, TextRole.DIM, first="    ", rest="    ")
            if group.state:
                yield from wrap(group.state, cells, TextRole.DIM, first="    ", rest="    ")
            for detail in details_of(group, explanation.at):
                yield from wrap(detail, cells, TextRole.DIM, first="    ", rest="      ")
            if len(group.instances) > 1 or (group.instances and why is ReasonKind.POLICY):
                places = f"{len(group.instances)}: {short_names(group.instances)}"
                yield from wrap(places, cells, TextRole.DIM, first="    ", rest="    ")


def _changes_in_full(explanation: Explanation, cells: int, searching: bool, keys: bool) -> Iterable[Line]:
    """Yield each change with its number, the place where the job then starts, and the Grid Engine command for it."""
    hint = "  press its number to make a change" if explanation.changes and keys else ""
    yield (
        Span("What would let it run now", TextRole.TITLE),
        Span("  looking for more …" if searching else hint, TextRole.DIM),
    )
    if explanation.expected is not None:
        yield from wrap(
            waiting_words(explanation.expected, explanation.at), cells, TextRole.RUNNING, first="  ", rest="    "
        )
    elif explanation.not_grid_engine:
        words = no_forecast_words(explanation.not_grid_engine)
        yield from wrap(words, cells, TextRole.WARNING, first="  ", rest="    ")
    if explanation.expected is None and not explanation.changes and not searching:
        yield from wrap(no_change_words(len(explanation.tried or ())), cells, TextRole.PLAIN, first="  ", rest="  ")
    for number, change in enumerate(explanation.changes, start=1):
        words = ", and ".join(part.description for part in all_changes(change))
        for line in wrap(words, cells, TextRole.ADDED, first=f"  {number} ", rest="    "):
            yield tuple(span._replace(action=f"screen.choose({number})") for span in line)
        yield from wrap(f"it starts on {', '.join(change.starts_on)}", cells, TextRole.DIM, first="    ", rest="    ")
        for command in commands_of(change):
            yield from wrap(command, cells, TextRole.DIM, first="    $ ", rest="      ")
        for cost in change.costs:
            yield from wrap(f"effect on others: {cost}", cells, TextRole.WARNING, first="    ", rest="      ")


def _other_reasons(explanation: Explanation, cells: int) -> Iterable[Line]:
    others = other_reasons(explanation.reasons, explanation.groups)
    if others:
        yield ()
        yield (Span("Also in qstat -j (not the cause)", TextRole.TITLE),)
        yield from qstat_lines(others, cells)


def qstat_lines(reasons: Iterable[str], cells: int) -> Iterable[Line]:
    """Yield the messages of qstat -j; equal ones share a line, with their places below it."""
    for message, places in alike_reasons(reasons):
        yield from wrap(message, cells, TextRole.DIM, first="· ", rest="  ")
        if places:
            yield from wrap(places, cells, TextRole.DIM, first="    ", rest="    ")


def _bullets(texts: Iterable[str], cells: int) -> Iterable[Line]:
    for text in texts:
        yield from wrap(text, cells, first="· ", rest="  ")
