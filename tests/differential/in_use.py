"""Deleting and renaming what jobs use: the commands of the edit on a real qmaster, and on ours with the same jobs.

python -m tests.differential.in_use NUMBERS      compares drawn clusters, such as 1-50
python -m tests.differential.in_use --record     records those that `make test` has
"""

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

from qmon_tui.model.cluster import Cluster
from qmon_tui.model.findings import Severity
from qmon_tui.model.kinds import Kind
from qmon_tui.model.state import State
from qmon_tui.qmaster import Command, leading_commands
from qmon_tui.report import command_lines
from qmon_tui.workspace import Document, delete_everywhere, findings_of, rename_everywhere
from qmon_tui.workspace.edits import Edit, RemoveObject
from tests.differential.folders import contents_of, folder_of, read
from tests.differential.qmaster import Qmaster
from tests.differential.running import real_runs
from tests.differential.scenarios import Scenario

FILE: Final = Path(__file__).parents[1] / "data" / "recorded" / "in-use.json"
CLUSTER: Final = """\
hosts: {sim1: {complex_values: lic=5}, sim2: {complex_values: lic=5}, sim3: {user_lists: staff}, sim4: {projects: lake}}
hostgroups:
  "@pair": {hostlist: sim1 sim2}
  "@every": {hostlist: "@pair sim3"}
complexes:
  lic: {shortcut: l, type: INT, relop: <=, requestable: YES, consumable: YES, default: 0, urgency: 0}
  tag: {shortcut: t, type: STRING, relop: ==, requestable: YES, consumable: NO, default: NONE, urgency: 0}
pes:
  mpi: {slots: 99, allocation_rule: $fill_up}
  smp: {slots: 9, allocation_rule: $pe_slots, user_lists: staff}
ckpts: {ck: {}, cold: {}}
usersets:
  staff: {type: ACL, entries: "usera,userb"}
  lab: {type: DEPT, entries: userc}
projects: {sea: {acl: staff}, lake: {}}
users: {usera: {default_project: sea}, userb: {}, userc: {}}
calendars: {night: {}, never: {}}
quotas: {few: {enabled: TRUE, limit: "users {usera} projects sea queues b.q hosts {@pair} to slots=50,lic=9"}}
queues:
  all.q: {hostlist: "@pair", slots: 4, pe_list: mpi smp, ckpt_list: ck, load_thresholds: NONE}
  b.q: {hostlist: sim3, slots: "3,[sim3=4]", pe_list: mpi, complex_values: t=x, calendar: night, load_thresholds: NONE}
  c.q: {hostlist: "@every sim4", slots: 1, subordinate_list: b.q=9, projects: sea lake, load_thresholds: NONE}
sharetree: |
  id=0
  name=Root
  type=0
  shares=1
  childnodes=1,2
  id=1
  name=sea
  type=1
  shares=10
  childnodes=NONE
  id=2
  name=default
  type=0
  shares=5
  childnodes=NONE
"""
_OPTIONS: Final = ("", "-t 1-3", "-pe mpi 2-5", "-pe smp 2", "-ckpt ck -q all.q", "-l lic=1", "-l tag=x", "-P lake",
                   "-P sea", "-q b.q", "-q c.q", "-q '*@sim1'", "-h", "-l lic=2 -t 1-2", "-l h=sim3",
                   "-q '*@@pair'", "-hold_jid 1", "-pe mpi 9 -R y", "-ckpt cold")  # fmt: skip
_USERS: Final = ("usera", "userb", "userc")
_ORDERS: Final = ("qmod -sj {}", "qhold {}", "qmod -sq all.q", "qmod -d b.q", "qdel {}")
_KINDS: Final = (
    *(Kind.HOST, Kind.QUEUE, Kind.PE, Kind.PROJECT, Kind.USER, Kind.USERSET, Kind.CALENDAR, Kind.CKPT),
    *(Kind.HOSTGROUP, Kind.COMPLEX),
)
_NEW: Final = {Kind.HOST: "sim9", Kind.HOSTGROUP: "@new", Kind.QUEUE: "new.q"}
_CASES: Final = 8
RECORDED: Final = (1, 2, 3, 4, 5, 9, 11, 17, 22, 25)
"""Numbers of the clusters whose answers are kept."""
_DONE: Final = re.compile(
    r"(?m)^(?:\S+@\S+ (?:modified|added|removed) .*|added \".*|deleted user .*|(?:setting|removing) \n\S+"
    r"|(?:modified|changed) sharetree|\S+@\S+ removed sharetree list)$"
)


class Case(NamedTuple):
    """One edit: an object deleted, alone or where it is named as well, or renamed."""

    kind: Kind
    name: str
    new: str = ""
    follows: bool = True

    def edit(self, cluster: Cluster) -> Edit:
        """The edit as the program makes it."""
        if self.new:
            return rename_everywhere(cluster, self.kind, self.name, self.new).edit
        return delete_everywhere(cluster, self.kind, self.name).edit if self.follows else RemoveObject(*self[:2])


class Answered(NamedTuple):
    """A case, and what was said to its commands up to the first refusal; empty where all were accepted."""

    case: tuple[str, str, str, bool]
    command: str
    said: str


def drawn_session(number: int) -> str:
    """Jobs of several users in all states."""
    random = Random(f"in use {number}")
    count = random.randint(3, 9)
    jobs = [f"{random.choice(_USERS)}$ qsub {random.choice(_OPTIONS)}" for _ in range(count)]
    orders = [order.format(random.randint(1, count)) for order in random.sample(_ORDERS, random.randint(0, 2))]
    return "\n".join((*jobs, "run", *(f"root$ {order}" for order in orders), "run", "run", ""))


def drawn_cases(number: int, cluster: Cluster) -> list[Case]:
    """Some edits."""
    random = Random(f"cases {number}")
    cases = []
    for kind in random.sample(_KINDS, min(_CASES, len(_KINDS))):
        names = [
            name for name in read({"cluster.yaml": CLUSTER}).cluster.objects(kind) if name in cluster.objects(kind)
        ]
        name = random.choice(names)
        new = _NEW.get(kind, "new") if random.random() < 0.35 else ""
        cases.append(Case(kind, name, new, random.random() < 0.6))
    return cases


def _said(text: str) -> str:
    return " ".join(_DONE.sub("", text).split())


def our_answer(cluster: Cluster, state: State, case: Case) -> tuple[Answered, Cluster]:
    """What our qmaster says, and the cluster that is left."""
    after = case.edit(cluster).made(Document(cluster, state)).cluster
    now = cluster
    for command in leading_commands(cluster, after):
        reply = command.apply(now, state)
        if reply.cluster is None:
            return Answered(_plain(case), command.line, " ".join(" ".join(reply.messages).split())), now
        now = reply.cluster
    return Answered(_plain(case), "", ""), now


def _plain(case: Case) -> tuple[str, str, str, bool]:
    return case.kind.value, case.name, case.new, case.follows


def unsaid(cluster: Cluster, state: State, answered: Answered) -> str:
    """Why the findings before saving do not say what was said; empty if they do."""
    kind, name, new, follows = answered.case
    case = Case(Kind(kind), name, new, follows)
    document = Document(cluster, state)
    made = case.edit(cluster).made(document)
    known = {finding.message for finding in findings_of(cluster, state, document)}
    errors = [
        finding.message
        for finding in findings_of(made.cluster, made.state, document)
        if finding.severity is Severity.ERROR and finding.message not in known
    ]
    if answered.said and not errors:
        return f"{case}: refused with {answered.said}, and no finding says so"
    return f"{case}: accepted, and found fault with: {errors}" if errors and not answered.said else ""


def _carried_out(qmaster: Qmaster, commands: tuple[Command, ...]) -> tuple[str, str]:
    """The first command that is refused and what is said then; empty texts where all are accepted."""
    for command in commands:
        text = qmaster.run("sh", "-c", "\n".join(command_lines([command]))).text
        if said := _said(text):
            return command.line, said
    return "", ""


class Found(NamedTuple):
    """One cluster with its jobs as a folder, and what the real qmaster says of each case."""

    folder: dict[str, str]
    answers: list[Answered]


def found(qmaster: Qmaster, number: int) -> Found:
    """Play a session, then try each case on it; after each the cluster is brought back."""
    scenario = Scenario(f"in_use-{number}", {"cluster.yaml": CLUSTER}, drawn_session(number))
    answers: list[Answered] = []
    run = real_runs(qmaster, scenario)[-1]
    contents = contents_of(run, scenario.files)
    cluster, state = contents.cluster, contents.state
    qmaster.world.names.add_host("sim9")
    for case in drawn_cases(number, cluster):
        after = case.edit(cluster).made(Document(cluster, state)).cluster
        line, said = _carried_out(qmaster, leading_commands(cluster, after))
        answers.append(Answered(_plain(case), line, said))
        ours, left = our_answer(cluster, state, case)
        refused = _carried_out(qmaster, leading_commands(left, cluster)) if ours == answers[-1] else ("", "not alike")
        if refused[1]:
            run = real_runs(qmaster, scenario)[-1]
            contents = contents_of(run, scenario.files)
            cluster, state = contents.cluster, contents.state
    return Found(folder_of(run, scenario.files), answers)


def differences(real: Found) -> Iterator[str]:
    """Where we answer otherwise, and where the findings before saving do."""
    contents = read(real.folder)
    for answered in real.answers:
        kind, name, new, follows = answered.case
        ours, _ = our_answer(contents.cluster, contents.state, Case(Kind(kind), name, new, follows))
        if ours != answered:
            yield f"{answered.case}: {answered.command}: {answered.said!r}, ours {ours.command}: {ours.said!r}"
        elif problem := unsaid(contents.cluster, contents.state, answered):
            yield problem


def recorded() -> list[Found]:
    """What the real qmaster was recorded to say."""
    return [
        Found(folder, [Answered(tuple(case), *words) for case, *words in answers])
        for folder, answers in json.loads(FILE.read_text())
    ]


def main(words: list[str]) -> int:
    """Compare, or record."""
    if words == ["--record"]:
        with Qmaster() as qmaster:
            kept = [found(qmaster, number) for number in RECORDED]
        FILE.write_text(json.dumps(kept, indent=1) + "\n")
        return 0
    first, _, last = words[0].partition("-")
    count = total = 0
    with Qmaster() as qmaster:
        for number in range(int(first), int(last or first) + 1):
            real = found(qmaster, number)
            total += len(real.answers)
            for difference in differences(real):
                print(f"{number}: {difference}", flush=True)
                count += 1
    print(f"{total} edits, {count} differ")
    return 1 if count else 0


if __name__ == "__main__":
    from tests.differential.clock import universal_time

    with universal_time():
        sys.exit(main(sys.argv[1:]))
