"""Large clusters made on the spot: hosts with two queues each, and thousands of jobs of some kinds that wait."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from qmon_tui.model.cluster import Cluster, ConfigObject, config_object
from qmon_tui.model.defaults import default_complexes, default_objects
from qmon_tui.model.jobs import Job, PeRequest, Request, Task, TaskRange
from qmon_tui.model.kinds import Kind
from qmon_tui.model.state import State
from qmon_tui.values.times import format_time

NOW = 1_760_000_000
OWNERS = 20
QUEUES = (("a.q", "10"), ("b.q", "20"))
ENVIRONMENTS = (("mpi", "$fill_up"), ("smp", "$pe_slots"), ("ring", "$round_robin"))
COMPLEXES = (("mem", "MEMORY", "0"), ("scratch", "MEMORY", "0"), ("lic", "INT", "10"))
QUOTAS = (("per_host", "users {*} hosts {*} to slots=2"), ("per_queue", "users {*} queues a.q to slots=300"))


@dataclass(frozen=True, slots=True)
class Size:
    """How large, and what is in it."""

    hosts: int = 1000
    slots: int = 8
    """Of each queue instance."""
    jobs: int = 10_000
    kinds: int = 50
    """Into how many categories the jobs fall."""
    quotas: bool = False
    loads: bool = False
    """Hosts report their load, which every start then raises and which sorts them anew."""
    full: bool = False
    """All slots are taken by jobs that run."""


def large_cluster(size: Size = Size()) -> Cluster:
    """Hosts in groups of a hundred with two queues on each, memory and scratch booked, licences for all."""
    return Cluster("large").with_objects(_objects(size))


def large_state(size: Size = Size()) -> State:
    """Pending jobs: three of five sequential, the others with scratch space, licences, as arrays or parallel."""
    running = tuple(_running(size)) if size.full else ()
    waiting = tuple(_job(len(running) + number, number, number % size.kinds) for number in range(size.jobs))
    loads = {name: {"np_load_avg": f"{number % 7 / 10:.2f}"} for number, name in enumerate(_host_names(size))}
    return State(now=NOW, jobs=running + waiting, loads=loads if size.loads else {})


def job_lines(state: State) -> Iterator[str]:
    """The state as lines of a jobs.yaml file."""
    yield f"now: {format_time(state.now)}"
    yield "jobs:"
    for job in state.jobs:
        yield f'- {{id: {job.id}, owner: {job.owner}, submitted: {format_time(job.submitted)}, qsub: "{job.qsub}"}}'


def _host_names(size: Size) -> list[str]:
    return [f"node{number:04d}" for number in range(1, size.hosts + 1)]


def _objects(size: Size) -> Iterator[ConfigObject]:
    yield from default_complexes()
    yield from default_objects()
    for name, kind, urgency in COMPLEXES:
        booked = {"relop": "<=", "requestable": "YES", "consumable": "YES", "default": "0"}
        own = {"name": name, "shortcut": name, "type": kind, "urgency": urgency}
        yield config_object(Kind.COMPLEX, name, own | booked)
    names = _host_names(size)
    yield config_object(Kind.HOST, "global", {"hostname": "global", "complex_values": "lic=5000"})
    for name in names:
        yield config_object(Kind.HOST, name, {"hostname": name, "complex_values": "mem=64G,scratch=400G"})
    groups = [f"@rack{number:02d}" for number in range((size.hosts + 99) // 100)]
    for number, group in enumerate(groups):
        members = " ".join(names[number * 100 : number * 100 + 100])
        yield config_object(Kind.HOSTGROUP, group, {"group_name": group, "hostlist": members})
    yield config_object(Kind.HOSTGROUP, "@nodes", {"group_name": "@nodes", "hostlist": " ".join(groups)})
    for name, rule in ENVIRONMENTS:
        yield config_object(Kind.PE, name, {"pe_name": name, "slots": "99999", "allocation_rule": rule})
    for name, seq_no in QUEUES:
        own = {"qname": name, "hostlist": "@nodes", "seq_no": seq_no, "slots": str(size.slots)}
        shared = {"load_thresholds": "NONE", "pe_list": " ".join(name for name, _ in ENVIRONMENTS)}
        yield config_object(Kind.QUEUE, name, own | shared)
    for number in range(OWNERS):
        yield config_object(Kind.USER, f"user{number:02d}", {"name": f"user{number:02d}", "fshare": "100"})
    for name, rule in QUOTAS if size.quotas else ():
        yield config_object(Kind.QUOTA, name, {"name": name, "enabled": "TRUE", "limit": rule})
    yield config_object(
        Kind.SCHEDULER, "scheduler", {"weight_tickets_functional": "1000000", "weight_waiting_time": "0.010000"}
    )


def job_of_kind(number: int, kind: int) -> Job:
    """A job of somebody whose kind decides what it asks for."""
    return _job(number, number, kind)


def _job(position: int, number: int, kind: int) -> Job:
    """One job; its kind decides what it asks for."""
    memory = f"{1_000_000 + 100 * kind}K"
    requests: list[tuple[str, str | None]] = [("mem", memory)]
    options = [f"mem={memory}"]
    sort = kind % 10
    if sort in (6, 7):
        name, amount = ("scratch", "10G") if sort == 6 else ("lic", "1")
        requests.append((name, amount))
        options.append(f"{name}={amount}")
    words = ["-l", ",".join(options)]
    array = TaskRange(1, 3) if sort == 8 else None
    if array is not None:
        words += ["-t", "1-3"]
    environment = None
    if sort == 9:
        environment = PeRequest(ENVIRONMENTS[kind // 10 % 3][0], ((2, 4, 1),))
        words += ["-pe", environment.name, "2-4"]
    return Job(
        id=position + 1,
        owner=f"user{number % OWNERS:02d}",
        submitted=NOW - 10_000 + number,
        request=_request(tuple(requests), environment, array),
        name="sleep",
        runtime=600,
        qsub=" ".join((*words, "sleep 600")),
    )


@lru_cache(maxsize=4096)
def _request(hard: tuple[tuple[str, str | None], ...], pe: PeRequest | None, array: TaskRange | None) -> Request:
    """Jobs with equal lines share one, as they do when they are read."""
    return Request(hard=hard, pe=pe, array=array, command=("sleep", "600"))


def _running(size: Size) -> Iterator[Job]:
    """A job in every slot."""
    number = 0
    request = Request(command=("sleep", "90000"))
    for queue, _ in QUEUES:
        for host in _host_names(size):
            for _ in range(size.slots):
                task = Task("r", {f"{queue}@{host}": 1}, NOW - 5_000)
                owner = f"user{number % OWNERS:02d}"
                yield Job(number + 1, owner, NOW - 6_000, request, "sleep", tasks={1: task}, qsub="sleep 90000")
                number += 1
