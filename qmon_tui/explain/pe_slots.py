"""The slots available for a parallel job, in one queue instance and in all."""

from dataclasses import replace

from qmon_tui.explain.allocation_rule import allocatable_slots, fewest_slots_of_request, slots_per_host
from qmon_tui.explain.task_rejections import TaskRejections
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
    """Return the slots of one queue instance, in the PE that gives most."""
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
