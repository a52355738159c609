"""Workloads for `days`: some sixty jobs each, in a minute or two."""

from dataclasses import dataclass, replace
from random import Random


@dataclass(frozen=True, slots=True)
class Workload:
    """A cluster in YAML, and who submits what how many seconds after the beginning."""

    name: str
    cluster: str
    jobs: tuple[tuple[int, str, str], ...]
    """Seconds, owner, options and command of qsub."""


_HOSTS = "hosts: {n1: {}, n2: {}, n3: {}}"
_QUEUE = "load_thresholds: NONE"
_QUIET = "job_load_adjustments: NONE, queue_sort_method: seqno, load_formula: slots"
_OWNERS = ("anna", "bela", "chen")


def _jobs(seed: str, count: int = 60, options: tuple[str, ...] = ("",)) -> tuple[tuple[int, str, str], ...]:
    random = Random(seed)
    at = 0
    jobs = []
    for _ in range(count):
        at += random.choice((0, 0, 0, 1, 1, 2))
        jobs.append((at, random.choice(_OWNERS), f"{random.choice(options)} sleep {random.randint(1, 12)}".strip()))
    return tuple(jobs)


def _cluster(scheduler: str = "", more: str = "", queue: str = "slots: 2") -> str:
    fields = ", ".join(filter(None, (_QUIET, scheduler)))
    return f"""
{_HOSTS}
queues:
  all.q: {{hostlist: n1 n2 n3, {queue}, {_QUEUE}}}
scheduler: {{{fields}}}
{more}
"""


_SHARES = "users: {anna: {fshare: 100}, bela: {fshare: 300}, chen: {fshare: 100}}"

WORKLOADS = (
    Workload("plain", _cluster(), _jobs("plain")),
    Workload(
        "functional",
        _cluster("weight_tickets_functional: 10000, weight_ticket: 10, weight_user: 1, weight_project: 0, "
                 "weight_department: 0, weight_job: 0", _SHARES),
        _jobs("functional"),
    ),
    Workload(
        "waiting",
        _cluster("weight_urgency: 1, weight_waiting_time: 1"),
        _jobs("waiting", options=("", "-p -100")),
    ),
    Workload("throttled", _cluster(), _jobs("throttled", 30, ("-t 1-4 -tc 2", "-t 1-3", ""))),
    Workload(
        "quotas",
        _cluster(more="quotas: {few: {enabled: 'TRUE', limit: 'users {*} to slots=2'}}"),
        _jobs("quotas"),
    ),
    Workload(
        "parallel",
        _cluster("max_reservation: 5", "pes: {mpi: {slots: 99}}", "slots: 2, pe_list: mpi"),
        _jobs("parallel", options=("-pe mpi 4 -R y -l h_rt=30", "-l h_rt=20", "-l h_rt=20", "-l h_rt=20")),
    ),
)  # fmt: skip


def short(workload: Workload, count: int) -> Workload:
    """The first jobs of one."""
    return replace(workload, jobs=workload.jobs[:count])
