"""Parallel jobs: how many of their slots there is room for, in one queue instance and in all of them."""

from dataclasses import replace

from qmon_tui.scheduler.compiled.environments import Environment
from qmon_tui.scheduler.explaining.obstacles import Obstacles
from qmon_tui.scheduler.placement.harvest import Harvest
from qmon_tui.scheduler.placement.memory import Memory


def fewest_slots(found: Obstacles) -> int:
    """The smallest number of slots with which the job is content."""
    request = found.run_job.job.request.pe
    return min(first for first, _, _ in request.ranges) if request is not None else 1


def harvest(found: Obstacles, environment: Environment) -> Harvest:
    """A fresh attempt to collect the job's slots on the finished run; it leaves nothing behind."""
    errand = found.run.dispatch.parallel.errand(found.run_job, environment, fewest_slots(found))
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
        known = found.collected[environment.name] = min(attempt.offered, fewest_slots(found))
    return known


def collected_words(found: Obstacles, environment: Environment) -> str:
    """What all queue instances together have room for."""
    slots, free = fewest_slots(found), free_slots(found, environment)
    if free < slots:
        return f"parallel environment {environment.name} has {max(0, free)} of {slots} slots free"
    return f"together they have room for {collected(found, environment)} of {slots} slots in {environment.name}"
