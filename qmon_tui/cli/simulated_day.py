"""A simulated day as data, as CSV and traces, and as tables."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from qmon_tui.cli.answer import csv_line, table
from qmon_tui.formats.records import FinishedTask, SwfRow
from qmon_tui.report import first_and_more, picked
from qmon_tui.report.comparison import value_words
from qmon_tui.simulation import TaskRecord
from qmon_tui.values import clock, format_time

Data = dict[str, object]
Recorded = Mapping[tuple[int, int], FinishedTask]
"""(job, task) -> its record in the simulated trace; empty without a trace."""

_COLUMNS = ("job-ID", "task", "name", "user", "submitted", "wait", "run time", "slots", "place")
_RIGHT = frozenset({"job-ID", "task", "wait", "run time", "slots"})
_DROPPABLE = ("submitted", "run time", "slots")
STATISTICS: Final = ("mean", "median", "p90", "p95", "p99", "max")
_FIELDS: Final = (
    "id", "task", "name", "owner", "project", "department", "submitted", "started", "ended", "granted", "slots",
    "reserved", "restarts", "deleted",
)  # fmt: skip
_RECORDED: Final = ("recorded_started", "recorded_ended")


def task_data(record: TaskRecord, recorded: Recorded) -> Data:
    """Return one task as data; with a trace, also its recorded start and end."""
    data: Data = {
        "id": record.job,
        **picked(record, ("task", "name", "owner", "project", "department")),
        **{name: _iso(getattr(record, name)) for name in ("submitted", "started", "ended")},
        "granted": dict(record.granted),
        **picked(record, ("slots", "reserved", "restarts")),
        "deleted": _iso(record.deleted),
    }
    if recorded:
        known = recorded.get((record.job, record.task))
        data |= {"recorded_started": _iso(known.started) if known else None,
                 "recorded_ended": _iso(known.ended) if known else None}  # fmt: skip
    return data


def _iso(time: int | None) -> str | None:
    return None if time is None else format_time(time)


def csv_lines(records: Iterable[TaskRecord], recorded: Recorded) -> Iterator[str]:
    """Yield a heading, and a line for each task."""
    fields = (*_FIELDS, *(_RECORDED if recorded else ()))
    yield csv_line(fields)
    for record in records:
        granted = " ".join(f"{name}={slots}" for name, slots in record.granted.items())
        data = {**task_data(record, recorded), "granted": granted}
        yield csv_line([data[field] for field in fields])


def swf_rows(records: Iterable[TaskRecord], start: int) -> tuple[list[str], list[SwfRow]]:
    """Return the day as a trace: comments that name its numbers, and a row for each started task."""
    records = [record for record in records if record.started is not None]
    # A trace has no times before its start, but some tasks may have been submitted before the day.
    start = min(start, *(record.submitted for record in records)) if records else start
    users = _numbers(record.owner for record in records)
    groups = _numbers(record.project or "NONE" for record in records)
    queues = _numbers(_queue(record) for record in records)
    comments = ["Version: 2.2", f"UnixStartTime: {start}", f"MaxJobs: {len(records)}"]
    for what, numbers in (("User", users), ("Group", groups), ("Queue", queues)):
        comments += [f"{what}: {number} {name}" for name, number in numbers.items()]
    rows = [
        SwfRow(
            job=float(number),
            submitted=float(record.submitted - start),
            wait=float(record.wait or 0),
            run_time=-1.0 if record.run_time is None else float(record.run_time),
            processors=float(record.slots),
            asked_processors=float(record.slots),
            status=1.0 if record.ended is not None else -1.0,
            user=float(users[record.owner]),
            group=float(groups[record.project or "NONE"]),
            queue=float(queues[_queue(record)]),
        )
        for number, record in enumerate(
            sorted(records, key=lambda record: (record.submitted, record.job, record.task)), 1
        )
    ]
    return comments, rows


def _numbers(names: Iterable[str]) -> dict[str, int]:
    return {name: number for number, name in enumerate(dict.fromkeys(names), 1)}


def _queue(record: TaskRecord) -> str:
    return next(iter(record.granted), "").partition("@")[0] or "NONE"


def day_table(records: Iterable[TaskRecord], numbers: Mapping[str, object], width: int) -> Iterator[str]:
    """Yield a table of tasks, and the measures of the day."""
    rows = [_row(record) for record in records]
    yield from table(_COLUMNS, rows, width, right=_RIGHT, droppable=_DROPPABLE)
    if rows:
        yield ""
    yield from measures_table(numbers, width)


def measures_table(numbers: Mapping[str, object], width: int) -> Iterator[str]:
    """Yield the measures of the day."""
    rows = list(_measure_rows(numbers))
    yield from table(("measure", *STATISTICS), rows, width, right=frozenset(STATISTICS))
    if rows:
        yield ""
    yield f"{numbers['ended']} of {numbers['tasks']} tasks ended, {numbers['started']} started"
    yield f"{100 * _number(numbers['utilisation']):.1f} % of all slots were in use, " + (
        f"{_number(numbers['throughput_per_hour']):.1f} tasks ended by the hour"
    )


def seeds_table(measures: Mapping[str, object], width: int) -> Iterator[str]:
    """Yield a table of each measure's mean over the seeds and its 95 % confidence interval.

    `measures`: name -> {"mean", "low", "high"}, for waits and their like one such mapping for each statistic.
    """
    rows = []
    for name, statistics in measures.items():
        if name in _DISTRIBUTIONS and isinstance(statistics, Mapping):
            rows += [(f"{name.replace('_', ' ')}, {key}", *_bounds(name, statistics[key]))
                     for key in STATISTICS if key in statistics]  # fmt: skip
        elif isinstance(statistics, Mapping) and "mean" in statistics and name in _SINGLE:
            rows.append((_SINGLE[name], *_bounds(name, statistics)))
    headers = ("measure", "mean", "from", "to")
    yield from table(headers, rows, width, right=frozenset(headers[1:]))


_DISTRIBUTIONS: Final = ("wait", "turnaround", "slowdown", "bounded_slowdown")
_SINGLE: Final = {
    "tasks": "tasks",
    "ended": "ended",
    "utilisation": "slots in use",
    "throughput_per_hour": "tasks ended by the hour",
}


def _bounds(name: str, interval: object) -> tuple[str, ...]:
    values = interval if isinstance(interval, Mapping) else {}
    return tuple(value_words(name, float(values[key])) if key in values else "" for key in ("mean", "low", "high"))


def seeds_csv(days: Sequence[tuple[int, Mapping[str, object]]]) -> Iterator[str]:
    """Yield a line for each (seed, measures), with a column for each number."""
    names = [name for name in _numbers_of(days[0][1]) if all(name in _numbers_of(day) for _, day in days)]
    yield csv_line(("seed", *names))
    for seed, day in days:
        numbers = _numbers_of(day)
        yield csv_line((seed, *(numbers[name] for name in names)))


def _numbers_of(day: Mapping[str, object]) -> dict[str, float]:
    numbers: dict[str, float] = {}
    for name, value in day.items():
        if isinstance(value, int | float):
            numbers[name] = value
        elif isinstance(value, Mapping) and name in _DISTRIBUTIONS:
            numbers |= {f"{name}_{key}": number for key, number in value.items()}
    return numbers


def _row(record: TaskRecord) -> tuple[str, ...]:
    return (
        str(record.job),
        str(record.task),
        record.name,
        record.owner,
        format_time(record.submitted),
        clock(record.wait),
        clock(record.run_time),
        str(record.slots or ""),
        "deleted" if record.deleted is not None else first_and_more(record.granted) or "waits",
    )


def _measure_rows(numbers: Mapping[str, object]) -> Iterator[tuple[str, ...]]:
    for name in (*_DISTRIBUTIONS, "recorded_wait"):
        distribution = numbers.get(name)
        if isinstance(distribution, Mapping):
            yield (
                name.replace("_", " "),
                *(value_words(name.removeprefix("recorded_"), distribution[key]) for key in STATISTICS),
            )


def _number(value: object) -> float:
    return float(value) if isinstance(value, int | float) else 0.0
