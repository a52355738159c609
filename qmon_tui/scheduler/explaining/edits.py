"""Small edits of a cluster or of a job, each with the sentence that describes it."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from types import MappingProxyType

from qmon_tui.model.cluster import Cluster, ConfigObject, config_object
from qmon_tui.model.kinds import Kind
from qmon_tui.model.state import Job, Request, State, Task
from qmon_tui.model.topology import overrides_of
from qmon_tui.scheduler.compiled.attributes import Attribute
from qmon_tui.scheduler.compiled.queues import Instance
from qmon_tui.scheduler.compiled.values import entries_of
from qmon_tui.scheduler.outcome import Change
from qmon_tui.values.lists import BLANK_OR_COMMA, COMMA, join_entries
from qmon_tui.values.number import INFINITY

_UNITS = (("T", 1024.0**4), ("G", 1024.0**3), ("M", 1024.0**2), ("K", 1024.0))


@dataclass(frozen=True, slots=True)
class Edited:
    """What the world looks like with one change."""

    change: Change
    cluster: Cluster
    state: State


@dataclass(frozen=True, slots=True)
class Candidate:
    """A way out of one obstacle: the world with a change of so many steps, and how far it can be taken."""

    edit: Callable[[int], Edited]
    steps: int = 1


MOST_STEPS = 64


def amount_text(attribute: Attribute, amount: float) -> str:
    """An amount as one would type it, never less than it is."""
    if not amount < INFINITY:
        return "INFINITY"
    if attribute.type == "MEMORY":
        for unit, size in _UNITS:
            if amount >= size and amount % (size / 1024) == 0:
                return f"{amount / size:g}{unit}" if amount % size == 0 else f"{amount * 1024 / size:.0f}{_below(unit)}"
    if amount == int(amount):
        return str(int(amount))
    return f"{amount:f}".rstrip("0")


def _below(unit: str) -> str:
    smaller = {"T": "G", "G": "M", "M": "K", "K": ""}
    return smaller[unit]


def with_entry(text: str, attribute: Attribute, value: str, separator: str) -> str:
    """complex_values with one entry set; the others stay as they are."""
    entries = entries_of(text, separator)
    names = (attribute.name, attribute.shortcut)
    if any(name in names for name, _ in entries):
        return join_entries(((name, value if name in names else old) for name, old in entries), separator)
    return join_entries((*entries, (attribute.name, value)), separator)


def host_value(cluster: Cluster, state: State, host: str, attribute: Attribute, value: str) -> Edited:
    """One attribute of a host, or of the global host, set to another value."""
    obj = cluster.get(Kind.HOST, host) or config_object(Kind.HOST, host, {"hostname": host})
    before = obj.text("complex_values")
    after = with_entry(before, attribute, value, COMMA)
    where = "the global host" if host == "global" else f"host {host}"
    old = dict(entries_of(before, COMMA)).get(attribute.name, "nothing")
    change = Change(
        f"raise {attribute.name} of {where} from {old} to {value}", Kind.HOST, host, "complex_values", before, after
    )
    return Edited(change, cluster.with_object(obj.with_value("complex_values", after)), state)


def queue_field(
    cluster: Cluster, state: State, queue: ConfigObject, host: str, field: str, value: str, description: str
) -> Edited:
    """One field of a queue set to another value: on this host, or everywhere where the queue has no other host."""
    before = queue.text(field)
    overrides = overrides_of(before)
    has_own = overrides.get(host) is not None
    alone = queue.text("hostlist").strip() == host and not overrides.keyed
    after = value if alone and not has_own else overrides.with_key(host, value).text()
    change = Change(description, Kind.QUEUE, queue.name, field, before, after)
    return Edited(change, cluster.with_object(queue.with_value(field, after)), state)


def more_slots(cluster: Cluster, state: State, instance: Instance) -> Candidate:
    """More slots in one queue instance."""
    queue = cluster.objects(Kind.QUEUE)[instance.queue]
    slots = instance.profile.slots

    def raised(steps: int) -> Edited:
        sentence = f"raise the slots of queue instance {instance.name} from {slots} to {slots + steps}"
        return queue_field(cluster, state, queue, instance.host, "slots", str(slots + steps), sentence)

    return Candidate(raised, MOST_STEPS)


def queue_value(
    cluster: Cluster, state: State, queue: ConfigObject, host: str, current: str, attribute: Attribute, value: str
) -> Edited:
    """One attribute in complex_values of a queue set to another value on one host."""
    old = dict(entries_of(current, BLANK_OR_COMMA)).get(attribute.name, "nothing")
    text = with_entry(current, attribute, value, BLANK_OR_COMMA)
    sentence = f"raise {attribute.name} of queue instance {queue.name}@{host} from {old} to {value}"
    return queue_field(cluster, state, queue, host, "complex_values", text, sentence)


def single_field(cluster: Cluster, state: State, obj: ConfigObject, field: str, value: str) -> Edited:
    """One field of the scheduler or global configuration."""
    return object_field(cluster, state, obj, field, value, f"raise {field} from {obj.text(field)} to {value}")


def object_field(cluster: Cluster, state: State, obj: ConfigObject, field: str, value: str, sentence: str) -> Edited:
    """One field of any object."""
    change = Change(sentence, obj.kind, obj.name, field, obj.text(field), value)
    return Edited(change, cluster.with_object(obj.with_value(field, value)), state)


def instance_state(cluster: Cluster, state: State, instance: str, before: str) -> Edited:
    """A queue instance freed of all its states."""
    verb = "enable" if set(before) <= set("dD") else "clear the state of"
    change = Change(f"{verb} queue instance {instance}", "queue instance", instance, "state", before, "")
    states = MappingProxyType({**state.queue_states, instance: ""})
    return Edited(change, cluster, replace(state, queue_states=states))


def job_request(
    cluster: Cluster, state: State, job: Job, request: Request, sentence: str, field: str, before: str, after: str
) -> Edited:
    """A job that asks for something else, as after qalter."""
    change = Change(sentence, "job", str(job.id), field, before, after)
    return Edited(change, cluster, with_job(state, replace(job, request=request)))


def job_task(cluster: Cluster, state: State, job: Job, task: int, given: Task, sentence: str) -> Edited:
    """One task of a job in another state."""
    before = job.tasks[task].state if task in job.tasks else ""
    change = Change(sentence, "job", str(job.id), "state", before, given.state)
    tasks = MappingProxyType({**job.tasks, task: given})
    return Edited(change, cluster, with_job(state, replace(job, tasks=tasks)))


def with_job(state: State, changed: Job) -> State:
    """The state with one job replaced."""
    return replace(state, jobs=tuple(changed if job.id == changed.id else job for job in state.jobs))
