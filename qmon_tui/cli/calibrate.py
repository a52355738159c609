"""Simulate a recorded period, and compare each task with the record."""

import argparse
from collections.abc import Iterator
from dataclasses import asdict
from math import isfinite
from typing import Final

from qmon_tui.cli.answer import Answer, InputError, csv_line, paragraph, table
from qmon_tui.cli.cluster_folder import exit_code, forecast_notes, read_cluster
from qmon_tui.cli.parser import whole
from qmon_tui.cli.policies import edits_of, note_progress, note_work_findings, processes_of, sentence
from qmon_tui.report import count
from qmon_tui.report.comparison import value_words
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
from qmon_tui.values import clock, format_time
from qmon_tui.workspace import read_work_source

CSV: Final = "csv"
FORMATS = {CSV: "a line for each queue, user and size class"}
_COLUMNS: Final = (
    "tasks", "recorded wait", "simulated", "mean error", "median error", "p90 error", "same queue", "same host",
)  # fmt: skip
_TITLES: Final = {"queue": "queue", "owner": "user", "size": "slots"}
_MOST: Final = 12


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("path", metavar="PATH", help="the cluster folder")
    parser.add_argument(
        "--accounting", metavar="FILE", required=True, help="the record: an accounting file, or an SWF trace"
    )
    parser.add_argument(
        "--with", dest="edits", metavar="EDIT", action="append", default=[],
        help="edits to apply to the recorded period: scheduler.weight_urgency=1, hosts=+10",
    )  # fmt: skip
    parser.add_argument("--processes", metavar="N", type=whole, help="number of simulations that run in parallel")


def answer(options: argparse.Namespace) -> Answer:
    """Read folder and records, simulate, compare."""
    reading, notes = read_cluster(options.path)
    source = read_work_source(reading, options.accounting)
    if source.trace is None:
        raise InputError(f"{options.accounting} has no records of ended jobs: give an accounting file.")
    edits = edits_of(reading.cluster, options.edits)
    code = max(exit_code(notes), note_work_findings((*source.findings, *source.trace.findings)))
    try:
        calibration = calibrated(
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
        data=_as_data(calibration),
        table=lambda width: _csv(calibration) if options.format == CSV else _table(calibration, width),
        code=code,
        notes=(*notes, *forecast_notes(reading.cluster)),
        closing=f"{format_time(calibration.start)} to {format_time(calibration.end)}: "
        f"{count(calibration.compared, 'task')} compared, {calibration.missing} of the recorded ones not started here.",
    )


def _as_data(calibration: Calibration) -> dict[str, object]:
    forecast = calibration.forecast
    return {
        "from": format_time(calibration.start),
        "until": format_time(calibration.end),
        "compared": calibration.compared,
        "missing": calibration.missing,
        "all": asdict(calibration.everything),
        "by": {name: [asdict(group) for group in groups] for name, groups in calibration.groups.items()},
        "throughput_per_hour": {"recorded": calibration.throughput[0], "simulated": calibration.throughput[1]},
        "error": calibration.error,
        "assumptions": [asdict(assumption) for assumption in calibration.assumptions],
        "answers": calibration.answers,
        "forecast": None if forecast is None else {
            "edits": list(forecast.edits), **_band_data(forecast.wait),
            "bands": {name: _band_data(band) for name, band in forecast.bands.items()},
        },
    }  # fmt: skip


def _band_data(band: Band) -> dict[str, float | None]:
    return {name: value if isfinite(value) else None for name, value in asdict(band).items()}


def _csv(calibration: Calibration) -> Iterator[str]:
    yield csv_line(("by", "name", *_COLUMNS))
    for by, groups in (("all", (calibration.everything,)), *calibration.groups.items()):
        for group in groups:
            yield csv_line((
                by, group.name, group.count, group.recorded_wait, group.wait, group.mean_error,
                group.median_error, group.p90_error, group.same_queue, group.same_host,
            ))  # fmt: skip


def _table(calibration: Calibration, width: int) -> Iterator[str]:
    yield from table(("", *_COLUMNS), [_row(calibration.everything)], width, right=frozenset(_COLUMNS))
    for name, groups in calibration.groups.items():
        yield ""
        heads = (_TITLES[name], *_COLUMNS)
        yield from table(heads, [_row(group) for group in groups[:_MOST]], width, right=frozenset(_COLUMNS))
        if groups[_MOST:]:
            yield f"... and {len(groups) - _MOST} more"
    yield ""
    recorded, simulated = calibration.throughput
    yield f"tasks ended by the hour: recorded {recorded:.1f}, simulated {simulated:.1f}"
    yield ""
    yield f"Assumptions, by what they explain of the mean error of {clock(calibration.error)}"
    for assumption in calibration.assumptions:
        yield from paragraph(_assumption_words(assumption, calibration.error), width, first="  ", rest="    ")
    answers = (
        f"think time: {100 * calibration.answers:.0f} % of the tasks were submitted within 20 min after an own job had "
        "ended; with other waits they would come at another time, here they do not"
    )
    yield from paragraph(answers, width, first="  ", rest="    ")
    if calibration.forecast is not None:
        yield ""
        yield f"Forecast of the period with {', '.join(calibration.forecast.edits)}"
        for name, band in calibration.forecast.bands.items():
            yield from paragraph(_band_words(name, band), width, first="  ", rest="    ")


def _row(group: GroupError) -> tuple[str, ...]:
    return (
        group.name, str(group.count), clock(group.recorded_wait), clock(group.wait), clock(group.mean_error),
        clock(group.median_error), clock(group.p90_error), f"{100 * group.same_queue:.0f} %",
        f"{100 * group.same_host:.0f} %",
    )  # fmt: skip


def _assumption_words(assumption: Assumption, error: float) -> str:
    words = (
        f"{assumption.name}: with {assumption.instead} the error is {clock(assumption.error)}, "
        f"waits change by {clock(assumption.effect)}"
    )
    explained = (error - assumption.error) / error if error else 0.0
    return f"{words}; explains {100 * explained:.0f} %" if explained >= 0.005 else words


def _band_words(name: str, band: Band) -> str:
    expected, recorded = value_words(name, band.expected), value_words(name, band.recorded)
    words = f"{measure_title(name)}: {expected} instead of {recorded}"
    if not isfinite(band.high):
        return f"{words}; too few tasks to say how sure that is"
    return f"{words}, between {value_words(name, band.low)} and {value_words(name, band.high)} with 95 % confidence"
