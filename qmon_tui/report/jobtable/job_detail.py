"""A job in a few lines: its priority, its requests, the states of its tasks; and the result of a trial."""

from collections.abc import Iterator, Mapping

from qmon_tui.report.bars import priority_parts, stacked_bar, stroke
from qmon_tui.report.jobtable.job_rows import JobTableRow
from qmon_tui.report.live_jobs import Weights
from qmon_tui.report.spans import Line, Span, TextRole, fit, wrap, wrap_lines
from qmon_tui.report.words import count, day_and_time, moment, shown_figure, state_role, state_words
from qmon_tui.workspace import HOLD_WORDS, Figures, JobTrial

_BAR = 24
_CLEARED = " some tasks take no part: qstat clears nurg and npprior"
_NARROW = 66
"""Width in cells up to which words are shortened."""


def detail_lines(row: JobTableRow | None, weights: Weights, cells: int) -> tuple[Line, ...]:
    """Return name, priority, qsub line, task states and holds of a job; a hint for None."""
    if row is None:
        return ((Span("No job is chosen: the arrows choose one.", TextRole.DIM),),)
    return tuple(_lines(row, weights, cells))


def _lines(row: JobTableRow, weights: Weights, cells: int) -> Iterator[Line]:
    job, task, known = row.job, row.task, row.known
    yield fit(
        (
            Span(f"{job.id} {job.name}", TextRole.STRONG),
            Span(f"  {job.owner}", TextRole.DIM),
            Span("" if row.whole else f"  {_state_words(row)}", state_role(row.states[0])),
            Span(
                f"  submitted {(moment if cells > _NARROW else day_and_time)(known.submitted)}" if known else "",
                TextRole.DIM,
            ),
        ),
        cells,
    )
    yield _priority(row, weights, cells)
    if known is not None:
        yield from wrap(known.qsub or "(no options)", cells, TextRole.PLAIN, first="qsub ", rest="     ")
    if row.whole or len(job.tasks) > 1:
        words = ", ".join(f"{number} {_state_of_several(number, state)}" for state, number in _states(row))
        yield from wrap(f"{count(len(job.tasks), 'task')}: {words}", cells, TextRole.DIM)
    if held := _holds(row):
        yield (Span(f"held by {held}", TextRole.HELD),)
    if any("E" in state for state in row.states):
        reason = f"{text} · " if (text := _error_reason(row)) else ""
        words = f"in error: {reason}not scheduled until that is cleared (qmod -cj)"
        yield from wrap(words, cells, TextRole.FAILED, rest="  ")
    if not row.whole:
        now = row.granted_of(task)
        after = {} if row.figures is Figures.NOW else task.granted
        yield from _places(now, cells, "")
        yield from _places(after, cells, "the next run starts it on ") if after != now else ()
    if (waiting := row.reserved) is not None and waiting.reserved_from is not None:
        places = ", ".join(f"{place} {count(slots, 'slot')}" for place, slots in waiting.reserved.items())
        yield from wrap(f"waits; reserved from {moment(waiting.reserved_from)}: {places}", cells, TextRole.DIM)
    if job.rejected:
        yield from wrap_lines(job.rejected, cells, TextRole.ERROR, first="✗ qsub refuses it: ", rest="  ")
        yield from (line for hint in job.meant for line in wrap(hint, cells, TextRole.PLAIN, first="  ", rest="  "))


def _priority(row: JobTableRow, weights: Weights, cells: int) -> Line:
    task, known = row.task, priority_parts(row.job, row.task, weights)
    total = max(task.prior, sum(value for value, _ in known), 1e-9)
    spans = [Span(f"prior {task.prior:.5f} ", TextRole.STRONG)]
    if cells > 60 + _BAR:
        spans += stacked_bar(known, total, _BAR)
    names = ("urgency", "tickets", "POSIX") if cells > _NARROW else ("urg", "tckts", "-p")
    if len(known) != len(names):
        return fit((*spans, Span(_CLEARED, TextRole.DIM)), cells)
    for (value, role), name in zip(known, names, strict=True):
        spans.append(Span(f" {stroke(role)} {name} {value:.5f}", role))
    return fit(spans, cells)


def _places(granted: Mapping[str, int], cells: int, lead: str) -> Iterator[Line]:
    places = ", ".join(f"{place} {count(slots, 'slot')}" for place, slots in granted.items())
    if places:
        yield from wrap(f"{lead}{places}", cells, TextRole.RUNNING)


def _state_words(row: JobTableRow) -> str:
    before = row.task.state_before or row.task.state
    return shown_figure(row.figures, state_words(before), state_words(row.task.state))


def _state_of_several(number: int, state: str) -> str:
    words = state_words(state)
    return words if number == 1 else words.replace("starts", "start")


def _states(row: JobTableRow) -> list[tuple[str, int]]:
    counts: dict[str, int] = {}
    for task in row.job.tasks:
        state = task.state if row.figures is Figures.NEXT else task.state_before or task.state
        counts[state] = counts.get(state, 0) + 1
    return sorted(counts.items(), key=lambda pair: -pair[1])


def _error_reason(row: JobTableRow) -> str:
    """Return the error reason of the row's task, or for a whole job of its first task with one; empty if unknown."""
    tasks = row.known.tasks.items() if row.known is not None else ()
    reasons = (task.reason for number, task in tasks if task.reason and (row.whole or number == row.task.task))
    return next(reasons, "")


def _holds(row: JobTableRow) -> str:
    if row.known is None or not any("h" in state for state in row.states):
        return ""
    letters = (row.before.hold if row.before else "") or row.known.request.hold
    after = (*row.known.request.hold_jid, *row.known.request.hold_jid_ad)
    words = [HOLD_WORDS[letter] for letter in letters if letter in HOLD_WORDS]
    return ", ".join([*words, *([f"waiting for {', '.join(after)}"] if after else [])])


_MOST = 6


def trial_lines(trial: JobTrial, cells: int, program: str = "qsub", hides_why: str = "") -> tuple[Line, ...]:
    """Return the refusal; or where the job starts, why it waits, the closest place, and the jobs that it displaces.

    `hides_why` is a text that replaces the reasons; empty shows them.
    """
    if trial.refused:
        return wrap_lines(trial.refused, cells, TextRole.ERROR, first=f"✗ {program} refuses it: ", rest="  ")
    lines: list[Line] = []
    if trial.running:
        words = "its task runs" if trial.running == 1 else f"{trial.running} of its tasks run"
        lines += wrap(f"{words} on as before", cells, TextRole.RUNNING, first="✓ ", rest="  ")
    for task, places in trial.starts[:_MOST]:
        lead = f"task {task} " if len(trial.starts) + trial.waiting > 1 else ""
        lines += wrap(f"{lead}would start now on {', '.join(places)}", cells, TextRole.RUNNING, first="✓ ", rest="  ")
    if len(trial.starts) > _MOST:
        lines.append((Span(f"  and {count(len(trial.starts) - _MOST, 'more task')}", TextRole.RUNNING),))
    if trial.waiting:
        words = count(trial.waiting, "task") if trial.waiting > 1 or trial.starts else "it"
        lines.append((Span(f"◐ {words} would wait", TextRole.WAITING),))
    if hides_why and trial.waiting:
        lines += wrap(hides_why, cells, TextRole.DIM, first="  ", rest="  ")
    else:
        lines += _reasons(trial, cells)
    if trial.others:
        numbers = ", ".join(map(str, trial.others[:_MOST]))
        lines += wrap(f"it takes the place of {numbers}, which would start without it", cells, TextRole.WARNING)
    if trial.instead:
        numbers = ", ".join(map(str, trial.instead[:_MOST]))
        lines += wrap(f"{numbers} would start instead", cells, TextRole.PLAIN)
    return tuple(lines)


def _reasons(trial: JobTrial, cells: int) -> list[Line]:
    explanation = trial.explanation
    if explanation is None:
        return []
    lines: list[Line] = []
    for group in explanation.groups[:_MOST]:
        where = f" ({count(len(group.instances), 'queue instance')})" if group.instances else ""
        lines += wrap(f"{group.message}{where}", cells, TextRole.PLAIN, first="  ", rest="    ")
    if explanation.nearest is not None:
        words = "; ".join(missing.words for missing in explanation.nearest.missing)
        lines += wrap(f"closest: {explanation.nearest.words}: {words}", cells, TextRole.PLAIN, first="  ", rest="    ")
    return lines
