"""A job tried against the engine before it is submitted or altered: where it would start, or why not."""

from dataclasses import dataclass, replace

from qmon_tui.explain import Explainer, Explanation
from qmon_tui.formats import parse_qsub
from qmon_tui.model import AdvanceReservation, Cluster, Job, Outcome, State
from qmon_tui.qmaster import NO_PLACE, Reply, refusal, reserve, schedule, simulate
from qmon_tui.qmaster.commands import alter


@dataclass(frozen=True, slots=True)
class JobTrial:
    """Result of a trial submission or alteration of a job."""

    refused: str | None = None
    """The command's refusal; None if it accepts the job. The other fields are then empty."""
    starts: tuple[tuple[int, tuple[str, ...]], ...] = ()
    """Tasks that would start in the next run: (task number, queue instances)."""
    waiting: int = 0
    """Number of tasks that would wait."""
    running: int = 0
    """Number of tasks that run already."""
    explanation: Explanation | None = None
    """Why the first waiting task waits; None if none waits."""
    others: tuple[int, ...] = ()
    """Job numbers that would start without the submission or alteration, and do not start with it."""
    instead: tuple[int, ...] = ()
    """Job numbers that start with it, and would not without."""
    printed: tuple[str, ...] = ()
    """Lines that the command prints."""


def admitted(cluster: Cluster, state: State, job: Job) -> str | None:
    """Return the problem of a new job's line, or qsub's words if it refuses the job; None if it is admitted."""
    problems = parse_qsub(job.qsub, now=job.submitted).problems
    return "; ".join(problems) or refusal(cluster, state, job)


def try_job(cluster: Cluster, state: State, job: Job) -> JobTrial:
    """Compare a scheduling run with a new job and one without it."""
    problems = parse_qsub(job.qsub, now=job.submitted).problems
    if problems:  # options that cannot be read are missing in the job
        return JobTrial(refused="; ".join(problems))
    before = replace(state, jobs=tuple(other for other in state.jobs if other.id != job.id))
    return _trial(cluster, before, replace(before, jobs=(*before.jobs, job)), job.id)


def try_altered(cluster: Cluster, state: State, number: int, options: str) -> JobTrial:
    """Compare a scheduling run with a job as qalter would leave it and one with the present job."""
    reply = alter(cluster, state, number, options) if options.strip() else Reply(state)
    if reply.state is state and reply.messages:
        return JobTrial(refused="; ".join(reply.reasons))
    return replace(_trial(cluster, state, reply.state, number), printed=reply.messages)


@dataclass(frozen=True, slots=True)
class ReservationTrial:
    """Reply of qrsub (`granted` None: refused), and the effect of the reservation on jobs."""

    granted: AdvanceReservation | None
    printed: tuple[str, ...]
    others: tuple[int, ...] = ()
    """Job numbers that would start without the reservation, and do not start with it."""


def try_reservation(cluster: Cluster, state: State, owner: str, group: str, options: str) -> ReservationTrial:
    """Return the reservation that would be granted, and compare runs with and without it."""
    reply = reserve(cluster, state, owner, options, group=group)
    if not reply.changes(state):
        # qrsub itself says only with -w v why it finds no place.
        printed = reply.messages
        if printed[-1] == NO_PLACE:
            printed = (*reserve(cluster, state, owner, f"-w v {options}", group=group).messages[:-1], NO_PLACE)
        return ReservationTrial(None, printed)
    without, with_it = (_started(schedule(cluster, tried_state), 0) for tried_state in (state, reply.state))
    return ReservationTrial(reply.state.reservations[-1], reply.messages, tuple(sorted(without - with_it)))


def _trial(cluster: Cluster, before: State, after: State, number: int) -> JobTrial:
    explainer = Explainer(simulate(cluster, after))
    job_outcome = explainer.outcome.job(number)
    if job_outcome is None or job_outcome.rejected:
        return JobTrial(refused=job_outcome.rejected if job_outcome else "the job is not there")
    job = next(job for job in after.jobs if job.id == number)
    running = {task for task, known in job.tasks.items() if known.granted and "q" not in known.state}
    starts = tuple(
        (task.task, tuple(task.granted)) for task in job_outcome.tasks if task.granted and task.task not in running
    )
    waiting = [task.task for task in job_outcome.tasks if not task.granted]
    without, with_it = _started(schedule(cluster, before), number), _started(explainer.outcome, number)
    return JobTrial(
        starts=starts,
        waiting=len(waiting),
        running=len(running),
        explanation=explainer.explanation(number, waiting[0]) if waiting else None,
        others=tuple(sorted(without - with_it)),
        instead=tuple(sorted(with_it - without)),
    )


def _started(outcome: Outcome, but: int) -> set[int]:
    """Return the jobs of which the run starts a task, without job number `but`."""
    return {
        job_outcome.id
        for job_outcome in outcome.jobs
        if job_outcome.id != but and any(task.state == "t" for task in job_outcome.tasks)
    }
