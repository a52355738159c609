"""Edits of a cluster or of a job that may let a task start: the sentence, the command, and how small a change it is."""

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, replace
from enum import IntEnum
from shlex import quote
from types import MappingProxyType

from qmon_tui.explain.explanation import Change
from qmon_tui.model import Cluster, ConfigObject, Job, Kind, Request, State, Task, config_object, overrides_of
from qmon_tui.qmaster import (
    MODIFY,
    Command,
    InstanceCommand,
    Qalter,
    QconfAttribute,
    Qdel,
    QmodQueues,
    Qrdel,
    Target,
    editor_line,
    resent,
    resent_with_tasks,
    with_changed_instances,
    with_job,
)
from qmon_tui.scheduler.configuration import Attribute, entries_of
from qmon_tui.values import COMMA, join_entries

_BY_EDITOR = frozenset({Kind.SCHEDULER, Kind.CONFIGURATION, Kind.COMPLEX, Kind.USER, Kind.PROJECT})
"""Those of which the whole object is edited, since one attribute cannot be set, or qconf loses the usage by it."""
_FREED = {
    "d": ("enable", InstanceCommand.ENABLE),
    "s": ("resume", InstanceCommand.UNSUSPEND),
    "E": ("clear the error of", InstanceCommand.CLEAR_ERROR),
}
"""State of a queue instance -> what qmod does to end it, and the option by which it does so."""
_INSTANCE = "queue instance"
JOB = "job"
"""What a change of a job calls the kind of what changes."""
CLEAN_UP = "clean up"
"""What changes where a job is to be cleaned up after: a change for which there is no command."""


@dataclass(frozen=True, slots=True)
class EditedCluster:
    """What the world looks like with some changes."""

    cluster: Cluster
    state: State
    changes: tuple[Change, ...] = ()

    def with_object(self, change: Change, obj: ConfigObject) -> "EditedCluster":
        """The world with one object changed besides."""
        return EditedCluster(self.cluster.with_object(obj), self.state, (*self.changes, change))

    def with_state(self, change: Change, state: State) -> "EditedCluster":
        """The world with jobs or queue states changed besides."""
        return EditedCluster(self.cluster, state, (*self.changes, change))

    def after_command(self, change: Change, command: Command, as_done: Command | None = None) -> "EditedCluster":
        """Return the cluster after a command; `as_done` has the same effect as it has in the end."""
        state = (as_done or command).apply(self.cluster, self.state).state
        return self.with_state(replace(change, command=command.line), state)

    def job(self, number: int) -> Job:
        """A job as it is in this world."""
        return next(job for job in self.state.jobs if job.id == number)


def with_entry(text: str, attribute: Attribute, value: str, separator: str) -> str:
    """complex_values with one entry set; the others stay as they are."""
    entries = entries_of(text, separator)
    names = (attribute.name, attribute.shortcut)
    if any(name in names for name, _ in entries):
        return join_entries(((name, value if name in names else old) for name, old in entries), separator)
    return join_entries((*entries, (attribute.name, value)), separator)


def without_entry(text: str, attribute: Attribute, separator: str) -> str:
    """complex_values without one entry."""
    names = (attribute.name, attribute.shortcut)
    return join_entries((entry for entry in entries_of(text, separator) if entry[0] not in names), separator)


def host_field(edited: EditedCluster, host: str, field: str, value: str, sentence: str) -> EditedCluster:
    """One field of a host, or of the global host."""
    obj = edited.cluster.get(Kind.HOST, host) or config_object(Kind.HOST, host, {"hostname": host})
    return object_field(edited, obj, field, value, sentence)


def host_value(
    edited: EditedCluster, host: str, attribute: Attribute, value: str, verb: str = "change"
) -> EditedCluster:
    """One attribute of a host, or of the global host, set to another value."""
    obj = edited.cluster.get(Kind.HOST, host) or config_object(Kind.HOST, host, {"hostname": host})
    before = obj.text("complex_values")
    where = "the global host" if host == "global" else f"host {host}"
    old = dict(entries_of(before, COMMA)).get(attribute.name) or dict(entries_of(before, COMMA)).get(attribute.shortcut)
    sentence = _set_words(verb, attribute.name, where, old, value)
    # Unlike -rattr it leaves alone what somebody else has changed in the list meanwhile.
    command = QconfAttribute(Kind.HOST, host, "complex_values", f"{attribute.name}={value}", MODIFY).line
    return object_field(edited, obj, "complex_values", with_entry(before, attribute, value, COMMA), sentence, command)


def host_without(edited: EditedCluster, host: str, attribute: Attribute) -> EditedCluster:
    """A host, or the global host, that no longer has an attribute."""
    obj = edited.cluster.get(Kind.HOST, host) or config_object(Kind.HOST, host, {"hostname": host})
    where = "the global host" if host == "global" else f"host {host}"
    value = without_entry(obj.text("complex_values"), attribute, COMMA)
    return object_field(edited, obj, "complex_values", value, f"remove {attribute.name} from {where}")


def _set_words(verb: str, name: str, where: str, old: str | None, value: str) -> str:
    if old is None:
        return f"give {where} {name}={value}"
    return f"{verb} {name} of {where} from {old} to {value}"


def queue_field(edited: EditedCluster, queue: str, host: str, field: str, value: str, sentence: str) -> EditedCluster:
    """One field of a queue set to another value: on this host, or everywhere where the queue has no other host."""
    obj = edited.cluster.objects(Kind.QUEUE)[queue]
    before = obj.text(field)
    overrides = overrides_of(before)
    alone = obj.text("hostlist").strip() == host and not overrides.keyed
    after = value if alone else overrides.with_key(host, value).text()
    name = queue if alone else f"{queue}@{host}"
    change = Change(
        sentence, Kind.QUEUE, queue, field, before, after, QconfAttribute(Kind.QUEUE, name, field, value).line
    )
    return edited.with_object(change, obj.with_value(field, after))


def queue_value(
    edited: EditedCluster, queue: str, host: str, current: str, attribute: Attribute, value: str, verb: str = "change"
) -> EditedCluster:
    """One attribute in complex_values of a queue set to another value on one host."""
    old = dict(entries_of(current, COMMA)).get(attribute.name)
    text = with_entry(current, attribute, value, COMMA)
    sentence = _set_words(verb, attribute.name, f"queue instance {queue}@{host}", old, value)
    return queue_field(edited, queue, host, "complex_values", text, sentence)


def queue_without(edited: EditedCluster, queue: str, host: str, current: str, attribute: Attribute) -> EditedCluster:
    """A queue that no longer has an attribute on one host."""
    sentence = f"remove {attribute.name} from queue instance {queue}@{host}"
    return queue_field(edited, queue, host, "complex_values", without_entry(current, attribute, COMMA), sentence)


def object_field(
    edited: EditedCluster, obj: ConfigObject, field: str, value: str, sentence: str = "", command: str = ""
) -> EditedCluster:
    """One field of any object; the command replaces it where no other is given."""
    before = obj.text(field)
    words = sentence or f"change {field} from {before} to {value}"
    if not command and obj.kind in _BY_EDITOR:
        command = f"{editor_line(obj.kind, obj.name)}  # {field} {value}"
    elif not command:
        command = QconfAttribute(obj.kind, obj.name, field, value).line
    change = Change(words, obj.kind, obj.name, field, before, value, command)
    return edited.with_object(change, obj.with_value(field, value))


def instance_state(edited: EditedCluster, instance: str, letters: str) -> EditedCluster:
    """Free a queue instance of its states one after the other, each by its own command if there is one."""
    left = letters
    for letter in letters:
        before, left = left, left.replace(letter, "")
        verb, option = _FREED.get(letter, ("clear the state of", None))
        words = f"{verb} queue instance {instance}"
        change = Change(words, _INSTANCE, instance, "state", before, left)
        if option is not None:
            edited = edited.after_command(change, QmodQueues(option, (instance,)))
        else:
            states = MappingProxyType({**edited.state.queue_states, instance: left})
            state = with_changed_instances(replace(edited.state, queue_states=states), [instance])
            edited = edited.with_state(change, state)
    return edited


def without_reservation(edited: EditedCluster, number: int, sentence: str) -> EditedCluster:
    """Give back an advance reservation."""
    state = next(reservation.state for reservation in edited.state.reservations if reservation.id == number)
    change = Change(sentence, "advance reservation", str(number), "state", state, "")
    return edited.after_command(change, Qrdel((number,)))


def without_jobs(edited: EditedCluster, numbers: Collection[int]) -> EditedCluster:
    """Delete jobs that run; some may have ended already, for something else that is in the way.

    They end immediately, as with qdel -f, since no host takes time to end them.
    """
    for job in edited.state.jobs:
        if job.id in numbers and any(task.granted for task in job.tasks.values()):
            letters = next(task.state for task in job.tasks.values() if task.granted)
            change = Change(f"delete job {job.id}", JOB, str(job.id), "state", letters, "")
            edited = edited.after_command(change, Qdel((Target(job.id),)), as_done=Qdel((Target(job.id),), force=True))
    return edited


def job_request(
    edited: EditedCluster,
    job: Job,
    request: Request,
    sentence: str,
    field: str,
    before: str,
    after: str,
    options: str = "",
    *,
    is_whole: bool = True,
) -> EditedCluster:
    """A job that asks for something else; `options` are those of the qalter that makes it so.

    It is sent to the scheduler once more: with all that belongs to it, or for some options the job alone.
    """
    command = Qalter((Target(job.id),), options).line if options else ""
    change = Change(sentence, JOB, str(job.id), field, before, after, command)
    altered = with_job(edited.state, replace(job, request=request))
    sent = resent_with_tasks(altered, job.id) if is_whole else resent(altered, job.id, is_whole=False)
    return edited.with_state(change, sent)


def resource_request(
    edited: EditedCluster,
    number: int,
    hard: Iterable[tuple[str, str | None]],
    sentence: str,
    name: str,
    before: str,
    after: str,
) -> EditedCluster:
    """A job with other hard -l requests; qalter replaces all of them at once."""
    job = edited.job(number)
    requests = tuple(hard)
    texts = ",".join(key if value is None else f"{key}={value}" for key, value in requests)
    request = replace(job.request, hard=requests)
    options = f"-l {quote(texts)}"
    return job_request(edited, job, request, sentence, f"-l {name}", before, after, options)


def job_task(
    edited: EditedCluster, job: Job, task: int, given: Task, sentence: str, command: str, *, is_sent: bool = True
) -> EditedCluster:
    """One task of a job in another state; the job is sent to the scheduler once more, or not."""
    before = job.tasks[task].state if task in job.tasks else ""
    change = Change(sentence, JOB, str(job.id), "state", before, given.state, command)
    state = with_job(edited.state, replace(job, tasks=MappingProxyType({**job.tasks, task: given})))
    return edited.with_state(change, resent_with_tasks(state, job.id) if is_sent else state)


def cleaned_up(edited: EditedCluster, number: int, task: int, hosts: str) -> EditedCluster:
    """A task whose earlier runs are cleaned up; no command does it."""
    job = edited.job(number)
    called = f"job {number}.{task}" if job.request.array is not None else f"job {number}"
    words = f"wait until earlier runs of {called} are cleaned up on {hosts}"
    change = Change(words, JOB, called.removeprefix("job "), CLEAN_UP, hosts, "")
    tasks = MappingProxyType({**job.tasks, task: replace(job.tasks[task], unclean=(), granted=MappingProxyType({}))})
    return edited.with_state(change, with_job(edited.state, replace(job, tasks=tasks)))


SIZE_OF_LIST_CHANGE = 0.5
"""A name entered into a list, or taken out of it."""
SIZE_OF_OPEN_ACCESS = 0.8
"""A list emptied."""
MOST_STEPS = 64


class Impact(IntEnum):
    """Whom a change concerns; the fewer, the smaller it is. A change of what a job is for comes late."""

    JOB = 0
    PLACE = 1
    """One host or queue instance."""
    GROUP = 2
    """A cluster queue, a parallel environment, a userset, a quota."""
    CLUSTER = 3
    """Everybody."""
    PURPOSE = 4
    """Only the job, but it gives something up that it asked for."""
    OTHERS = 5
    """Jobs that run have to end."""


@dataclass(frozen=True, slots=True)
class CandidateChange:
    """One change. An amount is changed by steps: the fewest that do are looked for."""

    kind: str
    """Changes of one kind are offered once, the smallest of them."""
    impact: Impact
    size: float
    """How much of what is there is changed, about 0 to 1."""
    edit: Callable[[EditedCluster, int], EditedCluster]
    """The world with the change, in so many steps."""
    steps: int = 1
    """How far it can be taken."""
    least: int = 1
    """In fewer steps it changes nothing for the task."""
