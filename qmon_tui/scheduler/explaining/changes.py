"""The smallest changes that let a task start, each tried by running the engine with it.

What stands in the way comes from the matching itself (lacks.py), and for each thing that is missing there are ways out.
A plan takes one way out for everything that one place lacks. Plans are tried the smallest first: few changes before
many, those that concern one job before those that concern a place, a group, everybody, little before much. An amount
is raised step by step until the task starts, since jobs ahead of it may take the first of what is added. Where no plan
does, what is in the way once it is carried out is looked for, and taken out of it besides.

A trial is a run that ends as soon as the task's fate is decided, so that what comes behind it is not worked out.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice, product

from qmon_tui.qmaster.run import Run, simulate
from qmon_tui.scheduler.collector import no_collection
from qmon_tui.scheduler.compiled.attributes import Attribute
from qmon_tui.scheduler.explaining.acceptance import remedies_for_denial
from qmon_tui.scheduler.explaining.alike import Alike
from qmon_tui.scheduler.explaining.amounts import remedies_for_amounts, without_request
from qmon_tui.scheduler.explaining.backfill import remedies_for_reservations
from qmon_tui.scheduler.explaining.denied import denied_start
from qmon_tui.scheduler.explaining.edits import Edited
from qmon_tui.scheduler.explaining.entry import other_environments, remedies_for_entry
from qmon_tui.scheduler.explaining.exclusive import remedies_for_exclusive
from qmon_tui.scheduler.explaining.lacks import Lack, lacks_of
from qmon_tui.scheduler.explaining.letting_in import remedies_for_environments
from qmon_tui.scheduler.explaining.more_quota import remedies_for_quota
from qmon_tui.scheduler.explaining.obstacles import Obstacles
from qmon_tui.scheduler.explaining.precedence import remedies_for_turn
from qmon_tui.scheduler.explaining.refused import is_refused
from qmon_tui.scheduler.explaining.release import remedies_for_task
from qmon_tui.scheduler.explaining.remedy import Reach, Remedy
from qmon_tui.scheduler.explaining.togetherness import remedies_for_master, remedies_for_slots
from qmon_tui.scheduler.explanation import Change
from qmon_tui.scheduler.jobs import RunJob
from qmon_tui.scheduler.run import Until

MOST_CHANGES = 5
_MOST_PARTS = 3
"""Changes that have to be made together."""
_ALTERNATIVES = 6
"""Plans for what one place lacks."""
_CONTINUED = 3
"""Plans that do not do by themselves and are looked at once more."""

_STARTED, _SUSPENDED = "t", frozenset("sST")
"""States and letters of qstat."""

Plan = tuple[Remedy, ...]
Steps = tuple[int, ...]
"""How far each remedy of a plan is taken."""


@dataclass(frozen=True, slots=True)
class Trial:
    """What was changed, and the queue instances that the task then gets; none where it does not start."""

    changes: tuple[Change, ...]
    places: tuple[str, ...] = ()


@dataclass(slots=True)
class Trials:
    """How many more runs may be made; large clusters get fewer."""

    run: Run
    task: tuple[int, int]
    """Job number and task number."""
    left: int

    @classmethod
    def for_run(cls, run: Run, task: tuple[int, int]) -> "Trials":
        """As many as take about as long as one can wait."""
        size = len(run.jobs) + 5 * len(run.resources.instances)
        return cls(run, task, max(6, min(80, 120_000 // (size + 1))))

    @no_collection()
    def after(self, plan: Plan, steps: Steps) -> tuple[Run | None, tuple[Change, ...]]:
        """The run of the world with a plan's changes, each taken so far; no run where the qmaster refuses one."""
        world = Edited(self.run.compiled.cluster, self.run.state)
        for remedy, far in zip(plan, steps, strict=True):
            world = remedy.edit(world, far)
        if is_refused(self.run, world):
            return None, world.changes
        self.left -= 1
        formulas = self.run.formula.formulas
        # Who suspends its queue instance may start after it.
        until = Until(*self.task) if self.run.compiled.subordination is None else None
        run = simulate(world.cluster, world.state, at=self.run.now, formulas=formulas, until=until)
        return run, world.changes

    def tried(self, plan: Plan, steps: Steps) -> Trial:
        """What comes of a plan."""
        run, changes = self.after(plan, steps)
        if run is None:
            return Trial(changes)
        for start in reversed(run.dispatch.starts):
            if (start.run_job.id, start.task) == self.task and not start.refused:
                granted = {run.resources.instances[number].name: slots for number, slots in start.grants}
                # What would stand still at once does not run.
                stands_still = _SUSPENDED & {*run.aftermath.task_state(*self.task, granted, _STARTED)}
                return Trial(changes, () if stands_still else tuple(granted))
        return Trial(changes)


def changes_of(
    run: Run, run_job: RunJob, task: int, rank: int | None, found: Obstacles, lacks: Iterable[tuple[Lack, ...]]
) -> Iterator[Change]:
    """Changes each of which alone lets the task start, the smallest first."""
    if run_job.not_simulated:
        return
    trials = Trials.for_run(run, (run_job.id, task))
    done: list[frozenset[str]] = []
    plans = sorted(_plans(run, run_job, task, rank, found, lacks), key=_smallness)
    for plan in plans:
        kinds = frozenset(remedy.kind for remedy in plan)
        if len(done) == MOST_CHANGES or trials.left <= 0:
            break
        # What does more than is necessary is no smallest change.
        if any(known <= kinds for known in done):
            continue
        found_now = _smallest(plan, trials)
        if found_now is not None:
            needed, change = found_now
            kinds = frozenset(remedy.kind for remedy in needed)
            if not any(known <= kinds for known in done):
                done.append(kinds)
                yield change
    if not done:
        further = Trials.for_run(run, (run_job.id, task))
        found_later = next(filter(None, (_continued(plan, further) for plan in plans[:_CONTINUED])), None)
        if found_later is not None:
            yield found_later


def _continued(plan: Plan, trials: Trials) -> Change | None:
    """A plan that does not do by itself, with what is in the way after it; the smallest that does."""
    if trials.left <= 0:
        return None
    run, _ = trials.after(plan, tuple(remedy.steps for remedy in plan))
    if run is None:
        return None
    number, task = trials.task
    rank = next((place for place, one in enumerate(run.pending, start=1) if one.id == number), None)
    run_job = next((one for one in run.jobs if one.id == number), None) if rank is None else run.pending[rank - 1]
    if run_job is None:
        return None
    run.dispatch.look_at(run_job)
    found = Obstacles(run, run_job, Alike(run))
    known = {remedy.kind for remedy in plan}
    for more in sorted(_plans(run, run_job, task, rank, found, lacks_of(found)), key=_smallness):
        is_new = known.isdisjoint(remedy.kind for remedy in more)
        if is_new and len(plan) + len(more) <= _MOST_PARTS and trials.left > 0:
            found_now = _smallest((*plan, *more), trials)
            if found_now is not None:
                return found_now[1]
    return None


def _smallness(plan: Plan) -> tuple[int, int, float]:
    return len(plan), max(remedy.reach for remedy in plan), sum(remedy.size for remedy in plan)


def _plans(
    run: Run, run_job: RunJob, task: int, rank: int | None, found: Obstacles, lacks: Iterable[tuple[Lack, ...]]
) -> Iterator[Plan]:
    own = tuple(remedies_for_task(run, run_job, task))
    denied = denied_start(run, run_job, task)
    if own:
        yield own
    elif denied is not None:
        yield from ((remedy,) for remedy in remedies_for_denial(found, denied))
    elif rank is not None:
        yield from ((remedy,) for remedy in remedies_for_turn(run, run_job, rank))
        yield from ((remedy,) for remedy in remedies_for_reservations(found))
    if found.is_barred:
        offered = dict.fromkeys(name for one in run.resources.instances for name in one.profile.pe_list)
        yield from ((*own, remedy) for remedy in other_environments(found, offered))
        yield from ((*own, remedy) for remedy in remedies_for_environments(found))
    elif found.environments:
        yield from ((*own, *plan) for plan in remedies_for_slots(found))
        yield from ((*own, *plan) for plan in _for_next_slot(found, _MOST_PARTS - len(own)))
    yield from ((*own, remedy) for remedy in remedies_for_master(found))
    for of_one_place in lacks:
        for wanted in _asked_twice(found, of_one_place):
            others = [lack for lack in of_one_place if lack.obstacle.attribute != wanted.name]
            if len(own) + 1 + len(others) <= _MOST_PARTS:
                without = (*own, without_request(found, wanted))
                yield from ((*without, *plan) for plan in _ways_out(found, others))
        if len(of_one_place) + len(own) <= _MOST_PARTS:
            yield from ((*own, *plan) for plan in _ways_out(found, of_one_place))


def _for_next_slot(found: Obstacles, most: int) -> Iterator[Plan]:
    """More of what a parallel job lacks beyond the slots that it could get; each step may be good for one slot more."""
    if found.next_slot is None:
        return
    for lacks in found.next_slot.lacks:
        if len(lacks) <= most:
            plans = _ways_out(found.next_slot.obstacles, lacks)
            # What one slot more may ask for is too little for all of them.
            yield from (plan for plan in plans if all(remedy.reach > Reach.JOB for remedy in plan))


def _asked_twice(found: Obstacles, lacks: Iterable[Lack]) -> Iterator[Attribute]:
    """What the job asks for and is not granted for more than one reason."""
    counts = Counter(lack.obstacle.attribute for lack in lacks)
    return (one.attribute for one in found.run_job.demand.hard if counts[one.attribute.name] > 1)


def _ways_out(found: Obstacles, lacks: Iterable[Lack]) -> Iterator[Plan]:
    """A way out for each lack."""
    alternatives = [
        sorted(
            (
                *remedies_for_amounts(found, lack),
                *remedies_for_exclusive(found, lack),
                *remedies_for_entry(found, lack),
                *remedies_for_quota(found, lack.obstacle.quota),
            ),
            key=lambda remedy: (remedy.reach, remedy.size),
        )
        for lack in lacks
    ]
    return islice(product(*alternatives), _ALTERNATIVES)


def _smallest(plan: Plan, trials: Trials) -> tuple[Plan, Change] | None:
    """The parts that are needed, each no further than needed. Where all of them at most do not do, nothing does."""

    def each(steps: int) -> Steps:
        return tuple(min(steps, remedy.steps) for remedy in plan)

    most = max(remedy.steps for remedy in plan)
    failed, steps = 0, 1
    done = trials.tried(plan, each(steps))
    if not done.places and most > 1 and not trials.tried(plan, each(most)).places:
        return None
    while not done.places:
        if steps == most or trials.left <= 0:
            return None
        failed, steps = steps, min(steps * 2, most)
        done = trials.tried(plan, each(steps))
    while steps - failed > 1 and trials.left > 0:
        middle = (steps + failed) // 2
        between = trials.tried(plan, each(middle))
        if between.places:
            done, steps = between, middle
        else:
            failed = middle
    needed, far, done = _without_idle_parts(plan, each(steps), done, trials)
    done = _each_as_small(needed, far, done, trials)
    first, *others = done.changes
    return needed, replace(first, also=tuple(others), starts_on=done.places)


def _without_idle_parts(plan: Plan, steps: Steps, done: Trial, trials: Trials) -> tuple[Plan, Steps, Trial]:
    """What one part needs, another one may have made unnecessary."""
    place = 0
    while len(plan) > 1 and place < len(plan) and trials.left > 0:
        fewer, shorter = (*plan[:place], *plan[place + 1 :]), (*steps[:place], *steps[place + 1 :])
        trial = trials.tried(fewer, shorter)
        if trial.places:
            plan, steps, done = fewer, shorter, trial
        else:
            place += 1
    return plan, steps, done


def _each_as_small(plan: Plan, steps: Steps, done: Trial, trials: Trials) -> Trial:
    """Of changes that have to be made together, not all need to be taken as far."""
    for place in range(len(plan) if len(plan) > 1 else 0):
        failed = 0
        while steps[place] - failed > 1 and trials.left > 0:
            # What needs no more than one step is found out at once.
            middle = (steps[place] + failed) // 2 if failed else 1
            less = (*steps[:place], middle, *steps[place + 1 :])
            trial = trials.tried(plan, less)
            if trial.places:
                done, steps = trial, less
            else:
                failed = middle
    return done
