"""Read the tables that qstat and qhost print for people into elements like those of their XML (clients.md#tables).

`qstat`, `qstat -f`, both with -u, -r, -F and -g t, and `qhost` with -F, -q and -j. A file may contain several of them
between other lines, as in requests for support.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Final

from qmon_tui.formats.records.xmltree import Element

LISTING: Final = re.compile(r"\s*job-ID\s+prior\s+name\s+user\s+state\s+submit/start at\b")
INSTANCES: Final = re.compile(r"\s*queuename\s+qtype\s+(?:resv/)?used/tot")
HOSTS: Final = re.compile(r"\s*HOSTNAME\s+ARCH\s+NCPU\s+")
SUMMARY: Final = re.compile(r"\s*CLUSTER QUEUE\s+CQLOAD\s+USED\b")
"""qstat -g c, whose columns AVAIL and TOTAL differ in place by version."""
OTHER_COLUMNS: Final = re.compile(r"\s*job-ID\s+prior\s+\w+\s+")
"""Heading of -ext, -urg or -pri, which have no time column, or have it elsewhere."""

_ROW: Final = re.compile(
    r"\s*(?P<job>\d+)\s+(?P<prior>-?\d+\.\d+) (?P<name>.{10})\s+(?P<owner>\S+)\s+(?P<state>[A-Za-z]+)\s+"
    r"(?P<month>\d\d)/(?P<day>\d\d)/(?P<year>\d{4}) (?P<clock>\d\d:\d\d:\d\d)(?P<rest>.*)"
)
_ANOTHER_SLOT: Final = re.compile(r"\s{8,}(?P<rest>(?:\S+@\S+\s+)?(?:MASTER|SLAVE)\b.*)")
_INSTANCE: Final = re.compile(
    r"(?P<name>\S+)\s+(?P<type>[A-Z]+)?\s+(?:(?P<reserved>\d+)/)?(?P<used>\d+)/(?P<total>\d+)\s+"
    r"(?P<load>\S+)\s+(?P<arch>\S+)(?:\s+(?P<state>[A-Za-z]+))?\s*"
)
_ON_HOST: Final = re.compile(
    r"\s+(?P<name>\S+)\s+(?P<type>[A-Z]+)\s+(?:\d+/)?\d+/(?P<total>\d+)(?:\s+(?P<state>[A-Za-z]+))?\s*"
)
_VALUE: Final = re.compile(r"\s+(?:Host Resource\(s\):\s*)?(?P<layer>[ghq][a-zA-Z]):(?P<name>[^=\s]+)=(?P<text>.*)")
_LABEL: Final = re.compile(r"\s+(?P<label>[A-Z][A-Za-z. ]*(?:\(request\))?): *(?P<text>.*)")
_REQUEST: Final = re.compile(r"\s{20,}(?P<text>[^\s=]+=.*)")
_EXPLAINED: Final = re.compile(r"\s+(?P<text>(?!alarm |error: no )\S.*)")
"""A reason of -explain, below the queue instance; reasons of alarms are excluded, as they are no errors."""
_GROUPS: Final = re.compile(r"\s*(?:-{10,}|#{10,}|- (?:PENDING|FINISHED) JOBS - .*)\s*")
"""Lines between queue instances, and before the jobs outside of queue instances."""
_NUMBER_AT_END: Final = re.compile(r"\s+\(-?\d+\.\d+\)$")
_SLOTS_END: Final = 7
"""Column, counted from the end of the time in a row of qstat -f, before which the slots end."""
CUT_AT: Final = 30
"""Number of characters of a queue instance's name in the columns of qstat."""

_HOST_COLUMNS: Final = {
    "ARCH": "arch_string", "NCPU": "num_proc", "NSOC": "m_socket", "NCOR": "m_core", "NTHR": "m_thread",
    "LOAD": "load_avg", "MEMTOT": "mem_total", "MEMUSE": "mem_used", "SWAPTO": "swap_total", "SWAPUS": "swap_used",
}  # fmt: skip
"""Column of qhost -> name in its XML."""


@dataclass(slots=True)
class TableReader:
    """Reads the lines of tables one by one into `qstat` and `qhost`, elements like the roots of their XML."""

    say: Callable[[int, str], None]
    qstat: Element = field(default_factory=lambda: Element("job_info", {}, 1))
    qhost: Element = field(default_factory=lambda: Element("qhost", {}, 1))
    _columns: tuple[str, ...] = ()
    _place: Element | None = None
    """Queue instance or host of the following lines; None after the heading of pending jobs."""
    _row: Element | None = None
    _cut: set[str] = field(default_factory=set)
    _label: str = ""
    _kind: str = ""

    def begins(self, line: str, number: int) -> bool:
        """Return True if a table begins with this line, and prepare to read it."""
        if LISTING.match(line) or INSTANCES.match(line):
            self._kind = "qstat"
            self._columns = tuple(line.split())
        elif SUMMARY.match(line):
            self._kind, self._columns = "summary", tuple(line.split()[1:])
        elif HOSTS.match(line):
            self._kind, self._columns = "qhost", tuple(line.split())
        elif OTHER_COLUMNS.match(line):
            self._kind = ""
            self.say(number, "the columns of qstat -ext, -urg and -pri are not read: give it without them")
        else:
            return False
        self._place = self._row = None
        self._label = ""
        return True

    def take(self, line: str, number: int) -> None:
        """Read a line inside a table; skip lines that do not belong to it."""
        if not self._kind or not line.strip():
            return
        if _GROUPS.fullmatch(line):
            self._place = None
        elif self._kind == "summary":
            parts = dict(zip(self._columns, line.split(), strict=False))
            texts = {"name": parts["QUEUE"], "used": parts.get("USED", ""), "total": parts.get("TOTAL", "")}
            self.qstat.children.append(_element("cluster_queue_summary", number, texts))
        elif match := _ROW.fullmatch(line):
            self._job(match, number)
        elif match := _ANOTHER_SLOT.fullmatch(line):
            self._slot(match["rest"].split(), number)
        elif match := _VALUE.fullmatch(line):
            self._value(match, number)
        elif self._kind == "qhost":
            self._host(line, number)
        elif match := _INSTANCE.fullmatch(line):
            self._instance(match, number)
        elif match := _LABEL.fullmatch(line):
            self._label = match["label"]
            self._detail(match["text"], number)
        elif match := _REQUEST.fullmatch(line):
            self._detail(match["text"], number)
        elif self._row is None and self._place is not None and (match := _EXPLAINED.fullmatch(line)):
            self._place.children.append(Element("message", {}, number, text=match["text"]))

    # -- queue instances and hosts

    def _instance(self, match: re.Match[str], number: int) -> None:
        self._row = None
        name = self._full_name(match["name"], number)
        if not name:
            self._place = None
            return
        parts = {
            "name": name,
            "slots_total": match["total"],
            "state": match["state"] or "",
            "load_avg": match["load"],
        }
        self._place = _element("Queue-List", number, parts)
        self.qstat.children.append(self._place)

    def _host(self, line: str, number: int) -> None:
        if match := _ON_HOST.fullmatch(line):
            if self._place is not None:
                queue = Element("queue", {"name": match["name"]}, number)
                for name, text in (("slots", match["total"]), ("state_string", match["state"] or "")):
                    queue.children.append(Element("queuevalue", {"name": name}, number, text=text))
                self._place.children.append(queue)
        elif not line[0].isspace() and len(words := line.split()) == len(self._columns):
            self._place = Element("host", {"name": words[0]}, number)
            for column, text in zip(self._columns[1:], words[1:], strict=True):
                if column in _HOST_COLUMNS:
                    value = Element("hostvalue", {"name": _HOST_COLUMNS[column]}, number, text=text)
                    self._place.children.append(value)
            self.qhost.children.append(self._place)

    def _value(self, match: re.Match[str], number: int) -> None:
        if self._place is None:
            return
        if self._kind == "qhost":
            attributes = {"name": match["name"], "dominance": match["layer"]}
            self._place.children.append(Element("resourcevalue", attributes, number, text=match["text"].strip()))
        else:
            attributes = {"name": match["name"], "type": match["layer"]}
            self._place.children.append(Element("resource", attributes, number, text=match["text"].strip()))

    # -- jobs

    def _job(self, match: re.Match[str], number: int) -> None:
        if self._kind == "qhost":
            return  # qstat prints the same jobs with their slots
        moment = f"{match['year']}-{match['month']}-{match['day']}T{match['clock']}"
        time = "JB_submission_time" if "q" in match["state"] else "JAT_start_time"
        parts = {
            "JB_job_number": match["job"],
            "JB_name": match["name"].strip(),
            "JB_owner": match["owner"],
            "state": match["state"],
            time: moment,
        }
        self._label = ""
        self._add(parts, match["rest"].split(), number, counted=self._counts_slots(match["rest"]))

    def _counts_slots(self, rest: str) -> bool:
        """True if the text after a row's time has a number of slots, which -g t leaves out."""
        if "queuename" in self._columns:
            return bool(rest[:_SLOTS_END].strip())
        return "slots" in self._columns

    def _slot(self, words: list[str], number: int) -> None:
        """Add a slot of the previous job; only the job's first row has all its columns."""
        if self._row is not None:
            parts = {
                child.tag: child.text
                for child in self._row.children
                if child.tag.startswith(("JB_", "JAT_")) or child.tag == "state"
            }
            self._add(parts, words, number, counted=False)

    def _add(self, parts: dict[str, str], words: list[str], number: int, *, counted: bool) -> None:
        """Add a row with the words after its time: the queue instance, the slots or MASTER, and the tasks."""
        if words and ("@" in words[0] or len(words[0]) == CUT_AT):
            name = self._full_name(words.pop(0), number)
            if name:
                parts["queue_name"] = name
        if words and words[0] in ("MASTER", "SLAVE"):
            parts["master"] = words.pop(0)
        elif words and counted:
            parts["slots"] = words.pop(0)
        if words:
            parts["tasks"] = words.pop(0)
        self._row = _element("job_list", number, parts)
        (self._place if self._place is not None else self.qstat).children.append(self._row)

    def _full_name(self, name: str, number: int) -> str:
        """Return the name of a queue instance; empty if its host is truncated."""
        if len(name) == CUT_AT and name not in self._cut:
            self._cut.add(name)
            self.say(number, f'"{name}" may be cut off: with SGE_LONG_QNAMES=-1 qstat prints names in full')
        return name if "@" in name else ""

    def _detail(self, text: str, number: int) -> None:
        """Read a line that -r prints about the previous job."""
        row, text = self._row, text.strip()
        if row is None or not text:
            return
        if self._label in _RESOURCES:
            name, _, value = _NUMBER_AT_END.sub("", text).partition("=")
            row.children.append(Element(_RESOURCES[self._label], {"name": name}, number, text=value))
        elif self._label in _ENVIRONMENTS:
            name, _, slots = text.partition(" ")
            row.children.append(Element(_ENVIRONMENTS[self._label], {"name": name}, number, text=slots))
        elif self._label in _WORDS:
            for word in text.split(","):
                row.children.append(Element(_WORDS[self._label], {}, number, text=word.strip()))


_RESOURCES: Final = {"Hard Resources": "hard_request", "Soft Resources": "soft_request"}
_ENVIRONMENTS: Final = {"Requested PE": "requested_pe", "Granted PE": "granted_pe"}
_WORDS: Final = {
    "Full jobname": "full_job_name",
    "Hard requested queues": "hard_req_queue",
    "Soft requested queues": "soft_req_queue",
    "Master task hard requested queues": "master_hard_req_queue",
    "Predecessor Jobs": "predecessor_jobs",
}
"""Label of qstat -r -> element of its XML."""


def _element(tag: str, line: int, parts: dict[str, str]) -> Element:
    return Element(tag, {}, line, [Element(name, {}, line, text=text) for name, text in parts.items()])


def is_table(lines: Iterable[str]) -> bool:
    """True if one of the lines is the heading of a table of qstat or qhost."""
    heads = (LISTING, INSTANCES, HOSTS, SUMMARY, OTHER_COLUMNS)
    return any(head.match(line) for head in heads for line in lines)
