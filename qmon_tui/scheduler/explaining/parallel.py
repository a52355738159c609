"""Parallel jobs: what each queue instance has room for, and the changes that may let them start."""

from collections.abc import Iterator
from dataclasses import replace

from qmon_tui.model.kinds import Kind
from qmon_tui.model.state import PeRequest
from qmon_tui.scheduler.compiled.environments import Environment, matching_environments
from qmon_tui.scheduler.explaining import edits
from qmon_tui.scheduler.explaining.edits import MOST_STEPS, Candidate, Edited
from qmon_tui.scheduler.jobs import RunJob
from qmon_tui.scheduler.outcome import InstanceReason
from qmon_tui.scheduler.run import Run


def parallel_reasons(run: Run, run_job: RunJob) -> tuple[InstanceReason, ...]:
    """One reason for each queue instance; those that would give slots say how many."""
    slots = _fewest(_request(run_job))
    environments = list(matching_environments(_request(run_job).name, run.compiled.environments))
    return tuple(_reason(run, run_job, environments, slots, number) for number in range(len(run.resources.instances)))


def _reason(run: Run, run_job: RunJob, environments: list[Environment], slots: int, number: int) -> InstanceReason:
    instance = run.resources.instances[number]
    dropped = run.availability.dropped.get(number)
    if dropped is not None:
        return InstanceReason(instance.name, "queue", dropped)
    best, said = _room(run, run_job, environments, slots, number)
    if best:
        return InstanceReason(instance.name, "queue", f"has room for {best} of {slots} slots")
    text = said[0] if said else "has no room for the job now"
    return InstanceReason(instance.name, "queue", text)


def _room(run: Run, run_job: RunJob, environments: list[Environment], slots: int, number: int) -> tuple[int, list[str]]:
    """The slots in the best parallel environment, and what is said about those that give none."""
    offered = run.resources.instances[number].profile.pe_list
    best = 0
    said: list[str] = []
    # What is said about an environment that the queue instance offers tells more than that others are not offered.
    for environment in sorted(environments, key=lambda one: one.name not in offered):
        best = max(best, run.dispatch.parallel.harvest(run_job, environment, slots, said.append).room_at(number))
    return best, said


def candidates_for_parallel(run: Run, run_job: RunJob) -> Iterator[Candidate]:
    """More slots in the parallel environment or in a queue, fewer slots for the job, a queue opened."""
    cluster, state = run.compiled.cluster, run.state
    request = _request(run_job)
    slots = _fewest(request)
    environments = list(matching_environments(request.name, run.compiled.environments))
    for environment in environments:
        free = environment.slots - run.resources.environment_slots.get(environment.name, 0)
        if free < slots:
            yield _larger_environment(run, environment, slots - free)
    closed: list[int] = []
    full: list[tuple[int, int]] = []
    for number, instance in enumerate(run.resources.instances):
        if not any(one.name in instance.profile.pe_list for one in environments):
            continue
        if run.availability.states[number]:
            closed.append(number)
        elif number not in run.availability.dropped or run.resources.is_full(number):
            full.append((-_room(run, run_job, environments, slots, number)[0], number))
    if closed:
        name = run.resources.instances[closed[0]].name
        opened = edits.instance_state(cluster, state, name, run.availability.states[closed[0]])
        yield Candidate(lambda _: opened)
    if full:
        yield edits.more_slots(cluster, state, run.resources.instances[min(full)[1]])
    for environment in environments:
        harvest = run.dispatch.parallel.harvest(run_job, environment, slots, None)
        if not harvest.succeeds() and 0 < harvest.offered < slots:
            yield _smaller_job(run, run_job, harvest.offered)


def _larger_environment(run: Run, environment: Environment, lack: int) -> Candidate:
    obj = run.compiled.cluster.objects(Kind.PE)[environment.name]

    def raised(steps: int) -> Edited:
        value = str(environment.slots + lack + steps - 1)
        sentence = f"raise the slots of parallel environment {environment.name} from {environment.slots} to {value}"
        return edits.object_field(run.compiled.cluster, run.state, obj, "slots", value, sentence)

    return Candidate(raised, MOST_STEPS)


def _smaller_job(run: Run, run_job: RunJob, offered: int) -> Candidate:
    job = run_job.job
    request = _request(run_job)

    def shrunk(steps: int) -> Edited:
        slots = max(1, offered + 1 - steps)
        smaller = replace(job.request, pe=PeRequest(request.name, ((slots, slots, 1),)))
        sentence = f"let job {job.id} ask for {slots} instead of {_fewest(request)} slots"
        before, after = f"{request.name} {_fewest(request)}", f"{request.name} {slots}"
        return edits.job_request(run.compiled.cluster, run.state, job, smaller, sentence, "-pe", before, after)

    return Candidate(shrunk, offered)


def _request(run_job: RunJob) -> PeRequest:
    request = run_job.job.request.pe
    assert request is not None
    return request


def _fewest(request: PeRequest) -> int:
    return min(first for first, _, _ in request.ranges)
