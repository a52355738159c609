"""Parallel jobs: how many of their slots there is room for, in one queue instance and in all of them."""

from collections.abc import Iterator
from dataclasses import replace

from qmon_tui.scheduler.compiled.environments import Environment
from qmon_tui.scheduler.explaining.obstacles import Obstacles
from qmon_tui.scheduler.placement.harvest import Harvest
from qmon_tui.scheduler.placement.memory import Memory
from qmon_tui.values.number import c_integer_prefix


def fewest_slots(found: Obstacles, environment: Environment | None = None) -> int:
    """The smallest number of slots with which the job is content, and that can be allocated in an environment."""
    request = found.run_job.job.request.pe
    least = min(first for first, _, _ in request.ranges) if request is not None else 1
    return least if environment is None else next(_allocable(found, environment), least)


def fits_no_rule(found: Obstacles) -> bool:
    """Tell whether the allocation rules of all environments rule out all numbers of slots."""
    return bool(found.environments) and not any(True for one in found.environments for _ in _allocable(found, one))


def rule_words(found: Obstacles, environment: Environment) -> str:
    """That an allocation rule rules out all numbers of slots."""
    slots, rule = fewest_slots(found), f"allocation_rule {environment.rule} of parallel environment {environment.name}"
    if group_size(environment):
        return f"{slots} slots cannot be divided among hosts: {rule}"
    return f"no number of slots can be allocated: {rule}"


def group_size(environment: Environment) -> int:
    """How many slots each host has to give; 0 where the allocation rule does not say."""
    return (c_integer_prefix(environment.rule) or 0) if environment.rule[:1].isdigit() else 0


def _allocable(found: Obstacles, environment: Environment) -> Iterator[int]:
    """The numbers of slots that the allocation rule can give, in ascending order; only as many as tell whether any."""
    request = found.run_job.job.request.pe
    each = max(1, group_size(environment))
    ranges = request.ranges if request is not None else ((1, 1, 1),)
    numbers = {number for first, last, step in ranges for number in range(first, last + 1, step)[:each]}
    return (number for number in sorted(numbers) if environment.per_host(number))


def harvest(found: Obstacles, environment: Environment) -> Harvest:
    """A fresh attempt to collect the job's slots on the finished run; it leaves nothing behind."""
    errand = found.run.dispatch.parallel.errand(found.run_job, environment, fewest_slots(found, environment))
    return Harvest(replace(errand, memory=Memory(), remembers=False, masters={}))


def room(found: Obstacles, number: int) -> int:
    """The slots that one queue instance has room for, in the parallel environment that gives most."""
    offered = found.run.resources.instances[number].profile.pe_list
    environments = [one for one in found.environments if one.name in offered]
    return max((harvest(found, one).offers.at(number) for one in environments), default=0)


def room_words(found: Obstacles, number: int) -> str:
    """What one queue instance has room for."""
    slots = room(found, number)
    return f"has room for {slots} of {fewest_slots(found)} slots" if slots else "has no room for the job now"


def free_slots(found: Obstacles, environment: Environment) -> int:
    """The slots of a parallel environment that no job has."""
    return environment.slots - found.run.resources.environment_slots.get(environment.name, 0)


def collected(found: Obstacles, environment: Environment) -> int:
    """How many of the job's slots could be collected from all queue instances, whatever the environment allows."""
    known = found.collected.get(environment.name)
    if known is None:
        attempt = harvest(found, environment)
        attempt.succeeds()
        known = found.collected[environment.name] = min(attempt.offered, fewest_slots(found, environment))
    return known


def collected_words(found: Obstacles, environment: Environment) -> str:
    """What all queue instances together have room for."""
    slots, free = fewest_slots(found, environment), free_slots(found, environment)
    if free < slots:
        return f"parallel environment {environment.name} has {max(0, free)} of {slots} slots free"
    return f"together they have room for {collected(found, environment)} of {slots} slots in {environment.name}"
