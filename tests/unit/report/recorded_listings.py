"""A cluster in which every state occurs that a simulated one can have, and what qstat and qhost print of it."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from tests.differential.folders import folder_of, read
from tests.differential.loading import load
from tests.differential.qmaster import Qmaster
from tests.differential.session import parse_session
from tests.differential.session_player import play

RECORDED: Final = Path(__file__).parents[2] / "data" / "recorded" / "listings.json"
COMMANDS: Final = (
    ("qstat", "-g", "c"),
    ("qstat", "-g", "c", "-ext"),
    ("qstat", "-f"),
    ("qhost",),
    ("qhost", "-q"),
)
CLUSTER: Final = """\
calendars:
  susp: {year: NONE, week: mon-sun=0-24=suspended}
  off: {year: NONE, week: mon-sun=0-24=off}
hostgroups:
  "@first": {hostlist: sim1 sim2}
  "@last": {hostlist: sim2 sim3}
usersets:
  arusers: {type: ACL, entries: anna}
pes:
  mpi: {slots: 99, allocation_rule: $fill_up}
queues:
  all.q: {hostlist: sim1 sim2 sim3 sim4, slots: 4, load_thresholds: np_load_avg=1.75, pe_list: mpi,
          subordinate_list: sub.q=1}
  sub.q: {hostlist: sim1 sim4, slots: 2, load_thresholds: NONE, seq_no: 9}
  cal.q: {hostlist: sim1 sim2, slots: 3, load_thresholds: NONE, calendar: susp, seq_no: 9}
  off.q: {hostlist: sim2, slots: 5, load_thresholds: NONE, calendar: "off", seq_no: 9}
  dis.q: {hostlist: sim3 sim4 sim5, slots: 6, load_thresholds: NONE, seq_no: 9, qtype: INTERACTIVE}
  amb.q: {hostlist: sim2 sim3, slots: "1,[@first=2],[@last=3]", load_thresholds: NONE, seq_no: 9}
  sus.q: {hostlist: sim3, slots: 7, load_thresholds: NONE, suspend_thresholds: np_load_avg=0.1, seq_no: 9}
  empty.q: {hostlist: NONE, slots: 1}
hosts:
  sim5: {complex_values: slots=3}
"""
SESSION: Final = """\
root# load sim1 np_load_avg=0.3 load_avg=1.2 arch=lx-amd64 num_proc=4 mem_total=8G mem_used=2.5G swap_total=1G swap_used=0 m_socket=1 m_core=4 m_thread=4
root# load sim2 np_load_avg=2.5 load_avg=10 arch=lx-amd64 num_proc=4 mem_total=512M mem_used=100M
root# load sim3 np_load_avg=0.5 load_avg=0.5 arch=lx-amd64 num_proc=1
root# load sim5 load_avg=123.456 arch=lx26-x86 num_proc=128 mem_total=1500.5G mem_used=999G
anna$ qrsub -d 3600 -q sub.q@sim4
usera$ qsub -q all.q@sim1 sleep 999
usera$ qsub -q all.q@sim3 -pe mpi 2 sleep 999
usera$ qsub -q dis.q@sim3 sleep 999
usera$ qsub -h sleep 999
run
root# qmod -d dis.q@sim3
root# qmod -d dis.q@sim4
root# qmod -sq dis.q@sim4
root# qmod -d cal.q@sim2
root# qmod -d all.q@sim1
root# qmod -sj 1
run
"""  # noqa: E501


def keep(qmaster: Qmaster) -> None:
    """Play the session and keep the folder of its end with what the commands print."""
    qmaster.restart()
    load(qmaster, read({"cluster.yaml": CLUSTER}).cluster)
    *_, last = play(qmaster, parse_session(SESSION))
    printed = {" ".join(command): qmaster.must(*command).splitlines() for command in COMMANDS}
    folder = folder_of(replace(last, before=last.after), {"cluster.yaml": CLUSTER})
    RECORDED.write_text(json.dumps({"folder": folder, "printed": printed}, indent=0, sort_keys=True) + "\n")


def recorded() -> dict[str, Any]:
    """The folder and the lines of each command."""
    return dict(json.loads(RECORDED.read_text()))
