"""The smallest changes that let a task start, each verified by a run.

Unmet requirements come from the matching (unmet_requirements.py), each with candidate changes. A plan has one candidate
per requirement of one place. Plans are tried by size: few changes first, then those that concern one job before those
for a place, a group or all users, then small amounts. An amount is raised step by step until the task starts, since
jobs ahead may take what is added. If no plan works, the obstacles left after a plan are searched, and candidates for
them are added.

A trial is a run that ends when the task is decided.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, product

from qmon_tui.explain.configuration_changes import (
    candidates_for_pe_access,
    candidates_for_rejection,
    other_environments,
)
from qmon_tui.explain.costs import costs_of
from qmon_tui.explain.denied_start import candidates_for_denied_start, denied_start
from qmon_tui.explain.edits import CandidateChange, EditedCluster, Impact
from qmon_tui.explain.equivalent_places import EquivalentPlaces
from qmon_tui.explain.explanation import Change
from qmon_tui.explain.next_slot import find_next_slot
from qmon_tui.explain.not_yet import candidates_for_task
from qmon_tui.explain.pe_slots import candidates_for_master_queue, candidates_for_pe_slots
from qmon_tui.explain.priority_changes import candidates_for_priority
from qmon_tui.explain.quota_changes import candidates_for_quota
from qmon_tui.explain.rejection import UnmetRequirement
from qmon_tui.explain.request_changes import candidates_for_exclusive_use, candidates_for_request, without_request
from qmon_tui.explain.reservations import candidates_for_reservations
from qmon_tui.explain.task_rejections import TaskRejections
from qmon_tui.explain.unmet_requirements import unmet_requirements_of
from qmon_tui.gc_pause import gc_paused
from qmon_tui.qmaster import Run, ar_conflicts
from qmon_tui.scheduler import RunUntil
from qmon_tui.scheduler.configuration import Attribute
from qmon_tui.scheduler.jobs import RunJob

MOST_CHANGES = 5
_MOST_PARTS = 2
"""Maximum number of changes in a plan."""
_LESS = ("ask ", "without ", "fewer ")
"""Prefixes of `CandidateChange.kind` if the job requests less."""
_VERIFIED = 12
"""If fewer steps than this work, each smaller number is tried, too."""
_ALTERNATIVES = 6
"""Maximum number of plans per place."""
_CONTINUED = 3
"""Number of insufficient plans that are extended."""

_STARTED, _SUSPENDED = "t", frozenset("sST")
"""qstat's state of a task that has just started; state letters of suspended tasks."""

Plan = tuple[CandidateChange, ...]
Steps = tuple[int, ...]
"""The number of steps to apply of each candidate of a plan."""
Plans = dict[frozenset[tuple[str, ...]], str]
"""(kind, name, field, value, command) of each change with fewest and with most steps -> the latter in words."""


@dataclass(frozen=True, slots=True)
class ChangeTrial:
    """The changed cluster and state, and the queue instances that the task gets (none if it does not start)."""

    edited: EditedCluster
    places: tuple[str, ...] = ()

    @property
    def changes(self) -> tuple[Change, ...]:
        return self.edited.changes


@dataclass(slots=True)
class TrialBudget:
    """The number of runs left for trials; fewer on large clusters."""

    run: Run
    task: tuple[int, int]
    """Job number and task number."""
    left: int
    plans: Plans
    """The plans tried so far."""

    @classmethod
    def for_run(cls, run: Run, task: tuple[int, int], plans: Plans) -> "TrialBudget":
        """Return a budget of 6 to 80 runs: fewer the more jobs and queue instances there are."""
        size = len(run.jobs) + 5 * len(run.resources.instances)
        return cls(run, task, max(6, min(80, 120_000 // (size + 1))), plans)

    @gc_paused()
    def after(self, plan: Plan, steps: Steps, *, before: bool = False) -> tuple[Run | None, EditedCluster]:
        """Return the run after a plan's changes (None if the qmaster refuses one), and the changed cluster and state.

        The run ends when the task is decided, with `before` just before it is tried.
        """
        edited = self._edited(plan, steps)
        if edited.is_refused or any(ar_conflicts(self.run.compiled.cluster, edited.cluster, edited.state)):
            return None, edited
        self.left -= 1
        # A task that suspends its queue instance may start after it.
        ends_early = before or self.run.compiled.subordination is None
        until = RunUntil(*self.task, before=before) if ends_early else None
        return self.run.again(edited.cluster, edited.state, until), edited

    def _edited(self, plan: Plan, steps: Steps) -> EditedCluster:
        edited = EditedCluster(self.run.compiled.cluster, self.run.state)
        for candidate, count in zip(plan, steps, strict=True):
            edited = candidate.edit(edited, count)
        return edited

    def is_new(self, plan: Plan) -> bool:
        """Note a plan as tried; return False if a plan with the same changes was tried for another place."""
        least, most = (
            self._edited(plan, steps).changes for steps in ((1,) * len(plan), tuple(part.steps for part in plan))
        )
        key = frozenset(
            (change.kind, change.name, change.field, change.after, change.command) for change in (*least, *most)
        )
        is_new = key not in self.plans
        self.plans.setdefault(key, ", and ".join(change.description for change in most))
        return is_new

    def tried(self, plan: Plan, steps: Steps) -> ChangeTrial:
        run, edited = self.after(plan, steps)
        if run is None:
            return ChangeTrial(edited)
        for start in reversed(run.dispatch.starts):
            if (start.run_job.id, start.task) == self.task and not start.refused:
                granted = {run.resources.instances[number].name: slots for number, slots in start.grants}
                # A task that is suspended immediately does not count as started.
                is_suspended = _SUSPENDED & {*run.states_after_run.task_state(*self.task, granted, _STARTED)}
                return ChangeTrial(edited, () if is_suspended else tuple(granted))
        return ChangeTrial(edited)


@dataclass(slots=True)
class ChangeSearch:
    """The changes that each let a task start, the smallest first, searched on demand. It can be iterated over once."""

    _changes: Iterator[Change]
    _tried: Plans

    @classmethod
    def of(
        cls,
        run: Run,
        run_job: RunJob,
        task: int,
        rank: int | None,
        rejections: TaskRejections,
        unmet_requirements: Iterable[tuple[UnmetRequirement, ...]],
    ) -> "ChangeSearch":
        """Return the search for one task of a finished run; `rank` is its job's place among the pending ones."""
        tried: Plans = {}
        if run_job.not_simulated:
            return cls.none()
        plans = _plans(run, run_job, task, rank, rejections, unmet_requirements)
        return cls(_changes_of(plans, lambda: TrialBudget.for_run(run, (run_job.id, task), tried)), tried)

    @classmethod
    def none(cls) -> "ChangeSearch":
        """Return an empty search, for a task that no change can start."""
        return cls(iter(()), {})

    def __iter__(self) -> Iterator[Change]:
        return self._changes

    @property
    def tried(self) -> tuple[str, ...]:
        """The changes tried so far, in words, each with its largest amount."""
        return tuple(self._tried.values())


def _changes_of(every: Iterator[Plan], new_budget: Callable[[], TrialBudget]) -> Iterator[Change]:
    trials = new_budget()
    done: list[frozenset[str]] = []
    plans = sorted((plan for plan in every if len(plan) <= _MOST_PARTS), key=_size_key)
    for plan in plans:
        kinds = frozenset(candidate.kind for candidate in plan)
        if len(done) == MOST_CHANGES or trials.left <= 0:
            break
        # A plan that includes a successful one is not minimal.
        if any(known <= kinds for known in done):
            continue
        smallest = _smallest(plan, trials)
        if smallest is not None:
            needed, change = smallest
            kinds = frozenset(candidate.kind for candidate in needed)
            if not any(known <= kinds for known in done):
                done.append(kinds)
                yield change
    # If all fixes request less, look for one that lets the task start with its whole request.
    if all(any(map(_asks_less, kinds)) for kinds in done):
        further = new_budget()
        bases = [plan for plan in plans if not (done and any(_asks_less(candidate.kind) for candidate in plan))]
        continued = next(filter(None, (_continued(plan, further, done) for plan in bases[:_CONTINUED])), None)
        if continued is not None:
            yield continued


def _asks_less(kind: str) -> bool:
    return kind.startswith(_LESS)


def _continued(plan: Plan, trials: TrialBudget, done: Sequence[frozenset[str]]) -> Change | None:
    """Return the smallest change by a failed plan with candidates for the obstacles left; None if none works.

    Plans that request less, or include a plan in `done`, are left out if `done` is not empty.
    """
    if trials.left <= 0:
        return None
    run, _ = trials.after(plan, tuple(candidate.steps for candidate in plan), before=True)
    if run is None:
        return None
    number, task = trials.task
    rank = next((place for place, job in enumerate(run.pending, start=1) if job.id == number), None)
    run_job = next((job for job in run.jobs if job.id == number), None) if rank is None else run.pending[rank - 1]
    if run_job is None:
        return None
    run.dispatch.prepare_checks(run_job)
    rejections = TaskRejections(run, run_job, EquivalentPlaces(run))
    find_next_slot(rejections, task)
    known = {candidate.kind for candidate in plan}
    for more in sorted(_plans(run, run_job, task, rank, rejections, unmet_requirements_of(rejections)), key=_size_key):
        is_new = known.isdisjoint(candidate.kind for candidate in more)
        kinds = known | {candidate.kind for candidate in more}
        is_new &= not (done and any(map(_asks_less, kinds))) and not any(less <= kinds for less in done)
        if is_new and len(plan) + len(more) <= _MOST_PARTS and trials.left > 0:
            smallest = _smallest((*plan, *more), trials)
            if smallest is not None:
                return smallest[1]
    return None


def _size_key(plan: Plan) -> tuple[int, int, float]:
    return len(plan), max(candidate.impact for candidate in plan), sum(candidate.size for candidate in plan)


def _plans(
    run: Run,
    run_job: RunJob,
    task: int,
    rank: int | None,
    rejections: TaskRejections,
    unmet_requirements: Iterable[tuple[UnmetRequirement, ...]],
) -> Iterator[Plan]:
    own = tuple(candidates_for_task(run, run_job, task))
    denied = denied_start(run, run_job, task)
    if own:
        yield own
    elif denied is not None:
        yield from ((candidate,) for candidate in candidates_for_denied_start(rejections, denied))
    elif rank is not None:
        yield from ((candidate,) for candidate in candidates_for_priority(run, run_job, rank))
        yield from ((candidate,) for candidate in candidates_for_reservations(rejections))
    if rejections.lacks_pe_access:
        offered = dict.fromkeys(name for instance in run.resources.instances for name in instance.profile.pe_list)
        yield from ((*own, candidate) for candidate in other_environments(rejections, offered))
        yield from ((*own, candidate) for candidate in candidates_for_pe_access(rejections))
    elif rejections.environments:
        yield from ((*own, *plan) for plan in candidates_for_pe_slots(rejections))
        yield from ((*own, *plan) for plan in _for_next_slot(rejections, _MOST_PARTS - len(own)))
    yield from ((*own, candidate) for candidate in candidates_for_master_queue(rejections))
    for of_one_place in unmet_requirements:
        for wanted in _asked_twice(rejections, of_one_place):
            others = [unmet for unmet in of_one_place if unmet.rejection.attribute != wanted.name]
            if len(own) + 1 + len(others) <= _MOST_PARTS:
                same = [unmet for unmet in of_one_place if unmet.rejection.attribute == wanted.name]
                tightest = max(same, key=lambda unmet: unmet.size)
                # The value of the tightest level fits the others, too.
                less = (
                    change for change in candidates_for_request(rejections, tightest) if change.kind.startswith("ask ")
                )
                for candidate in (*less, without_request(rejections, wanted)):
                    yield from ((*own, candidate, *plan) for plan in _candidates_for_all(rejections, others))
        if len(of_one_place) + len(own) <= _MOST_PARTS:
            yield from ((*own, *plan) for plan in _candidates_for_all(rejections, of_one_place))


def _for_next_slot(rejections: TaskRejections, most: int) -> Iterator[Plan]:
    """Yield plans for resources lacking beyond the slots that a parallel job could get; a step may add one slot."""
    if rejections.next_slot is None:
        return
    for unmet_requirements in rejections.next_slot.unmet_requirements:
        if len(unmet_requirements) <= most:
            plans = _candidates_for_all(rejections.next_slot.rejections, unmet_requirements)
            # A request for one more slot is too small for all slots.
            yield from (plan for plan in plans if all(candidate.impact > Impact.JOB for candidate in plan))


def _asked_twice(rejections: TaskRejections, unmet_requirements: Iterable[UnmetRequirement]) -> Iterator[Attribute]:
    """Yield requested attributes that fail for more than one reason."""
    counts = Counter(unmet.rejection.attribute for unmet in unmet_requirements)
    return (request.attribute for request in rejections.run_job.demand.hard if counts[request.attribute.name] > 1)


def _candidates_for_all(rejections: TaskRejections, unmet_requirements: Iterable[UnmetRequirement]) -> Iterator[Plan]:
    """Yield plans with a candidate for each unmet requirement."""
    alternatives = [
        sorted(
            (
                *candidates_for_request(rejections, unmet),
                *candidates_for_exclusive_use(rejections, unmet),
                *candidates_for_rejection(rejections, unmet),
                *candidates_for_quota(rejections, unmet.rejection.quota),
            ),
            key=lambda candidate: (candidate.impact, candidate.size),
        )
        for unmet in unmet_requirements
    ]
    return islice(product(*alternatives), _ALTERNATIVES)


def _smallest(plan: Plan, trials: TrialBudget) -> tuple[Plan, Change] | None:
    """Return the needed candidates and their change with the fewest steps that work.

    None if the plan does not work, was tried before, or needs more trials than are left.
    """

    def capped(steps: int) -> Steps:
        return tuple(min(steps, candidate.steps) for candidate in plan)

    if not trials.is_new(plan):
        return None
    most = max(candidate.steps for candidate in plan)
    failed, steps, tried = 0, 1, {1}
    done = trials.tried(plan, capped(steps))
    if not done.places and most > 1 and not trials.tried(plan, capped(most)).places:
        return None
    while not done.places:
        if steps == most or trials.left <= 0:
            return None
        failed, steps = steps, min(steps * 2, most)
        tried.add(steps)
        done = trials.tried(plan, capped(steps))
    while steps - failed > 1 and trials.left > 0:
        middle = (steps + failed) // 2
        between = trials.tried(plan, capped(middle))
        tried.add(middle)
        if between.places:
            done, steps = between, middle
        else:
            failed = middle
    # Jobs ahead may take what a larger amount adds, so a smaller one may work instead.
    for less in [step for step in range(1, min(steps, _VERIFIED)) if step not in tried]:
        if trials.left <= 0:
            break
        smaller = trials.tried(plan, capped(less))
        if smaller.places:
            done, steps = smaller, less
            break
    needed, fewest, done = _without_idle_parts(plan, capped(steps), done, trials)
    done = _with_fewest_steps(needed, fewest, done, trials)
    first, *others = done.changes
    costs = costs_of(trials.run, done.edited, trials.task[0])
    return needed, replace(first, also=tuple(others), starts_on=done.places, costs=costs)


def _without_idle_parts(
    plan: Plan, steps: Steps, done: ChangeTrial, trials: TrialBudget
) -> tuple[Plan, Steps, ChangeTrial]:
    """Return the plan, its steps and its trial without changes that the others make unnecessary."""
    place = 0
    while len(plan) > 1 and place < len(plan) and trials.left > 0:
        fewer, their_steps = (*plan[:place], *plan[place + 1 :]), (*steps[:place], *steps[place + 1 :])
        trial = trials.tried(fewer, their_steps)
        if trial.places:
            plan, steps, done = fewer, their_steps, trial
        else:
            place += 1
    return plan, steps, done


def _with_fewest_steps(plan: Plan, steps: Steps, done: ChangeTrial, trials: TrialBudget) -> ChangeTrial:
    """Return the trial of the plan with each change reduced as far as the others allow."""
    for place in range(len(plan) if len(plan) > 1 else 0):
        failed = 0
        while steps[place] - failed > 1 and trials.left > 0:
            # Changes that need only one step are found by the first trial.
            middle = (steps[place] + failed) // 2 if failed else 1
            less = (*steps[:place], middle, *steps[place + 1 :])
            trial = trials.tried(plan, less)
            if trial.places:
                done, steps = trial, less
            else:
                failed = middle
    return done
