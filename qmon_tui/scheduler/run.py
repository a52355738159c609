"""One scheduling run from the jobs' states to the decisions, in the order of dispatch.md section 4."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from qmon_tui.model.state import PastUsage, State
from qmon_tui.scheduler import messages
from qmon_tui.scheduler.advance.reserved import slots_reserved
from qmon_tui.scheduler.available import Availability
from qmon_tui.scheduler.compiled.cluster import Compiled
from qmon_tui.scheduler.dispatch import Dispatch, End
from qmon_tui.scheduler.formulas import GRID_ENGINE, Formulas
from qmon_tui.scheduler.ground import Ground
from qmon_tui.scheduler.job_filter import leave_out_others
from qmon_tui.scheduler.joblist import in_list_order
from qmon_tui.scheduler.jobs import RunJob, Tickets
from qmon_tui.scheduler.placement.sequential import Search, free_slots
from qmon_tui.scheduler.preparation import prepared
from qmon_tui.scheduler.priority import Formula, Standing
from qmon_tui.scheduler.queue_states import queue_states
from qmon_tui.scheduler.quotas.ledger import Ledger
from qmon_tui.scheduler.resources import Resources
from qmon_tui.scheduler.scale import Scale
from qmon_tui.scheduler.start import Start
from qmon_tui.scheduler.suspending.over_threshold import Relief, relieve
from qmon_tui.scheduler.thresholds import Thresholds
from qmon_tui.scheduler.tickets.passes import work_out_tickets
from qmon_tui.scheduler.tickets.sharing import Sharing, share_tree_of
from qmon_tui.scheduler.tickets.usage import collected
from qmon_tui.scheduler.timeline.diagrams import Plan
from qmon_tui.scheduler.urgency import normalise_urgency, work_out_urgency

_NO_PLANS: Mapping[int, Plan] = {}


class Until(NamedTuple):
    """The task for whose sake a run is made: it ends as soon as it is decided whether that one starts."""

    job: int
    task: int
    before: bool = False
    """End a step earlier, with all as it is when the task, or another one with which it is decided, is tried."""

    def among(self, pending: Iterable[RunJob]) -> End | None:
        """The end of the run; None where the job is not tried in it."""
        run_job = next((one for one in pending if one.id == self.job), None)
        return None if run_job is None else End(run_job, self.task, self.before)


@dataclass(slots=True)
class SchedulingRun:
    """What the scheduler has decided, with everything that was worked out on the way."""

    compiled: Compiled
    state: State
    now: int
    jobs: list[RunJob]
    pending: list[RunJob]
    """The jobs with pending tasks, in the order in which they were sorted before the first placement."""
    states: Sequence[str]
    """The letters of the queue instances before the run."""
    relief: Relief
    resources: Resources
    availability: Availability
    thresholds: Thresholds
    formula: Formula
    usage: PastUsage
    """Everybody's usage as of this run."""
    sharing: Sharing | None
    """The share tree, where there is one."""
    search: Search
    dispatch: Dispatch
    ledger: Ledger | None
    """What is counted against quotas after the run; None without any."""
    slots_reserved: Mapping[str, int]
    """Queue instance -> slots of advance reservations that have begun."""
    _starts_by_job: dict[int, list[Start]] = field(default_factory=dict)
    _plans_by_job: dict[int, dict[int, Plan]] | None = None

    def starts_of(self, job: int) -> Sequence[Start]:
        """What the run starts of the job with a number, in its order."""
        found = self._starts_by_job
        if not found:
            for start in self.dispatch.starts:
                found.setdefault(start.run_job.job.id, []).append(start)
        return found.get(job, ())

    def plans_of(self, job: int) -> Mapping[int, Plan]:
        """Task -> the reservation that the run has made for it, for the job with a number."""
        found = self._plans_by_job
        if found is None:
            found = self._plans_by_job = {}
            for plan in self.dispatch.reserved:
                found.setdefault(plan.job, {})[plan.task] = plan
        return found.get(job, _NO_PLANS)


def run_scheduler(
    compiled: Compiled,
    state: State,
    jobs: Sequence[RunJob],
    now: int,
    formulas: Formulas = GRID_ENGINE,
    until: Until | None = None,
) -> SchedulingRun:
    """Decide what is to be started, reserved, suspended and resumed; with `until` the run ends early.

    `jobs` are those that the qmaster has let in, in the order of their numbers, `now` are seconds since the epoch.
    """
    states = queue_states(compiled, state, now)
    if compiled.policy.filters_jobs:
        leave_out_others(jobs, compiled.instances, states)
    urgencies = _urgencies(compiled, jobs, now, formulas)
    listed = in_list_order(jobs, compiled.policy)
    ground = Ground.found(compiled, state, states, listed, now, formulas)
    resources, availability = ground.resources, ground.availability
    relief = relieve(resources, availability, listed, state.changed, now)
    usage = collected(state.usage, listed, now, compiled.policy.tickets.usage)
    sharing = share_tree_of(compiled, usage, listed)
    formula = _prioritised(ground, listed, relief, urgencies, sharing, formulas)
    pending = _in_order(listed)
    dispatch = prepared(ground, state, listed, pending, formula, now)
    if availability.usable or (compiled.policy.max_reservation > 0 and availability.aside):
        end = until.among(pending) if until is not None else None
        dispatch.run(pending if until is None or end is not None else (), end)
    else:
        availability.messages.append(messages.message(messages.ALL_DROPPED))
    dispatch.notes.finish(listed)
    return SchedulingRun(
        compiled=compiled,
        state=state,
        now=now,
        jobs=listed,
        pending=pending,
        states=states,
        relief=relief,
        resources=resources,
        availability=availability,
        thresholds=ground.thresholds,
        formula=formula,
        usage=usage,
        sharing=sharing,
        search=dispatch.search,
        dispatch=dispatch,
        ledger=ground.ledger,
        slots_reserved=slots_reserved(state),
    )


def _urgencies(compiled: Compiled, jobs: Sequence[RunJob], now: int, formulas: Formulas) -> Scale:
    """Work out the urgency of all jobs that take part; returns the scale on which they are normalised."""
    policy = compiled.policy
    if not policy.uses_urgency:
        return Scale()
    participants = [run_job for run_job in jobs if run_job.split.takes_part]
    work_out_urgency(participants, policy.weights, compiled.attributes, now)
    return normalise_urgency(formulas.counting(participants), formulas.urgency)


def _prioritised(
    ground: Ground,
    jobs: Sequence[RunJob],
    relief: Relief,
    urgencies: Scale,
    sharing: Sharing | None,
    formulas: Formulas,
) -> Formula:
    """Work out tickets and priorities of all tasks that take part; returns the formula that was used."""
    policy = ground.resources.compiled.policy
    running = [run_job for run_job in jobs if run_job.split.running]
    pending = [run_job for run_job in jobs if run_job.queue]
    free = free_slots(ground.resources, ground.availability.usable)
    tickets = work_out_tickets(running, pending, policy.tickets, free, formulas, sharing)
    for run_job, task in relief.halted:
        run_job.tickets[task] = Tickets()
    formula = Formula(Standing(policy, formulas), urgencies, tickets)
    formula.set_priorities(run_job for run_job in jobs if run_job.tickets)
    formulas.settle(running)
    return formula


def _in_order(jobs: Iterable[RunJob]) -> list[RunJob]:
    """The jobs with pending tasks in the order in which they are tried, each with the priority of its first one."""
    pending = [run_job for run_job in jobs if run_job.queue]
    for run_job in pending:
        tickets, plain = run_job.tickets, run_job.split.pending
        run_job.prior = tickets[run_job.queue[0]].prior
        if plain:
            run_job.template = tickets.get(plain[0])
    pending.sort(key=RunJob.sort_key)
    return pending
