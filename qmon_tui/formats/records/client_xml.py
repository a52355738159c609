"""Read output of qstat, qhost and qquota of Grid Engine and its forks, as XML or tables.

Source: clients.md#qstat--xml, clients.md#qhost--xml and clients.md#tables.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from qmon_tui.formats.format_findings import problem
from qmon_tui.formats.nodeset import fold_hosts
from qmon_tui.formats.records.client_text import TableReader
from qmon_tui.formats.records.details_text import DETAILS, RULE, JobDetails
from qmon_tui.formats.records.details_xml import messages_of, take_details, take_job
from qmon_tui.formats.records.job_builders import (
    MOST_SLOTS,
    UNKNOWN,
    UNKNOWN_PLACE,
    JobBuilder,
    JobBuilders,
    instance_name,
    one_line,
)
from qmon_tui.formats.records.qstat_xml import read_reservations, take_row
from qmon_tui.formats.records.record import QuotaUse, Recorded
from qmon_tui.formats.records.xmltree import Element, XmlError, read_xml, whole_of
from qmon_tui.model import AdvanceReservation, Finding, Job, Severity
from qmon_tui.values import canonical, decimal_number, format_ranges, whole_number

_UNKNOWN: Final = frozenset({"", "-", "-NA-", "NA"})
_STATES: Final = frozenset("aACDduESsco")
_ALARMS: Final = frozenset("aA")
"""States that the client derives from load values; they are not states of the queue instance."""
_FILTERS: Final = ("users", "projects", "pes", "queues", "hosts")
_MEASURED: Final = (
    *("num_proc", "m_socket", "m_core", "m_thread", "load_avg", "mem_total", "mem_used", "swap_total", "swap_used"),
)
_HOST_VALUES: Final = {"arch_string": "arch", **{name: name for name in _MEASURED}}


def read_clients(
    texts: Mapping[str, bytes],
    known: Mapping[int, Job] | None = None,
    holds: Mapping[int, Mapping[int, str]] | None = None,
) -> Recorded:
    """Read the output of clients, file by file; never raises: unreadable parts are reported as findings.

    Files complete each other: qstat -j has all requests, qstat -f the places of jobs. `known`: job number -> the job
    with details from an earlier reading. `holds`: job number -> held task -> letters of its holds as in -h.
    """
    reader = _Reader()
    for file, data in texts.items():
        reader.file = file
        if not is_xml(data):
            reader.take_text(data.decode("utf-8", "replace").splitlines())
            continue
        try:
            reader.take(read_xml(data, reader.take_job))
        except XmlError as error:
            reader.findings.append(problem("format.xml", str(error), file=file, line=error.line))
    for number, draft in reader.drafts.by_id.items():
        draft.holds = holds.get(number, {}) if holds is not None else None
        if known and number in known:
            draft.take_known(known[number])
    return reader.recorded()


def is_xml(data: bytes) -> bool:
    """True if the output of a client is XML, not text for people."""
    return data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<")


@dataclass(slots=True)
class _Reader:
    file: str = ""
    drafts: JobBuilders = field(default_factory=JobBuilders)
    findings: list[Finding] = field(default_factory=list)
    states: dict[str, str] = field(default_factory=dict)
    reasons: dict[str, str] = field(default_factory=dict)
    loads: dict[str, dict[str, str]] = field(default_factory=dict)
    in_alarm: set[str] = field(default_factory=set)
    """Hosts of queue instances that show a or A."""
    slots: dict[str, int] = field(default_factory=dict)
    values: dict[str, dict[str, str]] = field(default_factory=dict)
    quotas: list[QuotaUse] = field(default_factory=list)
    messages: dict[int, tuple[str, ...]] = field(default_factory=dict)
    reservations: list[AdvanceReservation] = field(default_factory=list)
    details_texts: list[tuple[str, JobDetails]] = field(default_factory=list)
    """File and details of each job of qstat -j, applied last: their guesses count only if no listing has the facts."""

    def take_text(self, lines: Iterable[str]) -> None:
        """Read tables, and blocks of qstat -j between them."""
        tables = TableReader(self.say_at)
        details: JobDetails | None = None
        in_table = False
        for number, line in enumerate(map(str.rstrip, lines), 1):
            if tables.begins(line, number):
                in_table, details = True, None
            elif RULE.fullmatch(line):
                in_table, details = False, None
            elif DETAILS.fullmatch(line):
                in_table, details = False, JobDetails(number, self.say_at)
                self.details_texts.append((self.file, details))
                details.take(line)
            elif details is not None:
                details.take(line)
            elif in_table:
                tables.take(line, number)
        self.qstat(tables.qstat)
        self.qhost(tables.qhost)

    def take_job(self, job: Element, parent: Element) -> None:
        """Add a job of a listing or of qstat -j while its parent element is still being parsed."""
        if job.tag != "job_list":
            take_job(self.drafts, job, self.file, self.say)
        elif parent.tag == "Queue-List":
            name = instance_name(parent.word("name"))
            if "@" in name:
                take_row(self.drafts, job, name, self.file, self.say)
        else:
            take_row(self.drafts, job, "", self.file, self.say)

    def take(self, root: Element) -> None:
        """Read one XML document; the tag of its root shows which client printed it."""
        take = _ROOTS.get(root.tag)
        if take is None:
            self.say(root, f"<{root.tag}> is not output of qstat, qhost, qrstat or qquota")
        else:
            take(self, root)

    def recorded(self) -> Recorded:
        for file, details in self.details_texts:
            self.file = file
            try:
                job = details.number
            except ValueError as error:
                self.say_at(details.line, f"{error}: the job is left out")
                continue
            details.take_into(self.drafts.of(job, file, details.line))
            if details.messages:
                self.messages.setdefault(job, tuple(details.messages))
        for draft in self.drafts.by_id.values():
            draft.take_assumed()
        self.findings += _missing_facts(self.drafts)
        self._per_processor()
        state = self.drafts.state(
            loads=MappingProxyType({host: MappingProxyType(values) for host, values in self.loads.items()}),
            queue_states=MappingProxyType(self.states),
            error_reasons=MappingProxyType(self.reasons),
            reservations=tuple(self.reservations),
        )
        return Recorded(
            state=state,
            slots=MappingProxyType(self.slots),
            values=MappingProxyType({name: MappingProxyType(values) for name, values in self.values.items()}),
            quotas=tuple(self.quotas),
            messages=MappingProxyType(self.messages),
            places=self.drafts.places,
            findings=tuple(self.findings),
        )

    def say(self, element: Element, message: str) -> None:
        """Report an element that cannot be read."""
        self.say_at(element.line, message)

    def say_at(self, line: int, message: str) -> None:
        self.findings.append(problem("format.record", message, file=self.file, line=line))

    def qstat(self, root: Element) -> None:
        """Read queue instances with their jobs, and jobs outside of queue instances."""
        for instance in _below(root, "Queue-List"):
            self._instance(instance)
        for row in _below(root, "job_list"):
            take_row(self.drafts, row, "", self.file, self.say)
        if summaries := list(_below(root, "cluster_queue_summary")):
            self.sums(summaries)

    def sums(self, summaries: list[Element]) -> None:
        """Report the summaries of qstat -g c, which name no host: they cannot be part of a state."""
        texts = (f"{queue.word('name')} ({queue.word('used') or 0} of {queue.word('total') or 0} slots used)"
                 for queue in summaries)  # fmt: skip
        message = f"the file sums up {', '.join(texts)} and names no host: no queue instance is read from it"
        self.findings.append(problem("format.record", message, file=self.file, line=summaries[0].line,
                                     hint="give qstat -f as well", severity=Severity.WARNING))  # fmt: skip

    def details(self, root: Element) -> None:
        """Read qstat -j."""
        take_details(self.drafts, root, self.file, self.say)
        self.messages.update(messages_of(root, self.say))

    def qhost(self, root: Element) -> None:
        """Read hosts with load values, and with -q and -j their queue instances and jobs."""
        for host in root.all("host"):
            name = canonical(host.attributes.get("name", ""))
            loads = {
                _HOST_VALUES[host_value.attributes.get("name", "")]: host_value.text.strip()
                for host_value in host.all("hostvalue")
                if host_value.attributes.get("name") in _HOST_VALUES and host_value.text.strip() not in _UNKNOWN
            }
            for element in host.all("resourcevalue"):
                self._value(name, name, element.attributes.get("dominance", ""), element)
            if loads:
                self.loads[name] = loads | self.loads.get(name, {})
            for queue in host.all("queue"):
                self._queue_on(name, queue)

    def qquota(self, root: Element) -> None:
        for rule in root.all("qquota_rule"):
            filters = {name: rule.word(name) for name in _FILTERS if rule.child(name) is not None}
            for limit in rule.all("limit"):
                attributes = limit.attributes
                self.quotas.append(
                    QuotaUse(
                        rule.attributes.get("name", ""),
                        MappingProxyType(filters),
                        attributes.get("resource", ""),
                        attributes.get("limit", ""),
                        attributes.get("value", ""),
                    )
                )

    def qrstat(self, root: Element) -> None:
        self.reservations += read_reservations(root, self.say)

    def nothing(self, root: Element) -> None:
        """Report a job that qstat -j does not know."""
        for name in root.walk("ST_name"):
            self.say(name, f"there is no job {name.text.strip()}")

    def _instance(self, element: Element) -> None:
        name = instance_name(element.word("name"))
        if "@" not in name:
            self.say(element, f'"{name}" is not a queue instance')
            return
        host = name.partition("@")[2]
        self._slots(name, element, "slots_total")
        self._state(name, element.word("state"))
        if "E" in self.states.get(name, "") and (texts := [one_line(entry.text) for entry in element.all("message")]):
            self.reasons[name] = "; ".join(filter(None, texts))
        load = element.word("load_avg")
        if load not in _UNKNOWN:
            self.loads.setdefault(host, {}).setdefault("load_avg", load)
        for resource in element.all("resource"):
            self._value(name, host, resource.attributes.get("type", ""), resource)
        for row in element.all("job_list"):
            take_row(self.drafts, row, name, self.file, self.say)

    def _slots(self, name: str, element: Element, tag: str) -> None:
        total = -1 if element.word(tag) in _UNKNOWN else whole_of(element, tag, self.say, 0, MOST_SLOTS, -1)
        if total >= 0:
            self.slots[name] = total

    def _per_processor(self) -> None:
        """Add np_load_avg, which only -F shows, to hosts without an alarm: without a value they would be in alarm."""
        capped = []
        for host, values in self.loads.items():
            load = decimal_number(values.get("load_avg", ""))
            if load is None or "np_load_avg" in values or host in self.in_alarm:
                continue
            processors = whole_number(values.get("num_proc", ""), 1)
            values["np_load_avg"] = f"{min(load, 1.0) if processors is None else load / processors:.6g}"
            capped += [host] if processors is None else []
        if capped:
            text = f"the load values of {' '.join(fold_hosts(capped))} are not in the file, but no alarm is shown: " \
                   "np_load_avg is taken for load_avg, 1 at most"  # fmt: skip
            self.findings.append(problem("format.record", text, file=self.file, line=1,
                                         hint="ask qstat for -F as well", severity=Severity.WARNING))  # fmt: skip

    def _state(self, name: str, text: str) -> None:
        if _ALARMS & set(text):
            self.in_alarm.add(name.partition("@")[2])
        letters = "".join(letter for letter in text if letter in _STATES - _ALARMS)
        if letters:
            self.states[name] = letters

    def _value(self, place: str, host: str, layer: str, element: Element) -> None:
        """Keep a value with its layer and kind; a load value also for the host, or for the global host."""
        attribute, text = element.attributes.get("name", ""), element.text.strip()
        if not attribute or text in _UNKNOWN:
            return
        self.values.setdefault(place, {})[f"{layer}:{attribute}"] = text
        if layer[1:].lower() == "l":
            self.loads.setdefault("global" if layer[0] == "g" else host, {})[attribute] = text

    def _queue_on(self, host: str, queue: Element) -> None:
        name = instance_name(f"{queue.attributes.get('name', '').partition('@')[0]}@{host}")
        values = {element.attributes.get("name", ""): element.text.strip() for element in queue.all("queuevalue")}
        slots = Element("slots", {}, queue.line, text=values.get("slots", ""))
        self._slots(name, Element("queue", {}, queue.line, [slots]), "slots")
        self._state(name, values.get("state_string", ""))


def _missing_facts(drafts: JobBuilders) -> Iterator[Finding]:
    """Report facts that no file has; place running jobs without a place in UNKNOWN_PLACE."""
    everywhere = list(drafts.by_id.values())
    several = [draft for draft in everywhere if draft.slots > 1 and "pe" not in draft.request]
    yield from _warnings(several, "wait{s} for several slots of a parallel environment that is not named here",
                      "ask qstat for -r as well")  # fmt: skip
    homeless = [draft for draft in everywhere if draft.runs_nowhere]
    yield from _warnings(homeless, f"run{{s}}, but the file does not say where: the place is {UNKNOWN_PLACE}",
                      "give the output of qstat -f as well")  # fmt: skip
    yield from _warnings([draft for draft in everywhere if draft.without_queue],
                      f"run{{s}}, but the file does not say in which queue: it is called {UNKNOWN}",
                      "give the output of qstat -f as well")  # fmt: skip
    for draft in homeless:
        draft.settle()
    held = [draft for draft in everywhere if draft.holds is None and draft.is_held]
    for detailed, hint in ((False, "give the output of qstat -j as well"), (True, "qstat -s hu, ho or hs tells it")):
        yield from _warnings([draft for draft in held if draft.is_detailed is detailed],
                          "wait{s} held, but the file does not say by what: a user hold is taken", hint)  # fmt: skip
    yield from _warnings([draft for draft in everywhere if draft.is_error_guessed],
                      "{is} taken to be in error (Eqw): the file gives a reason, but no state",
                      "give the output of qstat as well")  # fmt: skip
    timeless = [draft for draft in everywhere if draft.is_timeless]
    yield from _warnings(timeless, "{is} there without a time of submission or start: the newest time of all is taken",
                      "give the output of qstat -j as well")  # fmt: skip
    lasting = [draft for draft in everywhere if draft.runs_unknown_time]
    yield from _warnings(lasting, "run{s}, but the file does not say for how long: a day takes h_rt, else an hour more "
                      "than so far", "add runtime: to each job")  # fmt: skip


def _warnings(drafts: list[JobBuilder], text: str, hint: str) -> Iterator[Finding]:
    """Report the same about some jobs, once per file, with the line of the first job."""
    by_file: dict[str, list[JobBuilder]] = {}
    for draft in drafts:
        by_file.setdefault(draft.file, []).append(draft)
    for file, group in by_file.items():
        is_single = len(group) == 1
        jobs = f"job {group[0].id}" if is_single else f"jobs {format_ranges(draft.id for draft in group)}"
        message = f"{jobs} {text.format_map({'s': 's' if is_single else '', 'is': 'is' if is_single else 'are'})}"
        yield problem("format.record", message, file=file, line=group[0].line, hint=hint, severity=Severity.WARNING)


def _below(root: Element, tag: str) -> Iterator[Element]:
    """Yield all elements with a tag, possibly the root itself, but none from inside a queue instance."""
    if root.tag == tag:
        yield root
        return
    for child in root.children:
        if child.tag == tag:
            yield child
        elif child.tag != "Queue-List":
            yield from _below(child, tag)


_ROOTS: Final[dict[str, Callable[[_Reader, Element], None]]] = {
    "job_info": _Reader.qstat,
    "Queue-List": _Reader.qstat,
    "job_list": _Reader.qstat,
    "cluster_queue_summary": _Reader.qstat,
    "detailed_job_info": _Reader.details,
    "message": _Reader.details,
    "unknown_jobs": _Reader.nothing,
    "qhost": _Reader.qhost,
    "qquota_result": _Reader.qquota,
    "qrstat": _Reader.qrstat,
}
