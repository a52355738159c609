"""Ways out where reservations are in front, of jobs or in advance: over before, outside, without (dispatch.md 9)."""

from collections.abc import Collection, Iterator
from dataclasses import replace
from functools import partial
from itertools import islice

from qmon_tui.scheduler.advance.reserved import lasting
from qmon_tui.scheduler.explaining import edits
from qmon_tui.scheduler.explaining.amounts import more_slots, request_of
from qmon_tui.scheduler.explaining.edits import Edited
from qmon_tui.scheduler.explaining.obstacles import Obstacles
from qmon_tui.scheduler.explaining.remedy import Reach, Remedy
from qmon_tui.scheduler.explaining.reserved import fits_now, in_front
from qmon_tui.scheduler.explaining.spelling import amount_text

_RUN_TIME = "h_rt"


def remedies_for_reservations(found: Obstacles) -> Iterator[Remedy]:
    """The task promises to be over before, or the job in front does without its reservation."""
    plans = in_front(found)
    if not plans:
        yield from _outside(found)
        return
    yield from _over_before(found, min(plan.start for plan in plans))
    for other in dict.fromkeys(plan.job for plan in plans):

        def given_up(world: Edited, _: int, other: int = other) -> Edited:
            job = world.job(other)
            sentence = f"let job {other} do without its reservation"
            return edits.job_request(world, job, replace(job.request, reserve=False), sentence, "-R", "y", "n", "-R n")

        yield Remedy(f"-R {other}", Reach.GROUP, 0.5, given_up)


def _over_before(found: Obstacles, begins: int) -> Iterator[Remedy]:
    """The task promises to be over when a reservation begins."""
    run, number = found.run, found.run_job.id
    attribute = run.compiled.attributes.by_name.get(_RUN_TIME)
    seconds = begins - run.now - run.compiled.policy.duration_offset
    if attribute is not None and attribute.requestable != "NO" and seconds > 0:
        text = amount_text(attribute, seconds)
        before = next((one.text for one in found.run_job.demand.hard if one.attribute is attribute), "nothing")

        def shorter(world: Edited, _: int) -> Edited:
            hard = request_of(found, world, attribute, text)
            sentence = f"let job {number} ask for {_RUN_TIME}={text} instead of {before}: over before the reservation"
            return edits.resource_request(world, number, hard, sentence, _RUN_TIME, before, text)

        yield Remedy("shorter", Reach.JOB, 0.4, shorter)


def _beside(found: Obstacles, granted: Collection[str]) -> Iterator[Remedy]:
    """More slots in a queue instance where slots are reserved, so that the task has one beside them."""
    instances = found.run.resources.instances
    fitting = (instances[number] for number, obstacle in enumerate(found.of) if obstacle is None)
    yield from (more_slots(one, 1) for one in islice((one for one in fitting if one.name in granted), 1))


def _outside(found: Obstacles) -> Iterator[Remedy]:
    """Out of its own advance reservation, which has not begun or has no room; or without one that nobody uses."""
    run, number = found.run, found.run_job.id
    own = found.run_job.job.request.advance_reservation
    if own is not None:

        def out(world: Edited, _: int, *, finds_category: bool = False) -> Edited:
            job = world.job(number)
            sentence = f"let job {number} run outside of advance reservation {own}"
            free = replace(job.request, advance_reservation=None)
            # Only with a name, be it the same, the scheduler puts the job into the category that it belongs to now.
            options = f"-ar 0 -N {edits.quoted(job.name)}" if finds_category else "-ar 0"
            job = replace(job, category_ar=job.category_ar or own)
            return edits.job_request(world, job, free, sentence, "-ar", own, "", options, is_whole=finds_category)

        yield Remedy("-ar", Reach.PURPOSE, 0.5, out)
        yield Remedy("-ar", Reach.PURPOSE, 0.6, partial(out, finds_category=True))
    elif fits_now(found):
        ahead = [one for one in lasting(run.state) if one.start > run.now]
        for begins in sorted({one.start for one in ahead}):
            yield from _over_before(found, begins)
        yield from _beside(found, {name for one in ahead for name in one.granted})
        used = {job.request.advance_reservation for job in run.state.jobs}
        for one in lasting(run.state):
            if str(one.id) not in used:
                yield _given_back(one.id)


def _given_back(number: int) -> Remedy:
    sentence = f"give back advance reservation {number}, which no job uses"
    return Remedy(
        f"qrdel {number}", Reach.GROUP, 0.7, lambda world, _: edits.without_reservation(world, number, sentence)
    )
