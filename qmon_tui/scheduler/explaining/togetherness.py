"""Ways out for a parallel job whose slots cannot be collected: a larger environment, more slots, a smaller job."""

from collections.abc import Iterator
from dataclasses import replace

from qmon_tui.model.kinds import Kind
from qmon_tui.model.state import PeRequest
from qmon_tui.scheduler.compiled.environments import Environment
from qmon_tui.scheduler.explaining import edits
from qmon_tui.scheduler.explaining.amounts import more_slots
from qmon_tui.scheduler.explaining.dividing import group_size
from qmon_tui.scheduler.explaining.edits import Edited
from qmon_tui.scheduler.explaining.obstacles import Obstacles
from qmon_tui.scheduler.explaining.parallel import (
    fewest_slots,
    fits_no_rule,
    free_slots,
    is_divided_evenly,
    most_slots,
    room,
)
from qmon_tui.scheduler.explaining.remedy import MOST_STEPS, Reach, Remedy

_ANY = "*"
_LOOKED_AT = 50
"""In how many queue instances the room for the job is counted."""


def remedies_for_slots(found: Obstacles) -> Iterator[tuple[Remedy, ...]]:
    """Each by itself may do; where the environment is too small as well, both together."""
    if fits_no_rule(found):
        yield from ((remedy,) for environment in found.environments for remedy in _divisible(found, environment))
        return
    for environment in found.environments:
        slots = fewest_slots(found, environment)
        free, most = free_slots(found, environment), most_slots(found, environment)
        larger = [_larger(found, environment, slots - free)] if free < slots else []
        if larger:
            yield tuple(larger)
        if larger or found.next_slot is None or not found.next_slot.lacks:
            for remedy in _more_room(found, environment, max(1, slots - most)):
                yield (*larger, remedy)
        if 0 < most < slots:
            yield (_smaller(found, slots, most, max(1, group_size(environment))),)


def remedies_for_master(found: Obstacles) -> Iterator[Remedy]:
    """Any queue instance may be the master queue."""
    number, before = found.run_job.id, ",".join(found.run_job.job.request.master_queues)

    def anywhere(world: Edited, _: int) -> Edited:
        job = world.job(number)
        sentence = f"let the master queue of job {number} be any"
        request = replace(job.request, master_queues=(_ANY,))
        return edits.job_request(world, job, request, sentence, "-masterq", before, _ANY, f"-masterq '{_ANY}'")

    if found.masters:
        yield Remedy("-masterq", Reach.PURPOSE, 0.5, anywhere)


def _larger(found: Obstacles, environment: Environment, lack: int) -> Remedy:
    name, slots = environment.name, environment.slots

    def raised(world: Edited, steps: int) -> Edited:
        obj = world.cluster.objects(Kind.PE)[name]
        value = str(slots + lack + steps - 1)
        sentence = f"raise the slots of parallel environment {name} from {slots} to {value}"
        return edits.object_field(world, obj, "slots", value, sentence)

    return Remedy(f"slots of {name}", Reach.GROUP, lack / (slots + lack), raised, MOST_STEPS)


def _more_room(found: Obstacles, environment: Environment, lack: int) -> Iterator[Remedy]:
    """More slots where there is most room for the job already."""
    resources = found.run.resources
    offering = [
        number
        for number, obstacle in enumerate(found.of)
        if environment.name in resources.instances[number].profile.pe_list
        and (obstacle is None or obstacle.attribute == "slots" or resources.is_full(number))
        and not found.run.availability.states[number]
    ]
    rooms = {number: room(found, number) for number in offering[:_LOOKED_AT]}
    if is_divided_evenly(environment):
        # Hosts that give all that they have to give are of no more use.
        wanted = group_size(environment) or fewest_slots(found, environment)
        rooms = {number: slots for number, slots in rooms.items() if slots < wanted}
        lack = wanted - max(rooms.values(), default=0)
    if not rooms:
        return
    instance = resources.instances[max(rooms, key=rooms.__getitem__)]
    yield more_slots(instance, lack)


def _smaller(found: Obstacles, slots: int, most: int, each: int) -> Remedy:
    """As many slots as there are, then fewer, by as many as each host has to give."""
    return Remedy(
        "fewer slots",
        Reach.JOB,
        (slots - most) / slots,
        lambda world, steps: _asking_for(found, world, slots, max(each, most - (steps - 1) * each)),
        max(1, most // each),
    )


def _divisible(found: Obstacles, environment: Environment) -> Iterator[Remedy]:
    """The next numbers of slots that the allocation rule can give."""
    slots, each = fewest_slots(found), group_size(environment)
    if not each:
        return
    for other in (slots // each * each, (slots // each + 1) * each):
        if other:
            size = abs(other - slots) / slots
            kind = "fewer slots" if other < slots else "more slots"
            yield Remedy(kind, Reach.JOB, size, lambda world, _, other=other: _asking_for(found, world, slots, other))  # type: ignore[misc]


def _asking_for(found: Obstacles, world: Edited, slots: int, other: int) -> Edited:
    number = found.run_job.id
    job = world.job(number)
    assert job.request.pe is not None
    name = job.request.pe.name
    request = replace(job.request, pe=PeRequest(name, ((other, other, 1),)))
    sentence = f"let job {number} ask for {other} instead of {slots} slots"
    before, after = f"{name} {slots}", f"{name} {other}"
    return edits.job_request(world, job, request, sentence, "-pe", before, after, f"-pe {edits.quoted(name)} {other}")
