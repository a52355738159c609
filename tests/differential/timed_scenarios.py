"""Scenarios that are made for the moment at which they are played: calendars and reservations come and go in them."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Final

from tests.differential.scenarios import CLUSTER, Scenario

_QUEUE: Final = 'load_thresholds: NONE, pe_list: NONE, rerun: "TRUE"'
_DAY: Final = 86400


def _daytime(moment: float) -> str:
    return datetime.fromtimestamp(moment % _DAY, UTC).strftime("%H:%M:%S")


def _calendar(now: float) -> Scenario:
    """A calendar suspends what runs, and lets it go on; another one disables."""
    closed = f"mon-sun={_daytime(now + 9)}-{_daytime(now + 19)}"
    cluster = f"""
hosts: {{n1: {{}}}}
calendars: {{c: {{week: "{closed}=suspended"}}, d: {{week: "{closed}=off"}}}}
queues:
  a.q: {{hostlist: n1, slots: 2, calendar: c, {_QUEUE}}}
  b.q: {{hostlist: n1, slots: 2, calendar: d, {_QUEUE}}}
  c.q: {{hostlist: n1, slots: 1, {_QUEUE}}}
"""
    session = """
3x anna$ qsub sleep 60
run
bela$ qsub -t 1-6 -tc 2 sleep 2
root# wait 9
run
chen$ qsub sleep 60
root# wait 3
run
root# qhold 1
root# wait 1
run
root# wait 6
run
bela$ qsub -hold_jid 2 sleep 1
root# wait 1
run
"""
    return Scenario("calendar", {CLUSTER: cluster}, session)


def _reservation(now: float) -> Scenario:
    """A reservation begins, is used, and ends with what runs in it."""
    del now
    cluster = f"""
hosts: {{n1: {{}}, n2: {{}}}}
queues:
  a.q: {{hostlist: n1 n2, slots: 2, {_QUEUE}}}
"""
    session = """
root:root$ qrsub -a NOW+6 -d 12 -l h=n1
2x anna$ qsub sleep 60
anna$ qsub -ar 1 sleep 2
anna$ qsub -ar 1 sleep 60
run
bela$ qsub -t 1-4 -tc 1 sleep 1
root# wait 6
run
root# wait 2
run
root# wait 5
run
chen$ qsub sleep 60
root# wait 4
run
root# wait 3
run
run
"""
    return Scenario("reservation", {CLUSTER: cluster}, session)


def _deleted_reservation(now: float) -> Scenario:
    """A reservation that is deleted while a job runs in it."""
    del now
    cluster = """
hosts: {n1: {}}
pes: {mpi: {slots: "9", allocation_rule: $fill_up}}
queues:
  a.q: {hostlist: n1, slots: 4, load_thresholds: NONE, pe_list: mpi}
"""
    session = """
root:root$ qrsub -d 600 -pe mpi 2
anna$ qsub -ar 1 sleep 4
run
anna$ qsub -t 1-4 sleep 1
root# qrdel 1
root# wait 1
run
root# wait 2
run
root# wait 3
run
bela$ qsub -t 1-3 sleep 1
root# wait 1
run
run
"""
    return Scenario("deleted_reservation", {CLUSTER: cluster}, session)


def _forced(now: float) -> Scenario:
    """Tasks that are forgotten at once, in an array with -tc and with a successor."""
    del now
    cluster = f"""
hosts: {{n1: {{}}}}
queues:
  a.q: {{hostlist: n1, slots: 3, {_QUEUE}}}
"""
    session = """
anna$ qsub -t 1-6 -tc 1 sleep 60
anna$ qsub sleep 60
bela$ qsub -hold_jid 2 sleep 60
run
root# qdel -f 1.1
root# qdel -f 2
run
run
root# qmod -rj 1.2
run
run
"""
    return Scenario("forced", {CLUSTER: cluster}, session)


def _finished_jobs(now: float) -> Scenario:
    """Everybody's finished jobs count in the share tree."""
    del now
    cluster = f"""
hosts: {{n1: {{}}}}
users: {{anna: {{}}, bela: {{}}}}
queues:
  a.q: {{hostlist: n1, slots: 2, {_QUEUE}}}
sharetree: |
  id=0
  name=Root
  type=0
  shares=1
  childnodes=1,2
  id=1
  name=anna
  type=0
  shares=1
  childnodes=NONE
  id=2
  name=bela
  type=0
  shares=1
  childnodes=NONE
scheduler: {{weight_tickets_share: "1000", usage_weight_list: "finished_jobs=1", halftime: "0", policy_hierarchy: S,
             halflife_decay_list: "finished_jobs=60", compensation_factor: "5", weight_ticket: "1"}}
"""
    session = """
anna$ qsub -t 1-5 sleep 1
bela$ qsub -t 1-5 sleep 2
run
root# wait 6
run
root# wait 3
run
root# wait 4
run
root# wait 5
run
"""
    return Scenario("finished_jobs", {CLUSTER: cluster}, session)


TIMED: Final[Mapping[str, Callable[[float], Scenario]]] = {
    "calendar": _calendar,
    "reservation": _reservation,
    "deleted_reservation": _deleted_reservation,
    "forced": _forced,
    "finished_jobs": _finished_jobs,
}
"""Name -> the scenario for a moment, in seconds since the epoch."""
