"""A large cluster made on the spot: hosts, two queues, pending jobs of some kinds."""

from collections.abc import Iterator

from qmon_tui.model.cluster import Cluster, ConfigObject, config_object
from qmon_tui.model.defaults import default_complexes, default_objects
from qmon_tui.model.kinds import Kind
from qmon_tui.model.state import Job, Request, State
from qmon_tui.values.times import format_time

NOW = 1_760_000_000
OWNERS = 20


def large_cluster(hosts: int = 1000) -> Cluster:
    """`hosts` hosts in groups of a hundred, 16 slots each in a.q and b.q, memory and scratch booked, one licence."""
    return Cluster("large").with_objects(_objects(hosts))


def large_state(jobs: int = 10_000, kinds: int = 40) -> State:
    """Pending sequential jobs whose requests make `kinds` different job categories."""
    return State(now=NOW, jobs=tuple(_job(number, number % kinds) for number in range(jobs)))


def job_lines(state: State) -> Iterator[str]:
    """The state as lines of a jobs.yaml file."""
    yield f"now: {format_time(state.now)}"
    yield "jobs:"
    for job in state.jobs:
        yield f'- {{id: {job.id}, owner: {job.owner}, submitted: {format_time(job.submitted)}, qsub: "{job.qsub}"}}'


def _objects(hosts: int) -> Iterator[ConfigObject]:
    yield from default_complexes()
    yield from default_objects()
    for name, kind, urgency in (("mem", "MEMORY", "0"), ("scratch", "MEMORY", "0"), ("lic", "INT", "10")):
        yield config_object(
            Kind.COMPLEX,
            name,
            {
                "name": name,
                "shortcut": name,
                "type": kind,
                "relop": "<=",
                "requestable": "YES",
                "consumable": "YES",
                "default": "0",
                "urgency": urgency,
            },
        )
    names = [f"node{number:04d}" for number in range(1, hosts + 1)]
    yield config_object(Kind.HOST, "global", {"hostname": "global", "complex_values": "lic=500"})
    for name in names:
        yield config_object(Kind.HOST, name, {"hostname": name, "complex_values": "mem=64G,scratch=400G"})
    groups = [f"@rack{number:02d}" for number in range((hosts + 99) // 100)]
    for number, group in enumerate(groups):
        members = " ".join(names[number * 100 : number * 100 + 100])
        yield config_object(Kind.HOSTGROUP, group, {"group_name": group, "hostlist": members})
    yield config_object(Kind.HOSTGROUP, "@all", {"group_name": "@all", "hostlist": " ".join(groups)})
    for name, seq_no in (("a.q", "10"), ("b.q", "20")):
        yield config_object(
            Kind.QUEUE,
            name,
            {
                "qname": name,
                "hostlist": "@all",
                "seq_no": seq_no,
                "slots": "16",
                "load_thresholds": "NONE",
                "pe_list": "NONE",
            },
        )
    for number in range(OWNERS):
        yield config_object(Kind.USER, f"user{number:02d}", {"name": f"user{number:02d}", "fshare": "100"})
    yield config_object(
        Kind.SCHEDULER,
        "scheduler",
        {"weight_tickets_functional": "1000000", "queue_sort_method": "seqno", "weight_waiting_time": "0.010000"},
    )


def _job(number: int, kind: int) -> Job:
    requests: list[tuple[str, str | None]] = [("mem", f"{1 + kind % 10}G")]
    if kind % 4 == 1:
        requests.append(("scratch", f"{10 * (1 + kind // 10)}G"))
    if kind % 4 == 2:
        requests.append(("lic", "1"))
    if kind % 4 == 3:
        requests.append(("h_rt", str(3600 * (1 + kind // 10))))
    resources = ",".join(f"{name}={value}" for name, value in requests)
    return Job(
        id=number + 1,
        owner=f"user{number % OWNERS:02d}",
        submitted=NOW - 10_000 + number,
        request=Request(hard=tuple(requests), command=("sleep", "600")),
        name="sleep",
        runtime=600,
        qsub=f"-l {resources} sleep 600",
    )
