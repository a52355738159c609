"""Compare two to four policies on the same work: measures, who gains and who loses, and where their days part."""

import argparse
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from qmon_tui.cli.answer import Answer, InputError
from qmon_tui.cli.cluster_folder import exit_code
from qmon_tui.cli.compare_words import changed_words, reason_words, task_words
from qmon_tui.cli.lengths import clock
from qmon_tui.cli.measure_text import difference_text, value_text
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
from qmon_tui.simulation import (
    MAIN_MEASURES,
    MOST_POLICIES,
    Against,
    Compared,
    Comparison,
    EditError,
    Interval,
    Policy,
    Standing,
    Subject,
    TaskChange,
    TaskReason,
    WorkersDied,
    apply_edits,
    compared,
    measure_title,
)
from qmon_tui.values import format_time
from qmon_tui.workspace import ObjectChange, diff_json, differences, object_words

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
    policies = [Policy(one.label, scenario_of(options, one, given[0], work)) for one in given]
    seeds, processes = seeds_of(options), processes_of(options)
    notes = tuple(note for one in given for note in one.notes)
    code = max(exit_code(notes), told_of_work(work_findings(given[0], work)))
    try:
        found = compared(policies, seeds, processes=processes, note=note_progress)
        subjects = [apply_edits(Subject(one.cluster, work.state), one.edits) for one in given]
    except (EditError, WorkersDied) as error:
        raise InputError(sentence(error)) from error
    configuration = [differences(subjects[0].cluster, subject.cluster) for subject in subjects[1:]]
    return Answer(
        data=_as_data(found, configuration),
        table=lambda width: _shown(options, found, configuration, width),
        code=code,
        notes=notes,
        closing=_closing(found),
    )


def _shown(
    options: argparse.Namespace, found: Comparison, configuration: Sequence[Sequence[ObjectChange]], width: Width
) -> Iterable[str]:
    if options.format == CSV:
        return _csv(found)
    if options.format in (SVG, HTML):
        from qmon_tui.cli import compare_report  # late: a table needs no pictures

        return compare_report.charts(found) if options.format == SVG else compare_report.page(found, configuration)
    return _table(found, configuration, width, every=options.all)


def _are(number: int) -> str:
    return "is one" if number == 1 else f"are {number}"


def _closing(found: Comparison) -> str:
    days = count(len(found.seeds), "day")
    if len(found.seeds) == 1:
        return f"{days} under {len(found.labels)} policies; --seeds 10 tells how sure the differences are."
    return f"{days} under {len(found.labels)} policies; differences with 95 % confidence."


# JSON ---------------------------------------------------------------------------------------------------------------


def _as_data(found: Comparison, configuration: Sequence[Sequence[ObjectChange]]) -> dict[str, object]:
    return {
        "policies": [
            {"label": label, "from": format_time(day.start), "until": format_time(day.end), "runs": day.runs,
             "events": day.events, "refused": list(day.refused), "measures": day.measures,
             "charts": {name: list(row) for name, row in day.charts.items()}}
            for label, day in zip(found.labels, found.days, strict=True)
        ],
        "seeds": list(found.seeds),
        "measures": [_compared_data(one) for one in found.measures],
        "against_first": [
            {
                "label": against.label,
                "configuration": diff_json(changes)["differences"],
                "users": [_compared_data(one) for one in against.owners],
                "tasks_changed": against.changed,
                "gaining": [_change_data(one) for one in against.gaining],
                "losing": [_change_data(one) for one in against.losing],
                "parting": None if against.parting is None else {
                    "time": format_time(against.parting.time),
                    "tasks": against.parting.count,
                    "first": [_reason_data(one) for one in against.parting.first],
                    "other": [_reason_data(one) for one in against.parting.other],
                },
            }
            for against, changes in zip(found.against, configuration, strict=True)
        ],
    }  # fmt: skip


def _compared_data(one: Compared) -> dict[str, object]:
    return {
        "name": one.name,
        "values": list(one.values),
        "differences": [None if found is None else _interval_data(found) for found in one.differences],
    }


def _interval_data(found: Interval) -> dict[str, object]:
    bounds = (found.low, found.high) if found.is_known else (None, None)
    return {"mean": found.mean, "low": bounds[0], "high": bounds[1], "no_difference": found.is_nothing}


def _change_data(one: TaskChange) -> dict[str, object]:
    return {
        "id": one.job, "task": one.task, "name": one.name, "owner": one.owner, "wait_before": one.before,
        "wait_after": one.after, "change": one.change,
        "reason": None if one.reason is None else _reason_data(one.reason),
    }  # fmt: skip


def _reason_data(one: TaskReason) -> dict[str, object]:
    return {
        "id": one.job, "task": one.task, "name": one.name, "owner": one.owner, "time": format_time(one.time),
        "standings": [None if standing is None else _standing_data(standing) for standing in one.standings],
    }  # fmt: skip


def _standing_data(one: Standing) -> dict[str, object]:
    return {
        "prior": one.prior, "terms": dict(one.terms), "rank": one.rank, "pending": one.pending,
        "starts_on": list(one.starts_on), "waits_for": one.waits_for or None, "behind": one.behind or None,
    }  # fmt: skip


# CSV ----------------------------------------------------------------------------------------------------------------


def _csv(found: Comparison) -> Iterator[str]:
    from qmon_tui.cli.csv_lines import csv_line  # other formats need none

    heads = [head for label in found.labels[1:] for head in (f"difference {label}", "low", "high", "no difference")]
    yield csv_line(("measure", *found.labels, *heads))
    for one in found.measures:
        cells: list[object] = [one.name, *("" if value is None else value for value in one.values)]
        for difference in one.differences:
            if difference is None:
                cells += ["", "", "", ""]
            else:
                bounds = (difference.low, difference.high) if difference.is_known else ("", "")
                cells += [difference.mean, *bounds, str(difference.is_nothing).lower()]
        yield csv_line(cells)


# Table --------------------------------------------------------------------------------------------------------------


def _table(
    found: Comparison, configuration: Sequence[Sequence[ObjectChange]], width: Width, *, every: bool
) -> Iterator[str]:
    letters = [chr(ord("A") + number) for number in range(len(found.labels))]
    for letter, label in zip(letters, found.labels, strict=True):
        yield f"{letter}  {label}"
    yield ""
    shown = [one for one in found.measures if every or one.name in MAIN_MEASURES]
    heads = [head for letter in letters[1:] for head in (letter, f"{letter} - A")]
    rows = [_measure_row(one) for one in shown]
    yield from table(("measure", "A", *heads), rows, width, right=frozenset({*heads, "A"}))
    for number, (against, changes) in enumerate(zip(found.against, configuration, strict=True), start=1):
        yield ""
        yield from _against(against, changes, letters[number], width)


def _measure_row(one: Compared) -> tuple[str, ...]:
    cells = [measure_title(one.name), value_text(one.name, one.values[0])]
    for value, difference in zip(one.values[1:], one.differences, strict=True):
        cells += [value_text(one.name, value), difference_text(one.name, difference)]
    return tuple(cells)


def _against(against: Against, changes: Sequence[ObjectChange], letter: str, width: Width) -> Iterator[str]:
    yield f"{letter} against A"
    for change in changes:
        for name, before, after in change.fields:
            what = f"{name} of {object_words(change.kind, change.name)}: {before or 'default'} -> {after or 'default'}"
            yield from paragraph(what, width, first="  configuration  ", rest=" " * 17)
        if not change.fields:
            yield f"  configuration  {object_words(change.kind, change.name)} {change.what.value}"
    if against.parting is None:
        yield "  every task starts at the same time and place"
        return
    yield f"  {changed_words(against.changed)}"
    parting = against.parting
    yield f"  they part at {format_time(parting.time)}:"
    for title, reasons in (("A starts", parting.first), (f"{letter} starts", parting.other)):
        for reason in reasons:
            words = reason_words(reason, letter) if reason.is_elsewhere else f"{title} {reason_words(reason, letter)}"
            yield from paragraph(words, width, first="    ", rest="      ")
    owners = [
        (one.name, *(clock(value) for value in one.values), difference_text("wait", one.differences[0]))
        for one in _most_changed(against.owners)
    ]
    if owners:
        yield ""
        heads = ("user", "wait A", f"wait {letter}", "difference")
        yield from (f"  {line}" for line in table(heads, owners, width and width - 2, right=frozenset(heads[1:])))
    for title, tasks in (("gain most", against.gaining), ("lose most", against.losing)):
        if tasks:
            yield ""
            yield f"  {title}"
        for one in tasks:
            yield from _task_lines(one, letter, width)


def _most_changed(owners: Sequence[Compared]) -> Sequence[Compared]:
    if len(owners) <= _MOST_OWNERS:
        return owners
    return (*owners[: _MOST_OWNERS // 2], *owners[-_MOST_OWNERS // 2 :])


def _task_lines(one: TaskChange, letter: str, width: Width) -> Iterable[str]:
    before, after = ("never started" if wait is None else clock(wait) for wait in (one.before, one.after))
    yield from paragraph(
        f"{task_words(one.job, one.task, one.name, one.owner)}: {before} -> {after}", width, first="    ", rest="      "
    )
    if one.reason is not None:
        yield from paragraph(reason_words(one.reason, letter, names_task=False), width, first="      ", rest="      ")
