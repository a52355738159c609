"""Workloads for `days`: fifty jobs and more each, in some two minutes, under a policy each."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from random import Random
from re import Match, sub as replaced
from typing import Final

from tests.differential import waves

ADMINISTRATOR: Final = "root"
"""Who gives commands instead of jobs."""
_DAY: Final = 86400


@dataclass(frozen=True, slots=True)
class Workload:
    """A cluster in YAML, and who submits what how many seconds after the beginning."""

    name: str
    cluster: str
    """`DAYTIME+60` in it is the time of day so many seconds after the beginning."""
    jobs: tuple[tuple[int, str, str], ...]
    """Seconds, owner, options and command of qsub, in which `NOW+60` is a date; of root a whole command."""
    loads: tuple[tuple[str, str, str], ...] = ()
    """Host, attribute and the load value that is reported of it once, before the beginning."""

    def cluster_at(self, begin: float) -> str:
        """The cluster for a day that begins then, in seconds since the epoch."""

        def daytime(found: Match[str]) -> str:
            return datetime.fromtimestamp((begin + int(found[1])) % _DAY, UTC).strftime("%H:%M:%S")

        return replaced(r"DAYTIME\+(\d+)", daytime, self.cluster)


_HOSTS = "n1: {}, n2: {}, n3: {}"
_QUIET = "job_load_adjustments: NONE, queue_sort_method: seqno, load_formula: slots"
_OWNERS = ("anna", "bela", "chen")
_SLEEPS = (1, 12)


def _jobs(
    seed: str, count: int = 60, options: tuple[str, ...] = ("",), sleeps: tuple[int, int] = _SLEEPS
) -> tuple[tuple[int, str, str], ...]:
    """Some jobs; of those before it one can name `{-2}`, the last but one."""
    random = Random(seed)
    at = 0
    jobs = []
    for number in range(1, count + 1):
        at += random.choice((0, 0, 0, 1, 1, 2))
        owner, chosen, seconds = random.choice(_OWNERS), random.choice(options), random.randint(*sleeps)
        chosen = replaced(r"\{-(\d+)\}", partial(_job_before, number), chosen)
        jobs.append((at, owner, f"{chosen} sleep {seconds}".strip()))
    return tuple(jobs)


def _job_before(number: int, found: Match[str]) -> str:
    return str(max(1, number - int(found[1])))


def _arrays_in_a_row(jobs: Iterable[tuple[int, str, str]]) -> tuple[tuple[int, str, str], ...]:
    """Each array waits, task by task, for the array before it, as long as that has come a short while before."""
    listed: list[tuple[int, str, str]] = []
    last = 0
    for number, (at, owner, qsub) in enumerate(jobs, 1):
        if "-t " in qsub:
            follows = number - 4 < last
            listed.append((at, owner, f"-hold_jid_ad {last} {qsub}" if last and follows else qsub))
            last = number
        else:
            listed.append((at, owner, qsub))
    return tuple(listed)


def _with_commands(
    jobs: Iterable[tuple[int, str, str]], commands: Iterable[tuple[int, str]]
) -> tuple[tuple[int, str, str], ...]:
    return tuple(sorted((*jobs, *((at, ADMINISTRATOR, line) for at, line in commands)), key=lambda one: one[0]))


def _cluster(scheduler: str = "", more: str = "", queue: str = "slots: 2", hosts: str = _HOSTS) -> str:
    return _cluster_of((f"all.q: {{hostlist: n1 n2 n3, {queue}}}",), scheduler, more, hosts)


def _cluster_of(queues: Iterable[str], scheduler: str = "", more: str = "", hosts: str = _HOSTS) -> str:
    fields = ", ".join(filter(None, (_QUIET, scheduler)))
    return "\n".join(_lines(queues, fields, more, hosts))


def _lines(queues: Iterable[str], scheduler: str, more: str, hosts: str) -> Iterator[str]:
    yield f"hosts: {{{hosts}}}"
    yield "queues:"
    yield from (f"  {queue.removesuffix('}')}, load_thresholds: NONE}}" for queue in queues)
    yield f"scheduler: {{{scheduler}}}"
    yield more


_SHARES = "users: {anna: {fshare: 100}, bela: {fshare: 300}, chen: {fshare: 100}}"
_FUNCTIONAL = (
    "weight_tickets_functional: 10000, weight_ticket: 10, weight_user: 1, weight_project: 0, weight_department: 0, "
    "weight_job: 0"
)
_LICENCES = (
    "complexes: {lic: {shortcut: lic, type: INT, relop: <=, requestable: 'YES', consumable: 'YES', default: 0, "
    "urgency: 0}, mem: {shortcut: mem, type: MEMORY, relop: <=, requestable: 'YES', consumable: 'YES', default: 1G, "
    "urgency: 0}}"
)
_PROVIDERS = (
    "global: {complex_values: lic=3}, n1: {complex_values: mem=4G}, n2: {complex_values: mem=4G}, "
    "n3: {complex_values: mem=8G}"
)
_TREE = """\
users: {anna: {}, bela: {}, chen: {}}
sharetree: |
  id=0
  name=Root
  type=0
  shares=1
  childnodes=1,2,3
  id=1
  name=anna
  type=0
  shares=50
  childnodes=NONE
  id=2
  name=bela
  type=0
  shares=30
  childnodes=NONE
  id=3
  name=chen
  type=0
  shares=20
  childnodes=NONE
"""
_SHARE_TREE = (
    "weight_tickets_share: 10000, weight_ticket: 10, halftime: 1, usage_weight_list: finished_jobs=1, "
    "halflife_decay_list: finished_jobs=1, compensation_factor: 5"
)
_DEPENDENT = ("", "-hold_jid {-0}", "-hold_jid {-2},{-4}", "-t 1-3", "-t 1-3")
_PARALLEL = "pes: {mpi: {slots: 99, allocation_rule: $fill_up}}"
_PER_JOB = (
    "complexes: {lic: {shortcut: lic, type: INT, relop: <=, requestable: 'YES', consumable: JOB, default: 0, "
    "urgency: 0}, disk: {shortcut: disk, type: MEMORY, relop: <=, requestable: 'YES', consumable: JOB, default: 0, "
    "urgency: 0}}"
)
_EXCLUSIVE = (
    "complexes: {excl: {shortcut: excl, type: BOOL, relop: EXCL, requestable: 'YES', consumable: 'YES', default: 0, "
    "urgency: 0}}"
)
_WITH_LOAD = (
    "queue_sort_method: load, load_formula: np_load_avg, job_load_adjustments: np_load_avg=0.40, "
    "load_adjustment_decay_time: '0:0:30'"
)

WORKLOADS = (
    Workload("plain", _cluster(), _jobs("plain")),
    Workload("functional", _cluster(_FUNCTIONAL, _SHARES), _jobs("functional")),
    Workload("sharetree", _cluster(_SHARE_TREE, _TREE), _jobs("sharetree")),
    Workload(
        "waiting", _cluster("weight_urgency: 1, weight_waiting_time: 1"), _jobs("waiting", options=("", "-p -100"))
    ),
    Workload(
        "throttled",
        _cluster(queue="slots: 4"),
        _jobs("throttled", 50, ("-t 1-4 -tc 2", "-t 1-3", "-t 1-3 -tc 1", ""), (1, 6)),
    ),
    Workload(
        "quotas",
        _cluster(more="quotas: {few: {enabled: 'TRUE', limit: 'users {*} to slots=2'}}"),
        _jobs("quotas"),
    ),
    Workload(
        "parallel",
        _cluster("max_reservation: 5", _PARALLEL, "slots: 2, pe_list: mpi"),
        _jobs("parallel", options=("-pe mpi 4 -R y -l h_rt=30", "-l h_rt=20", "-l h_rt=20", "-l h_rt=20")),
    ),
    Workload(
        "dependent",
        _cluster(queue="slots: 3"),
        _arrays_in_a_row(((0, "anna", "sleep 9"), *_jobs("dependent", 59, _DEPENDENT))),
    ),
    Workload(
        "calendars",
        _cluster_of(
            (
                "day.q: {hostlist: n1 n2 n3, slots: 2, calendar: day}",
                "all.q: {hostlist: n1 n2, slots: 1, calendar: pause, seq_no: 1}",
                "rest.q: {hostlist: n3, slots: 2, seq_no: 2}",
            ),
            more="calendars: {day: {week: 'mon-sun=DAYTIME+25-DAYTIME+50=off'}, "
            "pause: {week: 'mon-sun=DAYTIME+35-DAYTIME+70=suspended'}}",
        ),
        _jobs("calendars"),
    ),
    Workload(
        "subordinate",
        _cluster_of(
            (
                "low.q: {hostlist: n1 n2 n3, slots: 2, seq_no: 1}",
                "high.q: {hostlist: n1 n2 n3, slots: 2, subordinate_list: low.q=2}",
            )
        ),
        _jobs("subordinate", options=("-q high.q", "-q low.q", "-q low.q", "")),
    ),
    Workload(
        "slotwise",
        _cluster_of(
            (
                "low.q: {hostlist: n1 n2 n3, slots: 3, seq_no: 1}",
                "high.q: {hostlist: n1 n2 n3, slots: 2, subordinate_list: 'slots=3(low.q:0:sr)'}",
            )
        ),
        _jobs("slotwise", options=("-q high.q", "-q low.q", "-q low.q")),
    ),
    Workload(
        "dates",
        _cluster(
            "weight_urgency: 1, weight_deadline: 1000",
            "usersets: {deadlineusers: {type: ACL, entries: 'anna,bela,chen'}}",
        ),
        _jobs("dates", options=("", "-a NOW+8", "-a NOW+25", "-dl NOW+30", "-dl NOW+60")),
    ),
    Workload(
        "limits",
        _cluster("max_reservation: 3", _PARALLEL, "slots: 2, pe_list: mpi"),
        _jobs(
            "limits", options=("-l h_rt=4", "-l h_rt=8,s_rt=6", "-l h_rt=25", "-pe mpi 3 -R y -l h_rt=5", "-l s_rt=9")
        ),
    ),
    Workload(
        "consumables",
        _cluster(more=_LICENCES, queue="slots: 4", hosts=_PROVIDERS),
        _jobs("consumables", 70, ("", "-l lic=1", "-l lic=2", "-l mem=2G", "-l mem=3G", "-l lic=1,mem=1500M")),
    ),
    Workload(
        "soft",
        _cluster_of(
            (
                "fast.q: {hostlist: n1 n2, slots: 2, seq_no: 2, complex_values: speed=9}",
                "slow.q: {hostlist: n2 n3, slots: 2, seq_no: 1, complex_values: speed=2}",
            ),
            more="complexes: {speed: {shortcut: speed, type: INT, relop: <=, requestable: 'YES', consumable: 'NO', "
            "default: 0, urgency: 0}}",
        ),
        _jobs("soft", options=("", "-soft -l speed=5", "-soft -q slow.q@n3", "-soft -l h=n1 -hard -l speed=1")),
    ),
    Workload(
        "crowded",
        _cluster(
            "maxujobs: 2, weight_tickets_functional: 1000, weight_project: 1, weight_ticket: 1",
            "projects: {red: {fshare: 300}, blue: {fshare: 100}}\n"
            "configuration: {global: {max_aj_instances: 2}}\n" + _SHARES,
        ),
        _jobs("crowded", options=("-P red", "-P blue", "-P blue -t 1-3", "-P red -p -50")),
    ),
    Workload(
        "commanded",
        _cluster(queue="slots: 2, rerun: 'TRUE'"),
        _with_commands(
            _jobs("commanded", options=("", "", "-t 1-3")),
            (
                (6, "qmod -sj 3"),
                (9, "qhold 20"),
                (12, "qmod -d all.q@n2"),
                (16, "qmod -rj 5"),
                (20, "qdel 8"),
                (22, "qmod -usj 3"),
                (25, "qmod -sq all.q@n1"),
                (30, "qmod -e all.q@n2"),
                (34, "qalter -p -500 40"),
                (38, "qmod -usq all.q@n1"),
                (45, "qrls 20"),
                (50, "qdel 30"),
                (55, "qconf -mattr queue slots 3 all.q"),
            ),
        ),
    ),
    Workload(
        "mixed",
        _cluster_of(
            (
                "all.q: {hostlist: n1 n2 n3, slots: 3, pe_list: mpi}",
                "short.q: {hostlist: n3, slots: 2, seq_no: 1, h_rt: '0:0:20'}",
            ),
            f"{_FUNCTIONAL}, max_reservation: 4, weight_urgency: 0.5, weight_waiting_time: 0.1",
            f"{_LICENCES}\n{_SHARES}\n{_PARALLEL}\n"
            "quotas: {few: {enabled: 'TRUE', limit: ['users {*} hosts n3 to slots=3', 'users bela to slots=6']}}",
            hosts=_PROVIDERS,
        ),
        _jobs(
            "mixed",
            70,
            (
                "-l h_rt=20",
                "-l lic=1",
                "-pe mpi 3 -R y -l h_rt=25,mem=500M",
                "-t 1-3 -tc 2 -l mem=500M",
                "-hold_jid {-2}",
                "-a NOW+10",
                "-p -200",
                "-soft -q short.q",
            ),
        ),
    ),
    Workload("waves", waves.CLUSTER, tuple(waves.wave_jobs())),
    Workload(
        "per_job",
        _cluster(
            more=f"{_PER_JOB}\n{_PARALLEL}",
            queue="slots: 4, pe_list: mpi",
            hosts="global: {complex_values: lic=4}, n1: {complex_values: disk=3G}, n2: {complex_values: disk=2G}, "
            "n3: {complex_values: disk=4G}",
        ),
        _jobs(
            "per_job",
            50,
            ("", "-t 1-4 -tc 2 -l lic=1", "-t 1-3 -tc 1 -l disk=1G", "-pe mpi 3 -l lic=2", "-pe mpi 2 -l disk=2G"),
            (1, 8),
        ),
    ),
    Workload(
        "exclusive",
        _cluster(
            "max_reservation: 5",
            f"{_EXCLUSIVE}\n{_PARALLEL}",
            "slots: 3, pe_list: mpi",
            "n1: {complex_values: excl=1}, n2: {complex_values: excl=1}, n3: {complex_values: excl=1}",
        ),
        _jobs(
            "exclusive",
            options=(
                "-l h_rt=20",
                "-l h_rt=20",
                "-l h_rt=15,excl=1",
                "-pe mpi 4 -R y -l h_rt=20,excl=1",
                "-pe mpi 3 -l h_rt=20",
            ),
        ),
    ),
    Workload(
        "adjusted",
        _cluster(queue="slots: 4")
        .replace(_QUIET, _WITH_LOAD)
        .replace("load_thresholds: NONE", "load_thresholds: np_load_avg=1"),
        _jobs("adjusted"),
        tuple((host, "np_load_avg", load) for host, load in (("n1", "0.10"), ("n2", "0.30"), ("n3", "0.20"))),
    ),
)


def short(workload: Workload, count: int) -> Workload:
    """The first jobs of one."""
    return replace(workload, jobs=workload.jobs[:count])
