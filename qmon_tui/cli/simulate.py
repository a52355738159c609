"""Let time go on: jobs come, runs decide, tasks run and end; print what became of each, and what the day was like."""

import argparse
import csv
import io
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from qmon_tui.cli.answer import Answer, InputError
from qmon_tui.cli.cluster_folder import exit_code, finding_text, read_cluster
from qmon_tui.cli.text import Width, count, table
from qmon_tui.simulation import Settings, Simulator, TaskRecord, measures, unread_commands, with_run_times
from qmon_tui.values import format_time, parse_moment

CSV: Final = "csv"
FORMATS = {CSV: "a line for each task"}
"""Besides table and json."""
_COLUMNS = ("job-ID", "task", "name", "user", "submitted", "wait", "run time", "slots", "place")
_RIGHT = frozenset({"job-ID", "task", "wait", "run time", "slots"})
_DROPPABLE = ("submitted", "run time", "slots")
_STATISTICS = ("mean", "median", "p90", "p95", "p99", "max")
_FIELDS = (
    "id", "task", "name", "owner", "project", "department", "submitted", "started", "ended", "granted", "slots",
    "reserved", "restarts",
)  # fmt: skip
ASSUMED: Final = "The run time of {} is not known: what was asked for with h_rt is taken, else an hour."
_UNITS: Final = {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 7 * 86400}
_LENGTH: Final = re.compile(r"(\d+)([smhdw])")


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


def answer(options: argparse.Namespace) -> Answer:
    """Simulate; without an end, until nothing happens any more."""
    reading, notes = read_cluster(options.path)
    state, assumed = with_run_times(reading.state)
    if options.start_delay is not None and options.start_delay < 0:
        raise InputError("--start-delay: write seconds, 0 or more.")
    settings = Settings.of(reading.cluster, state)
    notes = (*notes, *map(finding_text, unread_commands(reading.cluster, state.simulation)))
    if assumed:
        notes = (*notes, ASSUMED.format(count(assumed, "job")))
    until = _end(options, state.now)
    if until is not None and until < state.now:
        raise InputError(f"the end is before the beginning, {format_time(state.now)}: write a later one.")
    if until is not None:
        settings = replace(settings, until=until)
    if options.start_delay is not None:
        settings = replace(settings, start_delay=options.start_delay)
    simulator = Simulator(reading.cluster, state, settings)
    simulator.run()
    records = list(simulator.records.values())
    outcome = simulator.last_run
    slots = sum(instance.profile.slots for instance in outcome.resources.instances) if outcome is not None else 0
    numbers = measures(records, state.now, simulator.now, slots)
    data = {
        "from": format_time(state.now),
        "until": format_time(simulator.now),
        "jobs": [_as_data(record) for record in records],
        "refused": [{"id": job, "said": list(said)} for job, said in simulator.refused.items()],
        "measures": numbers,
        "runs": simulator.runs,
        "events": simulator.events,
    }
    return Answer(
        data=data,
        table=lambda width: _csv(records) if options.format == CSV else _table(records, numbers, width),
        code=exit_code(notes),
        notes=notes,
        closing=f"{format_time(state.now)} to {format_time(simulator.now)}: "
        f"{count(simulator.runs, 'scheduling run')}, {count(simulator.events, 'event')}.",
    )


def _end(options: argparse.Namespace, now: int) -> int | None:
    try:
        if options.until is not None:
            return parse_moment(options.until, now)
        return None if options.length is None else now + _seconds(options.length)
    except ValueError as error:
        raise InputError(f"--{'until' if options.until is not None else 'for'}: {error}.") from error


def _seconds(text: str) -> int:
    """The seconds of 8h or 1:30:0. Raises ValueError."""
    match = _LENGTH.fullmatch(text.strip())
    if match:
        return int(match[1]) * _UNITS[match[2]]
    parts = text.strip().split(":")
    if all(part.isdigit() for part in parts) and len(parts) <= 3:
        seconds = 0
        for part in parts:
            seconds = 60 * seconds + int(part)
        return seconds
    raise ValueError(f'"{text}" is not a length of time, write 90m, 8h, 7d or 1:30:0')


def _as_data(record: TaskRecord) -> dict[str, object]:
    times = {name: getattr(record, name) for name in ("submitted", "started", "ended")}
    return {
        "id": record.job,
        "task": record.task,
        "name": record.name,
        "owner": record.owner,
        "project": record.project,
        "department": record.department,
        **{name: None if time is None else format_time(time) for name, time in times.items()},
        "granted": dict(record.granted),
        "slots": record.slots,
        "reserved": record.reserved,
        "restarts": record.restarts,
    }


def _csv(records: Iterable[TaskRecord]) -> Iterator[str]:
    for row in (_FIELDS, *(_csv_row(record) for record in records)):
        line = io.StringIO()
        csv.writer(line, lineterminator="").writerow(row)
        yield line.getvalue()


def _csv_row(record: TaskRecord) -> tuple[object, ...]:
    data = _as_data(record)
    granted = " ".join(f"{name}={slots}" for name, slots in record.granted.items())
    return tuple(granted if field == "granted" else data[field] for field in _FIELDS)


def _table(records: Iterable[TaskRecord], numbers: dict[str, object], width: Width) -> Iterator[str]:
    rows = [_row(record) for record in records]
    yield from table(_COLUMNS, rows, width, right=_RIGHT, droppable=_DROPPABLE)
    yield ""
    yield from table(
        ("measure", *_STATISTICS), list(_measure_rows(numbers)), width, right=frozenset(_STATISTICS),
    )  # fmt: skip
    yield ""
    yield f"{numbers['ended']} of {numbers['tasks']} tasks ended, {numbers['started']} started"
    yield f"{100 * _number(numbers['utilisation']):.1f} % of all slots were in use, " + (
        f"{_number(numbers['throughput_per_hour']):.1f} tasks ended by the hour"
    )


def _row(record: TaskRecord) -> tuple[str, ...]:
    places = list(record.granted)
    more = f" + {len(places) - 1}" if len(places) > 1 else ""
    return (
        str(record.job),
        str(record.task),
        record.name,
        record.owner,
        format_time(record.submitted),
        _clock(record.wait),
        _clock(record.run_time),
        str(record.slots or ""),
        places[0] + more if places else "waits",
    )


def _measure_rows(numbers: dict[str, object]) -> Iterator[tuple[str, ...]]:
    for name in ("wait", "turnaround", "slowdown", "bounded_slowdown"):
        found = numbers.get(name)
        if isinstance(found, dict):
            shown = _decimals if "slowdown" in name else _clock
            yield (
                name.replace("_", " "),
                *(shown(found[key]) for key in ("mean", "median", "p90", "p95", "p99", "max")),
            )


def _decimals(value: float) -> str:
    return f"{value:.2f}"


def _clock(seconds: float | None) -> str:
    """Hours, minutes and seconds; nothing where there is no time."""
    if seconds is None:
        return ""
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02}:{rest:02}"


def _number(value: object) -> float:
    return float(value) if isinstance(value, int | float) else 0.0
