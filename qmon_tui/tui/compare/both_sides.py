"""Explanations of a task under two policies, at the earlier of its two start times."""

from collections.abc import Sequence
from dataclasses import replace

from qmon_tui.explain import Explainer
from qmon_tui.qmaster import RunFacts
from qmon_tui.report import Line, Span, TextRole, job_explanation, live_jobs, wrap
from qmon_tui.report.comparison import letter
from qmon_tui.report.day import clock_at
from qmon_tui.simulation import Comparison, Policy, runs_of_start
from qmon_tui.tui.base import Paragraphs
from qmon_tui.workspace import JobKey


def both_sides(policies: Sequence[Policy], comparison: Comparison, other: int, key: JobKey) -> Paragraphs | str:
    """Explain a task under the first policy and policy number `other`; a sentence if it starts under neither.

    Simulates both days up to the start: run it off the event loop.
    """
    first, second = (replace(policies[number].scenario, seed=comparison.seeds[0]) for number in (0, other))
    time_and_runs = runs_of_start((first, second), (comparison.days[0], comparison.days[other]), key)
    if time_and_runs is None:
        return f"Task {key[0]}.{key[1]} starts under neither policy on this day."
    time, runs = time_and_runs
    sides = [_side(run, key) for run in runs]
    heads = [
        f"{letter(number)}  {policies[number].label}, at {clock_at(time, comparison.days[0].start)}"
        for number in (0, other)
    ]

    def lines(cells: int) -> tuple[Line, ...]:
        shown: list[Line] = []
        for head, side in zip(heads, sides, strict=True):
            shown += [*wrap(head, cells, TextRole.ACCENT), (Span("─" * cells, TextRole.FAINT),), *side(cells), ()]
        return tuple(shown)

    return lines


def _side(run: RunFacts | None, key: JobKey) -> Paragraphs:
    if run is None:
        return lambda cells: wrap("No scheduling run has been made by then.", cells, TextRole.DIM)
    explainer = Explainer(run.full())
    row = live_jobs.task_row(explainer.outcome, *key)
    if row is None:
        return lambda cells: wrap("It is not in the cluster any more at that moment.", cells, TextRole.DIM)
    try:
        explanation = explainer.explanation(*key)
    except LookupError as error:
        sentence = f"{error}."
        return lambda cells: job_explanation.job_lines(row, sentence, None, cells, in_full=True, tried=False)
    return lambda cells: job_explanation.job_lines(row, explanation, None, cells, in_full=True, tried=False)
