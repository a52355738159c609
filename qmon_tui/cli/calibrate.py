"""How far the simulation is from what was: simulate a recorded period again, and compare task by task."""

import argparse
from collections.abc import Iterator
from dataclasses import asdict
from math import isfinite
from typing import Final

from qmon_tui.cli.answer import Answer, InputError
from qmon_tui.cli.cluster_folder import exit_code, read_cluster
from qmon_tui.cli.csv_lines import csv_line
from qmon_tui.cli.lengths import clock
from qmon_tui.cli.measure_text import value_text
from qmon_tui.cli.policies import edits_of, note_progress, processes_of, sentence, told_of_work, trace_findings
from qmon_tui.cli.text import Width, count, paragraph, table
from qmon_tui.simulation import (
    Assumption,
    Band,
    Calibration,
    EditError,
    GroupError,
    NothingToCompare,
    WorkersDied,
    calibrated,
    measure_title,
)
from qmon_tui.values import format_time
from qmon_tui.workspace import read_work_source

CSV: Final = "csv"
FORMATS = {CSV: "a line for each queue, user and size class"}
"""Besides table and json."""
_COLUMNS: Final = (
    "tasks", "recorded wait", "simulated", "mean error", "median error", "p90 error", "same queue", "same host",
)  # fmt: skip
_TITLES: Final = {"queue": "queue", "owner": "user", "size": "slots"}
_MOST: Final = 12


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("path", metavar="PATH", help="the cluster folder")
    parser.add_argument(
        "--accounting", metavar="FILE", required=True, help="what was recorded: an accounting file, or an SWF trace"
    )
    parser.add_argument(
        "--with", dest="edits", metavar="EDIT", action="append", default=[],
        help="what the same period would have been like: scheduler.weight_urgency=1, hosts=+10",
    )  # fmt: skip
    parser.add_argument("--processes", metavar="N", type=int, help="number of simulations run at once")


def answer(options: argparse.Namespace) -> Answer:
    """Read folder and records, simulate, compare."""
    reading, notes = read_cluster(options.path)
    source = read_work_source(reading, options.accounting)
    if source.trace is None:
        raise InputError(f"{options.accounting}: there are no records of ended jobs in it, give an accounting file.")
    edits = edits_of(reading.cluster, options.edits)
    code = max(exit_code(notes), told_of_work(trace_findings(source)))
    try:
        found = calibrated(
            reading.cluster,
            source.state,
            source.trace,
            edits=edits,
            processes=processes_of(options),
            note=note_progress,
        )
    except (EditError, WorkersDied, NothingToCompare) as error:
        raise InputError(sentence(error)) from error
    return Answer(
        data=_as_data(found),
        table=lambda width: _csv(found) if options.format == CSV else _table(found, width),
        code=code,
        notes=notes,
        closing=f"{format_time(found.start)} to {format_time(found.end)}: {count(found.compared, 'task')} compared, "
        f"{found.missing} of the recorded ones not started here.",
    )


def _as_data(found: Calibration) -> dict[str, object]:
    forecast = found.forecast
    return {
        "from": format_time(found.start),
        "until": format_time(found.end),
        "compared": found.compared,
        "missing": found.missing,
        "all": asdict(found.everything),
        "by": {name: [asdict(group) for group in groups] for name, groups in found.groups.items()},
        "throughput_per_hour": {"recorded": found.throughput[0], "simulated": found.throughput[1]},
        "error": found.error,
        "assumptions": [asdict(one) for one in found.assumptions],
        "answers": found.answers,
        "forecast": None if forecast is None else {
            "edits": list(forecast.edits), **_band_data(forecast.wait),
            "bands": {name: _band_data(band) for name, band in forecast.bands.items()},
        },
    }  # fmt: skip


def _band_data(band: Band) -> dict[str, float | None]:
    return {name: value if isfinite(value) else None for name, value in asdict(band).items()}


def _csv(found: Calibration) -> Iterator[str]:
    yield csv_line(("by", "name", *_COLUMNS))
    for by, groups in (("all", (found.everything,)), *found.groups.items()):
        for one in groups:
            yield csv_line((
                by, one.name, one.count, one.recorded_wait, one.wait, one.mean_error, one.median_error, one.p90_error,
                one.same_queue, one.same_host,
            ))  # fmt: skip


def _table(found: Calibration, width: Width) -> Iterator[str]:
    yield from table(("", *_COLUMNS), [_row(found.everything)], width, right=frozenset(_COLUMNS))
    for name, groups in found.groups.items():
        yield ""
        heads = (_TITLES[name], *_COLUMNS)
        yield from table(heads, [_row(one) for one in groups[:_MOST]], width, right=frozenset(_COLUMNS))
        if groups[_MOST:]:
            yield f"... and {len(groups) - _MOST} more"
    yield ""
    yield f"tasks ended by the hour: recorded {found.throughput[0]:.1f}, simulated {found.throughput[1]:.1f}"
    yield ""
    yield f"Assumptions, by what they explain of the mean error of {clock(found.error)}"
    for one in found.assumptions:
        yield from paragraph(_assumption_words(one, found.error), width, first="  ", rest="    ")
    answers = (
        f"think time: {100 * found.answers:.0f} % of the tasks were submitted within 20 min after an own job had ended;"
        " with other waits they would come at another time, here they do not"
    )
    yield from paragraph(answers, width, first="  ", rest="    ")
    if found.forecast is not None:
        yield ""
        yield f"With {', '.join(found.forecast.edits)} the period would have been like this"
        for name, band in found.forecast.bands.items():
            yield from paragraph(_band_words(name, band), width, first="  ", rest="    ")


def _row(one: GroupError) -> tuple[str, ...]:
    return (
        one.name, str(one.count), clock(one.recorded_wait), clock(one.wait), clock(one.mean_error),
        clock(one.median_error), clock(one.p90_error), f"{100 * one.same_queue:.0f} %", f"{100 * one.same_host:.0f} %",
    )  # fmt: skip


def _assumption_words(one: Assumption, error: float) -> str:
    words = f"{one.name}: with {one.instead} the error is {clock(one.error)}, waits change by {clock(one.effect)}"
    explained = (error - one.error) / error if error else 0.0
    return f"{words}; explains {100 * explained:.0f} %" if explained >= 0.005 else words


def _band_words(name: str, band: Band) -> str:
    expected, recorded = value_text(name, band.expected), value_text(name, band.recorded)
    words = f"{measure_title(name)}: {expected} instead of {recorded}"
    if not isfinite(band.high):
        return f"{words}; too few tasks to say how sure that is"
    return f"{words}, between {value_text(name, band.low)} and {value_text(name, band.high)} with 95 % confidence"
