"""The chosen task of a simulated day in one line, up to the moment that is shown."""

from qmon_tui.report.day.feed import places_words
from qmon_tui.report.day.times import clock_at, lasting
from qmon_tui.report.spans import Line, Span, TextRole, fit
from qmon_tui.simulation import FeedKind, Moment, SlotInterval, SlotIntervalEnd


def chosen_line(moment: Moment, key: tuple[int, int], cells: int) -> Line:
    """Return number, name, owner, submission, start and end of the task, and its slowdown."""
    number, task = key
    job = next((job for job in moment.state.jobs if job.id == number), None)
    runs = [(stretch, end) for stretch, end in moment.stretches if (stretch.job, stretch.task) == key]
    submitted = job.submitted if job is not None else _submitted(moment, number)
    if not runs and job is None:
        return fit((Span(f" {number}", TextRole.STRONG), Span(" is not there at this moment", TextRole.DIM)), cells)
    name, owner = (job.name, job.owner) if job is not None else (runs[-1][0].name, runs[-1][0].owner)
    is_array = task != 1 or (job is not None and len(job.task_ids) > 1)
    spans = [Span(f" {number}{f'.{task}' if is_array else ''} {name}", TextRole.STRONG), Span(f"  {owner}")]
    if submitted is not None:
        spans.append(Span(f"  submitted {clock_at(submitted, moment.time)}", TextRole.DIM))
    if not runs:
        waits = moment.time - (submitted if submitted is not None else moment.time)
        return fit((*spans, Span(f"  waits {lasting(waits)}", TextRole.WAITING)), cells)
    return fit((*spans, *_run_words(runs[-1], submitted, moment.time)), cells)


def _run_words(run: tuple[SlotInterval, SlotIntervalEnd | None], submitted: int | None, now: int) -> Line:
    stretch, end = run
    length = (end.time if end is not None else now) - stretch.start
    waited = None if submitted is None else stretch.start - submitted
    where = places_words(stretch.places)
    spans = [Span(f"  {'ran' if end else 'runs'} {lasting(length)} on {where}", TextRole.PLAIN)]
    if stretch.limit is not None and end is None:
        spans.append(Span(f" of {lasting(stretch.limit)}", TextRole.DIM))
    if end is not None and end.kind is not FeedKind.ENDED:
        spans.append(Span(f", {end.kind}", TextRole.WARNING))
    if waited is not None:
        spans.append(Span(f"  waited {lasting(waited)}", TextRole.DIM))
        if end is not None and length > 0:
            spans.append(Span(f"  slowdown {(waited + length) / length:.1f}", TextRole.DIM))
    if stretch.backfilled:
        spans.append(Span("  ◆ backfilled", TextRole.ACCENT))
    return tuple(spans)


def _submitted(moment: Moment, number: int) -> int | None:
    """When a job was submitted that is not there any more: the feed tells, or its first start."""
    for entry in moment.entries:
        if entry.job == number:
            if entry.kind is FeedKind.SUBMITTED:
                return entry.time
            if entry.kind in (FeedKind.STARTED, FeedKind.BACKFILLED) and entry.seconds is not None:
                return entry.time - entry.seconds
    return None
