"""Edits of a cluster or a job that may let a task start: each with its sentence, command and size."""

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, replace
from enum import IntEnum
from shlex import quote
from types import MappingProxyType

from qmon_tui.explain.explanation import Change
from qmon_tui.model import Cluster, ConfigObject, Job, Kind, State, config_object, overrides_of
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
    with_changed_instances,
    with_job,
)
from qmon_tui.scheduler.configuration import Attribute, entries_of
from qmon_tui.values import COMMA, join_entries

_BY_EDITOR = frozenset({Kind.SCHEDULER, Kind.CONFIGURATION, Kind.COMPLEX, Kind.USER, Kind.PROJECT})
"""Kinds edited as whole objects: single attributes cannot be set, or qconf would lose the usage."""
_FREED = {
    "d": ("enable", InstanceCommand.ENABLE),
    "s": ("resume", InstanceCommand.UNSUSPEND),
    "E": ("clear the error of", InstanceCommand.CLEAR_ERROR),
}
"""State of a queue instance -> verb, and qmod command that ends the state."""
_INSTANCE = "queue instance"
JOB = "job"
"""`Change.kind` for changes of a job."""
CLEAN_UP = "clean up"
"""`Change.field` if a job is to be cleaned up, for which there is no command."""


@dataclass(frozen=True, slots=True)
class EditedCluster:
    """A cluster and state with changes applied."""

    cluster: Cluster
    state: State
    changes: tuple[Change, ...] = ()
    is_refused: bool = False
    """True if one of the commands has changed nothing."""

    def with_object(self, change: Change, obj: ConfigObject) -> "EditedCluster":
        return replace(self, cluster=self.cluster.with_object(obj), changes=(*self.changes, change))

    def with_state(self, change: Change, state: State) -> "EditedCluster":
        return replace(self, state=state, changes=(*self.changes, change))

    def after_command(self, change: Change, command: Command, as_done: Command | None = None) -> "EditedCluster":
        """Return a copy after a command; `as_done`, if given, is applied instead, as its final effect."""
        state = (as_done or command).apply(self.cluster, self.state).state
        after = self.with_state(replace(change, command=command.line), state)
        return replace(after, is_refused=True) if state is self.state else after

    def job(self, number: int) -> Job:
        return next(job for job in self.state.jobs if job.id == number)


@dataclass(frozen=True, slots=True)
class Place:
    """A host, the global host, or a queue instance, whose configuration is edited."""

    host: str
    queue: str = ""
    """The cluster queue of a queue instance."""
    values: str = ""
    """complex_values of a queue instance."""

    @property
    def words(self) -> str:
        if self.queue:
            return f"queue instance {self.queue}@{self.host}"
        return "the global host" if self.host == "global" else f"host {self.host}"

    @property
    def impact(self) -> "Impact":
        return Impact.CLUSTER if self.host == "global" and not self.queue else Impact.PLACE

    def complex_values(self, edited: EditedCluster) -> str:
        """Return complex_values as text."""
        return self.values if self.queue else _host(edited, self.host).text("complex_values")


def _host(edited: EditedCluster, name: str) -> ConfigObject:
    return edited.cluster.get(Kind.HOST, name) or config_object(Kind.HOST, name, {"hostname": name})


def set_field(
    edited: EditedCluster, place: Place, field: str, value: str, sentence: str, command: str = ""
) -> EditedCluster:
    """Return a copy with a field of a place set; a queue's field as a whole if the queue has no other host."""
    if not place.queue:
        return object_field(edited, _host(edited, place.host), field, value, sentence, command)
    obj = edited.cluster.objects(Kind.QUEUE)[place.queue]
    before = obj.text(field)
    overrides = overrides_of(before)
    alone = obj.text("hostlist").strip() == place.host and not overrides.keyed
    after = value if alone else overrides.with_key(place.host, value).text()
    name = place.queue if alone else f"{place.queue}@{place.host}"
    line = QconfAttribute(Kind.QUEUE, name, field, value).line
    change = Change(sentence, Kind.QUEUE, place.queue, field, before, after, line)
    return edited.with_object(change, obj.with_value(field, after))


def set_value(
    edited: EditedCluster, place: Place, attribute: Attribute, value: str, verb: str = "change"
) -> EditedCluster:
    """Return a copy with one attribute set in complex_values of a place."""
    entries, name = entries_of(place.complex_values(edited), COMMA), attribute.name
    names = (name, attribute.shortcut)
    old = dict(entries).get(name) or dict(entries).get(attribute.shortcut)
    if any(key in names for key, _ in entries):
        text = join_entries(((key, value if key in names else text) for key, text in entries), COMMA)
    else:
        text = join_entries((*entries, (name, value)), COMMA)
    sentence = f"give {place.words} {name}={value}"
    if old is not None:
        sentence = f"{verb} {name} of {place.words} from {old} to {value}"
    # Unlike -rattr, -mattr keeps entries that others have changed meanwhile.
    command = QconfAttribute(Kind.HOST, place.host, "complex_values", f"{name}={value}", MODIFY).line
    return set_field(edited, place, "complex_values", text, sentence, "" if place.queue else command)


def without_value(edited: EditedCluster, place: Place, attribute: Attribute) -> EditedCluster:
    """Return a copy without an attribute in complex_values of a place."""
    names = (attribute.name, attribute.shortcut)
    entries = entries_of(place.complex_values(edited), COMMA)
    text = join_entries((entry for entry in entries if entry[0] not in names), COMMA)
    return set_field(edited, place, "complex_values", text, f"remove {attribute.name} from {place.words}")


def object_field(
    edited: EditedCluster, obj: ConfigObject, field: str, value: str, sentence: str = "", command: str = ""
) -> EditedCluster:
    """Return a copy with one field of any object set; the default command replaces the field."""
    before = obj.text(field)
    words = sentence or f"change {field} from {before} to {value}"
    if not command and obj.kind in _BY_EDITOR:
        command = f"{editor_line(obj.kind, obj.name)}  # {field} {value}"
    elif not command:
        command = QconfAttribute(obj.kind, obj.name, field, value).line
    change = Change(words, obj.kind, obj.name, field, before, value, command)
    return edited.with_object(change, obj.with_value(field, value))


def instance_state(edited: EditedCluster, instance: str, letters: str) -> EditedCluster:
    """Return a copy with states of a queue instance cleared in turn, each by its own command if there is one."""
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
    """Return a copy without an advance reservation."""
    state = next(reservation.state for reservation in edited.state.reservations if reservation.id == number)
    change = Change(sentence, "advance reservation", str(number), "state", state, "")
    return edited.after_command(change, Qrdel((number,)))


def without_jobs(edited: EditedCluster, numbers: Collection[int]) -> EditedCluster:
    """Return a copy in which running jobs have ended immediately, as after qdel -f; ended jobs are skipped."""
    for job in edited.state.jobs:
        if job.id in numbers and any(task.granted for task in job.tasks.values()):
            letters = next(task.state for task in job.tasks.values() if task.granted)
            change = Change(f"delete job {job.id}", JOB, str(job.id), "state", letters, "")
            edited = edited.after_command(change, Qdel((Target(job.id),)), as_done=Qdel((Target(job.id),), force=True))
    return edited


def job_request(
    edited: EditedCluster, number: int, options: str, sentence: str, field: str, before: str, after: str
) -> EditedCluster:
    """Return a copy with a job altered by options of qalter; `before` and `after` are texts of `field`."""
    change = Change(sentence, JOB, str(number), field, before, after)
    return edited.after_command(change, Qalter((Target(number),), options))


def resource_request(
    edited: EditedCluster,
    number: int,
    hard: Iterable[tuple[str, str | None]],
    sentence: str,
    name: str,
    before: str,
    after: str,
) -> EditedCluster:
    """Return a copy with the hard -l requests of a job replaced, as by qalter."""
    texts = ",".join(key if value is None else f"{key}={value}" for key, value in hard)
    return job_request(edited, number, f"-l {quote(texts)}", sentence, f"-l {name}", before, after)


def cleaned_up(edited: EditedCluster, number: int, task: int, hosts: str) -> EditedCluster:
    """Return a copy in which earlier runs of a task are cleaned up, for which there is no command."""
    job = edited.job(number)
    called = f"job {number}.{task}" if job.request.array is not None else f"job {number}"
    words = f"wait until earlier runs of {called} are cleaned up on {hosts}"
    change = Change(words, JOB, called.removeprefix("job "), CLEAN_UP, hosts, "")
    tasks = MappingProxyType({**job.tasks, task: replace(job.tasks[task], unclean=(), granted=MappingProxyType({}))})
    return edited.with_state(change, with_job(edited.state, replace(job, tasks=tasks)))


SIZE_OF_LIST_CHANGE = 0.5
"""`CandidateChange.size` of a name added to a list, or removed."""
SIZE_OF_OPEN_ACCESS = 0.8
"""`CandidateChange.size` of a list emptied."""
MOST_STEPS = 64


class Impact(IntEnum):
    """The scope of a change; the smaller, the earlier it is tried. Changes of a job's purpose come late."""

    JOB = 0
    PLACE = 1
    """One host or queue instance."""
    GROUP = 2
    """A cluster queue, PE, userset or quota."""
    CLUSTER = 3
    """The whole cluster."""
    PURPOSE = 4
    """Only the job, but it gives up something it requested."""
    OTHERS = 5
    """Running jobs must end."""


@dataclass(frozen=True, slots=True)
class CandidateChange:
    """One change to try; if it has several steps (amounts), the fewest sufficient ones are searched."""

    kind: str
    """Only the smallest change of a kind is offered."""
    impact: Impact
    size: float
    """The relative size of the change, about 0 to 1."""
    edit: Callable[[EditedCluster, int], EditedCluster]
    """Applies the change with a number of steps."""
    steps: int = 1
    """The maximum number of steps."""
    least: int = 1
    """The minimum number of steps with an effect for the task."""


def alteration(
    kind: str, impact: Impact, size: float, number: int, options: str, sentence: str, before: str, after: str
) -> CandidateChange:
    """Return the change of a job by options of qalter, the first of which is the changed field."""
    field = options.partition(" ")[0]
    return CandidateChange(
        kind, impact, size, lambda edited, _: job_request(edited, number, options, sentence, field, before, after)
    )
