"""Compare two to four policies on the same work: measures, users and tasks that gain or lose, first difference."""

import argparse
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from qmon_tui.cli.answer import Answer, InputError, paragraph
from qmon_tui.cli.cluster_folder import exit_code, forecast_notes
from qmon_tui.cli.parser import refuse_seed, whole
from qmon_tui.cli.pictures import CHARTS, WAITS, chart_svg
from qmon_tui.cli.policies import (
    Given,
    day_arguments,
    note_progress,
    note_work_findings,
    processes_of,
    read_given,
    scenario_of,
    seeds_of,
    sentence,
    work_findings,
)
from qmon_tui.report import Line, count, json_report, plain
from qmon_tui.report.comparison import change_lines, decision_lines, letter, measure_rows, story, user_rows
from qmon_tui.simulation import (
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
)
from qmon_tui.values import format_time
from qmon_tui.workspace import ObjectChange, differences, object_words, read_work_source

CSV: Final = "csv"
SVG: Final = "svg"
HTML: Final = "html"
FORMATS = {CSV: "a line for each measure", SVG: "a chart for a slide", HTML: "a report in one file"}
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
    parser.add_argument("--seed", metavar="N", type=whole, help="seed of the random numbers")
    charts = "; ".join(f"{name}: {words}" for name, words in CHARTS.items())
    parser.add_argument("--chart", choices=tuple(CHARTS), default=WAITS, help=f"what --format svg draws: {charts}")
    parser.add_argument("--dark", action="store_true", help="draw for a dark slide")
    parser.add_argument("--all", action="store_true", help="all measures, not only the main ones")


def answer(options: argparse.Namespace) -> Answer:
    """Read the folders, simulate the same days under each policy, and compare."""
    if not 2 <= len(options.policies) <= MOST_POLICIES:
        are = "is one" if len(options.policies) == 1 else f"are {len(options.policies)}"
        raise InputError(f"name two policies, or up to {MOST_POLICIES}; there {are}.")
    known: dict[str, Given] = {}
    given = [read_given(text, known) for text in options.policies]
    refuse_seed(options)
    work = read_work_source(given[0].reading, options.workload, seed=options.seed)
    policies = [Policy(policy.label, scenario_of(options, policy, given[0], work)) for policy in given]
    seeds, processes = seeds_of(options), processes_of(options)
    notes = tuple(note for policy in given for note in policy.notes)
    code = max(exit_code(notes), note_work_findings(work_findings(options, given[0], work)))
    notes = (*notes, *forecast_notes(given[0].reading.cluster))
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
    options: argparse.Namespace, comparison: Comparison, configuration: Sequence[Sequence[ObjectChange]], width: int
) -> Iterable[str | Line]:
    if options.format == CSV:
        return _csv(comparison)
    if options.format == SVG:
        return chart_svg(comparison, options.chart, dark=options.dark)
    if options.format == HTML:
        from qmon_tui.cli.compare_report import page  # imported here, as a table needs no page

        return page(comparison, configuration)
    return _table(comparison, configuration, width, every=options.all)


def _closing(comparison: Comparison) -> str:
    days = count(len(comparison.seeds), "day")
    if len(comparison.seeds) == 1:
        return (
            f"{days} under {len(comparison.labels)} policies: one seed, no statement about chance; "
            "--seeds 10 gives the differences their bounds."
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
                "configuration": json_report.diff_json(changes)["differences"],
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
    from qmon_tui.cli.answer import csv_line  # other formats need none

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
    comparison: Comparison, configuration: Sequence[Sequence[ObjectChange]], width: int, *, every: bool
) -> Iterator[str | Line]:
    for number, label in enumerate(comparison.labels):
        yield f"{letter(number)}  {label}"
    for number in range(1, len(comparison.labels)):
        yield ""
        for words in story(comparison, number):
            yield from paragraph(words, width, first=f"{letter(number)}: ", rest="   ")
    yield ""
    yield from measure_rows(comparison, every=every).printed(width)
    users = user_rows(comparison, None if every else _MOST_OWNERS)
    if len(users):
        yield ""
        yield from users.printed(width)
    for number, changes in enumerate(configuration, start=1):
        yield ""
        yield from _against(comparison, number, changes, width)


def _against(comparison: Comparison, number: int, changes: Sequence[ObjectChange], width: int) -> Iterator[str]:
    against, first = comparison.against[number - 1], f"{letter(number)} configuration  "
    if not changes and "@" in against.label:
        yield f"{first}nothing differs"
    for change in changes:
        name = object_words(change.kind, change.name)
        for field, before, after in change.fields:
            words = f"{field} of {name}: {before or 'default'} -> {after or 'default'}"
            yield from paragraph(words, width, first=first, rest=" " * len(first))
        if not change.fields:
            yield f"{first}{name} {change.what.value}"
    lines = [*decision_lines(comparison, number)]
    if against.divergence is not None:
        lines += change_lines(comparison, number)
    for line in lines:
        text = plain(line.text)
        words = text.lstrip()
        lead = text[: len(text) - len(words)]
        yield from paragraph(words, width, first=lead, rest=f"{lead}  ")
