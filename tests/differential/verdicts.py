"""What qconf and the real qmaster say of a file, and what we say of it."""

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from qmon_tui.checks import addition_findings, change_findings, check, deletion_refusals
from qmon_tui.checks.stored_objects import stored
from qmon_tui.formats.qconf.complex_table import read_complexes, write_complexes
from qmon_tui.formats.qconf.objects import read_object, write_object
from qmon_tui.model.cluster import Cluster, ConfigObject
from qmon_tui.model.findings import Finding, Severity
from qmon_tui.model.kinds import Kind
from tests.differential.folders import read
from tests.differential.generating import EXISTING_QUEUE, Case
from tests.differential.loading import load
from tests.differential.qmaster import Answer, Qmaster

CONTEXT: Final = Path(__file__).with_name("context")
UNREACHABLE: Final = ("nohost.nowhere",)
FILE: Final = "FILE"


@dataclass(frozen=True, slots=True)
class RealVerdict:
    """What the real system did with a file."""

    option: str
    text: str
    accepted: bool
    """What is stored has become another, or the same again without complaint."""
    clean: bool
    """Nothing was complained about. A queue with a bad complex value is created without a word, but not cleanly."""
    message: str
    """The first line of complaint."""
    stored: str
    """What `qconf -sc` or `-sq` shows afterwards; empty where nothing was accepted."""

    @property
    def case(self) -> Case:
        """What it is the verdict on."""
        return Case(self.option, self.text)

    def data(self) -> dict[str, Any]:
        """As JSON values."""
        return asdict(self)


def context() -> Cluster:
    """The cluster that the cases are tried on."""
    return read({file.name: file.read_text() for file in CONTEXT.glob("*.yaml")}).cluster


def real_verdicts(qmaster: Qmaster, cases: Iterable[Case]) -> Iterator[RealVerdict]:
    """Try the cases one after the other, each on the unchanged context."""
    trial = _Trial(qmaster)
    for case in cases:
        yield trial.verdict(case)


class _Trial:
    """A qmaster with the context, put back after each case."""

    def __init__(self, qmaster: Qmaster) -> None:
        self._qmaster = qmaster
        self._cluster = context()
        self._load()

    def _load(self) -> None:
        self._qmaster.restart()
        load(self._qmaster, self._cluster)
        self._complexes = self._qmaster.must("qconf", "-sc")
        self._queues = {name: self._show(name) for name in self._cluster.objects(Kind.QUEUE)}

    def verdict(self, case: Case) -> RealVerdict:
        """Do what the case says, look, and undo it."""
        if case.option == "-dq":
            return self.deletion(case)
        return self.complexes(case) if case.option == "-Mc" else self.queue(case)

    def deletion(self, case: Case) -> RealVerdict:
        """Delete a queue, and add it again."""
        answer = self._qmaster.run("qconf", "-dq", case.text)
        if answer.status == 0:
            self._put_back("-Aq", self._queues[case.text])
        return RealVerdict(case.option, case.text, answer.status == 0, answer.status == 0, _complaint(answer), "")

    def complexes(self, case: Case) -> RealVerdict:
        """Give a file to `qconf -Mc`."""
        answer = self._put(case)
        after = self._qmaster.must("qconf", "-sc")
        if after != self._complexes:
            self._put_back("-Mc", self._complexes)
        clean = answer.status == 0
        accepted = clean or after != self._complexes
        return RealVerdict(case.option, case.text, accepted, clean, _complaint(answer), after if accepted else "")

    def queue(self, case: Case) -> RealVerdict:
        """Give a file to `qconf -Aq` or `-Mq`."""
        answer = self._put(case)
        new = sorted(set(self._qmaster.must("qconf", "-sql").split()) - set(self._queues))
        before = self._queues[EXISTING_QUEUE]
        after = self._show(new[0] if new else EXISTING_QUEUE)
        if new:
            self._qmaster.must("qconf", "-dq", new[0])
        elif after != before:
            self._put_back("-Mq", before)
        clean = answer.status == 0
        accepted = clean or after != before
        return RealVerdict(case.option, case.text, accepted, clean, _complaint(answer), after if accepted else "")

    def _put(self, case: Case) -> Answer:
        return self._qmaster.run("qconf", case.option, self._qmaster.file(FILE, case.text))

    def _put_back(self, option: str, text: str) -> None:
        # Not everything can be undone: an attribute with the name of a built-in one stays for ever.
        if self._qmaster.run("qconf", option, self._qmaster.file("before", text)).status:
            self._load()

    def _show(self, queue: str) -> str:
        return self._qmaster.must("qconf", "-sq", queue)


def _complaint(answer: Answer) -> str:
    """The first line that is no sentence of success, the file's path taken out."""
    if answer.status == 0:
        return ""
    successes = ("added", "modified", "removed", "changed")
    for line in answer.text.splitlines():
        words = line.split()
        if line.strip() and not ("@" in words[0] and len(words) > 1 and words[1] in successes):
            return _without_folder(line.rstrip())
    return ""


def _without_folder(line: str) -> str:
    head, found, tail = line.partition(f"/work/{FILE}")
    if not found:
        return line
    return head[: head.rindex('"') + 1] + FILE + tail if '"' in head else FILE + tail


@dataclass(frozen=True, slots=True)
class OurVerdict:
    """What we say of a file: the first error, and what would be stored."""

    message: str | None
    """None where we have no objection."""
    stored: str


def our_verdict(cluster: Cluster, case: Case) -> OurVerdict:
    """Our view of a file, as the screen and `check` have it."""
    if case.option == "-dq":
        return OurVerdict(_said(first_error(deletion_refusals(cluster, Kind.QUEUE, case.text))), "")
    return _our_complexes(cluster, case.text) if case.option == "-Mc" else _our_queue(cluster, case)


def _our_complexes(cluster: Cluster, text: str) -> OurVerdict:
    entries, problems = read_complexes(text, FILE)
    before = cluster.objects(Kind.COMPLEX)
    after = Cluster(kinds={**cluster.kinds, Kind.COMPLEX: {entry.name: entry for entry in entries}})
    error = first_error(problems) or first_error(finding for finding in check(after) if finding.kind == Kind.COMPLEX)
    if error is None:
        removed = [name for name in before if after.get(Kind.COMPLEX, name) is None]
        error = first_error(finding for name in removed for finding in deletion_refusals(cluster, Kind.COMPLEX, name))
    printed = write_complexes(stored(cluster, entry) for entry in entries) if error is None else ""
    return OurVerdict(_said(error), printed)


def _our_queue(cluster: Cluster, case: Case) -> OurVerdict:
    queue, problems = read_object(Kind.QUEUE, case.text, FILE)
    error = first_error(problems)
    if error is None and queue is not None:
        judged = addition_findings if case.option == "-Aq" else change_findings
        error = first_error(judged(cluster, queue))
    printed = _printed(cluster, queue) if error is None and queue is not None else ""
    return OurVerdict(_said(error), printed)


def _said(error: Finding | None) -> str | None:
    return error.message.rstrip() if error else None


def _printed(cluster: Cluster, obj: ConfigObject) -> str:
    return write_object(stored(cluster, obj), single_line=True)


def first_error(findings: Iterable[Finding]) -> Finding | None:
    """The first finding that is an error."""
    return next((finding for finding in findings if finding.severity is Severity.ERROR), None)


def disagreements(cluster: Cluster, verdicts: Iterable[RealVerdict]) -> Iterator[tuple[RealVerdict, str]]:
    """Where we differ: yes or no, the first message of a no, what is stored after a yes."""
    for real in verdicts:
        ours = our_verdict(cluster, real.case)
        if real.clean and ours.message is not None:
            yield real, _difference(real, "accepted", ours.message)
        elif not real.clean and ours.message is None:
            yield real, _difference(real, real.message or "created with a bad value", "accepted")
        elif real.message and ours.message != real.message:
            yield real, _difference(real, real.message, ours.message or "")
        elif real.clean and ours.stored != real.stored:
            kept, known = real.stored.splitlines(), ours.stored.splitlines()
            lines = [line for line in kept if line not in known], [line for line in known if line not in kept]
            yield real, _difference(real, "\n".join(lines[0]), "\n".join(lines[1]))


def _difference(real: RealVerdict, said: str, ours: str) -> str:
    return f"{real.option}: real: {said}\nours: {ours}\n{real.text}"
