"""Parallel jobs: how many of their slots there is room for, in one queue instance and in all of them."""

from dataclasses import replace

from qmon_tui.explain.allocation_rule import allocatable_slots, fewest_slots_of_request, slots_per_host
from qmon_tui.explain.task_rejections import TaskRejections
from qmon_tui.scheduler.configuration.parallel_environments import ParallelEnvironment
from qmon_tui.scheduler.jobs.categories import PeCache
from qmon_tui.scheduler.matching.slot_count import SlotCounter
from qmon_tui.scheduler.parallel.slot_collection import SlotCollection


def fewest_slots(found: TaskRejections, environment: ParallelEnvironment | None = None) -> int:
    """The smallest number of slots with which the job is content, and that can be allocated in an environment."""
    return fewest_slots_of_request(found.run_job.job.request.pe, environment)


def no_slots_allocatable(found: TaskRejections) -> bool:
    """Tell whether the allocation rules of all environments rule out all numbers of slots."""
    request = found.run_job.job.request.pe
    return bool(found.environments) and not any(
        True for one in found.environments for _ in allocatable_slots(request, one)
    )


def allocation_rule_words(found: TaskRejections, environment: ParallelEnvironment) -> str:
    """That an allocation rule rules out all numbers of slots."""
    slots, rule = fewest_slots(found), f"allocation_rule {environment.rule} of parallel environment {environment.name}"
    if slots_per_host(environment):
        return f"{slots} slots cannot be divided among hosts: {rule}"
    return f"no number of slots can be allocated: {rule}"


def slot_collection(
    found: TaskRejections, environment: ParallelEnvironment, slots: int = 0, *, plans: bool = True
) -> SlotCollection:
    """A fresh attempt to collect the job's slots, or so many, on the finished run; it leaves nothing behind.

    Without plans, as if nothing that has not begun were reserved.
    """
    slots = slots or fewest_slots(found, environment)
    pe_attempt = found.run.dispatch.parallel.pe_attempt(found.run_job, environment, slots)
    context = (
        pe_attempt.context
        if plans
        else replace(pe_attempt.context, counter=SlotCounter(pe_attempt.context.counter.checker))
    )
    return SlotCollection(replace(pe_attempt, context=context, pe_cache=PeCache(), remembers=False, masters={}))


def fits_without_reservations(found: TaskRejections) -> bool:
    """Tell whether there is room for all slots in some environment, if nothing that has not begun were reserved."""
    if found.fits_without_reservations is None:
        found.fits_without_reservations = any(
            free_slots(found, one) >= fewest_slots(found, one) and slot_collection(found, one, plans=False).succeeds()
            for one in found.environments
        )
    return found.fits_without_reservations


def room(found: TaskRejections, number: int) -> int:
    """The slots that one queue instance has room for, in the parallel environment that gives most."""
    offered = found.run.resources.instances[number].profile.pe_list
    environments = [one for one in found.environments if one.name in offered]
    return max((slot_collection(found, one).available_slots.slots_in(number) for one in environments), default=0)


def room_words(found: TaskRejections, number: int) -> str:
    """What one queue instance has room for."""
    slots = room(found, number)
    return f"has room for {slots} of {fewest_slots(found)} slots" if slots else "has no room for the job now"


def free_slots(found: TaskRejections, environment: ParallelEnvironment) -> int:
    """The slots of a parallel environment that no job has."""
    return environment.slots - found.run.resources.environment_slots.get(environment.name, 0)


def collected(found: TaskRejections, environment: ParallelEnvironment) -> int:
    """How many of the job's slots could be collected from all queue instances, whatever the environment allows."""
    known = found.collected.get(environment.name)
    if known is None:
        attempt = slot_collection(found, environment)
        attempt.succeeds()
        offered = attempt.offered if attempt.has_visited_hosts else attempt.available_slots.global_slots().now
        known = found.collected[environment.name] = min(offered, fewest_slots(found, environment))
    return known


def most_slots(found: TaskRejections, environment: ParallelEnvironment) -> int:
    """The most slots that the job could get now in an environment, were it content with fewer."""
    slots = fewest_slots(found, environment)
    if not is_divided_evenly(environment):
        return min(max(0, free_slots(found, environment)), collected(found, environment))
    known = found.collected.get(environment.name)
    if known is None:
        each = max(1, slots_per_host(environment))
        # What fits in so many groups fits in fewer; all of them do not fit, or the job would run.
        fits, fails = 0, max(1, min(slots, free_slots(found, environment) + 1) // each)
        while fails - fits > 1:
            middle = (fits + fails) // 2
            if slot_collection(found, environment, middle * each).succeeds():
                fits = middle
            else:
                fails = middle
        known = found.collected[environment.name] = fits * each
    return known


def is_divided_evenly(environment: ParallelEnvironment) -> bool:
    """Tell whether each host has to give the same number of slots, or one host all of them."""
    return environment.per_host(max(1, slots_per_host(environment))) > 0


def collected_words(found: TaskRejections, environment: ParallelEnvironment) -> str:
    """What all queue instances together have room for."""
    slots, free = fewest_slots(found, environment), free_slots(found, environment)
    if free < slots:
        free_now = f"{max(0, free)} of its {environment.slots} slots free"
        return f"parallel environment {environment.name} has {free_now}, and {slots} are wanted"
    most, each, name = most_slots(found, environment), slots_per_host(environment), environment.name
    if each:
        return f"together they have room for {most} of {slots} slots in {name}, {each} on each host"
    if is_divided_evenly(environment):
        return f"all {slots} slots have to be on one host in {name}, and no host has room for more than {most}"
    return f"together they have room for {most} of {slots} slots in {name}"
