"""The smallest changes that let a task start, each tried by running the engine with it.

What stands in the way comes from the matching itself (lacks.py), and for each thing that is missing there are ways out.
A plan takes one way out for everything that one place lacks. Plans are tried the smallest first: few changes before
many, those that concern one job before those that concern a place, a group, everybody, little before much. An amount
is raised step by step until the task starts, since jobs ahead of it may take the first of what is added.

A trial is a run that ends as soon as the task's fate is decided, so that what comes behind it is not worked out.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice, product

from qmon_tui.scheduler.collector import no_collection
from qmon_tui.scheduler.explaining.amounts import remedies_for_amounts
from qmon_tui.scheduler.explaining.backfill import remedies_for_reservations
from qmon_tui.scheduler.explaining.edits import Edited
from qmon_tui.scheduler.explaining.entry import remedies_for_entry
from qmon_tui.scheduler.explaining.lacks import Lack
from qmon_tui.scheduler.explaining.more_quota import remedies_for_quota
from qmon_tui.scheduler.explaining.obstacles import Obstacles
from qmon_tui.scheduler.explaining.precedence import remedies_for_turn
from qmon_tui.scheduler.explaining.release import remedies_for_task
from qmon_tui.scheduler.explaining.remedy import Remedy
from qmon_tui.scheduler.explaining.togetherness import remedies_for_slots
from qmon_tui.scheduler.explanation import Change
from qmon_tui.scheduler.jobs import RunJob
from qmon_tui.scheduler.run import Run, simulate

MOST_CHANGES = 5
_MOST_PARTS = 3
"""Changes that have to be made together."""
_ALTERNATIVES = 6
"""Plans for what one place lacks."""

Plan = tuple[Remedy, ...]


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
        return cls(run, task, max(6, min(40, 120_000 // (size + 1))))

    @no_collection()
    def tried(self, plan: Plan, steps: int) -> Trial:
        """Run the world with a plan's changes, each in so many steps or as many as it can be taken."""
        world = Edited(self.run.compiled.cluster, self.run.state)
        for remedy in plan:
            world = remedy.edit(world, min(steps, remedy.steps))
        self.left -= 1
        formulas = self.run.formula.formulas
        run = simulate(world.cluster, world.state, at=self.run.now, formulas=formulas, until=self.task)
        for start in reversed(run.dispatch.starts):
            if (start.run_job.id, start.task) == self.task and not start.refused:
                return Trial(world.changes, tuple(run.resources.instances[number].name for number, _ in start.grants))
        return Trial(world.changes)


def changes_of(
    run: Run, run_job: RunJob, task: int, rank: int | None, found: Obstacles, lacks: Iterable[tuple[Lack, ...]]
) -> Iterator[Change]:
    """Changes each of which alone lets the task start, the smallest first."""
    if run_job.not_simulated:
        return
    trials = Trials.for_run(run, (run_job.id, task))
    done: list[frozenset[str]] = []
    for plan in sorted(_plans(run, run_job, task, rank, found, lacks), key=_smallness):
        kinds = frozenset(remedy.kind for remedy in plan)
        if len(done) == MOST_CHANGES or trials.left <= 0:
            return
        # What does more than is necessary is no smallest change.
        if any(known <= kinds for known in done):
            continue
        change = _smallest(plan, trials)
        if change is not None:
            done.append(kinds)
            yield change


def _smallness(plan: Plan) -> tuple[int, int, float]:
    return len(plan), max(remedy.reach for remedy in plan), sum(remedy.size for remedy in plan)


def _plans(
    run: Run, run_job: RunJob, task: int, rank: int | None, found: Obstacles, lacks: Iterable[tuple[Lack, ...]]
) -> Iterator[Plan]:
    own = tuple(remedies_for_task(run, run_job, task))
    if own:
        yield own
    elif rank is not None:
        yield from ((remedy,) for remedy in remedies_for_turn(run, run_job, rank))
        yield from ((remedy,) for remedy in remedies_for_reservations(found))
    if found.environments:
        yield from ((*own, *plan) for plan in remedies_for_slots(found))
    for of_one_place in lacks:
        if len(of_one_place) + len(own) > _MOST_PARTS:
            continue
        alternatives = [
            sorted(
                (
                    *remedies_for_amounts(found, lack),
                    *remedies_for_entry(found, lack),
                    *remedies_for_quota(lack.obstacle.quota),
                ),
                key=lambda remedy: (remedy.reach, remedy.size),
            )
            for lack in of_one_place
        ]
        yield from ((*own, *plan) for plan in islice(product(*alternatives), _ALTERNATIVES))


def _smallest(plan: Plan, trials: Trials) -> Change | None:
    """The fewest steps that let the task start. Where the most of them do not, nothing between is tried."""
    most = max(remedy.steps for remedy in plan)
    failed, steps = 0, 1
    done = trials.tried(plan, steps)
    if not done.places and most > 1 and not trials.tried(plan, most).places:
        return None
    while not done.places:
        if steps == most or trials.left <= 0:
            return None
        failed, steps = steps, min(steps * 2, most)
        done = trials.tried(plan, steps)
    while steps - failed > 1 and trials.left > 0:
        middle = (steps + failed) // 2
        between = trials.tried(plan, middle)
        if between.places:
            done, steps = between, middle
        else:
            failed = middle
    first, *others = done.changes
    return replace(first, also=tuple(others), starts_on=done.places)
