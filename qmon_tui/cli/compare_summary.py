"""A comparison in sentences for readers who do not know the program: results, and meanings of the measures."""

from collections.abc import Iterator, Sequence
from typing import Final

from qmon_tui.report import count
from qmon_tui.report.comparison import is_improvement, no_effect_words, value_words
from qmon_tui.simulation import MAIN_MEASURES, Compared, Comparison, Interval, PolicyDelta
from qmon_tui.values import clock

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
    "throughput_per_hour": ("throughput", "tasks that end in an hour"),
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
"""Measure -> its name in a report, and what it tells."""
_FIRST: Final = ("wait.mean", "wait.p95", "bounded_slowdown.mean", "throughput_per_hour", "utilisation", "starved")
_MOST_OWNERS: Final = 5


def main_measures(comparison: Comparison) -> Sequence[Compared]:
    """Return the main measures, the most requested first."""
    by_name = {measure.name: measure for measure in comparison.measures}
    return [by_name[name] for name in MAIN_MEASURES if name in by_name]


def left_out_words(comparison: Comparison, name: str, number: int) -> str:
    """Return how many tasks a mean leaves out under the first and another policy; empty for none."""
    left_out = comparison.left_out(name)
    if left_out is None:
        return ""
    return " → ".join(value_words(left_out.name, left_out.values[place]) for place in (0, number))


def setting_words(comparison: Comparison) -> str:
    """Return how the policies were compared."""
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


def summary(comparison: Comparison, number: int) -> Iterator[str]:
    """Yield sentences about a policy compared with the first: measures, then users."""
    if not comparison.has_effect(number):
        words = no_effect_words(comparison.against[number - 1])
        yield f"{words[0].upper()}{words[1:]}."
        return
    shown = [measure for measure in main_measures(comparison) if measure.name in _FIRST]
    same = []
    for measure in shown:
        difference = measure.differences[number - 1]
        if difference is None:
            continue
        before, after = (value_words(measure.name, measure.values[place]) for place in (0, number))
        if difference.is_nothing or before == after:
            same.append(MEANINGS[measure.name][0])
        else:
            yield _change_words(comparison, measure, difference, number)
    if same:
        yield f"No difference{' to speak of' if len(comparison.seeds) > 1 else ''}: {', '.join(same)}."
    yield from _owners(comparison.against[number - 1], is_one=len(comparison.seeds) == 1)
    if len(comparison.seeds) == 1:
        yield "One seed: no statement about chance."


def _change_words(comparison: Comparison, measure: Compared, difference: Interval, number: int) -> str:
    name = MEANINGS[measure.name][0]
    before, after = value_words(measure.name, measure.values[0]), value_words(measure.name, measure.values[number])
    bound = f" (± {value_words(measure.name, difference.half)})" if difference.is_known else ""
    better = is_improvement(measure.name, difference)
    judged = "" if better is None else f": {'better' if better else 'worse'}"
    verb = "rises" if difference.mean > 0 else "falls"
    left_out = left_out_words(comparison, measure.name, number)
    counted = f"; tasks not started, which it leaves out: {left_out}" if left_out else ""
    return f"{name[0].upper()}{name[1:]} {verb} from {before} to {after}{bound}{judged}{counted}."


def _owners(against: PolicyDelta, *, is_one: bool) -> Iterator[str]:
    known = [(owner.name, owner.differences[0]) for owner in against.owners]
    changed = [(name, difference) for name, difference in known if difference is not None and not difference.is_nothing]
    for words, sign in (("shorter", -1), ("longer", 1)):
        own = sorted(
            (owner_change for owner_change in changed if owner_change[1].mean * sign > 0),
            key=lambda owner_change: -abs(owner_change[1].mean),
        )
        if own:
            named = ", ".join(f"{name} by {clock(abs(difference.mean))}" for name, difference in own[:_MOST_OWNERS])
            more = f" and {count(len(own) - _MOST_OWNERS, 'more user')}" if len(own) > _MOST_OWNERS else ""
            lead = "In this period" if is_one else "On average"
            yield f"{lead} tasks wait for a {words} time if they are of {named}{more}."
    if known and not changed:
        yield f"No user waits longer or shorter {'in this period' if is_one else 'on average'}."
