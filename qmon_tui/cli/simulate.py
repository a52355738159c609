"""Simulate a day: jobs come, runs decide, tasks run and end; print what became of each, and what the day was like."""

import argparse
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from qmon_tui.cli.answer import Answer, InputError
from qmon_tui.cli.cluster_folder import exit_code, finding_text, read_cluster
from qmon_tui.cli.lengths import length_seconds
from qmon_tui.cli.simulated_day import (
    Data,
    csv_lines,
    day_table,
    seeds_csv,
    seeds_table,
    task_data,
)
from qmon_tui.cli.simulation_files import (
    INTERRUPTED,
    inputs_of,
    read_stopped,
    write_day,
    write_measures,
    write_stopped,
)
from qmon_tui.cli.simulation_run import run, stopping
from qmon_tui.cli.text import Width, count
from qmon_tui.model import Finding
from qmon_tui.simulation import (
    Distribution,
    Settings,
    Simulator,
    TaskRecord,
    measures,
    over_seeds,
    unread_commands,
)
from qmon_tui.simulation.workload import Work, total_slots
from qmon_tui.sources import Reading
from qmon_tui.values import format_time, parse_moment
from qmon_tui.workspace import read_work

CSV: Final = "csv"
FORMATS = {CSV: "a line for each task"}
"""Besides table and json."""
ASSUMED: Final = "The run time of {} is not known: what was asked for with h_rt is taken, else an hour."
MOST_SEEDS: Final = 10_000
_TOLD_FINDINGS: Final = 20


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("path", metavar="PATH", help="a cluster folder")
    end = parser.add_mutually_exclusive_group()
    end.add_argument("--until", metavar="TIME", help="where it ends: 2026-11-21T18:00:00, or +3600s from the beginning")
    end.add_argument("--for", dest="length", metavar="LENGTH", help="how long it lasts: 90m, 8h, 7d or 1:30:0")
    parser.add_argument(
        "--start-delay", metavar="SECONDS", type=int,
        help="from dispatch to arrival at the host; the simulated hosts of a real qmaster take 5",
    )  # fmt: skip
    work_arguments(parser)
    parser.add_argument("--seeds", metavar="N", type=int, help="so many days with seeds one after the other: measures "
                        "with their mean and the bounds of it")  # fmt: skip
    parser.add_argument("--out", metavar="FOLDER", help="write jobs.csv, measures.json, day.swf and work.yaml there")
    parser.add_argument("--resume", metavar="FILE", help="continue a simulation that was stopped by ctrl-c")


def work_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare where the work comes from."""
    parser.add_argument("--workload", metavar="FILE", help="the work instead of the folder's: YAML with workload or "
                        "jobs, an SWF trace, or an accounting file")  # fmt: skip
    parser.add_argument("--seed", metavar="N", type=int, help="the seed of all that is drawn at random")


def answer(options: argparse.Namespace) -> Answer:
    """Simulate; without an end, until all is done."""
    _refuse_what_cannot_be(options)
    reading, notes = read_cluster(options.path)
    if options.seeds is not None:
        return _several(options, reading, notes)
    day = _Day.of(options, reading, options.seed)
    inputs = inputs_of(reading, options, day.settings)
    simulator = read_stopped(options.resume, inputs) if options.resume else None
    if simulator is None:
        simulator = Simulator(reading.cluster, day.work.state, day.settings)
        simulator.observe()
    with stopping() as stop:
        is_whole = run(simulator, stop)
    numbers = day.measures(simulator)
    records = list(simulator.records.values())
    recorded = day.work.recorded
    told = [*notes, *day.notes]
    code = exit_code(notes)
    if simulator.refused:
        first, said = next(iter(simulator.refused.items()))
        told.append(f"{count(len(simulator.refused), 'job')} refused, the first of them {first}: {' '.join(said)}")
    if not is_whole:
        told.append(write_stopped(options, simulator, inputs))
        code = INTERRUPTED
    if options.out:
        told.append(write_day(Path(options.out), simulator, day.work, numbers))
    return Answer(
        data=day.data(simulator, numbers),
        table=lambda width: (
            csv_lines(records, recorded) if options.format == CSV else day_table(records, numbers, width)
        ),
        code=code,
        notes=tuple(told),
        closing=f"{format_time(day.work.state.now)} to {format_time(simulator.now)}: "
        f"{count(simulator.runs, 'scheduling run')}, {count(simulator.events, 'event')}.",
    )


def _refuse_what_cannot_be(options: argparse.Namespace) -> None:
    if options.start_delay is not None and options.start_delay < 0:
        raise InputError("--start-delay: write seconds, 0 or more.")
    if options.seed is not None and options.seed < 0:
        raise InputError("--seed: write a whole number, 0 or more.")
    if options.seeds is not None and not 1 <= options.seeds <= MOST_SEEDS:
        raise InputError(f"--seeds: write how many, 1 to {MOST_SEEDS}.")
    if options.seeds is not None and options.resume:
        raise InputError("--resume continues one day: leave out --seeds.")
    if options.out and Path(options.out).resolve().is_relative_to(Path(options.path).resolve()):
        raise InputError("--out: what is written there would be read as a part of the cluster; give another folder.")


@dataclass(frozen=True, slots=True)
class _Day:
    """What one day begins with."""

    reading: Reading
    work: Work
    settings: Settings
    seed: int
    notes: tuple[str, ...]

    @classmethod
    def of(cls, options: argparse.Namespace, reading: Reading, seed: int | None) -> "_Day":
        """The work and the settings, with what the command line says instead. Raises InputError or SourceError."""
        work = read_work(reading, options.workload, seed=seed)
        state = work.state
        settings = Settings.of(reading.cluster, state)
        until = _end(options, state.now)
        if until is not None and until < state.now:
            raise InputError(f"the end is before the beginning, {format_time(state.now)}: write a later one.")
        if until is not None:
            settings = replace(settings, until=until)
        if options.start_delay is not None:
            settings = replace(settings, start_delay=options.start_delay)
        findings = (*work.findings, *unread_commands(reading.cluster, state.simulation))
        used = state.simulation.seed if seed is None else seed
        return cls(reading, work, settings, used, tuple(finding_lines(findings)))

    def measures(self, simulator: Simulator) -> Data:
        """What the day was like; of a trace also how long was waited there."""
        records = list(simulator.records.values())
        start = self.work.state.now
        slots = total_slots(simulator.cluster, simulator.state)
        seen = simulator.observations.measures(simulator.now) if simulator.observations is not None else {}
        numbers = {**measures(records, start, simulator.now, slots), **seen}
        return {**numbers, **_recorded_wait(records, self.work)} if self.work.recorded else numbers

    def data(self, simulator: Simulator, numbers: Data) -> Data:
        """All that there is to be told."""
        return {
            "from": format_time(self.work.state.now),
            "until": format_time(simulator.now),
            "seed": self.seed,
            "jobs": [task_data(record, self.work.recorded) for record in simulator.records.values()],
            "refused": [{"id": job, "said": list(said)} for job, said in simulator.refused.items()],
            "measures": numbers,
            "runs": simulator.runs,
            "events": simulator.events,
        }


def _recorded_wait(records: list[TaskRecord], work: Work) -> Data:
    known = ((record, work.recorded.get((record.job, record.task))) for record in records)
    found = Distribution.of(
        float(task.started - record.submitted)
        for record, task in known
        if task is not None and task.started is not None
    )
    return {} if found is None else {"recorded_wait": found.as_data()}


def _several(options: argparse.Namespace, reading: Reading, notes: tuple[str, ...]) -> Answer:
    """The same with several seeds: what is sure of the measures."""
    days: list[tuple[int, Data]] = []
    told = dict.fromkeys(notes)
    with stopping() as stop:
        for number in range(options.seeds):
            first = reading.state.simulation.seed if options.seed is None else options.seed
            day = _Day.of(options, reading, first + number)
            told |= dict.fromkeys(day.notes)
            simulator = Simulator(reading.cluster, day.work.state, day.settings)
            simulator.observe()
            if not run(simulator, stop, label=f"seed {day.seed}, {number + 1} of {options.seeds}"):
                break
            days.append((day.seed, day.measures(simulator)))
    if not days:
        raise KeyboardInterrupt
    numbers = over_seeds([day for _, day in days])
    data: Data = {"seeds": [seed for seed, _ in days], "measures": numbers,
                  "days": [{"seed": seed, "measures": day} for seed, day in days]}  # fmt: skip
    lines = list(told)
    if options.out:
        lines.append(write_measures(Path(options.out), data, seeds_csv(days)))

    def shown(width: Width) -> Iterator[str]:
        return seeds_csv(days) if options.format == CSV else seeds_table(numbers, width)

    is_whole = len(days) == options.seeds
    closing = f"{count(len(days), 'day')} with seeds {days[0][0]} to {days[-1][0]}." + (
        "" if is_whole else " It was stopped before the others."
    )
    return Answer(data, shown, exit_code(notes) if is_whole else INTERRUPTED, tuple(lines), closing)


def finding_lines(findings: tuple[Finding, ...]) -> Iterator[str]:
    """What is wrong with the work, the first of it; a trace may lack the same of thousands of jobs."""
    lines = list(dict.fromkeys(finding_text(finding) if finding.file else finding.message for finding in findings))
    yield from lines[:_TOLD_FINDINGS]
    if lines[_TOLD_FINDINGS:]:
        yield f"... and {count(len(lines) - _TOLD_FINDINGS, 'finding')} more"


def _end(options: argparse.Namespace, now: int) -> int | None:
    try:
        if options.until is not None:
            return parse_moment(options.until, now)
        return None if options.length is None else now + length_seconds(options.length)
    except ValueError as error:
        raise InputError(f"--{'until' if options.until is not None else 'for'}: {error}.") from error
