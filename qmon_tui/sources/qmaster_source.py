"""A running cluster as a source: the output of its clients, parsed like a dump of save_sge_config.sh.

A source only reads: `Gate` of `applying` runs commands that change the cluster.
"""

import asyncio
import contextlib
import re
import time
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence, Set
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from qmon_tui.formats import Layout, file_of
from qmon_tui.formats.records import Recorded
from qmon_tui.model import Cluster, Finding, Job, Kind, ObjectKey, State
from qmon_tui.sources.cell_folder import DRAINS, client_user, drains_text
from qmon_tui.sources.cells import Cell, find_cell
from qmon_tui.sources.clients import ClientError, Clients
from qmon_tui.sources.folder_files import unread_file
from qmon_tui.sources.qmaster_answers import (
    HOSTS,
    RECORDS,
    RUNNING,
    USAGE,
    held_tasks,
    job_numbers,
    newer,
    recorded_answers,
    spread,
    still_unread,
    unknown_usage,
    unread_host,
    with_later_predecessors,
    without_loads,
)
from qmon_tui.sources.qmaster_objects import read_all, read_named, read_others
from qmon_tui.sources.source import Cost, Live, Part, Reading, SavePlan, SourceError, job_place, reading_of

OBJECTS_SECONDS: Final = 120.0
"""Age at which a refresh reads all objects and job details again."""
DEAREST_PAUSE: Final = 60.0
"""Maximum seconds between two slow refreshes."""
LONGEST_PAUSE: Final = 300.0
"""Maximum seconds between two attempts while the qmaster does not answer."""
_HOSTS_A_STEP: Final = 120
"""Number of execution hosts that a refresh, or a step of the first reading, shows."""
_BUSY_SHARE: Final = 0.1
"""Largest share of the time in which clients of refreshes run: slow refreshes lengthen the interval."""
_MOST_NEW_JOBS: Final = 500
"""Largest number of new jobs whose details a refresh requests by number; above it, those of all jobs."""
_MOST_JOBS: Final = 2000
"""Largest number of jobs whose details the first reading requests; above it, in steps, all details are read later."""
_NOBODY: Final = "qmon-tui-nobody"
"""A user without jobs, so that qstat lists queue instances alone."""


_JOBS: Final = ("qstat", "-u", "*", "-ext", "-pri", "-r", "-xml")
"""Without -f and -urg, with which qstat takes seconds for thousands of jobs on a thousand hosts."""
_ROWS: Final = re.compile(rb'<job_list state="\w+">\s*<JB_job_number>(\d+)<.*?</job_list>', re.DOTALL)
_INSTANCES: Final = ("qstat", "-f", "-qs", "cdDosuCES", "-explain", "E", "-u", _NOBODY, "-xml")
_PLACES: Final = ("qstat", "-u", "*", "-s", "rs", "-g", "t", "-xml")
_DETAILS: Final = ("qstat", "-j")
_LOADS: Final = ("qhost", "-F", "-xml")


class QmasterSource:
    """The qmaster of one cell; implements `Source`."""

    folder = None

    def __init__(self, cell: Cell, *, writes: bool = False) -> None:
        self.cell = cell
        self.clients = Clients(cell, writes=writes)
        self.in_steps = False
        """True if the first reading may leave job details and execution hosts to `read_part`."""
        self._listing = b""
        """The last listing of all jobs."""
        self._seconds = 0.0
        """Duration of the last refresh; readings of everything do not count."""
        self._failures = 0

    @property
    def location(self) -> str:
        """`qmaster:` or `qmaster:NAME`."""
        return self.cell.location

    @property
    def cost(self) -> Cost:
        return self.clients.cost

    def exists(self) -> bool:
        """Return True: only a reading shows whether the qmaster answers."""
        return True

    def permit_writing(self, *, asked: bool) -> bool:
        """Permit changes if the user asks for them or clusters.toml says so; False if the cluster is only read."""
        self.clients.writes = asked or self.cell.write
        return self.clients.writes

    def others(self, reading: Reading) -> Mapping[str, str]:
        """Return roles and categories of Open Cluster Scheduler; empty for Grid Engine, which has none."""
        return reading.live.others if reading.live is not None else {}

    def plan(self, reading: Reading, cluster: Cluster, state: State | None = None) -> SavePlan:
        """Raise SourceError: a running cluster is only read."""
        raise SourceError(f"{self.location} is only read: convert it to a folder to edit it")

    def write(self, reading: Reading, plan: SavePlan) -> Reading:
        """Raise SourceError, as `plan` does."""
        raise SourceError(f"{self.location} is only read: nothing is written to a qmaster")

    @property
    def interval(self) -> float:
        """Seconds to the next refresh: longer if refreshes are slow, or the qmaster does not answer."""
        for_cost = min(self._seconds / _BUSY_SHARE, DEAREST_PAUSE)
        return float(min(max(self.cell.refresh, for_cost) * 2**self._failures, LONGEST_PAUSE))

    async def changes(self, stop: asyncio.Event) -> AsyncIterator[frozenset[str]]:
        """Yield the location after each interval, as a request to read again, until `stop` is set."""
        while not stop.is_set():
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(stop.wait(), self.interval)
            if not stop.is_set():
                yield frozenset({self.location})

    def read(self, previous: Reading | None = None) -> Reading:
        """Read objects, jobs and states; only jobs, states and load values if the objects are recent.

        Raises SourceError if the qmaster is not reached or an answer is truncated; the previous reading stays valid.
        """
        began = time.monotonic()
        known = previous.live if previous is not None else None
        try:
            if previous is None or known is None or time.time() - known.objects_taken >= OBJECTS_SECONDS:
                reading = self._read_everything(previous)
            else:
                reading = self._read_again(previous)
                self._seconds = time.monotonic() - began
        except SourceError:
            self._failures += 1
            raise
        self._failures = 0
        return self._with_drains(reading)

    def _with_drains(self, reading: Reading) -> Reading:
        """Return the reading with the drains and exceptions that users of the program share beside the cell.

        If the file cannot be read, the reading has a finding.
        """
        others = tuple(finding for finding in reading.findings if finding.file != DRAINS)
        files = {file: content for file, content in reading.files.items() if file != DRAINS}
        try:
            text = drains_text(self.cell)
        except SourceError as error:
            findings = (*others, unread_file(DRAINS, error.message))
            return replace(reading, files=MappingProxyType(files), findings=findings)
        if text == reading.files.get(DRAINS, ""):
            return reading
        drains = self._reading({DRAINS: text} if text else {}, (), None)
        files |= {DRAINS: text} if text else {}
        state = replace(reading.state, drains=drains.state.drains, exceptions=drains.state.exceptions)
        findings = (*others, *drains.findings)
        return replace(reading, files=MappingProxyType(files), state=state, findings=findings)

    def read_fresh(self, previous: Reading) -> Reading:
        """Read everything again, whatever its age. Raises SourceError."""
        live = previous.live and previous.live._replace(objects_taken=0.0)
        return self.read(replace(previous, live=live))

    # Objects ---------------------------------------------------------------------------------------------------------

    def _read_everything(self, previous: Reading | None) -> Reading:
        printed = read_all(self.clients, in_steps=self.in_steps)
        known = previous.files if previous is not None else {}
        later = {file_of(Kind.HOST, host): host for host in printed.later}
        texts = {**printed.texts, **{file: known.get(file) or unread_host(host) for file, host in later.items()}}
        self._listing = self._xml_of(_JOBS)
        answers = {"qstat": self._listing, "qstat -f": self._xml_of(_INSTANCES)}
        numbers = job_numbers(self._listing)
        unread_jobs = len(numbers) if self.in_steps and previous is None and len(numbers) > _MOST_JOBS else 0
        if numbers and not unread_jobs:
            answers["qstat -j"] = self._xml_of((*_DETAILS, "*", "-xml"))
        answers |= self._places(spread(answers["qstat"], {}))
        if later:
            answers["qhost"] = self._xml_of(_LOADS)
        reading = self._reading(texts, printed.findings, previous)
        recorded = self._recorded(answers)
        before = previous.live if previous is not None else None
        ages = {file: before.read_at(file) for file in later if before is not None and file in known}
        live = self._live(recorded)._replace(ages=ages, unread=printed.later, unread_jobs=unread_jobs)
        return self._with(reading, recorded, {**recorded.state.loads, **reading.state.loads}, live)

    def read_part(self, previous: Reading, part: Part) -> Reading:
        """Read an object or a job's details again; None: the next unread jobs or hosts. Raises SourceError."""
        if part is None:
            is_jobs = previous.live is not None and previous.live.unread_jobs
            return self._read_again(previous) if is_jobs else self._read_hosts(previous)
        if isinstance(part, int):
            return self._read_job(previous, part)
        return self._with_objects(previous, [part])

    def _read_hosts(self, previous: Reading) -> Reading:
        """Read the next execution hosts that were only listed so far."""
        assert previous.live is not None
        hosts, later = previous.live.unread[:_HOSTS_A_STEP], previous.live.unread[_HOSTS_A_STEP:]
        reading = self._with_objects(previous, [(Kind.HOST, host) for host in hosts])
        assert reading.live is not None
        live = reading.live._replace(unread=later)
        others = tuple(finding for finding in reading.findings if finding.file != HOSTS)
        return replace(reading, live=live, findings=(*others, *still_unread(live)))

    def _with_objects(self, previous: Reading, named: Sequence[tuple[Kind, str]]) -> Reading:
        """Read the named objects again; objects that no longer exist are left out."""
        assert previous.live is not None
        printed = read_named(self.clients, named)
        files = [file_of(kind, name) for kind, name in named]
        texts = {file: text for file, text in previous.files.items() if file not in files}
        texts |= printed.texts
        texts = {file: texts[file] for file in (*previous.files, *printed.texts) if file in texts}
        reading = self._reading(texts, printed.findings, previous)
        hosts = [name for kind, name in named if kind is Kind.HOST]
        reported = {host: reading.state.loads[host] for host in hosts if host in reading.state.loads}
        state = replace(previous.state, loads=MappingProxyType({**previous.state.loads, **reported}))
        live = previous.live._replace(ages={**previous.live.ages, **dict.fromkeys(files, time.time())})
        noted = (*RECORDS, USAGE, HOSTS)
        of_records = (finding for finding in previous.findings if finding.file in noted)
        of_objects = (finding for finding in reading.findings if finding.file not in noted)
        return replace(reading, state=state, live=live, findings=(*of_objects, *of_records))

    def read_objects(self, keys: Iterable[ObjectKey]) -> Cluster:
        """Return a cluster of only these objects, as they are now; missing ones are left out.

        If one complex is named, all complexes are read. Raises SourceError.
        """
        printed = read_named(self.clients, dict.fromkeys(keys))
        if printed.findings:
            raise SourceError(f"{printed.findings[0].file}: {printed.findings[0].message}")
        cluster = self._reading(printed.texts, (), None).cluster
        return Cluster(cluster.name, cluster.dialect).with_objects(obj for obj in cluster if obj.origin is not None)

    # Jobs and states -------------------------------------------------------------------------------------------------

    def _read_again(self, previous: Reading) -> Reading:
        assert previous.live is not None
        listing = self._listing = self._xml_of(_JOBS)
        known = {} if previous.live.unread_jobs else {job.id: job for job in previous.state.jobs}
        answers = {"qstat": listing, "qstat -f": self._xml_of(_INSTANCES), "qhost": self._xml_of(_LOADS)}
        new = sorted(job_numbers(listing) - known.keys())
        if len(new) > _MOST_NEW_JOBS or (new and not known):
            answers["qstat -j"] = self._xml_of((*_DETAILS, "*", "-xml"))
        elif new:
            answers["qstat -j"] = self._xml_of((*_DETAILS, ",".join(map(str, new)), "-xml"))
        answers |= self._places(spread(listing, known))
        recorded = self._recorded(answers, known)
        loads = {
            host: {name: newer(text, recorded.state.loads.get(host, {}).get(name)) for name, text in values.items()}
            for host, values in previous.state.loads.items()
        }
        ages = {**previous.live.ages, **dict.fromkeys(map(job_place, new), time.time())}
        live = previous.live._replace(ages=ages, unread_jobs=0)
        reading = self._with(previous, recorded, loads, live)
        return self._read_hosts(reading) if live.unread else reading

    def _read_job(self, previous: Reading, number: int) -> Reading:
        """Read the details of one job again; a job that no longer exists stays as it was."""
        assert previous.live is not None
        before = next((job for job in previous.state.jobs if job.id == number), None)
        details = self._xml_of((*_DETAILS, str(number), "-xml"))
        if before is None or b"<unknown_jobs" in details:
            return previous
        rows = [row[0] for row in _ROWS.finditer(self._listing) if int(row[1]) == number]
        listing = b"<job_info><queue_info>%s</queue_info></job_info>" % b"".join(rows)
        recorded = recorded_answers({"qstat": listing, "qstat -j": details}, None, {number: _holds_of(before)})
        job = next((job for job in recorded.state.jobs if job.id == number), before)
        job = replace(job, tasks=before.tasks, runtime=before.runtime if job.runtime is None else job.runtime)
        jobs = tuple(job if each is before else each for each in previous.state.jobs)
        live = previous.live._replace(
            ages={**previous.live.ages, job_place(number): time.time()},
            messages={**previous.live.messages, **recorded.messages},
        )
        return replace(previous, state=replace(previous.state, jobs=jobs), live=live)

    def _recorded(self, answers: Mapping[str, bytes], known: Mapping[int, Job] | None = None) -> Recorded:
        """Parse answers of clients; ask qrstat for reservations, and qstat for the kinds of holds of held jobs."""
        answers = {**answers, **self._reservations()}
        held: dict[int, dict[int, str]] = {}
        if b"<state>hqw<" in answers["qstat"]:
            for letter in "uos":
                listing = self._xml_of(("qstat", "-u", "*", "-s", f"h{letter}", "-xml"))
                for number, tasks in held_tasks(listing):
                    letters = held.setdefault(number, {})
                    letters |= {task: letters.get(task, "") + letter for task in tasks}
        return recorded_answers(answers, known, held)

    def _places(self, jobs: Set[int]) -> dict[str, bytes]:
        """Return `qstat -g t` for these parallel jobs: a row per slot with its queue instance; empty without jobs."""
        if not jobs:
            return {}
        rows = [row[0] for row in RUNNING.finditer(self._xml_of(_PLACES)) if int(row[1]) in jobs]
        return {"qstat -g t": b"<job_info><queue_info>%s</queue_info></job_info>" % b"".join(rows)}

    def _reservations(self) -> dict[str, bytes]:
        """Return the output of qrstat about all advance reservations; an empty dict without any."""
        if not self.clients.has("qrstat"):
            return {}
        numbers = re.findall(rb"<id>(\d+)<", self._xml_of(("qrstat", "-u", "*", "-xml")))
        names = b",".join(numbers).decode()
        return {"qrstat": self._xml_of(("qrstat", "-ar", names, "-xml"))} if names else {}

    def _with(
        self,
        reading: Reading,
        recorded: Recorded,
        loads: Mapping[str, Mapping[str, str]],
        live: Live,
    ) -> Reading:
        """Return the reading with the jobs and states of the record, and these load values."""
        now = time.time()
        state = replace(
            reading.state, now=int(now),
            beginning=None, jobs=with_later_predecessors(recorded.state.jobs), admitted=True,
            queue_states=recorded.state.queue_states,
            error_reasons=recorded.state.error_reasons, reservations=recorded.state.reservations,
            loads=MappingProxyType({host: MappingProxyType(dict(values)) for host, values in loads.items()}),
        )  # fmt: skip
        of_objects = tuple(finding for finding in reading.findings if finding.file not in (*RECORDS, USAGE, HOSTS))
        live = live._replace(taken=now, messages={**live.messages, **recorded.messages})
        findings = (
            *of_objects, *still_unread(live), *unknown_usage(reading.cluster), *without_loads(recorded.findings)
        )  # fmt: skip
        return replace(reading, state=state, live=live, findings=findings)

    def _live(self, recorded: Recorded) -> Live:
        now, cell = time.time(), f"{self.cell.cell} of {self.cell.root}"
        return Live(now, now, self.clients.version, recorded.messages, client_user(self.cell), cell,
                    self.cell.accounting, read_others(self.clients))  # fmt: skip

    def _reading(self, texts: Mapping[str, str], findings: tuple[Finding, ...], previous: Reading | None) -> Reading:
        name = self.cell.name or self.cell.cell
        return reading_of(self, Layout.QCONF, name, texts, findings, previous)

    def _xml_of(self, line: Sequence[str]) -> bytes:
        """Return the XML that a client prints; retry once if it is truncated. Raises ClientError."""
        for is_last in (False, True):
            answer = self.clients.ask(*line)
            data = answer.out.rstrip()
            if data.endswith(b">") and not answer.status:
                return data
            if is_last:
                break
        reason = answer.complaint.partition("\n")[0][:160] or "the answer breaks off"
        raise ClientError(f"{' '.join(line)} did not answer whole ({reason}): try again")


def _holds_of(job: Job) -> dict[int, str]:
    """Return task number -> letters of its holds, as in an earlier reading of the job."""
    return {number: hold for number in job.task_ids if (hold := job.own_holds(number))}


def qmaster_source(location: str, *, writes: bool = False) -> QmasterSource:
    """Return the source that `qmaster:` or `qmaster:NAME` names. Raises SourceError."""
    return QmasterSource(find_cell(location.partition(":")[2]), writes=writes)
