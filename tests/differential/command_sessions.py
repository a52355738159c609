"""Sessions of commands that change jobs and queue instances, played on the real qmaster and on our state.

Each line is one command; `run` lets the scheduler run and waits until what it started runs, `start` does not wait.
"""

from pathlib import Path

FOLDER = Path(__file__).with_name("sessions")

CLUSTER = """\
hostgroups:
  "@every": {hostlist: sim1 sim2}
pes:
  mpi: {slots: 99, allocation_rule: $fill_up}
complexes:
  gpu: {shortcut: gpu, type: INT, relop: <=, requestable: YES, consumable: NO, default: 0, urgency: 0}
projects:
  sea: {}
ckpts:
  ck: {}
queues:
  all.q: {hostlist: "@every", slots: 4, load_thresholds: NONE, pe_list: mpi, rerun: FALSE}
  re.q: {hostlist: sim1, slots: 2, load_thresholds: NONE, rerun: TRUE, seq_no: 5}
"""

PARAMETERS = {
    "jobs sent back or ended": "ENABLE_RESCHEDULE_KILL=1,ENABLE_RESCHEDULE_SLAVE",
    "jobs ended without a word": "none;ENABLE_RESCHEDULE_KILL=1x;ENABLE_RESCHEDULE_SLAVE=truex",
    "jobs sent back that do not wait anew": "OLD_RESCHEDULE_BEHAVIOR=true,ENABLE_RESCHEDULE_KILL=0",
}
"""Session -> the qmaster_params of its cluster."""

PEOPLE = {"projects by default": "users:\n  usera: {default_project: sea}\nprojects: {sea: {}, sky: {}}\n"}
"""Session -> who is in its cluster, and instead of which projects."""

CONSUMABLES = """\
complexes:
  gpu: {shortcut: gpu, type: INT, relop: <=, requestable: YES, consumable: NO, default: 0, urgency: 0}
  lic: {shortcut: li, type: INT, relop: <=, requestable: YES, consumable: YES, default: 0, urgency: 0}
  mem: {shortcut: me, type: MEMORY, relop: <=, requestable: YES, consumable: YES, default: 1M, urgency: 0}
  job: {shortcut: jo, type: INT, relop: <=, requestable: YES, consumable: JOB, default: 0, urgency: 0}
  ex: {shortcut: ex, type: BOOL, relop: EXCL, requestable: YES, consumable: YES, default: 0, urgency: 0}
hosts:
  sim1: {complex_values: "lic=10,mem=100G,job=10,gpu=5"}
  sim2: {complex_values: "lic=10,mem=100G,job=10,gpu=5,ex=true"}
"""
DRAWN = "drawn"
"""What drawn sessions are called."""
COUNTED = frozenset({"consumables of running jobs", DRAWN})
"""Sessions in whose clusters more is counted than slots."""

SUBORDINATES = """\
  re.q: {hostlist: sim1, slots: 2, load_thresholds: NONE, rerun: TRUE, subordinate_list: low.q=1}
  low.q: {hostlist: "@every", slots: 4, load_thresholds: NONE}
"""
SLOT_WISE = SUBORDINATES.replace("low.q=1", "slots=3(low.q:1:sr)")
QUEUE_WISE_DRAWN, SLOT_WISE_DRAWN = "drawn queue wise", "drawn slot wise"
"""What drawn sessions among subordinates are called."""
WITH_SUBORDINATES = {
    **dict.fromkeys(("subordinates that go on", QUEUE_WISE_DRAWN), SUBORDINATES),
    **dict.fromkeys(("slot wise subordinates that go on", SLOT_WISE_DRAWN), SLOT_WISE),
}
"""Session -> the queues of its cluster of which one stands still, or a task of it, while another one is in use."""


def cluster_of(session: str) -> str:
    """The cluster of a session."""
    parameters, people = PARAMETERS.get(session), PEOPLE.get(session)
    cluster = CLUSTER.replace("projects:\n  sea: {}\n", people) if people else CLUSTER
    if session in COUNTED:
        start, end = cluster.index("complexes:"), cluster.index("projects:")
        cluster = cluster[:start] + CONSUMABLES + cluster[end:]
    if session in WITH_SUBORDINATES:
        cluster = cluster[: cluster.index("  re.q:")] + WITH_SUBORDINATES[session]
        cluster = cluster.replace("pe_list: mpi, rerun: FALSE}", "pe_list: mpi, subordinate_list: low.q=1}")
    return cluster + (f'configuration: {{global: {{qmaster_params: "{parameters}"}}}}\n' if parameters else "")


SESSIONS = {file.stem.replace("_", " "): file.read_text() for file in sorted(FOLDER.glob("*.txt"))}
"""Name -> the lines of a session, each in a file of its own."""
