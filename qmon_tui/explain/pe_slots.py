"""The slots available for a parallel job, and candidate changes if there are too few."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import islice
from shlex import quote

from qmon_tui.explain import edits
from qmon_tui.explain.configuration_changes import other_environments
from qmon_tui.explain.edits import MOST_STEPS, CandidateChange, EditedCluster, Impact, alteration
from qmon_tui.explain.level_fit import allocatable_slots, fewest_slots_of_request, slots_per_host
from qmon_tui.explain.request_changes import more_slots
from qmon_tui.explain.task_rejections import TaskRejections
from qmon_tui.model import Kind
from qmon_tui.scheduler.configuration import ParallelEnvironment
from qmon_tui.scheduler.jobs import PeCache
from qmon_tui.scheduler.matching import SlotCounter
from qmon_tui.scheduler.parallel import SlotCollection


def fewest_slots(rejections: TaskRejections, environment: ParallelEnvironment | None = None) -> int:
    """Return the smallest number of slots that the job accepts and the PE can allocate."""
    return fewest_slots_of_request(rejections.run_job.job.request.pe, environment)


def no_slots_allocatable(rejections: TaskRejections) -> bool:
    """True if the allocation rules of all PEs rule out all slot numbers."""
    request = rejections.run_job.job.request.pe
    return bool(rejections.environments) and not any(
        True for environment in rejections.environments for _ in allocatable_slots(request, environment)
    )


def lacks_only_slots(rejections: TaskRejections) -> bool:
    """True if some queue instances would give a parallel job a part of its slots."""
    is_let_in = bool(rejections.environments) and not (rejections.lacks_pe_access or no_slots_allocatable(rejections))
    return is_let_in and rejections.everywhere is None and None in rejections.of and not rejections.masters


def allocation_rule_words(rejections: TaskRejections, environment: ParallelEnvironment) -> str:
    """Describe an allocation rule that rules out all slot numbers."""
    slots, rule = (
        fewest_slots(rejections),
        f"allocation_rule {environment.rule} of parallel environment {environment.name}",
    )
    if slots_per_host(environment):
        return f"{slots} slots cannot be divided among hosts: {rule}"
    return f"no number of slots can be allocated: {rule}"


def slot_collection(
    rejections: TaskRejections, environment: ParallelEnvironment, slots: int = 0, *, plans: bool = True
) -> SlotCollection:
    """Return a fresh attempt to collect `slots` slots (default: all needed) on the finished run, without side effects.

    With `plans` False, reservations that have not begun are ignored.
    """
    slots = slots or fewest_slots(rejections, environment)
    pe_attempt = rejections.run.dispatch.parallel.pe_attempt(rejections.run_job, environment, slots)
    context = (
        pe_attempt.context
        if plans
        else replace(pe_attempt.context, counter=SlotCounter(pe_attempt.context.counter.checker))
    )
    return SlotCollection(replace(pe_attempt, context=context, pe_cache=PeCache(), remembers=False, masters={}))


def fits_without_reservations(rejections: TaskRejections) -> bool:
    """True if all slots fit some PE, ignoring reservations that have not begun."""
    if rejections.fits_without_reservations is None:
        rejections.fits_without_reservations = any(
            free_slots(rejections, environment) >= fewest_slots(rejections, environment)
            and slot_collection(rejections, environment, plans=False).succeeds()
            for environment in rejections.environments
        )
    return rejections.fits_without_reservations


def room(rejections: TaskRejections, number: int) -> int:
    """Return the number of slots that one queue instance can give the job, in the PE that gives most."""
    offered = rejections.run.resources.instances[number].profile.pe_list
    environments = [environment for environment in rejections.environments if environment.name in offered]
    return max(
        (slot_collection(rejections, environment).available_slots.slots_in(number) for environment in environments),
        default=0,
    )


def room_words(rejections: TaskRejections, number: int) -> str:
    """Describe the slots of one queue instance."""
    slots = room(rejections, number)
    return f"has room for {slots} of {fewest_slots(rejections)} slots" if slots else "has no room for the job now"


def free_slots(rejections: TaskRejections, environment: ParallelEnvironment) -> int:
    """Return the slots of a PE that no job uses."""
    return environment.slots - rejections.run.resources.environment_slots.get(environment.name, 0)


def collected(rejections: TaskRejections, environment: ParallelEnvironment) -> int:
    """Return how many of the job's slots all queue instances together have, regardless of the PE's slots."""
    known = rejections.collected.get(environment.name)
    if known is None:
        attempt = slot_collection(rejections, environment)
        attempt.succeeds()
        offered = attempt.offered if attempt.has_visited_hosts else attempt.available_slots.global_slots().now
        known = rejections.collected[environment.name] = min(offered, fewest_slots(rejections, environment))
    return known


def most_slots(rejections: TaskRejections, environment: ParallelEnvironment) -> int:
    """Return the most slots that the job could get now in a PE if it accepted fewer."""
    slots = fewest_slots(rejections, environment)
    if not is_divided_evenly(environment):
        return min(max(0, free_slots(rejections, environment)), collected(rejections, environment))
    known = rejections.collected.get(environment.name)
    if known is None:
        each = max(1, slots_per_host(environment))
        # If a number of groups fits, so do fewer; all do not fit, or the job would run.
        free_groups = max(0, free_slots(rejections, environment)) // each
        fits, fails = 0, max(1, min(slots // each, free_groups + 1))
        while fails - fits > 1:
            middle = (fits + fails) // 2
            if slot_collection(rejections, environment, middle * each).succeeds():
                fits = middle
            else:
                fails = middle
        known = rejections.collected[environment.name] = fits * each
    return known


def is_divided_evenly(environment: ParallelEnvironment) -> bool:
    """True if each host must give the same number of slots, or one host all."""
    return environment.per_host(max(1, slots_per_host(environment))) > 0


def collected_words(rejections: TaskRejections, environment: ParallelEnvironment) -> str:
    """Describe the slots of all queue instances together."""
    slots, free = fewest_slots(rejections, environment), free_slots(rejections, environment)
    if free < slots:
        free_now = f"{max(0, free)} of its {environment.slots} slots free"
        return f"parallel environment {environment.name} has {free_now}, and {slots} are wanted"
    most, each, name = most_slots(rejections, environment), slots_per_host(environment), environment.name
    if each:
        return f"together they have room for {most} of {slots} slots in {name}, {each} on each host"
    if is_divided_evenly(environment):
        return f"all {slots} slots have to be on one host in {name}, and no host has room for more than {most}"
    return f"together they have room for {most} of {slots} slots in {name}"


_ANY = "*"
_FILL_UP = "$fill_up"
_OTHERS = 2
"""Maximum number of other PEs tried."""
_LOOKED_AT = 50
"""Maximum number of queue instances whose slots are counted."""


def candidates_for_pe_slots(rejections: TaskRejections) -> Iterator[tuple[CandidateChange, ...]]:
    """Yield plans that may work alone; if the PE is also too small, both changes together."""
    if no_slots_allocatable(rejections):
        yield from (
            (candidate,) for environment in rejections.environments for candidate in _divisible(rejections, environment)
        )
        return
    for environment in rejections.environments:
        slots = fewest_slots(rejections, environment)
        free, most = free_slots(rejections, environment), most_slots(rejections, environment)
        larger = [_larger(rejections, environment, slots - free)] if free < slots else []
        if larger:
            yield tuple(larger)
        if larger or rejections.next_slot is None or not rejections.next_slot.unmet_requirements:
            for candidate in _more_room(rejections, environment, max(1, slots - most)):
                yield (*larger, candidate)
        each = max(1, slots_per_host(environment))
        if rejections.run_job.job.request.advance_reservation is not None:
            # The count of free slots does not include the reserved ones: any smaller number may be enough.
            most = (slots - 1) // each * each
        if 0 < most < slots:
            yield (_smaller(rejections, slots, most, each),)
        if is_divided_evenly(environment) and most < slots <= free:
            yield (_spread(rejections, environment),)
    yield from ((candidate,) for candidate in islice(_elsewhere(rejections), _OTHERS))


def _elsewhere(rejections: TaskRejections) -> Iterator[CandidateChange]:
    """Yield changes to other PEs with enough free slots, which may not suit the job."""
    known, slots = rejections.run.compiled.environments, fewest_slots(rejections)
    instances = rejections.run.resources.instances
    offered = dict.fromkeys(name for instance in instances for name in instance.profile.pe_list)
    large = [name for name in offered if name in known and free_slots(rejections, known[name]) >= slots]
    for candidate in other_environments(rejections, large):
        yield replace(candidate, impact=Impact.PURPOSE)


def _spread(rejections: TaskRejections, environment: ParallelEnvironment) -> CandidateChange:
    """Return the change that lets a PE's slots come from any number of hosts."""
    name, rule = environment.name, environment.rule
    sentence = f"let parallel environment {name} fill hosts: allocation_rule {_FILL_UP} instead of {rule}"
    return CandidateChange(
        f"allocation_rule of {name}", Impact.GROUP, 0.5, lambda w, _: edits.object_field(
            w, w.cluster.objects(Kind.PE)[name], "allocation_rule", _FILL_UP, sentence
        ),
    )  # fmt: skip


def candidates_for_master_queue(rejections: TaskRejections) -> Iterator[CandidateChange]:
    """Yield the change that allows any master queue."""
    number, before = rejections.run_job.id, ",".join(rejections.run_job.job.request.master_queues)
    if rejections.masters:
        sentence = f"let the master queue of job {number} be any"
        yield alteration("-masterq", Impact.PURPOSE, 0.5, number, f"-masterq '{_ANY}'", sentence, before, _ANY)


def _larger(rejections: TaskRejections, environment: ParallelEnvironment, missing: int) -> CandidateChange:
    name, slots = environment.name, environment.slots

    def raised(edited: EditedCluster, steps: int) -> EditedCluster:
        obj = edited.cluster.objects(Kind.PE)[name]
        value = str(slots + missing + steps - 1)
        sentence = f"raise the slots of parallel environment {name} from {slots} to {value}"
        return edits.object_field(edited, obj, "slots", value, sentence)

    return CandidateChange(f"slots of {name}", Impact.GROUP, missing / (slots + missing), raised, MOST_STEPS)


def _more_room(rejections: TaskRejections, environment: ParallelEnvironment, missing: int) -> Iterator[CandidateChange]:
    """Yield more slots in the queue instance that has most slots for the job."""
    resources = rejections.run.resources
    offering = [
        number
        for number, rejection in enumerate(rejections.of)
        if environment.name in resources.instances[number].profile.pe_list
        and (rejection is None or rejection.attribute == "slots" or resources.is_full(number))
        and not rejections.run.availability.states[number]
    ]
    rooms = {number: room(rejections, number) for number in offering[:_LOOKED_AT]}
    if is_divided_evenly(environment):
        # Hosts that already give all their slots cannot give more.
        wanted = slots_per_host(environment) or fewest_slots(rejections, environment)
        rooms = {number: slots for number, slots in rooms.items() if slots < wanted}
        missing = wanted - max(rooms.values(), default=0)
    if not rooms:
        return
    instance = resources.instances[max(rooms, key=rooms.__getitem__)]
    yield more_slots(instance, missing)


def _smaller(rejections: TaskRejections, slots: int, most: int, each: int) -> CandidateChange:
    """Return the request for the available slots, then fewer by as many as each host must give."""
    return CandidateChange(
        "fewer slots",
        Impact.JOB,
        (slots - most) / slots,
        lambda edited, steps: _asking_for(rejections, slots, max(each, most - (steps - 1) * each), edited),
        max(1, most // each),
    )


def _divisible(rejections: TaskRejections, environment: ParallelEnvironment) -> Iterator[CandidateChange]:
    """Yield the nearest slot numbers that the allocation rule can give."""
    slots, each = fewest_slots(rejections), slots_per_host(environment)
    if not each:
        return
    for other in (slots // each * each, (slots // each + 1) * each):
        if other:
            size = abs(other - slots) / slots
            kind = "fewer slots" if other < slots else "more slots"
            yield CandidateChange(kind, Impact.JOB, size, partial(_asking_for, rejections, slots, other))


def _asking_for(rejections: TaskRejections, slots: int, other: int, edited: EditedCluster, _: int = 1) -> EditedCluster:
    number = rejections.run_job.id
    pe = edited.job(number).request.pe
    assert pe is not None
    sentence = f"let job {number} ask for {other} instead of {slots} slots"
    before, after = f"{pe.name} {slots}", f"{pe.name} {other}"
    return edits.job_request(edited, number, f"-pe {quote(pe.name)} {other}", sentence, "-pe", before, after)
