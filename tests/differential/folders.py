"""A recorded moment as a cluster folder of our own: what the comparison reads, and what a mismatch leaves behind."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from qmon_tui.formats.folder_reader import Contents, read_texts
from qmon_tui.formats.layout import Layout
from qmon_tui.formats.state.state_writer import changed_lines, pe_alg_lines, reservation_lines, seen_lines, usage_lines
from qmon_tui.model.catalogue.state import FAILED, SEEN, SUSPENDED, UNLIMITED
from qmon_tui.model.jobs import COLUMNS, FINISHED, GONE, SEQUENTIAL, AdvanceReservation
from qmon_tui.values.number_ranges import format_ranges
from qmon_tui.values.times import INFINITE
from tests.differential.editing import edited
from tests.differential.observing import Row, SeenJob, SeenReservation
from tests.differential.runs import Accepted, Refused, Run
from tests.differential.scenarios import GIVEN

COMPUTED_STATES = "aAcCD"
"""Letters that follow from the configuration: alarms, ambiguity and calendars."""
OVER = (FINISHED, GONE)
_HOLD = re.compile(r"(?:^|\s)-h(?: [uson]+)?(?=\s)")
_PARALLEL = re.compile(r"(?:^|\s)-pe\s")
_KEPT = ("prior", "ntckts")
"""Columns that a task keeps that was sent back and is held."""
_OF_PEOPLE = ("users", "usersets", "configuration")
"""Sections of which it depends what a job gets when it is submitted, and keeps."""
_TICKETS = ("tckts", "otckt", "ftckt", "stckt")
_HOLDS = re.compile(r"(?:^|\s)-h(?:\s|old_jid)")


def folder_of(run: Run, files: Mapping[str, str]) -> dict[str, str]:
    """The cluster's files and a jobs.yaml that describes the moment before the run, usage included."""
    cluster = {name: text for name, text in files.items() if name not in GIVEN}
    return {**(edited(cluster, run.edits) if run.edits else cluster), "jobs.yaml": jobs_yaml(run)}


def contents_of(run: Run, files: Mapping[str, str]) -> Contents:
    """What our reader makes of that folder; raises ValueError where it finds fault with it."""
    return read(folder_of(run, files))


def read(files: Mapping[str, str], known: Contents | None = None) -> Contents:
    """The cluster and state of a folder's texts; raises ValueError where there is an error in them.

    What is the same in `known`, an earlier reading, is taken from it.
    """
    contents = read_texts(Layout.YAML, "cluster", files, known)
    if contents.findings:
        raise ValueError("\n".join(f"{finding.file}:{finding.line} {finding.message}" for finding in contents.findings))
    return contents


def jobs_yaml(run: Run) -> str:
    """The `now`, `loads`, `states`, `usage` and `jobs` of the moment before a run (DESIGN section 4)."""
    seen = {job.id: job for job in run.before.jobs}
    started = start_times(run)
    states = {
        instance.name: "".join(letter for letter in instance.state if letter not in COMPUTED_STATES)
        for instance in run.before.instances
    }
    lines = [f"now: {_time(run.at)}", f"states: {json.dumps(states)}"]
    if run.loads:
        lines.append(f"loads: {json.dumps(run.loads)}")
    lines += pe_alg_lines(run.pe_alg_before)
    lines += changed_lines(dict(run.moved))
    lines += seen_lines(run.seen)
    lines += usage_lines(run.usage)
    lines += reservation_lines(_reservation(seen) for seen in run.before.reservations)
    lines.append("jobs:" if any(job.id in seen for job in run.jobs) else "jobs: []")
    unclean: dict[tuple[int, int], list[str]] = {}
    for number, task, name in run.unclean:
        unclean.setdefault((number, task), []).append(name.partition("@")[2])
    stopped = {(job, task): when for job, task, when in run.stopped}
    limits = {(job, task): limit for job, task, limit in run.limits} if run.edits or run.changed else {}
    described = (
        _described(job, seen[job.id], started, run, unclean, stopped, limits) | _changed(run, job.id)
        for job in run.jobs
        if job.id in seen
    )
    lines += [f"- {json.dumps(job)}" for job in described]
    return "\n".join(lines) + "\n"


def refused_yaml(run: Run, refused: Refused) -> tuple[int, str]:
    """A jobs.yaml with what was there before a run and one more job, which the real system refused; its number."""
    number = refused.number or max((job.id for job in run.jobs), default=0) + 1
    later = {asked.number for asked in run.asked[refused.asked :]} if refused.asked is not None else set()
    there = [reservation for reservation in run.before.reservations if reservation.id not in later]
    seen = replace(run.before, reservations=there)
    before = replace(run, jobs=tuple(job for job in run.jobs if job.id < number), before=seen)
    job = {
        "id": number,
        "owner": refused.owner,
        "group": refused.group,
        "submitted": _time(refused.at or run.at),
        "qsub": refused.qsub,
    }
    return number, jobs_yaml(before).replace("jobs: []", "jobs:") + f"- {json.dumps(job)}\n"


def write_folder(folder: Path, files: Mapping[str, str]) -> Path:
    """Write a folder's texts; the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        folder.joinpath(name).write_text(text)
    return folder


def start_times(run: Run) -> dict[tuple[int, int], float]:
    """(job, task) -> time of its start, with fractions that tell the order of the starts of one second."""
    order = {start: number for number, start in enumerate(run.starts)}
    return {
        (job.id, row.tasks[0]): (row.started or 0) + order.get((job.id, row.tasks[0]), 0) / 1_000_000
        for job in run.before.jobs
        for row in job.rows
        if row.granted or row.started is not None
    }


def _described(
    job: Accepted,
    seen: SeenJob,
    started: Mapping[tuple[int, int], float],
    run: Run,
    unclean: Mapping[tuple[int, int], Sequence[str]],
    stopped: Mapping[tuple[int, int], float],
    limits: Mapping[tuple[int, int], int],
) -> dict[str, Any]:
    altered = job.id in dict(run.changed)
    tasks = dict(_tasks(job, seen.rows, started, unclean, stopped, limits, run, altered=altered))
    described: dict[str, Any] = {
        "id": job.id,
        "owner": job.owner,
        "group": job.group,
        "submitted": _time(seen.submitted),
        # A hold that was there at submission may have been lifted from some tasks since: then the states tell.
        "qsub": job.qsub if _all_held(seen.rows) else _HOLD.sub(" ", job.qsub).strip(),
    }
    if any(edit.kind in _OF_PEOPLE for edit in run.edits) or (altered and not seen.project):
        # Of a job without a project, qalter may have taken that away which its user's jobs have by default.
        described |= {"project": seen.project or "NONE", "department": seen.department}
    if job.id in run.rejected:
        described["reservation"] = "rejected"
    numbers = {**seen.columns, "share": _share_of_plain(seen, run)}
    if columns := {name: number for name in COLUMNS if (number := float(numbers[name]))}:
        described["columns"] = columns
    if (altered or run.edits) and not tasks and seen.rows:
        # What its owner could not have submitted may have been let in all the same.
        tasks = {str(seen.rows[0].tasks[0]): {"state": "hqw" if _HOLD.search(described["qsub"]) else "qw"}}
    return described | {"tasks": tasks} if tasks else described


def _share_of_plain(seen: SeenJob, run: Run) -> str:
    """The share of the pending tasks that are not enrolled."""
    pending = (row for row in seen.rows if not row.granted and row.state not in OVER)
    waiting = (row for row in pending if (seen.id, row.tasks[-1]) not in run.start_failed)
    return next((row.columns["share"] for row in waiting), "0")


def _changed(run: Run, number: int) -> dict[str, str]:
    when = dict(run.changed).get(number)
    category = dict(run.categories).get(number)
    return {
        **({} if when is None else {"changed": _time(when)}),
        **({} if category is None else {"category_ar": category}),
    }


def _all_held(rows: list[Row]) -> bool:
    return all(row.state == "hqw" or row.state in OVER for row in rows)


def _tasks(
    job: Accepted,
    rows: list[Row],
    started: Mapping[tuple[int, int], float],
    unclean: Mapping[tuple[int, int], Sequence[str]],
    stopped: Mapping[tuple[int, int], float],
    limits: Mapping[tuple[int, int], int],
    run: Run,
    *,
    altered: bool,
) -> Iterator[tuple[str, dict[str, Any]]]:
    known = unclean.keys() | run.start_failed
    held_at_submission = _all_held(rows) and _HOLDS.search(job.qsub)
    for row in rows:
        if row.granted:
            when = _time(started[job.id, row.tasks[0]])
            placed = {"state": row.state, "granted": row.granted, "started": when}
            if row.environment is not None:
                placed["pe"] = row.environment
                placed["tickets"] = {name: float(int(row.columns[name]) % 2**32) for name in _TICKETS}
            elif altered and _PARALLEL.search(job.qsub):
                placed["pe"] = SEQUENTIAL
            if {"s", "T"} & set(row.state):
                placed["tickets"] = {name: float(row.columns[name]) for name in (*_TICKETS, *_KEPT, "share")}
            if (job.id, row.tasks[0]) in stopped:
                placed["changed"] = _time(stopped[job.id, row.tasks[0]])
            if (job.id, row.tasks[0]) in run.standing:
                placed[SEEN] = SUSPENDED
            if (job.id, row.tasks[0]) in limits:
                limit = limits[job.id, row.tasks[0]]
                placed["wallclock_limit"] = UNLIMITED if limit == INFINITE else str(limit)
            yield format_ranges(row.tasks), placed
        elif row.state in OVER and row.started is not None:
            yield format_ranges(row.tasks), {"state": row.state, "started": _time(started[job.id, row.tasks[0]])}
        elif row.state not in OVER and known.intersection((job.id, task) for task in row.tasks):
            for task in row.tasks:
                waits: dict[str, Any] = {"state": row.state}
                if hosts := unclean.get((job.id, task)):
                    waits["unclean"] = " ".join(dict.fromkeys(hosts))
                if (job.id, task) in run.start_failed:
                    waits["start"] = FAILED
                if len(waits) > 1:
                    waits["tickets"] = {name: float(row.columns[name]) for name in (*_TICKETS, *_KEPT, "share")}
                yield str(task), waits
        elif row.state in OVER or (row.state != "qw" and not held_at_submission):
            yield format_ranges(row.tasks), {"state": row.state}


def _reservation(seen: SeenReservation) -> AdvanceReservation:
    return AdvanceReservation(
        id=seen.id,
        owner=seen.owner,
        start=seen.start,
        end=seen.end,
        granted=seen.granted,
        state=seen.state,
        requests=tuple((name, text) for name, text in seen.requests),
        users=tuple(seen.users),
        environment=seen.environment,
        submitted=seen.submitted,
        strict=seen.strict,
    )


def _time(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat()
