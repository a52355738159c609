"""The explanation of one task: its priority term by term, its place, its obstacles and fixes."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from qmon_tui.explain.changes import ChangeSearch
from qmon_tui.explain.derivation import derivation_of
from qmon_tui.explain.empty_cluster import with_impossible
from qmon_tui.explain.explanation import Change, Derivation, Explanation, JobAhead, ReasonGroup, ReasonKind
from qmon_tui.explain.not_yet import place_of_task
from qmon_tui.explain.partial_run import PartialRuns
from qmon_tui.explain.priority import NormalisationBounds, jobs_ahead, priority_terms, shown_priority
from qmon_tui.explain.reason_groups import InstanceReasons, groups_of
from qmon_tui.explain.reservations import backfilled_past
from qmon_tui.explain.suspension_reasons import suspension_reasons, unknown_state_reasons
from qmon_tui.explain.task_rejections import TaskRejections
from qmon_tui.explain.unmet_requirements import nearest_place, unmet_requirements_of
from qmon_tui.model import Cluster, JobOutcome, Outcome, State, TaskOutcome
from qmon_tui.qmaster import Run, build_outcome, simulate
from qmon_tui.scheduler.dispatch import TRY_AGAIN, waiting_state
from qmon_tui.scheduler.jobs import RunJob, Tickets
from qmon_tui.scheduler.priority import GRID_ENGINE, Formulas


def explain(
    cluster: Cluster,
    state: State,
    job_id: int,
    task: int | None = None,
    outcome: Outcome | None = None,
    *,
    formulas: Formulas = GRID_ENGINE,
) -> Explanation:
    """Explain one task with all changes; default: the first task that the run had to decide about.

    `outcome`, if given, sets the time of the run. Raises LookupError if there is no such job or task.
    """
    at = None if outcome is None else outcome.at
    return Explainer(simulate(cluster, state, at=at, formulas=formulas)).explanation(job_id, task, with_changes=True)


@dataclass(frozen=True, slots=True)
class _Chosen:
    """The task to explain, as the run left it; `rank` is its job's place among the pending ones, or None."""

    run_job: RunJob
    task: TaskOutcome
    rank: int | None

    @property
    def waits(self) -> bool:
        return not self.task.granted


@dataclass
class Explainer:
    """Answers questions about one finished run, which it only reads; results shared by tasks are cached."""

    run: Run

    @cached_property
    def outcome(self) -> Outcome:
        return build_outcome(self.run)

    def explanation(self, job_id: int, task: int | None = None, *, with_changes: bool = False) -> Explanation:
        """Return the explanation of a task; `with_changes` makes further runs to find changes.

        Raises LookupError if there is no such job or task.
        """
        run, outcome = self.run, self.outcome
        job = self._job(job_id)
        if job is None:
            raise LookupError(f"there is no job {job_id}, or all its tasks are finished")
        if job.rejected == TRY_AGAIN:
            explanation = self._as_waiting_job(job_id).explanation(job_id, task, with_changes=with_changes)
            return replace(explanation, rejected=job.rejected)
        if job.rejected is not None:
            return Explanation(
                job.id, 1, len(run.pending), rejected=job.rejected, meant=job.meant,
                not_grid_engine=outcome.not_grid_engine,
            )  # fmt: skip
        chosen = self._chosen(job, task)
        run_job, waits = chosen.run_job, chosen.waits
        tickets = run_job.tickets.get(chosen.task.task) if run_job.split.takes_part else None
        rejections = self._rejections(chosen) if waits else None
        unmet_requirements = unmet_requirements_of(rejections) if rejections is not None else []
        changes: tuple[Change, ...] = ()
        tried: tuple[str, ...] | None = None
        if rejections is not None and with_changes:
            search = ChangeSearch.of(run, run_job, chosen.task.task, chosen.rank, rejections, unmet_requirements)
            changes, tried = tuple(search), search.tried
        has_place = place_of_task(run_job, chosen.task.task) is None
        groups = self._groups(chosen, rejections)
        return Explanation(
            job=job_id,
            at=run.now,
            task=chosen.task.task,
            state=chosen.task.state,
            prior=tickets.prior if tickets is not None else 0.0,
            terms=priority_terms(run, run_job, tickets, self.bounds) if tickets is not None else (),
            rank=chosen.rank if has_place and (waits or chosen.task.task in run_job.queue) else None,
            pending=len(run.pending),
            reasons=(*job.reasons, *outcome.messages),
            instances=InstanceReasons.of(rejections) if rejections is not None else (),
            changes=changes,
            tried=tried,
            not_simulated=job.not_simulated,
            ahead=self._ahead(chosen) if waits and has_place else (),
            groups=groups,
            notes=tuple(backfilled_past(run, run_job, chosen.task.task)),
            nearest=nearest_place(rejections, unmet_requirements) if rejections is not None else None,
            not_grid_engine=outcome.not_grid_engine,
            shown=shown_priority(run, run_job, chosen.task, tickets) if tickets is not None else None,
            quota_filters=outcome.quota_filters,
        )

    def task_that_may_wait(self, job_id: int, task: int | None = None) -> int | None:
        """Return the number of the task if its obstacles may end without any command; else None."""
        job = self._job(job_id)
        if job is None or job.rejected is not None:
            return None
        chosen = self._chosen(job, task)
        if not chosen.waits:
            return None
        kinds = {group.why for group in self._groups(chosen, self._rejections(chosen))}
        may_end = bool(kinds - {ReasonKind.NEVER}) and kinds.isdisjoint({ReasonKind.IMPOSSIBLE, ReasonKind.HELD})
        return chosen.task.task if may_end else None

    def _groups(self, chosen: _Chosen, rejections: TaskRejections | None) -> tuple[ReasonGroup, ...]:
        """Return the reasons why a task waits, or why a started one is suspended."""
        run, run_job, task = self.run, chosen.run_job, chosen.task
        if rejections is None:
            return (*suspension_reasons(run, run_job, task), *unknown_state_reasons(run, run_job, task))
        return with_impossible(rejections, groups_of(run, run_job, task.task, rejections))

    def derivation(self, job_id: int, task: int | None = None) -> Derivation | None:
        """Return the arithmetic of a task's priority; None if the task takes no part in the run.

        Raises LookupError if there is no such job or task.
        """
        job = self._job(job_id)
        if job is None:
            raise LookupError(f"there is no job {job_id}, or all its tasks are finished")
        if job.rejected == TRY_AGAIN:
            return self._as_waiting_job(job_id).derivation(job_id, task)
        if job.rejected is not None:
            return None
        chosen = self._chosen(job, task)
        return derivation_of(self.run, chosen.run_job, chosen.task.task, self.bounds)

    def changes(self, job_id: int, task: int | None = None) -> ChangeSearch:
        """Return the search for changes that would let a waiting task start."""
        job = self._job(job_id)
        if job is not None and job.rejected == TRY_AGAIN:
            return self._as_waiting_job(job_id).changes(job_id, task)
        if job is None or job.rejected is not None:
            return ChangeSearch.none()
        chosen = self._chosen(job, task)
        if not chosen.waits:
            return ChangeSearch.none()
        rejections = self._rejections(chosen)
        unmet_requirements = unmet_requirements_of(rejections)
        return ChangeSearch.of(self.run, chosen.run_job, chosen.task.task, chosen.rank, rejections, unmet_requirements)

    def _as_waiting_job(self, number: int) -> "Explainer":
        """Return an explainer of a run in which an immediate job could wait."""
        run = self.run
        return Explainer(run.again(run.compiled.cluster, waiting_state(run.state, number)))

    def _rejections(self, chosen: _Chosen) -> TaskRejections:
        """Return the obstacles of a task when it is tried, or would be if it took part."""
        return self._partial_runs.rejections(chosen.run_job, chosen.task.task)

    @cached_property
    def _partial_runs(self) -> PartialRuns:
        return PartialRuns(self.run, self._numbered)

    @cached_property
    def bounds(self) -> NormalisationBounds:
        """The tasks whose urgency and tickets are the ends of the normalisation."""
        return NormalisationBounds(self.run)

    def _chosen(self, job: JobOutcome, task: int | None) -> _Chosen:
        rank = self.ranks.get(job.id)
        run_job = self._numbered[job.id] if rank is None else self.run.pending[rank - 1]
        self.run.dispatch.prepare_checks(run_job)
        return _Chosen(run_job, _chosen_task(job, run_job, task), rank)

    def _job(self, job_id: int) -> JobOutcome | None:
        """Return the outcome of a job; the outcomes begin with the pending jobs, in their order."""
        rank = self.ranks.get(job_id)
        return self.outcome.job(job_id) if rank is None else self.outcome.jobs[rank - 1]

    @cached_property
    def _numbered(self) -> Mapping[int, RunJob]:
        return {job.job.id: job for job in self.run.jobs}

    @cached_property
    def ranks(self) -> Mapping[int, int]:
        """Job number -> place among the sorted pending jobs, from 1."""
        return {job.job.id: place for place, job in enumerate(self.run.pending, start=1)}

    def _ahead(self, chosen: _Chosen) -> tuple[JobAhead, ...]:
        run_job, rank = chosen.run_job, chosen.rank
        if rank is None:
            return ()
        return jobs_ahead(self.run, run_job, run_job.tickets.get(run_job.queue[0]) or Tickets(), rank)


def _chosen_task(job: JobOutcome, run_job: RunJob, task: int | None) -> TaskOutcome:
    """Return the task asked for; else the next one to start, else the first pending one, else the first."""
    wanted = task
    if wanted is None and run_job.remaining:
        wanted = run_job.queue[run_job.next_task]
    elif wanted is None:
        wanted = next((outcome.task for outcome in job.tasks if not outcome.granted), None)
    for task_outcome in job.tasks:
        if wanted is None or task_outcome.task == wanted:
            return task_outcome
    raise LookupError(f"job {job.id} has no task {wanted}, or it is finished")
