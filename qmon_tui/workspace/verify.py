"""A job tried against the engine before it is submitted: where it would start, or why not."""

from dataclasses import dataclass, replace

from qmon_tui.model.cluster import Cluster
from qmon_tui.model.state import Job, State
from qmon_tui.scheduler.admission import refusal
from qmon_tui.scheduler.explanation import Explanation


@dataclass(frozen=True, slots=True)
class Trial:
    """What would become of a job that came now."""

    refused: str | None = None
    """The text with which qsub would refuse it."""
    starts: tuple[tuple[int, tuple[str, ...]], ...] = ()
    """Tasks that would start at once, with their queue instances."""
    waiting: int = 0
    """Tasks that would wait."""
    explanation: Explanation | None = None
    """Why the first waiting task waits."""
    others: tuple[int, ...] = ()
    """Jobs that would start without it, and do not start with it."""


def admitted(cluster: Cluster, state: State, job: Job) -> str | None:
    """The text with which qsub would refuse a job, None where it would let it in."""
    return refusal(cluster, state, job)


def try_job(cluster: Cluster, state: State, job: Job) -> Trial:
    """One scheduling run with the job, and one without it to see whom it is in the way of."""
    from qmon_tui.scheduler.explain import Explainer
    from qmon_tui.scheduler.run import schedule, simulate

    others = tuple(one for one in state.jobs if one.id != job.id)
    explainer = Explainer(simulate(cluster, replace(state, jobs=(*others, job))))
    outcome = explainer.outcome
    found = outcome.job(job.id)
    if found is None or found.rejected:
        return Trial(refused=found.rejected if found else "the job is not there")
    starts = tuple((task.task, tuple(task.granted)) for task in found.tasks if task.granted)
    waiting = [task.task for task in found.tasks if not task.granted]
    without = schedule(cluster, replace(state, jobs=others))
    started = {one.id for one in outcome.jobs if any(task.state == "t" for task in one.tasks)}
    pushed = tuple(
        one.id for one in without.jobs if one.id not in started and any(task.state == "t" for task in one.tasks)
    )
    explanation = explainer.explanation(job.id, waiting[0]) if waiting else None
    return Trial(None, starts, len(waiting), explanation, pushed)
