"""Try many policies on the same work: all points of a grid over any fields, or a search for a goal."""

import argparse
import hashlib
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from qmon_tui.cli.answer import Answer, InputError, csv_line, print_note
from qmon_tui.cli.cluster_folder import exit_code, forecast_notes
from qmon_tui.cli.parser import whole
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
from qmon_tui.report import Line, count
from qmon_tui.report.comparison import value_words
from qmon_tui.report.sweeping import PointRows, best_settings, shades_of
from qmon_tui.simulation import (
    Axis,
    DaskUnusable,
    EditError,
    Goal,
    Measured,
    NoResults,
    Scenario,
    Setting,
    SweepResults,
    WorkersDied,
    computed,
    computed_by_dask,
    drawn,
    grid,
    least_difference_of,
    measure_named,
    measure_title,
    measured,
    point_of,
    read_axis,
    read_goal,
    searched,
)
from qmon_tui.sources.regular_file import open_regular, read_regular
from qmon_tui.workspace import WorkSource, read_work_source

CSV: Final = "csv"
SVG: Final = "svg"
FORMATS = {CSV: "a line for each point", SVG: "a heat map"}
_MOST_RESULTS: Final = 1024**3
"""Largest size of a file of results, in bytes."""
_PIECE: Final = 1024**2
"""Bytes that are read at a time."""
_USUAL: Final = ("wait.mean", "wait.p95", "bounded_slowdown.mean", "utilisation", "jain.owner")


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("path", metavar="PATH", help="a cluster folder, with or without edits behind @")
    parser.add_argument(
        "--over", metavar="FIELD=VALUE,VALUE", action="append", required=True,
        help="a field and its values: scheduler.weight_urgency=0,0.1,1 queues.all.q.slots=4,8 workload.load=1,1.2 "
        "hosts=+0,+10; "
        "with --random also all numbers between two: scheduler.weight_urgency=0..1",
    )  # fmt: skip
    parser.add_argument("--random", metavar="N", type=whole, help="try N random points, not all of them")
    parser.add_argument("--seed", metavar="N", type=whole, default=0, help="the seed of the random points")
    parser.add_argument(
        "--measure", metavar="NAME", action="append",
        help="measures to report: p95 wait of user rosa, utilisation; "
        "the first two decide which points are best",
    )  # fmt: skip
    parser.add_argument(
        "--goal", metavar="GOAL",
        help="look for the point that reaches it at the least cost to others: p95 wait of project climate < 1h",
    )  # fmt: skip
    parser.add_argument("--results", metavar="FILE", help="keep the results there; the same command continues them")
    parser.add_argument("--dask", metavar="ADDRESS", help="simulate on a Dask cluster, such as tcp://head:8786")
    parser.add_argument("--dark", action="store_true", help="draw the heat map for a dark slide")
    day_arguments(parser)


def answer(options: argparse.Namespace) -> Answer:
    """Simulate the points, and return their measures. Raises InputError."""
    given = read_given(options.path)
    work = read_work_source(given.reading, options.workload)
    scenario = scenario_of(options, given, given, work)
    seeds = tuple(seeds_of(options))
    code = max(exit_code(given.notes), note_work_findings(work_findings(options, given, work)))
    try:
        axes = [read_axis(given.cluster, text) for text in options.over]
        _refuse_repeated(axes)
        goal = read_goal(options.goal) if options.goal is not None else None
        names = [measure_named(text) for text in options.measure or _USUAL]
        if goal is not None and goal.measure not in names:
            names = [goal.measure, *names]
        results = _results(options, given, work, scenario, seeds)
        trial = _Trial(scenario, seeds, names, options, results, processes_of(options))
        settings, best = _tried(options, axes, goal, trial)
    except (EditError, WorkersDied, DaskUnusable) as error:
        raise InputError(sentence(error)) from error
    rows = [(setting, trial.known[setting]) for setting in settings]
    _refuse_unknown(names, rows)
    sweep = _Sweep(axes, names, rows, goal, best)
    return Answer(
        data=_as_data(sweep),
        table=lambda width: _in_format(sweep, options, width),
        code=code,
        notes=(*given.notes, *forecast_notes(given.reading.cluster)),
        closing=_closing(sweep),
    )


@dataclass(frozen=True, slots=True)
class _Sweep:
    """Content of the answer."""

    axes: Sequence[Axis]
    names: Sequence[str]
    rows: Sequence[tuple[Setting, Measured | str]]
    """Each point with its measures, or the reason why it cannot be simulated."""
    goal: Goal | None
    best: Setting | None
    """The best point for the goal; None without a goal, or if no point can be simulated."""


@dataclass(slots=True)
class _Trial:
    """Simulates points that are not known yet, and keeps their measures."""

    scenario: Scenario
    seeds: tuple[int, ...]
    names: Sequence[str]
    """Measures to report."""
    options: argparse.Namespace
    results: SweepResults | None
    """File that keeps the measures; None without --results."""
    processes: int
    known: dict[Setting, Measured | str] = field(default_factory=dict)

    def __call__(self, settings: Sequence[Setting]) -> Sequence[Measured | str]:
        """Return the measures of each point, or the reason why it cannot be simulated. Raises InputError."""
        if self.results is not None:
            self.known |= {
                setting: self.results.known[setting] for setting in settings if setting in self.results.known
            }
        new = [setting for setting in settings if setting not in self.known]
        points = [point_of(self.scenario, setting, self.seeds, self.names) for setting in new]
        address = self.options.dask
        finished = (
            computed(measured, points, processes=self.processes)
            if address is None
            else computed_by_dask(address, measured, points)
        )
        try:
            for done, (number, result) in enumerate(finished if points else (), start=1):
                self.known[new[number]] = result
                if self.results is not None:
                    self.results.add(new[number], result)
                note_progress(done, len(new))
        except OSError as error:
            raise InputError(f"{self.options.results} cannot be written: {error.strerror}.") from error
        except KeyboardInterrupt:
            self._note_kept()
            raise
        return [self.known[setting] for setting in settings]

    def _note_kept(self) -> None:
        if self.results is not None and self.results.known:
            print_note(f"{count(len(self.results.known), 'point')} kept in {self.options.results}; repeat to continue")


def _add_file(digest: "hashlib._Hash", path: Path) -> None:
    """Add the content of a file to the digest. Raises InputError."""
    try:
        with open(open_regular(path), "rb") as file:
            while piece := file.read(_PIECE):
                digest.update(piece)
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}.") from error


def _results(
    options: argparse.Namespace, given: Given, work: WorkSource, scenario: Scenario, seeds: Sequence[int]
) -> SweepResults | None:
    if options.results is None:
        return None
    digest = hashlib.sha256()
    digest.update(repr(sorted(given.reading.files.items())).encode())
    if given.reading.live is not None:
        digest.update(repr(given.reading.state).encode())
    folder = given.reading.folder or Path(os.devnull)  # /dev/null has no files below it
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not any(part.startswith(".") for part in path.relative_to(folder.parent).parts):
            digest.update(f"{path.relative_to(folder.parent)}\0".encode())
            _add_file(digest, path)
    for given_file in (options.workload, work.file):
        if given_file is not None:
            _add_file(digest, given_file)
    days = (scenario.until, scenario.length, scenario.start_delay, scenario.starved_after, tuple(seeds))
    digest.update(repr((days, [edit.text for edit in scenario.edits])).encode())
    file = Path(options.results)
    try:
        data = read_regular(file, _MOST_RESULTS) if file.exists() else b""
        return SweepResults(file, digest.hexdigest()[:16], data)
    except OSError as error:
        raise InputError(f"{file} cannot be read: {error.strerror or error}.") from error
    except NoResults as error:
        raise InputError(f"--results {file}: {error}.") from error


def _refuse_repeated(axes: Sequence[Axis]) -> None:
    places = [axis.place for axis in axes]
    twice = next((place for place in places if places.count(place) > 1), None)
    if twice is not None:
        raise EditError(f"{twice} is varied twice, write all its values behind one --over")


def _tried(
    options: argparse.Namespace, axes: Sequence[Axis], goal: Goal | None, trial: _Trial
) -> tuple[list[Setting], Setting | None]:
    """Return the tried points, and the best one for the goal; None without a goal or a possible point."""
    if options.random is not None:
        settings = drawn(axes, options.random, options.seed)
    elif goal is not None:
        best = searched(axes, trial, lambda numbers: _cost(goal, numbers))
        return list(trial.known), best
    else:
        settings = list(grid(axes))
    trial(settings)
    possible = [(setting, numbers) for setting in settings if not isinstance(numbers := trial.known[setting], str)]
    best_of = None
    if goal is not None and possible:
        best_of = min(possible, key=lambda row: _cost(goal, row[1]))[0]
    return settings, best_of


def _cost(goal: Goal, numbers: Measured) -> tuple[float, ...]:
    """Return the sort key of a point: points at the goal by mean wait, then the others by shortfall and mean wait."""
    everybody = numbers.get("wait.mean", float("inf"))
    return (0.0, everybody) if goal.is_reached(numbers) else (1.0, goal.shortfall(numbers), everybody)


def _refuse_unknown(names: Sequence[str], rows: Sequence[tuple[Setting, Measured | str]]) -> None:
    measured_days = [numbers for _, numbers in rows if not isinstance(numbers, str)]
    for name in names:
        if measured_days and not any(name in numbers for numbers in measured_days) and name not in _USUAL:
            raise InputError(f"no day has the measure {name}; compare --all and --format json list all measures.")


def _as_data(sweep: _Sweep) -> dict[str, object]:
    front = best_settings(sweep.rows, sweep.names)
    points = [numbers for _, numbers in sweep.rows if not isinstance(numbers, str)]
    return {
        "measures": list(sweep.names),
        "points": [
            {
                "set": dict(setting),
                "measures": None if isinstance(numbers, str) else dict(numbers),
                "cannot": numbers if isinstance(numbers, str) else None,
                "best_of_two": setting in front,
            }
            for setting, numbers in sweep.rows
        ],
        "least_difference": {name: least_difference_of(points, name) for name in sweep.names},
        "goal": None if sweep.goal is None else {
            "text": sweep.goal.text, "measure": sweep.goal.measure, "bound": sweep.goal.bound,
            "reached": _is_reached(sweep), "point": None if sweep.best is None else dict(sweep.best),
        },
    }  # fmt: skip


def _is_reached(sweep: _Sweep) -> bool:
    numbers = dict(sweep.rows).get(sweep.best) if sweep.best is not None else None
    return (
        sweep.goal is not None
        and numbers is not None
        and not isinstance(numbers, str)
        and sweep.goal.is_reached(numbers)
    )


def _in_format(sweep: _Sweep, options: argparse.Namespace, width: int) -> Iterator[str] | Iterator[Line]:
    if options.format == CSV:
        return _csv(sweep)
    return _svg(sweep, dark=options.dark) if options.format == SVG else _table(sweep, width)


def _csv(sweep: _Sweep) -> Iterator[str]:
    yield csv_line((*(axis.place for axis in sweep.axes), *sweep.names, "cannot"))
    for setting, numbers in sweep.rows:
        values = (
            ["" for _ in sweep.names] if isinstance(numbers, str) else [numbers.get(name, "") for name in sweep.names]
        )
        yield csv_line((*(value for _, value in setting), *values, numbers if isinstance(numbers, str) else ""))


def _svg(sweep: _Sweep, *, dark: bool) -> Iterator[str]:
    from qmon_tui.cli.pictures import heat_map  # imported here, as a table needs no picture

    name = sweep.names[0]
    shades = shades_of(sweep.rows, name)
    cells = {}
    for setting, numbers in sweep.rows:
        first, *rest = (value for _, value in setting)
        shown = numbers.get(name) if not isinstance(numbers, str) else None
        cells[first, " ".join(rest)] = (
            (shades.part(shown), value_words(name, shown)) if shades and shown is not None else (None, "cannot")
        )
    places = [axis.place for axis in sweep.axes]
    note = shades.note if shades is not None else ""
    title = measure_title(name)
    yield from heat_map(f"{title[:1].upper()}{title[1:]}", places[0], " ".join(places[1:]), cells, note, dark=dark)


def _table(sweep: _Sweep, width: int) -> Iterator[Line]:
    notes = {}
    if sweep.goal is not None and sweep.best is not None:
        notes[sweep.best] = "goal" if _is_reached(sweep) else "nearest to the goal"
    return PointRows(sweep.rows, sweep.names).printed(width, notes)


def _closing(sweep: _Sweep) -> str:
    text = f"{count(len(sweep.rows), 'point')}."
    if sweep.goal is None:
        return text
    if sweep.best is None:
        return f"{text} No point can be."
    point = ", ".join(f"{place}={value}" for place, value in sweep.best)
    return f"{text} {'Reached' if _is_reached(sweep) else 'Not reached; nearest'} by {point}."
