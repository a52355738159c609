"""What qconf and the real qmaster say of files and deletions of all other kinds, and what we say of them."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from qmon_tui.checks import (
    addition_findings,
    change_findings,
    deletion_refusals,
    entry_addition,
    entry_removal,
)
from qmon_tui.checks.field_grammar import READ
from qmon_tui.checks.name_lists import LISTS
from qmon_tui.checks.stored_objects import stored
from qmon_tui.formats.qconf.objects import read_object, write_object
from qmon_tui.formats.qconf.quotas import read_quotas, write_quotas
from qmon_tui.formats.qconf.sharetree import read_sharetree, write_sharetree
from qmon_tui.model.catalogue import spec
from qmon_tui.model.cluster import Cluster, ConfigObject
from qmon_tui.model.findings import Finding
from qmon_tui.model.kinds import Kind
from qmon_tui.values.names import same_host
from tests.differential.folders import read
from tests.differential.loading import load
from tests.differential.object_cases import ADD, DELETE, ObjectCase
from tests.differential.qmaster import Answer, Qmaster
from tests.differential.verdicts import CONTEXT, FILE, first_error

MORE: Final = Path(__file__).with_name("context_objects")
_SUCCESS: Final = re.compile(
    r'\S+@\S+ (?:added "|modified "|removed )|\S+ added to |changed (?:scheduler configuration|sharetree)'
    r"|.*will not be effective|only a single value is allowed for configuration attribute "
)
_FOLLOWS: Final = ("error reading in file", "invalid format", "error reading configuration from file")
"""What is said after the reason."""


@dataclass(frozen=True, slots=True)
class Options:
    """The options of qconf for one kind; empty where there is none."""

    add: str
    modify: str
    show: str
    delete: str


OPTIONS: Final = {
    Kind.HOST: Options("-Ae", "-Me", "-se", "-de"),
    Kind.HOSTGROUP: Options("-Ahgrp", "-Mhgrp", "-shgrp", "-dhgrp"),
    Kind.PE: Options("-Ap", "-Mp", "-sp", "-dp"),
    Kind.CKPT: Options("-Ackpt", "-Mckpt", "-sckpt", "-dckpt"),
    Kind.CALENDAR: Options("-Acal", "-Mcal", "-scal", "-dcal"),
    Kind.USERSET: Options("-Au", "-Mu", "-su", "-dul"),
    Kind.PROJECT: Options("-Aprj", "-Mprj", "-sprj", "-dprj"),
    Kind.USER: Options("-Auser", "-Muser", "-suser", "-duser"),
    Kind.QUOTA: Options("-Arqs", "-Mrqs", "-srqs", "-drqs"),
    Kind.SHARETREE: Options("-Astree", "-Mstree", "-sstree", "-dstree"),
    Kind.SCHEDULER: Options("", "-Msconf", "-ssconf", ""),
    Kind.CONFIGURATION: Options("-Aconf", "-Mconf", "-sconf", "-dconf"),
    Kind.MANAGERS: Options("-am", "", "-sm", "-dm"),
    Kind.OPERATORS: Options("-ao", "", "-so", "-do"),
    Kind.ADMIN_HOSTS: Options("-ah", "", "-sh", "-dh"),
    Kind.SUBMIT_HOSTS: Options("-as", "", "-ss", "-ds"),
}
READ_FIRST: Final = READ | {"userset.type"}
_ONLY_SHOWN: Final = ("load_values", "processors", "#")
"""What `-se` and `-sconf` print besides the object."""
_KEPT: Final = "reprioritize "
"""What a configuration keeps where a file leaves it out."""


@dataclass(frozen=True, slots=True)
class RealObjectVerdict:
    """What the real system did with a case."""

    case: ObjectCase
    accepted: bool
    """Something has changed, or nothing was complained about."""
    message: str
    """The first line of complaint."""
    stored: str
    """What is shown afterwards; empty where nothing was accepted."""

    def data(self) -> dict[str, Any]:
        """As JSON values."""
        return asdict(self)

    @classmethod
    def of(cls, data: dict[str, Any]) -> "RealObjectVerdict":
        """From JSON values."""
        case = ObjectCase(**{**data["case"], "kind": Kind(data["case"]["kind"])})
        return cls(case, data["accepted"], data["message"], data["stored"])


def object_context() -> Cluster:
    """The cluster that the cases are tried on."""
    files = [file for folder in (CONTEXT, MORE) for file in folder.glob("*.yaml")]
    return read({file.name: file.read_text() for file in files}).cluster


def real_object_verdicts(qmaster: Qmaster, cases: Iterable[ObjectCase]) -> Iterator[RealObjectVerdict]:
    """Try the cases one after the other, each on the unchanged context."""
    trial = _Trial(qmaster)
    return (trial.verdict(case) for case in cases)


class _Trial:
    """A qmaster with the context, put back after each case."""

    def __init__(self, qmaster: Qmaster) -> None:
        self._qmaster = qmaster
        self._cluster = object_context()
        self._load()

    def _load(self) -> None:
        self._qmaster.restart()
        self._qmaster.world.names.add_host("host4")
        load(self._qmaster, self._cluster)

    def verdict(self, case: ObjectCase) -> RealObjectVerdict:
        """Do it, look, and undo it."""
        options = OPTIONS[case.kind]
        before = self._shown(case)
        answer = self._do(case, options)
        after = self._shown(case)
        message = _complaint(answer)
        accepted = after != before or not message
        if after != before:
            self._undo(case, options, before)
        return RealObjectVerdict(case, accepted, message, after if accepted else "")

    def _do(self, case: ObjectCase, options: Options) -> Answer:
        if case.act == DELETE:
            return self._qmaster.run("qconf", options.delete, *([case.name] if case.name else []))
        if case.kind in LISTS:
            return self._qmaster.run("qconf", options.add, case.name)
        option = options.add if case.act == ADD else options.modify
        more = [case.name] if case.kind is Kind.QUOTA and option == "-Mrqs" else []
        return self._qmaster.run("qconf", option, self._qmaster.file(_file_name(case), case.text), *more)

    def _shown(self, case: ObjectCase) -> str:
        """The object as qconf shows it; empty where there is none."""
        options = OPTIONS[case.kind]
        name = self._kept(case.name) if case.kind is Kind.HOSTGROUP else case.name
        words = [options.show] if spec(case.kind).single else [options.show, name]
        if len(case.name) > 514 or not case.name.isascii():
            return ""
        answer = self._qmaster.run("qconf", *words)
        lines = [line for line in answer.text.splitlines() if not line.startswith(_ONLY_SHOWN)]
        return (
            ""
            if answer.status or len(lines) < (1 if case.kind in LISTS else 2)
            else "".join(f"{line}\n" for line in lines)
        )

    def _kept(self, name: str) -> str:
        """A hostgroup is shown by its own name only, changed and deleted by any with the same letters."""
        names = self._qmaster.run("qconf", "-shgrpl").out.split()
        return next((one for one in names if same_host(one, name)), name)

    def _undo(self, case: ObjectCase, options: Options, before: str) -> None:
        if case.kind in LISTS:
            self._qmaster.run("qconf", options.add if case.act == DELETE else options.delete, case.name)
        elif before:
            put_back = ObjectCase(case.kind, ADD if case.act == DELETE else "modify", case.name, before)
            self._do(put_back, options)
        else:
            self._qmaster.run("qconf", options.delete, case.name)
        if self._shown(case) != before:
            self._load()


def _file_name(case: ObjectCase) -> str:
    """A configuration is named by its file."""
    return case.name if case.kind is Kind.CONFIGURATION else FILE


def _complaint(answer: Answer) -> str:
    """The first line that is no sentence of success, the file's path taken out."""
    for line in answer.text.splitlines():
        if line.strip() and not _SUCCESS.match(line):
            return re.sub(r'"?\S*/work/(?:FILE|global)"?', FILE, line.rstrip())
    return ""


@dataclass(frozen=True, slots=True)
class OurObjectVerdict:
    """What we say of a case: the first error, and what would be stored."""

    message: str | None
    stored: str


def our_object_verdict(cluster: Cluster, case: ObjectCase) -> OurObjectVerdict:
    """Our view of it, as the screen and `check` have it."""
    if case.kind in LISTS:
        return _our_list_verdict(cluster, case)
    if case.act == DELETE:
        error = first_error(deletion_refusals(cluster, case.kind, case.name))
        return OurObjectVerdict(error.message if error else None, "")
    obj, problems = read_case(case)
    judged = addition_findings if case.act == ADD else change_findings
    error = first_error(_in_order(problems, judged(cluster, obj) if obj is not None else ()))
    if error is not None or obj is None:
        return OurObjectVerdict(error.message.rstrip() if error else None, "")
    return OurObjectVerdict(None, _written(stored(cluster, obj)))


def _in_order(problems: Iterable[Finding], findings: Iterable[Finding]) -> list[Finding]:
    """A file is read line by line, form and values alike; then something may be missing, then the whole is judged."""
    by_line = [*problems, *(finding for finding in findings if finding.rule in READ_FIRST)]
    by_line.sort(key=lambda finding: (finding.rule == "format.missing", finding.line or 0))
    return [*by_line, *(finding for finding in findings if finding.rule not in READ_FIRST)]


def _our_list_verdict(cluster: Cluster, case: ObjectCase) -> OurObjectVerdict:
    refusal = (entry_addition if case.act == ADD else entry_removal)(cluster, case.kind, case.name)
    return OurObjectVerdict(refusal.message if refusal else None, "")


def read_case(case: ObjectCase) -> tuple[ConfigObject | None, tuple[Finding, ...]]:
    if case.kind is Kind.QUOTA:
        objects, problems = read_quotas(case.text, FILE)
        return (objects[0] if objects else None), problems
    if case.kind is Kind.SHARETREE:
        return read_sharetree(case.text, FILE)
    return read_object(case.kind, case.text, _file_name(case))


def _written(obj: ConfigObject) -> str:
    if obj.kind is Kind.QUOTA:
        return write_quotas([obj], single_line=True)
    return write_sharetree(obj) if obj.kind is Kind.SHARETREE else write_object(obj, single_line=True)


def object_disagreements(
    cluster: Cluster, verdicts: Iterable[RealObjectVerdict]
) -> Iterator[tuple[RealObjectVerdict, str]]:
    """Where we differ: yes or no, the first message of a no, what is stored after a yes."""
    for real in verdicts:
        ours = our_object_verdict(cluster, real.case)
        if real.accepted != (ours.message is None):
            yield real, _difference(real, real.message or "accepted", ours.message or "accepted")
        elif not real.accepted and ours.message != real.message:
            yield real, _difference(real, real.message, ours.message or "")
        elif real.accepted and ours.stored and _lines(ours.stored) != _lines(real.stored):
            kept, known = _lines(real.stored), _lines(ours.stored)
            only = "\n".join(line for line in kept if line not in known)
            if real.case.kind is Kind.CONFIGURATION and only.startswith(_KEPT) and set(known) < set(kept):
                continue
            yield real, _difference(real, only, "\n".join(line for line in known if line not in kept))


def _lines(text: str) -> list[str]:
    return [re.sub(r"\s+", " ", line.strip()) for line in text.splitlines() if line.strip() and line[0] != "#"]


def _difference(real: RealObjectVerdict, said: str, ours: str) -> str:
    case = real.case
    return f"{case.act} {case.kind} {case.name}: real: {said}\nours: {ours}\n{case.text}"
