"""A comparison in words: the policies with their letters, then statements of one line each."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final

from qmon_tui.report.comparison.rows import (
    in_run_words,
    is_improvement,
    letter,
    no_effect_words,
    start_words,
    value_words,
)
from qmon_tui.report.day import clock_at, lasting
from qmon_tui.report.spans import Line, Span, TextRole, fit, wrap
from qmon_tui.report.words import count
from qmon_tui.simulation import Compared, Comparison, Interval
from qmon_tui.values import clock


@dataclass(frozen=True, slots=True)
class PolicyHead:
    """Content of the lines above the tables; `seeds` is the number of days."""

    labels: tuple[str, ...]
    seconds: int | None
    """Length of each day; None if a day lasts until all jobs have ended."""
    seeds: int
    progress: tuple[int, int] | None = None
    """Number of days simulated, and of all days; None if no simulation is running."""
    problem: str = ""
    """Why nothing can be compared; empty if it can be."""
    assumed: int = 0
    """Number of jobs whose run time is assumed."""
    stories: tuple[str, ...] = ()
    """The first statement about each policy but the first."""


def head_lines(head: PolicyHead, cells: int) -> tuple[Line, ...]:
    """Return a line for each policy, then the settings and results of the comparison, or its problem."""
    lines = [
        fit((Span(f" {letter(number)}  ", TextRole.ACCENT), Span(label)), cells)
        for number, label in enumerate(head.labels)
    ]
    if head.problem:
        return (*lines, *wrap(f"✗ {head.problem}", cells - 1, TextRole.ERROR, first=" ", rest="   "))
    stories = (
        line
        for number, words in enumerate(head.stories, start=1)
        for line in wrap(words, cells - 1, TextRole.STRONG, first=f" {letter(number)}: ", rest="    ")
    )
    return (*lines, fit(_setting_spans(head), cells), *stories)


def _setting_spans(head: PolicyHead) -> Sequence[Span]:
    length = f"{lasting(head.seconds)} long" if head.seconds is not None else "until all is done"
    days = "one day" if head.seeds == 1 else f"{head.seeds} days of this kind"
    spans = [Span(f" {days}, {length}", TextRole.DIM)]
    if head.progress is not None:
        done, count = head.progress
        spans.append(Span(f"   ↻ simulated {done} of {count}", TextRole.CHANGED))
    if head.assumed:
        spans.append(Span(f"   run time of {head.assumed} jobs assumed", TextRole.DIM))
    if head.seeds == 1 and head.progress is None:
        spans.append(Span("   one seed, no statement about chance: + adds more", TextRole.DIM))
    return spans


MEANINGS: Final = {
    "wait.mean": ("mean wait", "from the submission of a task to its start"),
    "wait.median": ("median wait", "half of the tasks wait no longer"),
    "wait.p95": ("wait of 95 in 100", "95 of 100 tasks wait no longer"),
    "wait.max": ("longest wait", ""),
    "turnaround.mean": ("mean turnaround", "from the submission of a task to its end"),
    "turnaround.p95": ("turnaround of 95 in 100", "95 of 100 tasks take no longer"),
    "bounded_slowdown.mean": (
        "mean slowdown",
        "turnaround over run time, both at least 10 s; 1 is no wait at all",
    ),
    "bounded_slowdown.p95": ("slowdown of 95 in 100", "95 of 100 tasks are slowed down no more"),
    "throughput_per_hour": ("throughput per hour", "tasks that end in an hour"),
    "utilisation": ("utilisation", "part of all slots, over all the time, that tasks had; more hosts make it smaller"),
    "fragmentation": ("fragmentation", "part of all slots that stay free while tasks wait that could not use them"),
    "started": ("started", "tasks"),
    "ended": ("ended", "tasks"),
    "not_started": ("not started", "tasks that do not start on the day; no mean wait counts them"),
    "backfilled": ("backfilled", "tasks that start ahead of a job that waits for its reservation"),
    "starved": ("starved", "tasks that wait longer than --starved-after, 24 h by default"),
    "jain.owner": (
        "fairness between users",
        "Jain's index: 1 where all get the part they are entitled to",
    ),
    "jain.project": ("fairness between projects", "the same for projects"),
    "lost_slot_seconds": ("lost work", "run time of tasks that were rescheduled, times their slots"),
    "queue_length.mean": ("mean queue length", "tasks that wait"),
    "queue_length.max": ("longest queue", "tasks that wait"),
    "oldest_wait.max": ("oldest wait", "the longest time that any task had waited at any moment"),
    "restarts": ("restarts", "tasks that were rescheduled and ran again"),
}
"""Measure -> its name in a report, and its meaning."""
_LONGEST: Final = 120
"""Greatest length of a statement, in characters."""
_MEASURES: Final = ("wait.mean", "wait.p95", "bounded_slowdown.mean", "throughput_per_hour", "utilisation", "starved")
_FAIRNESS: Final = "jain.owner"
_MOST_OWNERS: Final = 4


def setting_words(comparison: Comparison) -> str:
    """Return the sentences that say how the policies were compared."""
    days, day = len(comparison.seeds), comparison.days[0]
    length = clock(day.end - day.start)
    whole = (
        "The same jobs are submitted under each policy, at the same times, and every decision is simulated by the "
        "rules of the Grid Engine scheduler; nothing was run on a real cluster."
    )
    if days == 1:
        return f"{whole} One period of {length} was simulated under each: no statement about chance."
    return (
        f"{whole} {days} periods like the first one, which lasts {length}, were simulated under each. ± is the bound "
        "of a difference with 95 % confidence; one within its bound may be chance and is called no difference."
    )


def story(comparison: Comparison, number: int) -> Iterator[str]:
    """Yield statements about policy `number` (from 1 on) against the first, each of at most 120 characters.

    First the users that gain and lose with the fairness, then the main measures with their uncertainty, then the first
    decision that differs with its cause.
    """
    if not comparison.has_effect(number):
        words = no_effect_words(comparison.against[number - 1])
        yield f"{words[0].upper()}{words[1:]}."
        return
    yield _users(comparison, number)
    same = []
    for name in _MEASURES:
        measure = comparison.by_name.get(name)
        difference = None if measure is None else measure.differences[number - 1]
        if measure is None or difference is None:
            continue
        if _is_same(measure, number):
            same.append(MEANINGS[name][0])
        else:
            yield _change(measure, difference, number)
    if same:
        yield f"No difference{' to speak of' if len(comparison.seeds) > 1 else ''}: {', '.join(same)}."
    yield from _left_out(comparison, number)
    yield from _first_decision(comparison, number)


def _is_same(measure: Compared, number: int) -> bool:
    difference = measure.differences[number - 1]
    values = [value_words(measure.name, measure.values[place]) for place in (0, number)]
    return difference is None or difference.is_nothing or values[0] == values[1]


# Users ----------------------------------------------------------------------------------------------------------------


def _users(comparison: Comparison, number: int) -> str:
    """Return the users whose tasks wait less or more, and the change of fairness, in at most `_LONGEST` characters.

    To fit, bounds are dropped before names: charts and tables show the bounds.
    """
    fairness = _fairness(comparison, number)
    changes = [
        (owner.name, difference)
        for owner in comparison.against[number - 1].owners
        if (difference := owner.differences[0]) is not None
        and not difference.is_nothing
        and round(abs(difference.mean)) > 0
    ]
    less = sorted((change for change in changes if change[1].mean < 0), key=lambda change: change[1].mean)
    more = sorted((change for change in changes if change[1].mean > 0), key=lambda change: -change[1].mean)
    only = [
        f"{owner.name} starts only under {letter(number if owner.values[0] is None else 0)}"
        for owner in comparison.against[number - 1].owners
        if owner.values.count(None) == 1
    ][:_MOST_OWNERS]
    if not changes and not only:
        return f"No user waits longer or shorter{f'; {fairness}' if fairness else ''}."
    words = ""
    for most, bounds in product(range(_MOST_OWNERS, -1, -1), (True, False)):
        parts = [*_waits(less, "less", most, bounds=bounds), *_waits(more, "more", most, bounds=bounds), *only[:most]]
        words = f"Mean wait: {', '.join(parts)}{f'; {fairness}' if fairness else ''}."
        if len(words) <= _LONGEST:
            break
    return words


def _waits(changes: Sequence[tuple[str, Interval]], word: str, most: int, *, bounds: bool) -> Iterator[str]:
    for name, difference in changes[:most]:
        bound = f" (± {lasting(difference.half)})" if difference.is_known and bounds else ""
        yield f"{name} {lasting(difference.mean)}{bound} {word}"
    left = len(changes) - most
    if left > 0:
        others = "other user" if most else "user"
        yield f"{count(left, others)} {word}"


def _fairness(comparison: Comparison, number: int) -> str:
    measure = comparison.by_name.get(_FAIRNESS)
    if measure is None or measure.values[0] is None or _is_same(measure, number):
        return ""
    before, after = (measure.values[place] for place in (0, number))
    return "" if before is None or after is None else f"fairness {before:.2f} to {after:.2f}"


# Measures -------------------------------------------------------------------------------------------------------------


def _change(measure: Compared, difference: Interval, number: int) -> str:
    before, after = (value_words(measure.name, measure.values[place]) for place in (0, number))
    bound = f" (± {value_words(measure.name, difference.half)})" if difference.is_known else ""
    better = is_improvement(measure.name, difference)
    judged = "" if better is None else f", {'better' if better else 'worse'}"
    name = MEANINGS[measure.name][0]
    return f"{name[0].upper()}{name[1:]} {before} to {after}{bound}{judged}."


def _left_out(comparison: Comparison, number: int) -> Iterator[str]:
    left_out = comparison.left_out("wait.mean")
    if left_out is not None and not _is_same(left_out, number):
        before, after = (value_words(left_out.name, left_out.values[place]) for place in (0, number))
        yield f"Tasks that do not start, which no mean counts: {before} to {after}."


# First decision -------------------------------------------------------------------------------------------------------


def _first_decision(comparison: Comparison, number: int) -> Iterator[str]:
    divergence = comparison.against[number - 1].divergence
    if divergence is None:
        return
    at = clock_at(divergence.time, comparison.days[0].start)
    # Either the other policy starts a task that the first lets wait, or the reverse.
    starter, waiter = (number, 0) if divergence.other else (0, number)
    reason = (divergence.other or divergence.first)[0]
    yield _short(f"The first decision that differs, at {at}: {start_words(reason, starter)}.")
    in_run = reason.in_runs[0 if waiter == 0 else 1]
    if in_run is not None and not in_run.starts_on:
        yield _short(f"Under {letter(waiter)} it {in_run_words(in_run)}.")


def _short(text: str) -> str:
    """Return a statement of at most `_LONGEST` characters, cut after a clause, else after a word."""
    if len(text) <= _LONGEST:
        return text
    ends = [text.rfind(mark, _LONGEST // 2, _LONGEST - 1) for mark in (", ", ": ", "; ")]
    end = max(ends) if max(ends) > 0 else text.rfind(" ", 0, _LONGEST - 1)
    return f"{text[:end]} …" if end > 0 else f"{text[: _LONGEST - 1]}…"
