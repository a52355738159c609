"""Edits of a cluster with advance reservations and jobs: which the real qmaster refuses, and which ours does.

    python -m tests.differential.ar_conflicts

asks a real qmaster all of them anew. A session begins with the cluster below; what is granted and what is edited stays.
"""

import json
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from qmon_tui.checks import deletion_refusals
from qmon_tui.model.cluster import Cluster
from qmon_tui.model.state import State
from qmon_tui.qmaster.ar_conflicts import ar_conflicts
from qmon_tui.qmaster.commands import give_back, new_job, reserve as reserve_ours, submit as submit_ours
from tests.differential.editing import KINDS, carry_out, cluster_of, edited
from tests.differential.loading import load
from tests.differential.qmaster import Qmaster
from tests.differential.session import Action, Edit, Order, Reserve, Submission, parse_session
from tests.differential.session_player import reserve, submit

RECORDED: Final = Path(__file__).parent.parent / "data" / "recorded" / "promises.json"
NOW: Final = 1_760_000_000
CLUSTER: Final = {
    "cluster.yaml": """
complexes:
  lic: {shortcut: lic, type: INT, relop: <=, requestable: "YES", consumable: "YES", default: "0", urgency: "0"}
  job: {shortcut: job, type: INT, relop: <=, requestable: "YES", consumable: JOB, default: "0", urgency: "0"}
  two: {shortcut: two, type: INT, relop: <=, requestable: "YES", consumable: "YES", default: "2", urgency: "0"}
  ex: {shortcut: ex, type: BOOL, relop: EXCL, requestable: "YES", consumable: "YES", default: "0", urgency: "0"}
  speed: {shortcut: spe, type: INT, relop: <=, requestable: "YES", consumable: "NO", default: "0", urgency: "0"}
  big: {shortcut: big, type: INT, relop: ">=", requestable: "YES", consumable: "NO", default: "0", urgency: "0"}
  eq: {shortcut: eq, type: INT, relop: ==, requestable: "YES", consumable: "NO", default: "0", urgency: "0"}
  site: {shortcut: site, type: STRING, relop: ==, requestable: "YES", consumable: "NO", default: NONE, urgency: "0"}
  flag: {shortcut: flag, type: BOOL, relop: ==, requestable: "YES", consumable: "NO", default: "0", urgency: "0"}
usersets:
  arusers: {type: ACL, entries: "anna,bela,chen,dora"}
  few: {type: ACL, entries: "bela,chen,dora"}
  lab: {type: ACL, entries: "@lab"}
ckpts: {ck: {}, free: {}}
calendars:
  never: {week: "mon-sun=0-24=off"}
  always: {week: "mon-sun=0-24=on"}
  still: {week: "mon-sun=0-24=suspended"}
configuration:
  global: {max_advance_reservations: "20"}
hosts:
  global: {complex_values: "lic=9,speed=3"}
  n1: {complex_values: "lic=6,two=20,big=4,eq=3,site=x,flag=TRUE,speed=3"}
  n2: {complex_values: "lic=5,job=3"}
  n3: {complex_values: "lic=8,ex=TRUE"}
hostgroups:
  "@left": {hostlist: "n1 n2"}
pes:
  mpi: {slots: "999", allocation_rule: $round_robin}
  smp: {slots: "999", allocation_rule: $pe_slots}
queues:
  a.q: {load_thresholds: NONE, hostlist: "n1 n2 n3", slots: "5", pe_list: "smp mpi", qtype: BATCH INTERACTIVE}
  b.q: {load_thresholds: NONE, hostlist: "@left", slots: "5", seq_no: "6", pe_list: "smp mpi",
        complex_values: "lic=4,job=2,speed=3"}
scheduler: {schedule_interval: "24:0:0"}
"""
}
SESSIONS: Final = {
    "slots": """
anna:staff$ qrsub -d 600 -a NOW+3600 -q a.q@n1 -pe smp 2
chen:lab$ qrsub -d 600 -a NOW+7200 -q a.q@n1 -pe smp 3
dora:lab$ qrsub -d 600 -a NOW+7300 -q a.q@n1 -l lic=1
root# edit queues a.q slots=5,[n1=3]
root# edit queues a.q slots=5,[n1=4]
root# edit queues a.q slots=4,[n2=0]
root# edit queues a.q slots=0
root# edit hosts n1 complex_values=lic=1
root# edit hosts n1 complex_values=lic=0
root# edit hosts n1 complex_values=NONE
root# edit queues a.q hostlist=n2 n3
root# edit queues b.q slots=0
""",
    "environments": """
anna:staff$ qrsub -d 600 -a NOW+3600 -q a.q@n1 -pe smp 2
chen:lab$ qrsub -d 600 -a NOW+7200 -q a.q@n2 -pe mpi 3
dora:lab$ qrsub -d 600 -q b.q@n1 -pe '*' 2
root# edit queues a.q pe_list=smp
root# edit queues a.q pe_list=smp,[n2=smp mpi]
root# edit queues a.q pe_list=mpi,[n1=smp]
root# edit queues a.q pe_list=NONE,[n1=mpi],[n2=mpi]
root# edit queues b.q pe_list=smp
root# edit queues b.q pe_list=smp mpi,[n2=NONE]
root# edit pes mpi slots=2
root# edit pes mpi slots=3
root# edit pes smp slots=1
root# edit pes smp allocation_rule=1
chen:lab$ qrsub -d 600 -a NOW+9200 -q a.q@n2 -pe mpi 3
root# edit pes mpi slots=5
root# edit pes mpi user_lists=few
""",
    "calendars": """
anna:staff$ qrsub -d 600 -a NOW+3600 -q a.q@n1
root# edit queues a.q calendar=never
root# edit queues a.q calendar=still
root# edit queues a.q calendar=NONE,[n2=never]
root# edit queues a.q calendar=always
root# edit calendars always week=mon-sun=0-24=off
root# edit calendars always week=mon-sun=0-24=suspended
root# edit calendars never week=mon-sun=0-23=off
root# edit queues b.q calendar=never
""",
    "users": """
anna:staff$ qrsub -d 600 -a NOW+3600 -q a.q@n3
root# edit queues a.q user_lists=NONE,[n3=few]
root# edit queues a.q user_lists=NONE
anna:staff$ qrsub -d 600 -a NOW+3600 -q a.q@n3 -u anna,chen
anna:staff$ qrsub -d 600 -a NOW+3600 -q a.q@n2 -u @arusers
root# edit queues a.q user_lists=few
root# edit queues a.q xuser_lists=few
root# edit queues a.q user_lists=arusers
root# edit usersets arusers entries=anna,bela
root# edit usersets arusers entries=anna,chen
root# edit hosts n3 user_lists=few
root# edit hosts n3 xuser_lists=few
root# edit hosts n3 user_lists=arusers
root# edit hosts n2 user_lists=few
root# edit hosts global user_lists=few
root# edit queues a.q user_lists=arusers,[n1=few]
root# edit usersets few entries=dora
root# edit queues a.q user_lists=NONE
root# edit queues a.q xuser_lists=arusers
""",
    "hosts": """
anna:staff$ qrsub -d 600 -a NOW+3600 -q a.q@n1 -l lic=2 -pe smp 2
anna:staff$ qrsub -d 600 -a NOW+3900 -q a.q@n1
root# edit hosts n1 complex_values=lic=4,two=6
root# edit hosts n1 complex_values=lic=3,two=6
root# edit hosts n1 complex_values=lic=4,two=5
root# edit hosts n1 complex_values=lic=4
root# edit hosts n1 load_scaling=load_avg=2
root# edit hosts global complex_values=lic=0
anna:staff$ qrsub -d 600 -a NOW+3600 -q a.q@n3 -l ex=1 -pe smp 2
root# edit hosts n3 complex_values=lic=7,ex=TRUE
root# edit hosts n3 complex_values=lic=7,ex=FALSE
root# edit hosts n3 complex_values=lic=7
chen:lab$ qrsub -d 600 -a NOW+3600 -q b.q@n2 -l job=2 -pe smp 2
root# edit hosts n2 complex_values=lic=5,job=1
root# edit hosts n2 complex_values=lic=5,job=2
root# edit queues b.q slots=6
""",
    "several on a host": """
anna:staff$ qrsub -d 600 -a NOW+3600 -q '*@n2' -l lic=1 -pe smp 5
chen:lab$ qrsub -d 600 -a NOW+9600 -l lic=1 -pe mpi 8
root# edit hosts n2 complex_values=lic=4
root# edit hosts n2 complex_values=lic=5
""",
    "what is not consumed": """
anna:staff$ qrsub -d 600 -a NOW+3600 -q a.q@n1 -l big=4
root# edit hosts n1 complex_values=lic=6,big=5,eq=3,site=x,flag=TRUE,speed=3
root# edit hosts n1 complex_values=lic=6,big=3,eq=3,site=x,flag=TRUE,speed=3
root# qrdel 1
anna:staff$ qrsub -d 600 -a NOW+3600 -q a.q@n1 -l eq=3,site=x,flag=1,speed=2
root# edit hosts n1 complex_values=lic=6,big=4,eq=3,site=x,flag=TRUE,speed=2
root# edit hosts n1 complex_values=lic=6,big=4,eq=3,site=x,flag=TRUE,speed=1
root# edit hosts n1 complex_values=lic=6,big=4,eq=3,site=x,flag=FALSE,speed=2
root# edit hosts n1 complex_values=lic=6,big=4,eq=3,site=y,flag=TRUE,speed=2
root# edit hosts n1 complex_values=lic=6,big=4,eq=4,site=x,flag=TRUE,speed=2
root# qrdel 2
anna:staff$ qrsub -d 600 -a NOW+3600 -q a.q@n1 -pe smp 2 -l speed=1
root# edit hosts n1 complex_values=lic=6,big=4,eq=3,site=x,flag=TRUE,speed=2
root# edit hosts n1 complex_values=lic=6,big=3,eq=3,site=x,flag=TRUE,speed=2
root# qrdel 3
anna:staff$ qrsub -d 600 -a NOW+3600 -q a.q@n1 -pe smp 2 -l eq=3
root# edit hosts n1 user_lists=few
root# qrdel 4
anna:staff$ qrsub -d 600 -a NOW+3600 -q a.q@n1 -pe smp 2 -l flag=1,site=x
root# edit hosts n1 user_lists=few
root# edit hosts n1 complex_values=lic=6
""",
    "queues": """
anna:staff$ qrsub -d 600 -a NOW+3600 -q b.q@n2 -l lic=2,job=1
chen:lab$ qrsub -d 600 -a NOW+4600 -q b.q@n2 -l lic=2,job=1
root# edit queues b.q complex_values=lic=2,job=2
root# edit queues b.q complex_values=lic=1,job=0
root# edit queues b.q complex_values=lic=1,job=1
root# edit queues b.q complex_values=NONE
root# edit queues b.q slots=6
root# edit queues b.q slots=7,[n2=5]
root# edit queues b.q seq_no=9
""",
    "removals": """
anna:staff$ qrsub -d 600 -a NOW+3600 -q a.q@n1
anna:staff$ qsub -h -pe m* 2
anna:staff$ qsub -h -ckpt ck
anna:staff$ qsub -h -q b.q
root# remove queues a.q
root# edit queues a.q pe_list=smp
root# edit queues b.q pe_list=smp,[n1=NONE]
root# remove pes mpi
root# remove pes smp
root# remove ckpts ck
root# remove ckpts free
root# remove queues b.q
root# qrdel 1
root# remove pes smp
root# remove queues a.q
root# remove pes smp
""",
    "queues, what is not consumed": """
anna:staff$ qrsub -d 600 -a NOW+3600 -q b.q@n2 -pe smp 2 -l speed=2
root# edit queues b.q complex_values=speed=4
root# edit queues b.q complex_values=NONE
root# edit queues b.q slots=6
root# edit queues b.q seq_no=9
""",
}


Answers = list[tuple[str, str]]
"""Each edit with what was said against it; nothing where it was made."""


def real_answers(qmaster: Qmaster, session: str) -> Answers:
    """Play a session on a fresh qmaster."""
    qmaster.restart()
    load(qmaster, cluster_of(CLUSTER))
    return list(_real(qmaster, _actions(session)))


def _real(qmaster: Qmaster, actions: Sequence[Action]) -> Iterator[tuple[str, str]]:
    edits: list[Edit] = []
    for action in actions:
        if isinstance(action, Reserve):
            reserve(qmaster, action)
        elif isinstance(action, Order):
            qmaster.must(*action.words)
        elif isinstance(action, Submission):
            submit(qmaster, action)
        elif isinstance(action, Edit):
            # What ends and begins in a second is not told apart.
            time.sleep(0.1)
            answer = carry_out(qmaster, CLUSTER, edits, action)
            yield _line(action), answer.text.splitlines()[0] if answer.status else ""
            edits += [] if answer.status else [action]


def our_answers(session: str, expected: Answers) -> Answers:
    """What ours makes of it; of all that is said against an edit, what is expected where that is among it."""
    return list(_ours(_actions(session), dict(expected)))


def _ours(actions: Sequence[Action], expected: dict[str, str]) -> Iterator[tuple[str, str]]:
    state, edits = State(now=NOW), list[Edit]()
    cluster = cluster_of(CLUSTER)
    for action in actions:
        if isinstance(action, Reserve):
            state = reserve_ours(cluster, state, action.owner, " ".join(action.dated(NOW)), group=action.group).state
        elif isinstance(action, Submission):
            state = submit_ours(cluster, state, new_job(state, action.owner, f"{action.qsub} x")).state
        elif isinstance(action, Order):
            state = give_back(cluster, state, int(action.words[1])).state
        elif isinstance(action, Edit):
            after = cluster_of(edited(CLUSTER, (*edits, action)))
            said = list(_said(cluster, after, state, action))
            line = _line(action)
            yield line, expected[line] if expected.get(line) in said else next(iter(said), "")
            if not said:
                edits.append(action)
                cluster = after


def _said(cluster: Cluster, after: Cluster, state: State, edit: Edit) -> Iterator[str]:
    kind, name = KINDS[edit.kind], edit.name
    if after.get(kind, name) is None:
        yield from (finding.message for finding in deletion_refusals(cluster, kind, name, state))
    yield from (
        conflict.text
        for conflict in ar_conflicts(cluster, after, state)
        if (conflict.kind, conflict.name) == (kind, name)
    )


def _actions(session: str) -> Sequence[Action]:
    (step,) = parse_session(f"{session}\nrun")
    return step.actions


def _line(edit: Edit) -> str:
    return f"{edit.kind} {edit.name} {edit.field}={edit.text}" if edit.field else f"remove {edit.kind} {edit.name}"


def recorded() -> dict[str, Answers]:
    """What was recorded of each session."""
    found = json.loads(RECORDED.read_text())
    return {name: [(line, text) for line, text in answers] for name, answers in found.items()}


if __name__ == "__main__":
    with Qmaster() as fresh:
        answers = {name: real_answers(fresh, session) for name, session in SESSIONS.items()}
    sessions = (",\n".join(json.dumps(answer) for answer in said) for said in answers.values())
    entries = (f"{json.dumps(name)}: [\n{said}\n]" for name, said in zip(answers, sessions, strict=True))
    RECORDED.write_text("{\n" + ",\n".join(entries) + "\n}\n")
