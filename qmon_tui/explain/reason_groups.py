"""Reasons grouped for display: obstacles that differ only in place and amount, and those of the job itself."""

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import overload

from qmon_tui.explain.denied_start import denial_words, denied_start
from qmon_tui.explain.explanation import InstanceReason, ReasonGroup, ReasonKind
from qmon_tui.explain.holders import holders_of
from qmon_tui.explain.not_yet import dependency_reason, hold_reason, place_of_task, start_time_reason, starts_later
from qmon_tui.explain.pe_slots import (
    allocation_rule_words,
    collected_words,
    fewest_slots,
    lacks_only_slots,
    no_slots_allocatable,
    room_words,
)
from qmon_tui.explain.rejection import PlaceRejection
from qmon_tui.explain.reservations import fits_now, reservation_reasons
from qmon_tui.explain.task_rejections import TaskRejections
from qmon_tui.model import Job, drains_at, messages
from qmon_tui.qmaster import Run
from qmon_tui.scheduler.jobs import RunJob, TaskList
from qmon_tui.scheduler.matching import CONSUMABLE, merge_alarms
from qmon_tui.scheduler.placement import GLOBAL_SCOPE, HOST_SCOPE, QUOTA_SCOPE
from qmon_tui.values import format_number

_LEVELS = {GLOBAL_SCOPE: "global", HOST_SCOPE: "host", QUOTA_SCOPE: "quota"}
_ELSEWHERE = "…"
_ORDER = list(ReasonKind)
_HELD_BY_OTHERS = frozenset({ReasonKind.BUSY, ReasonKind.QUOTA})

_OF_PLACE = {
    TaskList.ERROR: (ReasonKind.HELD, messages.ERROR_STATE),
    TaskList.OVER_TASK_LIMIT: (ReasonKind.POLICY, messages.TASK_LIMIT),
}
_WAITING = (TaskList.HOLD, TaskList.WAITING_FOR_TIME, TaskList.WAITING_FOR_JOBS)
_MOST_REASONS = 3
_NEVER_LOOKED_AT = "no queue instance was left when its turn came, so it was not considered"
_FILTERED = "JC_FILTER leaves it out of this run: too many similar jobs are ahead"
_OTHER_CATEGORY = (
    "the scheduler keeps it in the category of jobs {}, which qalter -ar alone does not change, and starts none of them"
)
_NO_MASTER = "no queue instance that may be its master queue (-masterq) takes it"
_WOULD_FIT = "it fits now: the obstacle is gone since it was tried"


def _of_reservation(job: Job) -> str:
    number = job.category_reservation
    return "without an advance reservation" if number is None else f"of advance reservation {number}"


def groups_of(run: Run, run_job: RunJob, task: int, rejections: TaskRejections) -> tuple[ReasonGroup, ...]:
    """Return all reasons, the job's own first, then from temporary to permanent ones.

    `rejections` may come from a run that ended when the task was tried.
    """
    own = [
        *own_reasons(run, run_job, task),
        *rejections.further_reasons,
        *reservation_reasons(run, rejections, task, run_job.category.reasons),
    ]
    if own and fits_now(rejections):
        # Unsuitable places do not matter if others fit.
        return tuple(own)
    own += [
        *_rules(rejections),
        *_master(rejections),
        *_everywhere(rejections),
        *_rooms(rejections),
    ]
    alike: dict[Hashable, tuple[PlaceRejection, list[int]]] = {}
    for rejection, numbers in rejections.places:
        group_key = rejection.group_key
        if group_key in alike:
            alike[group_key][1].extend(numbers)
        else:
            alike[group_key] = (rejection, list(numbers))
    groups = _merged(
        rejections, (_group(rejections, rejection, sorted(numbers)) for rejection, numbers in alike.values())
    )
    if not own and not groups:
        own = [ReasonGroup(ReasonKind.POLICY, "job", _WOULD_FIT)]
    return (*own, *sorted(groups, key=lambda group: (_ORDER.index(group.why), -len(group.instances))))


def _merged(rejections: TaskRejections, groups: Iterable[ReasonGroup]) -> list[ReasonGroup]:
    """Return groups, merged if their text is the same, whether hosts, cluster queues or instances are refused."""
    merged: dict[Hashable, ReasonGroup] = {}
    numbers = rejections.run.resources.instance_numbers
    for group in groups:
        key = (group.why, group.message, group.closing, group.state)
        known = merged.setdefault(key, group)
        if known is not group:
            places = sorted((*known.instances, *group.instances), key=numbers.__getitem__)
            merged[key] = replace(known, instances=tuple(places))
    return list(merged.values())


def own_reasons(run: Run, run_job: RunJob, task: int) -> Iterator[ReasonGroup]:
    """Yield the reasons of the job itself: its state, its limits, and decisions before its turn."""
    place = place_of_task(run_job, task)
    if place is not None:
        # The scheduler itself notices only the first of these reasons.
        if place in _OF_PLACE:
            why, number = _OF_PLACE[place]
            yield ReasonGroup(why, "job", messages.message(number) + _error_reason(run_job.job, task, place))
        if place is TaskList.HOLD:
            yield hold_reason(run, run_job, task)
        if run_job.waits and place in _WAITING:
            yield dependency_reason(run, run_job.job)
        if starts_later(run, run_job) and place in _WAITING:
            yield start_time_reason(run_job.job)
    elif run_job.filtered:
        yield ReasonGroup(ReasonKind.POLICY, "job", _FILTERED)
    elif run_job.excluded_at is not None:
        yield ReasonGroup(ReasonKind.POLICY, "job", messages.message(messages.USER_LIMIT))
    elif (denied := denied_start(run, run_job, task)) is not None:
        yield ReasonGroup(ReasonKind.POLICY, "job", denial_words(run, denied))
    elif run_job.job.category_ar is not None and run_job.category.rejected:
        yield ReasonGroup(ReasonKind.POLICY, "job", _OTHER_CATEGORY.format(_of_reservation(run_job.job)))
    elif not run_job.category.rejected and not run_job.not_simulated and not len(run.dispatch.order):
        yield ReasonGroup(ReasonKind.POLICY, "job", _NEVER_LOOKED_AT)


def _error_reason(job: Job, task: int, place: TaskList) -> str:
    """Return the reason of an error after a colon; empty without an error or if unknown."""
    known = job.tasks.get(task) if place is TaskList.ERROR else None
    return f": {known.reason}" if known is not None and known.reason else ""


def _everywhere(rejections: TaskRejections) -> Iterator[ReasonGroup]:
    rejection = rejections.everywhere
    if rejection is not None:
        holders = holders_of(rejections.run, rejection, ()) if rejection.why in _HELD_BY_OTHERS else ()
        message = rejection.message("global")
        yield ReasonGroup(rejection.why, "global", message, (), rejection.attribute, holders=holders)


def _rules(rejections: TaskRejections) -> Iterator[ReasonGroup]:
    """Yield PEs that deny access, and allocation rules that can give none of the job's slot numbers."""
    if rejections.lacks_pe_access:
        for environment in rejections.environments:
            yield ReasonGroup(ReasonKind.NEVER, "job", messages.message(messages.NO_PE_ACCESS, environment.name))
    if no_slots_allocatable(rejections):
        for environment in rejections.environments:
            yield ReasonGroup(ReasonKind.NEVER, "job", allocation_rule_words(rejections, environment))


def _master(rejections: TaskRejections) -> Iterator[ReasonGroup]:
    """Yield the reason if no queue instance that may be the master queue takes it."""
    if rejections.masters:
        whys = {rejection.why for number in rejections.masters if (rejection := rejections.of[number]) is not None}
        places = tuple(rejections.run.resources.instances[number].name for number in sorted(rejections.masters))
        yield ReasonGroup(min(whys, key=_ORDER.index), "queue", _NO_MASTER, places)


def _rooms(rejections: TaskRejections) -> Iterator[ReasonGroup]:
    """Yield the queue instances that would give a parallel job some of its slots."""
    if not lacks_only_slots(rejections):
        return
    places = zip(rejections.run.resources.instances, rejections.of, strict=True)
    open_instances = [instance for instance, rejection in places if rejection is None]
    for environment in rejections.environments:
        names = [instance.name for instance in open_instances if environment.name in instance.profile.pe_list]
        is_enough = environment.slots >= fewest_slots(rejections, environment)
        why = _why_too_few(rejections) if is_enough else ReasonKind.NEVER
        yield ReasonGroup(why, "queue", collected_words(rejections, environment), tuple(names))
    if rejections.next_slot is not None:
        yield from rejections.next_slot.reasons()


def _why_too_few(rejections: TaskRejections) -> ReasonKind:
    """Return why slots are missing: used by others (BUSY), taken away by a state (STATE), or not configured (NEVER)."""
    if rejections.is_busy:
        return ReasonKind.BUSY
    return (
        ReasonKind.STATE
        if any(rejection is not None and rejection.why is ReasonKind.STATE for rejection in rejections.of)
        else ReasonKind.NEVER
    )


def _group(rejections: TaskRejections, rejection: PlaceRejection, numbers: Sequence[int]) -> ReasonGroup:
    instances = rejections.run.resources.instances
    return ReasonGroup(
        why=rejection.why,
        level=_LEVELS.get(rejection.scope, "queue"),
        message=_message(rejections, rejection, numbers),
        instances=tuple(instances[number].name for number in numbers),
        attribute=rejection.attribute,
        closing=rejection.closing,
        state=rejection.state,
        holders=holders_of(rejections.run, rejection, numbers) if rejection.why in _HELD_BY_OTHERS else (),
        details=(*_project_words(rejections, rejection, numbers), *_state_words(rejections, numbers)),
    )


def _state_words(rejections: TaskRejections, numbers: Sequence[int]) -> Iterator[str]:
    """Yield the known reasons of queue instances in error or disabled, limited to the first three."""
    run = rejections.run
    reasons: dict[str, None] = {}
    for number in numbers:
        name, letters = run.resources.instances[number].name, run.availability.states[number]
        if "E" in letters and (reason := run.state.error_reasons.get(name)):
            reasons[f"{name}: {reason}"] = None
        for drain in drains_at(run.state.drains, name) if "d" in letters else ():
            reasons[f"disabled by {drain.key}" if drain.who else f"disabled: {drain.reason}"] = None
    yield from [*reasons][:_MOST_REASONS]
    if len(reasons) > _MOST_REASONS:
        yield f"and {len(reasons) - _MOST_REASONS} more reasons"


def _project_words(rejections: TaskRejections, rejection: PlaceRejection, numbers: Sequence[int]) -> Iterator[str]:
    """Yield the lists that exclude a job's project, since 8.1.9 says "(no project)" for cluster queues."""
    project, instances = rejections.run_job.project, rejections.run.resources.instances
    if rejection.number != messages.NO_PROJECT or project is None:
        return
    queues: dict[str, dict[str, None]] = {}
    for number in numbers:
        access = instances[number].profile.access
        banned = project in access.xprojects
        where = "is in the xprojects of" if banned else f"is not among the projects ({' '.join(access.projects)}) of"
        queues.setdefault(where, {})[instances[number].queue] = None
    yield from (f"project {project} {where} {', '.join(names)}" for where, names in queues.items())


def _message(rejections: TaskRejections, rejection: PlaceRejection, numbers: Sequence[int]) -> str:
    """Return the message; for several places with an ellipsis and the range of offered amounts."""
    places = {rejections.place(number, rejection) for number in numbers}
    if len(places) == 1:
        exact = rejections.exactly(numbers[0]) or rejection
        return exact.message(places.pop())
    if rejection.quota is not None:
        key = _common_key(rejections, rejection.quota.key, numbers)
        return replace(rejection, inserts=(key, rejection.quota.rule)).message(_ELSEWHERE)
    if rejection.is_alarm:
        alarms = [own.inserts[-1] for number in numbers if (own := rejections.of[number]) is not None]
        rejection = replace(rejection, inserts=(*rejection.inserts[:-1], merge_alarms(alarms)))
    offered = ""
    missing = rejection.shortfall
    if missing is not None and missing.amount is not None:
        amounts = [
            amount for number in numbers if (amount := offered_amount(rejections, rejection, number)) is not None
        ]
        ends = dict.fromkeys(format_number(end, missing.attribute.type) for end in (min(amounts), max(amounts)))
        offered = " to ".join(ends)
    return rejection.message(_ELSEWHERE, offered).replace(f'"{_ELSEWHERE}"', _ELSEWHERE)


def _common_key(rejections: TaskRejections, key: str, numbers: Sequence[int]) -> str:
    """Return the key of a quota's counters; an ellipsis for a queue or host that differs."""
    user, project, environment, queue, host, *rest = key.split("/")
    instances = [rejections.run.resources.instances[number] for number in numbers]
    if queue and len({instance.queue for instance in instances}) > 1:
        queue = _ELSEWHERE
    if host and len({instance.host for instance in instances}) > 1:
        host = _ELSEWHERE
    return "/".join((user, project, environment, queue, host, *rest))


def offered_amount(rejections: TaskRejections, rejection: PlaceRejection, number: int) -> float | None:
    """Return the amount of the missing resource that a queue instance offers; None if no amount is missing."""
    missing = rejection.shortfall
    if missing is None or missing.amount is None:
        return None
    if missing.kind.endswith(CONSUMABLE) and missing.attribute.relop not in (">=", ">"):
        level = rejections.level(number, rejection)
        name = missing.attribute.name
        return level.configured[name].number - (level.used[name] if rejection.why is ReasonKind.BUSY else 0.0)
    exact = rejections.exactly(number) or rejection
    return exact.shortfall.amount if exact.shortfall is not None else missing.amount


@dataclass(eq=False, slots=True)
class InstanceReasons(Sequence[InstanceReason]):
    """One reason per queue instance that does not take the task, formatted on access."""

    rejections: TaskRejections
    numbers: Sequence[int]

    @classmethod
    def of(cls, rejections: TaskRejections) -> "InstanceReasons":
        """Return the reasons of all rejecting queue instances; for a parallel job also the slots of others."""
        everywhere = rejections.everywhere is not None or bool(rejections.environments)
        chosen = [number for number, rejection in enumerate(rejections.of) if everywhere or rejection is not None]
        return cls(rejections, chosen)

    def __len__(self) -> int:
        return len(self.numbers)

    @overload
    def __getitem__(self, index: int) -> InstanceReason: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[InstanceReason]: ...
    def __getitem__(self, index: int | slice) -> InstanceReason | Sequence[InstanceReason]:
        if isinstance(index, slice):
            return InstanceReasons(self.rejections, self.numbers[index])
        return self._reason(self.numbers[index])

    def __repr__(self) -> str:
        return repr(tuple(self))

    def _reason(self, number: int) -> InstanceReason:
        rejections = self.rejections
        name = rejections.run.resources.instances[number].name
        own = rejections.exactly(number)
        rejection = own if own is not None and own.why is ReasonKind.NEVER else rejections.everywhere or own
        if rejection is None:
            return InstanceReason(name, "queue", room_words(rejections, number), None, ReasonKind.BUSY)
        level = _LEVELS.get(rejection.scope, "queue")
        return InstanceReason(
            name, level, rejection.message(rejections.place(number, rejection)), rejection.attribute, rejection.why
        )
