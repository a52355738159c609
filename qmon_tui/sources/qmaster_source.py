"""A running cluster as a source: what its clients print, read like a folder of save_sge_config.sh.

What changes it is no part of a source: the gate of `applying` runs the commands.
"""

import asyncio
import contextlib
import re
import time
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from types import MappingProxyType
from typing import Final, NamedTuple

from qmon_tui.formats import Layout, file_of, is_passed_over, problem
from qmon_tui.formats.records import Recorded, moment, read_clients
from qmon_tui.model import Cluster, Finding, Job, Kind, ObjectKey, Severity, State
from qmon_tui.sources.cells import Cell, find_cell
from qmon_tui.sources.clients import ClientError, Clients
from qmon_tui.sources.folder_files import CATEGORIES, decoded
from qmon_tui.sources.source import Cost, Live, Reading, SavePlan, SourceError, reading_of
from qmon_tui.values import whole_number

OBJECTS_SECONDS: Final = 120.0
"""Age at which a refresh reads all objects and job details again."""
LONGEST_PAUSE: Final = 300.0
"""Seconds between two attempts where the qmaster does not answer."""
_BUSY_SHARE: Final = 0.05
"""Largest part of the time in which clients of a refresh run: the interval grows with what it costs."""
_AT_ONCE: Final = 40
"""Objects that one call of qconf shows."""
_MOST_NEW_JOBS: Final = 500
"""New jobs whose details one refresh asks for; others come with the next reading of everything."""
_NOBODY: Final = "qmon-tui-nobody"
"""A user without jobs, so that qstat lists queue instances alone."""


class _Shown(NamedTuple):
    """How qconf lists the names of a kind, shows an object, and begins to print one."""

    listing: str
    show: str
    first: str


_SHOWN: Final = {
    Kind.CONFIGURATION: _Shown("-sconfl", "-sconf", r"#\S+:$"),
    Kind.USERSET: _Shown("-sul", "-su", "name "),
    Kind.PROJECT: _Shown("-sprjl", "-sprj", "name "),
    Kind.USER: _Shown("-suserl", "-suser", "name "),
    Kind.HOST: _Shown("-sel", "-se", "hostname "),
    Kind.HOSTGROUP: _Shown("-shgrpl", "-shgrp", "group_name "),
    Kind.CALENDAR: _Shown("-scall", "-scal", "calendar_name "),
    Kind.CKPT: _Shown("-sckptl", "-sckpt", "ckpt_name "),
    Kind.PE: _Shown("-spl", "-sp", "pe_name "),
    Kind.QUEUE: _Shown("-sql", "-sq", "qname "),
    Kind.QUOTA: _Shown("-srqsl", "-srqs", r"\{$"),
}
_SINGLE: Final = {
    Kind.COMPLEX: "-sc", Kind.SCHEDULER: "-ssconf", Kind.SHARETREE: "-sstree", Kind.MANAGERS: "-sm",
    Kind.OPERATORS: "-so", Kind.ADMIN_HOSTS: "-sh", Kind.SUBMIT_HOSTS: "-ss",
}  # fmt: skip
_ALWAYS: Final = {Kind.CONFIGURATION: "global", Kind.HOST: "global"}
"""Objects that are there without being listed."""
_NONE_THERE: Final = re.compile(
    r"\bno\b.*\b(?:defined|found|element)\b|^invalid option|does not exist|^\S+ is not (?:an? |known as)"
    r"|^No cluster queue|can't resolve hostname",
    re.IGNORECASE,
)

_JOBS: Final = ("qstat", "-u", "*", "-ext", "-pri", "-r", "-xml")
"""Without -f and -urg, for which qstat itself needs seconds where thousands of jobs run on a thousand hosts."""
_RUNNING: Final = re.compile(rb'<job_list state="running">\s*<JB_job_number>(\d+)<(.*?)</job_list>', re.DOTALL)
_START: Final = re.compile(rb"<JAT_start_time>([^<]*)<")
_INSTANCES: Final = ("qstat", "-f", "-qs", "cdDosuCES", "-explain", "E", "-u", _NOBODY, "-xml")
_PLACES: Final = ("qstat", "-u", "*", "-s", "rs", "-g", "t", "-xml")
_DETAILS: Final = ("qstat", "-j")
_LOADS: Final = ("qhost", "-F", "-xml")


class QmasterSource:
    """The qmaster of one cell, which `Source` describes."""

    folder = None

    def __init__(self, cell: Cell, *, writes: bool = False) -> None:
        self.cell = cell
        self.clients = Clients(cell, writes=writes)
        self._seconds = 0.0
        self._failures = 0

    @property
    def location(self) -> str:
        """`qmaster:` or `qmaster:NAME`."""
        return self.cell.location

    @property
    def cost(self) -> Cost:
        """The cost of all clients so far."""
        return self.clients.cost

    def exists(self) -> bool:
        """True: whether it answers is known when it is asked."""
        return True

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
        """Seconds to the next refresh: longer where refreshes are dear, and where the qmaster does not answer."""
        return float(min(max(self.cell.refresh, self._seconds / _BUSY_SHARE) * 2**self._failures, LONGEST_PAUSE))

    async def changes(self, stop: asyncio.Event) -> AsyncIterator[frozenset[str]]:
        """Say after each interval that it is time to read again, until `stop` is set."""
        while not stop.is_set():
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(stop.wait(), self.interval)
            if not stop.is_set():
                yield frozenset({self.location})

    def read(self, previous: Reading | None = None) -> Reading:
        """Read objects, jobs and states; soon after a reading of everything only jobs, states and load values.

        Raises SourceError where the qmaster is not reached, or does not say all; the previous reading stays valid.
        """
        began = time.monotonic()
        known = previous.live if previous is not None else None
        try:
            if previous is None or known is None or time.time() - known.objects_taken >= OBJECTS_SECONDS:
                reading = self._read_everything(previous)
            else:
                reading = self._read_again(previous)
        except SourceError:
            self._failures += 1
            raise
        self._failures, self._seconds = 0, time.monotonic() - began
        return reading

    def read_fresh(self, previous: Reading) -> Reading:
        """Read everything again, whatever its age. Raises SourceError."""
        live = previous.live and previous.live._replace(objects_taken=0.0)
        return self.read(replace(previous, live=live))

    # Objects ---------------------------------------------------------------------------------------------------------

    def _read_everything(self, previous: Reading | None) -> Reading:
        texts, findings = self._objects()
        answers = {"qstat": self._whole(_JOBS), "qstat -f": self._whole(_INSTANCES)}
        if b"<job_list" in answers["qstat"]:
            answers["qstat -j"] = self._whole((*_DETAILS, "*", "-xml"))
        answers |= self._places(_spread(answers["qstat"], {}))
        reading = self._reading(texts, findings, previous)
        return self._with(reading, self._recorded(answers), reading.state.loads)

    def _objects(self) -> tuple[dict[str, str], tuple[Finding, ...]]:
        """Return what qconf prints of every object, under the file name that save_sge_config.sh gives it."""
        listings = self.clients.ask_all(("qconf", shown.listing) for shown in _SHOWN.values())
        singles = self.clients.ask_all(("qconf", option) for option in _SINGLE.values())
        texts: dict[str, str] = {}
        findings: list[Finding] = []

        def keep(kind: Kind, name: str, data: bytes) -> None:
            text, fault = decoded(data)
            try:
                file = file_of(kind, name)
            except ValueError as error:
                findings.append(problem("format.name", str(error), kind=kind, name=name))
                return
            if text is not None:
                texts[file] = text
            else:
                message = f"what qconf prints of it cannot be read: {fault}; correct it with qconf"
                findings.append(problem("format.encoding", message, file=file, kind=kind, name=name))

        for (kind, option), answer in zip(_SINGLE.items(), singles, strict=True):
            if data := _printed(option, answer.status, answer.out, answer.complaint):
                keep(kind, kind.value, data)
        batches: list[tuple[Kind, Sequence[str]]] = []
        for (kind, shown), answer in zip(_SHOWN.items(), listings, strict=True):
            printed = _printed(shown.listing, answer.status, answer.out, answer.complaint).decode("utf-8", "replace")
            names = [name for name in printed.split() if not name.startswith("-")]
            if kind in _ALWAYS and _ALWAYS[kind] not in names:
                names.insert(0, _ALWAYS[kind])
            batches += ((kind, names[at : at + _AT_ONCE]) for at in range(0, len(names), _AT_ONCE))
        lines = [_show_line(kind, names) for kind, names in batches]
        for (kind, batch), answer in zip(batches, self.clients.ask_all(lines), strict=True):
            parts = _parts(_SHOWN[kind].first, answer.out)
            if answer.status or len(parts) != len(batch):
                parts = self._one_by_one(kind, batch)
            for name, data in zip(batch, parts, strict=True):
                if data:
                    keep(kind, name, data)
        return texts, tuple(findings)

    def _others(self) -> dict[str, str]:
        """Return what a successor of Grid Engine prints of kinds that the catalogue lacks, by file."""
        if self.clients.version.startswith("SGE "):
            return {}
        roles, categories = self.clients.ask_all((("qconf", "-srolel"), ("qconf", "-scatl")))
        printed = "" if roles.status else roles.out.decode("utf-8", "replace")
        names = (name for name in printed.split() if "/" not in name and not is_passed_over(name))
        lines = [(f"roles/{name}", ("qconf", "-srole", name)) for name in names]
        answers = [categories, *self.clients.ask_all(line for _, line in lines)]
        texts: dict[str, str] = {}
        for file, answer in zip((CATEGORIES, *(file for file, _ in lines)), answers, strict=True):
            text, _ = decoded(answer.out)
            if text and not answer.status:
                texts[file] = text
        return texts

    def _one_by_one(self, kind: Kind, names: Sequence[str]) -> list[bytes]:
        """Show objects singly, as one of them is gone by now; what is gone is empty."""
        answers = self.clients.ask_all(_show_line(kind, (name,)) for name in names)
        return [answer.out if not answer.status else b"" for answer in answers]

    def read_objects(self, keys: Iterable[ObjectKey]) -> Cluster:
        """Return a cluster of these objects alone, as they are now; those that do not exist are not in it.

        All complexes are read if one is asked for. Raises SourceError.
        """
        wanted = list(dict.fromkeys((kind, "" if kind in _SINGLE else name) for kind, name in keys))
        lines = [("qconf", _SINGLE[kind]) if kind in _SINGLE else _show_line(kind, (name,)) for kind, name in wanted]
        texts: dict[str, str] = {}
        for (kind, name), line, answer in zip(wanted, lines, self.clients.ask_all(lines), strict=True):
            if data := _printed(line[1], answer.status, answer.out, answer.complaint):
                text, fault = decoded(data)
                if text is None:
                    raise SourceError(f"what {' '.join(line)} prints cannot be read: {fault}; correct it with qconf")
                texts[file_of(kind, name or kind.value)] = text
        cluster = self._reading(texts, (), None).cluster
        return Cluster(cluster.name, cluster.dialect).with_objects(obj for obj in cluster if obj.origin is not None)

    # Jobs and states -------------------------------------------------------------------------------------------------

    def _read_again(self, previous: Reading) -> Reading:
        listing = self._whole(_JOBS)
        known = {job.id: job for job in previous.state.jobs}
        answers = {"qstat": listing, "qstat -f": self._whole(_INSTANCES), "qhost": self._whole(_LOADS)}
        if new := sorted(_job_numbers(listing) - known.keys())[:_MOST_NEW_JOBS]:
            answers["qstat -j"] = self._whole((*_DETAILS, ",".join(map(str, new)), "-xml"))
        answers |= self._places(_spread(listing, known))
        recorded = self._recorded(answers, known)
        loads = {
            host: {name: recorded.state.loads.get(host, {}).get(name, text) for name, text in values.items()}
            for host, values in previous.state.loads.items()
        }
        return self._with(previous, recorded, loads, previous.live)

    def _recorded(self, answers: Mapping[str, bytes], known: Mapping[int, Job] | None = None) -> Recorded:
        """Read answers of clients; of held jobs qstat is asked by which kind of hold."""
        answers = {**answers, **self._reservations()}
        held: dict[int, str] = {}
        if b"<state>hqw<" in answers["qstat"]:
            for letter in "uos":
                listing = self._whole(("qstat", "-u", "*", "-s", f"h{letter}", "-xml"))
                for number in _job_numbers(listing):
                    held[number] = held.get(number, "") + letter
        return _recorded(answers, known, held)

    def _places(self, jobs: Set[int]) -> dict[str, bytes]:
        """Return the rows of qstat, one for each slot, that tell where these parallel jobs run; empty without any."""
        if not jobs:
            return {}
        rows = [row[0] for row in _RUNNING.finditer(self._whole(_PLACES)) if int(row[1]) in jobs]
        return {"qstat -g t": b"<job_info><queue_info>%s</queue_info></job_info>" % b"".join(rows)}

    def _reservations(self) -> dict[str, bytes]:
        """Return the output of qrstat about all advance reservations; empty without any."""
        if not self.clients.has("qrstat"):
            return {}
        numbers = re.findall(rb"<id>(\d+)<", self._whole(("qrstat", "-u", "*", "-xml")))
        names = b",".join(numbers).decode()
        return {"qrstat": self._whole(("qrstat", "-ar", names, "-xml"))} if names else {}

    def _with(
        self,
        reading: Reading,
        recorded: Recorded,
        loads: Mapping[str, Mapping[str, str]],
        before: Live | None = None,
    ) -> Reading:
        """Return the reading with the jobs and states of the record, and these load values."""
        now = time.time()
        state = replace(
            reading.state, now=int(now),
            beginning=None, jobs=recorded.state.jobs, queue_states=recorded.state.queue_states,
            error_reasons=recorded.state.error_reasons, reservations=recorded.state.reservations,
            loads=MappingProxyType({host: MappingProxyType(dict(values)) for host, values in loads.items()}),
        )  # fmt: skip
        of_objects = tuple(finding for finding in reading.findings if finding.file not in (*_RECORDS, _USAGE))
        if before is None:
            cell = f"{self.cell.cell} of {self.cell.root}"
            live = Live(now, now, self.clients.version, recorded.messages, cell, self._others())
        else:
            live = before._replace(taken=now, messages={**before.messages, **recorded.messages})
        findings = (*of_objects, *_unknown_usage(reading.cluster), *_without_loads(recorded.findings))
        return replace(reading, state=state, live=live, findings=findings)

    def _reading(self, texts: Mapping[str, str], findings: tuple[Finding, ...], previous: Reading | None) -> Reading:
        name = self.cell.name or self.cell.cell
        return reading_of(self, Layout.QCONF, name, texts, findings, previous)

    def _whole(self, line: Sequence[str]) -> bytes:
        """Return the XML that a client prints. Raises ClientError where it breaks off."""
        for is_last in (False, True):
            answer = self.clients.ask(*line)
            data = answer.out.rstrip()
            if data.endswith(b">") and not answer.status:
                return data
            if is_last:
                break
        reason = answer.complaint.partition("\n")[0][:160] or "the answer breaks off"
        raise ClientError(f"{' '.join(line)} did not answer whole ({reason}): try again")


_USAGE: Final = "past usage"
"""The file that a finding about usage names."""
_RECORDS: Final = frozenset({"qstat", "qstat -f", "qstat -g t", "qstat -j", "qhost", "qrstat"})
"""The names under which answers of clients are read, and which findings name as their file."""


def qmaster_source(location: str, *, writes: bool = False) -> QmasterSource:
    """Return the source that `qmaster:` or `qmaster:NAME` names. Raises SourceError."""
    return QmasterSource(find_cell(location.partition(":")[2]), writes=writes)


def _show_line(kind: Kind, names: Iterable[str]) -> tuple[str, ...]:
    """Return the line that shows objects of a kind: qconf takes several options in one call."""
    show = _SHOWN[kind].show
    return ("qconf", *(word for name in names for word in (show, name)))


def _parts(first: str, out: bytes) -> list[bytes]:
    """Return the objects that qconf printed one after the other; `first` is how the first line of each begins."""
    starts = [match.start() for match in re.finditer(b"^" + first.encode(), out, re.MULTILINE)]
    return [out[start:end] for start, end in zip(starts, [*starts[1:], None], strict=False)]


def _printed(option: str, status: int, out: bytes, complaint: str) -> bytes:
    """Return what qconf printed; nothing if it says that there is nothing. Raises ClientError for another failure."""
    if status and not out and not _NONE_THERE.search(complaint):
        reason = complaint.partition("\n")[0][:160] or f"status {status}"
        raise ClientError(f"qconf {option} is refused ({reason}): see whether this host may ask (qconf -sh, -ss)")
    return out if not status or not _NONE_THERE.search(complaint) else b""


def _spread(listing: bytes, known: Mapping[int, Job]) -> set[int]:
    """Return the parallel jobs that have started since they were known, of which the listing has the master alone."""
    starts = {(job.id, task.started) for job in known.values() if job.request.pe for task in job.tasks.values()}
    spread = set()
    for number, row in _RUNNING.findall(listing):
        if b"<requested_pe" in row and (start := _START.search(row)):
            try:
                started = moment(start[1].decode("ascii", "replace"))
            except ValueError:
                continue
            if (int(number), started) not in starts:
                spread.add(int(number))
    return spread


def _job_numbers(listing: bytes) -> set[int]:
    """Return the jobs that qstat lists."""
    return {int(number) for number in re.findall(rb"<JB_job_number>(\d+)<", listing)}


def _recorded(answers: Mapping[str, bytes], known: Mapping[int, Job] | None, held: Mapping[int, str]) -> Recorded:
    """Read answers of clients. Raises ClientError for one that is not whole."""
    texts = {name: _utf8(data) for name, data in answers.items()}
    recorded = read_clients(texts, known, held)
    for finding in recorded.findings:
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
    """Return the very data if it is UTF-8, else with a sign in place of each byte that is not."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("utf-8", "replace").encode()
    return data


def _unknown_usage(cluster: Cluster) -> Iterator[Finding]:
    """Say that past usage is not known, where a share tree counts it."""
    shares = whole_number(cluster.single(Kind.SCHEDULER).text("weight_tickets_share"), 0)
    if cluster.objects(Kind.SHARETREE) and shares != 0:
        message = "no client prints the past usage of users and projects: it is unknown, and the share tree counts none"
        yield problem("format.record", message, file=_USAGE, line=1, kind=Kind.SHARETREE, severity=Severity.WARNING,
                      hint="what is forecast of its tickets holds for a cluster without past usage")  # fmt: skip


def _without_loads(findings: Iterable[Finding]) -> Iterator[Finding]:
    """Leave out findings about load values, which the objects of hosts have."""
    return (finding for finding in findings if "np_load_avg" not in finding.message)
