"""Small clusters and jobs for the scheduler's tests, written as briefly as a table row."""

from collections.abc import Iterable, Mapping
from typing import Any

from qmon_tui.formats.qsub import parse_qsub
from qmon_tui.model.cluster import Cluster, ConfigObject, config_object
from qmon_tui.model.defaults import default_complexes, default_objects
from qmon_tui.model.jobs import Job, Task
from qmon_tui.model.kinds import Kind
from qmon_tui.model.outcome import JobOutcome, Outcome
from qmon_tui.model.state import PastUsage, State, Usage
from qmon_tui.qmaster.scheduling import schedule

NOW = 1_000_000
COLUMNS = ("name", "shortcut", "type", "relop", "requestable", "consumable", "default", "urgency")

# The installed weights, nothing that changes with time, and no load: what most tests want.
QUIET = {
    "weight_urgency": "0.1",
    "weight_ticket": "0.01",
    "weight_priority": "1",
    "weight_waiting_time": "0",
    "job_load_adjustments": "NONE",
}


def attribute(line: str) -> ConfigObject:
    """A complex entry from a line of the complex table; a missing urgency is 0."""
    words = line.split()
    values = dict(zip(COLUMNS, [*words, "0"][: len(COLUMNS)], strict=True))
    return config_object(Kind.COMPLEX, values["name"], values)


def queue(name: str, hostlist: str, slots: int | str = 1, **fields: str) -> ConfigObject:
    """A cluster queue without load thresholds."""
    values = {"qname": name, "hostlist": hostlist, "slots": str(slots), "load_thresholds": "NONE", **fields}
    return config_object(Kind.QUEUE, name, values)


def environment(name: str, rule: str = "$fill_up", slots: int = 99, **fields: str) -> ConfigObject:
    """A parallel environment."""
    return config_object(Kind.PE, name, {"pe_name": name, "slots": str(slots), "allocation_rule": rule, **fields})


def host(name: str, complex_values: str = "NONE", **fields: str) -> ConfigObject:
    return config_object(Kind.HOST, name, {"hostname": name, "complex_values": complex_values, **fields})


def scheduler(**fields: object) -> ConfigObject:
    values = {name: str(value) for name, value in fields.items()}
    return config_object(Kind.SCHEDULER, "scheduler", {**QUIET, **values})


def user(name: str, **fields: object) -> ConfigObject:
    return config_object(Kind.USER, name, {"name": name, **{key: str(value) for key, value in fields.items()}})


def project(name: str, **fields: object) -> ConfigObject:
    return config_object(Kind.PROJECT, name, {"name": name, **{key: str(value) for key, value in fields.items()}})


def sharetree(**nodes: object) -> ConfigObject:
    """A share tree: each node with its shares, or with its shares and a mapping of its children."""
    lines: list[str] = []

    def add(name: str, what: object) -> None:
        shares, children = what if isinstance(what, tuple) else (what, {})
        ids = ",".join(map(str, range(1, len(children) + 1))) or "NONE"
        lines.extend((f"id={len(lines)}", f"name={name}", "type=0", f"shares={shares}", f"childnodes={ids}"))
        for child, below in children.items():
            add(child, below)

    add("Root", (1, nodes))
    return config_object(Kind.SHARETREE, "sharetree", {"tree": "\n".join(lines)})


def usage(**users: float) -> PastUsage:
    """Seconds of cpu that users have used up to now."""
    return PastUsage({name: Usage({"cpu": amount}) for name, amount in users.items()})


def userset(name: str, entries: str, type: str = "ACL", **fields: object) -> ConfigObject:  # noqa: A002
    values = {"name": name, "type": type, "entries": entries, **{key: str(value) for key, value in fields.items()}}
    return config_object(Kind.USERSET, name, values)


def configuration(**fields: object) -> ConfigObject:
    return config_object(Kind.CONFIGURATION, "global", {name: str(value) for name, value in fields.items()})


def cluster(*objects: ConfigObject) -> Cluster:
    """A fresh cluster with these objects added or replaced; the scheduler is quiet unless given."""
    fresh = Cluster().with_objects((*default_complexes(), *default_objects()))
    return fresh.with_objects((scheduler(), *objects))


def job(
    number: int,
    options: str = "",
    owner: str = "anna",
    submitted: int | None = None,
    tasks: Mapping[int, Task] | None = None,
    **more: Any,
) -> Job:
    """A job from qsub options; jobs are submitted one second after the other, and none after `NOW`."""
    line = f"{options} sleep 60".strip()
    parsed = parse_qsub(line, now=NOW)
    return Job(
        id=number,
        owner=owner,
        submitted=min(NOW, NOW - 1000 + number) if submitted is None else submitted,
        request=parsed.request,
        name=parsed.name or f"job{number}",
        tasks=tasks or {},
        **{"qsub": line, **more},
    )


def running(number: int, instance: str, options: str = "", owner: str = "anna", slots: int = 1, **more: Any) -> Job:
    """A sequential job that has been running for a long time."""
    task = Task("r", {instance: slots}, NOW - 100_000)
    return job(number, options, owner, tasks={1: task}, **more)


def state(jobs: Iterable[Job], **more: Any) -> State:
    return State(now=NOW, jobs=tuple(jobs), **more)


def run(on: Cluster, *jobs: Job, **more: Any) -> Outcome:
    """One run of these jobs."""
    return schedule(on, state(jobs, **more))


def places(outcome: Outcome) -> dict[int, str]:
    """Where each job's first started task went; only jobs that this run started."""
    return {
        job.id: next(iter(task.granted))
        for job in outcome.jobs
        for task in reversed(job.tasks)
        if task.state in ("t", "Rt")
    }


def the_job(outcome: Outcome, number: int) -> JobOutcome:
    job_outcome = outcome.job(number)
    assert job_outcome is not None
    return job_outcome


def reasons(outcome: Outcome, number: int) -> tuple[str, ...]:
    return tuple(the_job(outcome, number).reasons)
