"""Answers of clients of a running cluster: parsing them, and findings about unknown or unreadable parts."""

import contextlib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Final

from qmon_tui.formats import problem
from qmon_tui.formats.qconf import new_file
from qmon_tui.formats.records import Recorded, moment, read_clients, task_numbers
from qmon_tui.model import Cluster, Finding, Job, Kind, Severity, config_object
from qmon_tui.sources.clients import ClientError
from qmon_tui.sources.source import Live
from qmon_tui.values import parse_number, whole_number

RUNNING: Final = re.compile(rb'<job_list state="running">\s*<JB_job_number>(\d+)<(.*?)</job_list>', re.DOTALL)
_ROW: Final = re.compile(rb"<job_list .*?</job_list>", re.DOTALL)
_NUMBER: Final = re.compile(rb"<JB_job_number>(\d+)<")
_TASKS: Final = re.compile(rb"<tasks>([^<]*)<")
_START: Final = re.compile(rb"<JAT_start_time>([^<]*)<")
_ROUNDING: Final = 0.0006
"""Largest relative difference between a value and its three decimals in qhost."""
USAGE: Final = "past usage"
HOSTS: Final = "hosts"
"""Values of `Finding.file` for unknown past usage and for hosts not read yet."""
RECORDS: Final = frozenset({"qstat", "qstat -f", "qstat -g t", "qstat -j", "qhost", "qrstat"})
"""Names of clients' answers, which are also `Finding.file` of findings about them."""


def spread(listing: bytes, known: Mapping[int, Job]) -> set[int]:
    """Return the parallel jobs in qstat's listing that started since `known`: it shows only their master task."""
    starts = {(job.id, task.started) for job in known.values() if job.request.pe for task in job.tasks.values()}
    spread = set()
    for number, row in RUNNING.findall(listing):
        if b"<requested_pe" in row and (start := _START.search(row)):
            try:
                started = moment(start[1].decode("ascii", "replace"))
            except ValueError:
                continue
            if (int(number), started) not in starts:
                spread.add(int(number))
    return spread


def held_tasks(listing: bytes) -> Iterator[tuple[int, list[int]]]:
    """Yield (job number, task numbers) of each row of `qstat -s hu`."""
    for row in _ROW.findall(listing):
        number, tasks = _NUMBER.search(row), _TASKS.search(row)
        if number is not None:
            with contextlib.suppress(ValueError):
                yield int(number[1]), task_numbers(tasks[1].decode("ascii", "replace") if tasks is not None else "")


def job_numbers(listing: bytes) -> set[int]:
    """Return the numbers of the jobs in qstat's listing."""
    return {int(number) for number in re.findall(rb"<JB_job_number>(\d+)<", listing)}


def recorded_answers(
    answers: Mapping[str, bytes], known: Mapping[int, Job] | None, held: Mapping[int, Mapping[int, str]]
) -> Recorded:
    """Parse answers of clients: name -> output. `held`: job -> task -> letters of its holds.

    Raises ClientError for a truncated answer; without qstat -j the listing is used, with a finding.
    """
    texts = {name: _utf8(data) for name, data in answers.items()}
    recorded = read_clients(texts, known, held)
    for finding in recorded.findings:
        if finding.rule == "format.xml" and finding.file == "qstat -j":
            listed = recorded_answers({name: data for name, data in answers.items() if name != "qstat -j"}, known, held)
            message = f"qstat -j is no XML ({finding.message}): of some jobs only what the listing shows is known"
            note = problem("format.record", message, file="qstat -j", line=finding.line, severity=Severity.WARNING)
            return replace(listed, findings=(*listed.findings, note))
        if finding.rule == "format.xml":
            raise ClientError(
                f"{finding.file} did not answer whole ({finding.message}, line {finding.line}): try again"
            )
    spoilt = [name for name, data in texts.items() if data is not answers[name]]
    notes = (
        problem("format.encoding", "bytes that are not UTF-8 are shown as �: qalter -N or qconf can correct the name",
                file=name, severity=Severity.WARNING)
        for name in spoilt
    )  # fmt: skip
    return replace(recorded, findings=(*recorded.findings, *notes))


def _utf8(data: bytes) -> bytes:
    """Return the same object if it is UTF-8, else a copy with U+FFFD for each invalid byte."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("utf-8", "replace").encode()
    return data


def unread_host(name: str) -> str:
    """Return the text of a host of which only the name is known yet."""
    return new_file(config_object(Kind.HOST, name, {}), single_line=True, dialect_name="")


def still_unread(live: Live) -> Iterator[Finding]:
    """Yield findings with the number of execution hosts and jobs that are not wholly read yet."""
    if live.unknown_hosts:
        message = f"{live.unknown_hosts} execution hosts are not read yet: what they offer is unknown for now"
        yield problem("format.record", message, file=HOSTS, line=1, kind=Kind.HOST, severity=Severity.WARNING)
    if live.unread_jobs:
        message = f"the details of {live.unread_jobs} jobs (qstat -j) are not read yet: only the listing is known"
        yield problem("format.record", message, file="qstat -j", line=1, severity=Severity.WARNING)


def unknown_usage(cluster: Cluster) -> Iterator[Finding]:
    """Yield a finding that past usage is unknown, if a share tree uses it."""
    shares = whole_number(cluster.single(Kind.SCHEDULER).text("weight_tickets_share"), 0)
    if cluster.objects(Kind.SHARETREE) and shares != 0:
        message = "no client prints the past usage of users and projects: it is unknown, and the share tree counts none"
        yield problem("format.record", message, file=USAGE, line=1, kind=Kind.SHARETREE, severity=Severity.WARNING,
                      hint="what is forecast of its tickets holds for a cluster without past usage")  # fmt: skip


def without_loads(findings: Iterable[Finding]) -> Iterator[Finding]:
    """Drop findings about missing load values: they are read from the host objects."""
    return (finding for finding in findings if "np_load_avg" not in finding.message)


def newer(known: str, shown: str | None) -> str:
    """Return qhost's load value; the known, more exact one if it rounds to the same, or if qhost shows None."""
    if shown is None:
        return known
    try:
        before, after = parse_number(known), parse_number(shown)
    except ValueError:
        return shown
    return known if abs(before - after) <= _ROUNDING * abs(before) else shown


def with_later_predecessors(jobs: tuple[Job, ...]) -> tuple[Job, ...]:
    """Return the jobs with `changed` set if they wait for a job submitted later: qalter -hold_jid altered them then."""
    submitted = {str(job.id): job.submitted for job in jobs}

    def altered(job: Job) -> Job:
        names = (*job.request.hold_jid, *job.request.hold_jid_ad)
        later = [submitted[name] for name in names if name in submitted and int(name) > job.id]
        return replace(job, changed=float(max(later))) if later else job

    return tuple(altered(job) if job.request.hold_jid or job.request.hold_jid_ad else job for job in jobs)
