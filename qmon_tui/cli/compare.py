"""Compare two to four policies on the same work: measures, who gains and who loses, and where their days part."""

import argparse
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from qmon_tui.cli.answer import Answer, InputError
from qmon_tui.cli.cluster_folder import exit_code
from qmon_tui.cli.compare_summary import left_out_title, left_out_words, no_effect_words, owner_wait
from qmon_tui.cli.compare_words import changed_words, reason_words, task_words
from qmon_tui.cli.measure_text import compared_text, value_text
from qmon_tui.cli.policies import (
    Given,
    day_arguments,
    note_progress,
    processes_of,
    read_given,
    scenario_of,
    seeds_of,
    sentence,
    told_of_work,
    work_findings,
    work_of,
)
from qmon_tui.cli.simulated_days import refuse_seed
from qmon_tui.cli.text import Width, count, paragraph, table
from qmon_tui.report import diff_json
from qmon_tui.simulation import (
    MAIN_MEASURES,
    MOST_POLICIES,
    Compared,
    Comparison,
    EditError,
    Interval,
    Policy,
    Subject,
    TaskChange,
    TaskInRun,
    TaskReason,
    WorkersDied,
    apply_edits,
    compared,
    measure_title,
)
from qmon_tui.values import clock, format_time
from qmon_tui.workspace import ObjectChange, differences, object_words

CSV: Final = "csv"
SVG: Final = "svg"
HTML: Final = "html"
FORMATS = {CSV: "a line for each measure", SVG: "charts over time", HTML: "a report in one file"}
"""Besides table and json."""
_MOST_OWNERS: Final = 10


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "policies", metavar="POLICY", nargs="+",
        help="two to four cluster folders, each with edits behind @: site site@scheduler.weight_urgency=1; "
        "site@{1} is the folder as it was in git one revision before, site@{NAME} at a named one; "
        "the jobs are those of the first",
    )  # fmt: skip
    day_arguments(parser)
    parser.add_argument("--seed", metavar="N", type=int, help="seed of the random numbers")
    parser.add_argument("--all", action="store_true", help="all measures, not only the main ones")


def answer(options: argparse.Namespace) -> Answer:
    """Read the folders, simulate the same days under each policy, and compare."""
    if not 2 <= len(options.policies) <= MOST_POLICIES:
        raise InputError(f"name two policies, or up to {MOST_POLICIES}; there {_are(len(options.policies))}.")
    known: dict[str, Given] = {}
    given = [read_given(text, known) for text in options.policies]
    refuse_seed(options)
    work = work_of(options, given[0], seed=options.seed)
    policies = [Policy(policy.label, scenario_of(options, policy, given[0], work)) for policy in given]
    seeds, processes = seeds_of(options), processes_of(options)
    notes = tuple(note for policy in given for note in policy.notes)
    code = max(exit_code(notes), told_of_work(work_findings(options, given[0], work)))
    try:
        comparison = compared(policies, seeds, processes=processes, note=note_progress)
        subjects = [apply_edits(Subject(policy.cluster, work.state), policy.edits) for policy in given]
    except (EditError, WorkersDied) as error:
        raise InputError(sentence(error)) from error
    configuration = [differences(subjects[0].cluster, subject.cluster) for subject in subjects[1:]]
    return Answer(
        data=_as_data(comparison, configuration),
        table=lambda width: _shown(options, comparison, configuration, width),
        code=code,
        notes=notes,
        closing=_closing(comparison),
    )


def _shown(
    options: argparse.Namespace, comparison: Comparison, configuration: Sequence[Sequence[ObjectChange]], width: Width
) -> Iterable[str]:
    if options.format == CSV:
        return _csv(comparison)
    if options.format in (SVG, HTML):
        from qmon_tui.cli import compare_report  # late: a table needs no pictures

        return (
            compare_report.charts(comparison)
            if options.format == SVG
            else compare_report.page(comparison, configuration)
        )
    return _table(comparison, configuration, width, every=options.all)


def _are(number: int) -> str:
    return "is one" if number == 1 else f"are {number}"


def _closing(comparison: Comparison) -> str:
    days = count(len(comparison.seeds), "day")
    if len(comparison.seeds) == 1:
        return (
            f"{days} under {len(comparison.labels)} policies: one seed, no statement about chance; "
            "--seeds 10 tells how sure the differences are."
        )
    return f"{days} under {len(comparison.labels)} policies; differences with 95 % confidence."


# JSON ---------------------------------------------------------------------------------------------------------------


def _as_data(comparison: Comparison, configuration: Sequence[Sequence[ObjectChange]]) -> dict[str, object]:
    return {
        "policies": [
            {"label": label, "from": format_time(day.start), "until": format_time(day.end), "runs": day.runs,
             "events": day.events, "refused": list(day.refused), "measures": day.measures,
             "charts": {name: list(row) for name, row in day.charts.items()}}
            for label, day in zip(comparison.labels, comparison.days, strict=True)
        ],
        "seeds": list(comparison.seeds),
        "measures": [
            {**_compared_data(measure), "left_out": None if (count := comparison.left_out(measure.name)) is None
             else {"name": count.name, "values": list(count.values)}}
            for measure in comparison.measures
        ],
        "against_first": [
            {
                "label": against.label,
                "has_effect": comparison.has_effect(number),
                "no_effect": against.no_effect or None,
                "configuration": diff_json(changes)["differences"],
                "users": [_compared_data(owner) for owner in against.owners],
                "tasks_changed": against.changed,
                "gaining": [_change_data(change) for change in against.gaining],
                "losing": [_change_data(change) for change in against.losing],
                "parting": None if against.divergence is None else {
                    "time": format_time(against.divergence.time),
                    "tasks": against.divergence.count,
                    "first": [_reason_data(reason) for reason in against.divergence.first],
                    "other": [_reason_data(reason) for reason in against.divergence.other],
                },
            }
            for number, (against, changes) in enumerate(zip(comparison.against, configuration, strict=True), start=1)
        ],
    }  # fmt: skip


def _compared_data(measure: Compared) -> dict[str, object]:
    return {
        "name": measure.name,
        "values": list(measure.values),
        "differences": [
            None if difference is None else _interval_data(difference) for difference in measure.differences
        ],
    }


def _interval_data(interval: Interval) -> dict[str, object]:
    bounds = (interval.low, interval.high) if interval.is_known else (None, None)
    return {"mean": interval.mean, "low": bounds[0], "high": bounds[1], "no_difference": interval.is_nothing}


def _change_data(change: TaskChange) -> dict[str, object]:
    return {
        "id": change.job, "task": change.task, "name": change.name, "owner": change.owner, "wait_before": change.before,
        "wait_after": change.after, "change": change.change,
        "reason": None if change.reason is None else _reason_data(change.reason),
    }  # fmt: skip


def _reason_data(reason: TaskReason) -> dict[str, object]:
    return {
        "id": reason.job, "task": reason.task, "name": reason.name, "owner": reason.owner,
        "time": format_time(reason.time),
        "standings": [None if in_run is None else _in_run_data(in_run) for in_run in reason.in_runs],
    }  # fmt: skip


def _in_run_data(in_run: TaskInRun) -> dict[str, object]:
    return {
        "prior": in_run.prior, "terms": dict(in_run.terms), "rank": in_run.rank, "pending": in_run.pending,
        "starts_on": list(in_run.starts_on), "waits_for": in_run.waits_for or None,
        "behind": in_run.behind or None,
    }  # fmt: skip


# CSV ----------------------------------------------------------------------------------------------------------------


def _csv(comparison: Comparison) -> Iterator[str]:
    from qmon_tui.cli.csv_lines import csv_line  # other formats need none

    heads = [
        head for label in comparison.labels[1:] for head in (f"difference {label}", "low", "high", "no difference")
    ]
    yield csv_line(("measure", *comparison.labels, *heads))
    for measure in comparison.measures:
        cells: list[object] = [measure.name, *("" if value is None else value for value in measure.values)]
        for difference in measure.differences:
            if difference is None:
                cells += ["", "", "", ""]
            else:
                bounds = (difference.low, difference.high) if difference.is_known else ("", "")
                cells += [difference.mean, *bounds, str(difference.is_nothing).lower()]
        yield csv_line(cells)


# Table --------------------------------------------------------------------------------------------------------------


def _table(
    comparison: Comparison, configuration: Sequence[Sequence[ObjectChange]], width: Width, *, every: bool
) -> Iterator[str]:
    letters = [chr(ord("A") + number) for number in range(len(comparison.labels))]
    for letter, label in zip(letters, comparison.labels, strict=True):
        yield f"{letter}  {label}"
    yield ""
    shown = [measure for measure in comparison.measures if every or measure.name in MAIN_MEASURES]
    heads = [head for letter in letters[1:] for head in (letter, f"{letter} - A")]
    rows = [row for measure in shown for row in _measure_rows(comparison, measure)]
    yield from table(("measure", "A", *heads), rows, width, right=frozenset({*heads, "A"}))
    for number, changes in enumerate(configuration, start=1):
        yield ""
        yield from _against(comparison, number, changes, width)


def _measure_rows(comparison: Comparison, measure: Compared) -> Iterator[tuple[str, ...]]:
    """The row of a measure, and below a mean that of the number of tasks that it leaves out."""
    yield _measure_row(measure, measure_title(measure.name))
    left_out = comparison.left_out(measure.name)
    if left_out is not None:
        yield _measure_row(left_out, left_out_title(left_out.name))


def _measure_row(measure: Compared, title: str) -> tuple[str, ...]:
    cells = [title, value_text(measure.name, measure.values[0])]
    for number, value in enumerate(measure.values[1:]):
        cells += [value_text(measure.name, value), compared_text(measure.name, measure, number)]
    return tuple(cells)


def _against(comparison: Comparison, number: int, changes: Sequence[ObjectChange], width: Width) -> Iterator[str]:
    against, letter = comparison.against[number - 1], chr(ord("A") + number)
    yield f"{letter} against A"
    if not changes and "@" in against.label:
        yield "  configuration  nothing differs"
    for change in changes:
        for name, before, after in change.fields:
            what = f"{name} of {object_words(change.kind, change.name)}: {before or 'default'} -> {after or 'default'}"
            yield from paragraph(what, width, first="  configuration  ", rest=" " * 17)
        if not change.fields:
            yield f"  configuration  {object_words(change.kind, change.name)} {change.what.value}"
    if not comparison.has_effect(number):
        yield from paragraph(no_effect_words(against), width, first="  ", rest="  ")
        return
    if against.divergence is None:
        yield "  every task of the first day starts at the same time and place"
        return
    yield f"  {changed_words(against.changed)}"
    divergence = against.divergence
    yield f"  they part at {format_time(divergence.time)}:"
    for title, reasons in (("A starts", divergence.first), (f"{letter} starts", divergence.other)):
        for reason in reasons:
            words = reason_words(reason, letter) if reason.is_elsewhere else f"{title} {reason_words(reason, letter)}"
            yield from paragraph(words, width, first="    ", rest="      ")
    owners = [
        (
            owner.name,
            *(clock(value) for value in owner.values),
            compared_text("wait", owner, 0),
            left_out_words(comparison, owner_wait(owner.name), number),
        )
        for owner in _most_changed(against.owners)
    ]
    if owners:
        yield ""
        heads = ("user", "mean wait A", f"mean wait {letter}", "difference", "not started")
        yield from (f"  {line}" for line in table(heads, owners, width and width - 2, right=frozenset(heads[1:])))
    for title, tasks in (("gain most", against.gaining), ("lose most", against.losing)):
        if tasks:
            yield ""
            yield f"  {title}"
        for task_change in tasks:
            yield from _task_lines(task_change, letter, width)


def _most_changed(owners: Sequence[Compared]) -> Sequence[Compared]:
    if len(owners) <= _MOST_OWNERS:
        return owners
    return (*owners[: _MOST_OWNERS // 2], *owners[-_MOST_OWNERS // 2 :])


def _task_lines(change: TaskChange, letter: str, width: Width) -> Iterable[str]:
    before, after = ("never started" if wait is None else clock(wait) for wait in (change.before, change.after))
    yield from paragraph(
        f"{task_words(change.job, change.task, change.name, change.owner)}: {before} -> {after}",
        width,
        first="    ",
        rest="      ",
    )
    if change.reason is not None:
        yield from paragraph(
            reason_words(change.reason, letter, names_task=False), width, first="      ", rest="      "
        )
