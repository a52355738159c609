"""Simulate a day and print when each task waited, started and ended, and the measures of the day."""

import argparse
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from qmon_tui.cli.answer import Answer, InputError
from qmon_tui.cli.cluster_folder import exit_code, forecast_notes, read_cluster
from qmon_tui.cli.parser import length_option, refuse_seed, whole, work_arguments
from qmon_tui.cli.policies import (
    MOST_SEEDS,
    Given,
    day_end,
    note_progress,
    note_work_findings,
    processes_of,
    scenario_of,
    sentence,
    several_arguments,
    work_findings,
)
from qmon_tui.cli.simulated_day import Data, csv_lines, day_table, seeds_csv, seeds_table, task_data
from qmon_tui.cli.simulation_files import (
    inputs_of,
    read_stopped,
    refuse_folder,
    write_day,
    write_measures,
    write_stopped,
)
from qmon_tui.cli.simulation_run import run, stopping
from qmon_tui.model import Cluster, Finding
from qmon_tui.report import count
from qmon_tui.simulation import (
    EditError,
    Settings,
    Simulator,
    WorkersDied,
    computed_all,
    end_of_day,
    measures,
    measures_of,
    over_seeds,
    recorded_wait,
)
from qmon_tui.simulation.workload import Work, ending_at, total_slots
from qmon_tui.values import format_time
from qmon_tui.workspace import WorkSource, read_work_source

CSV: Final = "csv"
_MOST_COMMANDS: Final = 20
FORMATS = {CSV: "a line for each task"}


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("path", metavar="PATH", help="a cluster folder")
    end = parser.add_mutually_exclusive_group()
    end.add_argument(
        "--until", metavar="TIME", help="end of the day: 2026-11-21T18:00:00, or +3600s from the beginning"
    )
    end.add_argument("--for", dest="length", metavar="LENGTH", help="length of the day: 90m, 8h, 7d or 1:30:0")
    parser.add_argument(
        "--start-delay", metavar="SECONDS", type=whole,
        help="from dispatch to arrival at the host; the simulated hosts of a real qmaster take 5",
    )  # fmt: skip
    work_arguments(parser)
    parser.add_argument("--seeds", metavar="N", type=whole, help="simulate N like days: the mean of each measure, with "
                        "its bounds")  # fmt: skip
    several_arguments(parser)
    parser.add_argument("--out", metavar="FOLDER", help="write jobs.csv, measures.json, day.swf and work.yaml there")
    parser.add_argument("--resume", metavar="FILE", help="continue a simulation that was stopped by ctrl-c")


def answer(options: argparse.Namespace) -> Answer:
    """Simulate one or several days; without an end, until all jobs have ended. Raises InputError, SourceError."""
    _refuse_invalid_options(options)
    reading, notes = read_cluster(options.path)
    source = read_work_source(reading, options.workload, seed=options.seed)
    if options.seeds is not None:
        return _several_days(options, Given("", reading, (), notes), source)
    day = _Day.of(options, reading.cluster, source.work(reading.cluster))
    inputs = inputs_of(reading, source, options, day.settings)
    simulator = read_stopped(options.resume, inputs) if options.resume else None
    code = max(exit_code(notes), note_work_findings(day.findings))
    if simulator is None:
        simulator = Simulator(reading.cluster, day.work.state, day.settings)
        simulator.observe()
    with stopping() as stop:
        is_whole = run(simulator, stop)
    numbers = day.measures(simulator)
    records = list(simulator.records.values())
    recorded = day.work.recorded
    notes_of_day = [*notes, *forecast_notes(reading.cluster), *reply_lines(simulator.replies)]
    if simulator.refused:
        first, messages = next(iter(simulator.refused.items()))
        reasons = "; ".join(line for text in messages for line in text.splitlines())
        notes_of_day.append(f"{count(len(simulator.refused), 'job')} refused, the first of them {first}: {reasons}")
    written = [write_stopped(options, simulator, inputs)] if not is_whole else []
    if options.out:
        written.append(write_day(Path(options.out), simulator, day.work, numbers))
    notes_of_day += [line for saving in written for line in saving.lines]
    code = max(code, *(saving.code for saving in written), 0)
    if not is_whole:
        code = stop.exit_code
    return Answer(
        data=day.data(simulator, numbers),
        table=lambda width: (
            csv_lines(records, recorded) if options.format == CSV else day_table(records, numbers, width)
        ),
        code=code,
        notes=tuple(notes_of_day),
        closing=f"{format_time(day.work.state.now)} to {format_time(end_of_day(simulator))}: "
        f"{count(simulator.runs, 'scheduling run')}, {count(simulator.events, 'event')}.",
    )


def _refuse_invalid_options(options: argparse.Namespace) -> None:
    if options.start_delay is not None and options.start_delay < 0:
        raise InputError("--start-delay: write seconds, 0 or more.")
    refuse_seed(options)
    if options.seeds is not None and not 1 <= options.seeds <= MOST_SEEDS:
        raise InputError(f"--seeds: write how many, 1 to {MOST_SEEDS}.")
    if options.seeds is not None and options.resume:
        raise InputError("--resume continues one day: leave out --seeds.")
    if options.out == "":
        raise InputError("--out: write the name of a folder; it is created if there is none.")
    if options.out and Path(options.out).resolve().is_relative_to(Path(options.path).resolve()):
        raise InputError("--out: its files would be read as a part of the cluster; give another folder.")
    if options.out:
        refuse_folder(options.out, resumes=bool(options.resume))


@dataclass(frozen=True, slots=True)
class _Day:
    """Work and settings of one day."""

    work: Work
    settings: Settings
    findings: tuple[Finding, ...]
    starved_after: int
    """Seconds of waiting after which a task counts as starved."""

    @classmethod
    def of(cls, options: argparse.Namespace, cluster: Cluster, work: Work) -> "_Day":
        """Return the day: the options override the cluster's settings. Raises InputError."""
        state = work.state
        settings = Settings.of(cluster, state)
        until, length = day_end(options, state.now)
        until = until if length is None else state.now + length
        if until is not None:
            settings = replace(settings, until=until)
        work = ending_at(work, until)
        if options.start_delay is not None:
            settings = replace(settings, start_delay=options.start_delay)
        return cls(work, settings, work.findings, length_option("--starved-after", options.starved_after))

    def measures(self, simulator: Simulator) -> Data:
        """Return the measures of the day; for a trace, the recorded waits, too."""
        records = list(simulator.records.values())
        start = self.work.state.now
        slots = total_slots(simulator.cluster, simulator.state)
        end = end_of_day(simulator)
        seen = simulator.observations.measures(end) if simulator.observations is not None else {}
        numbers = {**measures(records, start, end, slots, self.starved_after), **seen}
        return {**numbers, **recorded_wait(records, self.work.recorded)}

    def data(self, simulator: Simulator, numbers: Data) -> Data:
        return {
            "from": format_time(self.work.state.now),
            "until": format_time(end_of_day(simulator)),
            "seed": self.work.state.simulation.seed,
            "jobs": [task_data(record, self.work.recorded) for record in simulator.records.values()],
            "commands": [
                {"at": format_time(time), "command": line, "said": list(printed)}
                for time, line, printed in simulator.replies
            ],
            "refused": [{"id": job, "said": list(messages)} for job, messages in simulator.refused.items()],
            "measures": numbers,
            "runs": simulator.runs,
            "events": simulator.events,
        }


def _several_days(options: argparse.Namespace, given: Given, source: WorkSource) -> Answer:
    """Simulate like days; return mean and bounds of each measure. Source: workloads.md#seeds-and-days."""
    code = max(exit_code(given.notes), note_work_findings(work_findings(options, given, source)))
    scenario = scenario_of(options, given, given, source)
    scenarios = [replace(scenario, seed=number) for number in range(options.seeds)]
    seed = source.state.simulation.seed
    days: list[tuple[int, Mapping[str, object]]] = []
    stopped_by = 0
    try:
        with stopping(at_once=True) as end:
            for numbers_of_day in computed_all(
                measures_of, scenarios, processes=processes_of(options), note=note_progress
            ):
                days.append((seed + len(days), numbers_of_day))
    except (EditError, WorkersDied) as error:
        raise InputError(sentence(error)) from error
    except KeyboardInterrupt:
        if not days:
            raise
        stopped_by = end.exit_code
    numbers = over_seeds([day for _, day in days])
    data: Data = {"seeds": [seed for seed, _ in days], "measures": numbers,
                  "days": [{"seed": seed, "measures": day} for seed, day in days]}  # fmt: skip
    lines = [*given.notes, *forecast_notes(given.reading.cluster)]
    if options.out:
        written = write_measures(Path(options.out), data, seeds_csv(days))
        lines += written.lines
        code = max(code, written.code)

    def shown(width: int) -> Iterator[str]:
        return seeds_csv(days) if options.format == CSV else seeds_table(numbers, width)

    is_whole = len(days) == options.seeds
    closing = f"{count(len(days), 'day')} with seeds {days[0][0]} to {days[-1][0]}." + (
        "" if is_whole else " It was stopped before the others."
    )
    return Answer(data, shown, code if is_whole else stopped_by, tuple(lines), closing)


def reply_lines(replies: Sequence[tuple[int, str, Sequence[str]]]) -> Iterator[str]:
    """Yield a line for each of the day's first commands: time, command line, output."""
    for time, line, printed in replies[:_MOST_COMMANDS]:
        words = "; ".join(text for lines in printed for text in lines.splitlines())
        yield f"{format_time(time)} {line}: {words or 'done'}"
    if replies[_MOST_COMMANDS:]:
        yield f"... and {count(len(replies) - _MOST_COMMANDS, 'command')} more"
