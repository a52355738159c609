"""What stands in a task's way at the moment at which it is tried: in a run that ends there, which is made for it.

What was found out for one job is known for those that ask for the same, and whose category was rejected with it.
"""

from collections.abc import Hashable, Mapping
from copy import copy
from dataclasses import dataclass, field
from functools import cached_property

from qmon_tui.qmaster.run import Run, simulate
from qmon_tui.scheduler.collector import no_collection
from qmon_tui.scheduler.explaining.alike import Alike
from qmon_tui.scheduler.explaining.edits import Edited
from qmon_tui.scheduler.explaining.groups import own_reasons, place_of_task
from qmon_tui.scheduler.explaining.next_slot import look_beyond
from qmon_tui.scheduler.explaining.obstacles import Obstacles
from qmon_tui.scheduler.explaining.release import remedies_for_task
from qmon_tui.scheduler.explanation import ReasonGroup
from qmon_tui.scheduler.jobs import RunJob
from qmon_tui.scheduler.run import Until

_MOST_REASONS = 3
"""So many times what keeps a task from taking part is looked for behind what has kept it before."""
TURNS_KEPT = 8
"""How many runs that end early are remembered; one of 10,000 jobs takes some 12 MB."""


@dataclass
class Turn:
    """A run that has ended when a task was about to be tried."""

    run: Run

    @cached_property
    def alike(self) -> Alike:
        """Which of its places are alike."""
        return Alike(self.run)

    @cached_property
    def _numbered(self) -> Mapping[int, RunJob]:
        return {one.id: one for one in self.run.pending}

    def obstacles(self, number: int) -> Obstacles | None:
        """What stands in the way of the job with a number; None where the run does not try it."""
        run_job = self._numbered.get(number)
        if run_job is None:
            return None
        self.run.dispatch.look_at(run_job)
        return Obstacles(self.run, run_job, self.alike)

    def job(self, number: int) -> RunJob | None:
        """The job with a number as it was then."""
        return self._numbered.get(number)


@dataclass(slots=True)
class Turns:
    """The turns of a finished run's tasks."""

    run: Run
    alike: Alike
    numbered: Mapping[int, RunJob]
    """All jobs by number."""
    _last: tuple[int, int, Obstacles] | None = None
    """Job, task, and what stood in its way."""
    _turns: dict[Until, Turn] = field(default_factory=dict)
    """Those asked for last."""
    _known: dict[Hashable, Obstacles] = field(default_factory=dict)
    """For jobs of which the same would be found; those asked for last."""

    def obstacles(self, run_job: RunJob, task: int) -> Obstacles:
        """What stands in a task's way as things are when it is tried, or would be if it took part."""
        last = self._last
        if last is None or last[:2] != (run_job.id, task):
            last = self._last = (run_job.id, task, self._found(run_job, task))
        return last[2]

    def _found(self, run_job: RunJob, task: int) -> Obstacles:
        key = _likeness(run_job, task)
        known = self._known.pop(key, None) if key is not None else None
        found = self._as_for(run_job, known) if known is not None else None
        if found is None:
            found = self._earlier(run_job, task) or Obstacles(self.run, run_job, self.alike)
            look_beyond(found, task)
        if key is not None:
            self._known[key] = found
            if len(self._known) > TURNS_KEPT:
                del self._known[next(iter(self._known))]
        return found

    def _as_for(self, run_job: RunJob, known: Obstacles) -> Obstacles | None:
        """The same for a job that is like the one for which it was found."""
        turn = next((one for one in self._turns.values() if one.run is known.run), None)
        own = run_job if known.run is self.run else turn.job(run_job.id) if turn is not None else None
        if own is None:
            return None
        known.run.dispatch.look_at(own)
        found = copy(known)
        found.run_job = own
        found.next_slot = None if known.next_slot is None else known.next_slot.for_job(own)
        return found

    def _earlier(self, run_job: RunJob, task: int) -> Obstacles | None:
        """The obstacles of a run that ends before a task is tried; None where those of the whole run are the same."""
        if place_of_task(run_job, task) is not None:
            return self._as_if_let_in(run_job, task)
        outrun = self._outrun(run_job, task)
        if outrun is None:
            return None
        turn = self._turns.pop(outrun, None) or self._before(self._world, outrun)
        self._turns[outrun] = turn
        if len(self._turns) > TURNS_KEPT:
            del self._turns[next(iter(self._turns))]
        return turn.obstacles(run_job.id)

    def _as_if_let_in(self, run_job: RunJob, task: int) -> Obstacles | None:
        """The obstacles that a task would meet which takes no part, were it freed of all that is the matter with it."""
        run, world, until = self.run, self._world, Until(run_job.id, task, before=True)
        besides: list[ReasonGroup] = []
        found: Obstacles | None = None
        for _ in range(_MOST_REASONS):
            for remedy in remedies_for_task(run, run_job, task):
                world = remedy.edit(world, remedy.least)
            turn = self._before(world, until)
            run, found = turn.run, turn.obstacles(run_job.id)
            run_job = next((one for one in run.jobs if one.id == run_job.id), run_job)
            takes_part = place_of_task(run_job, task) is None
            if not takes_part or run_job.excluded_at is not None:
                besides += own_reasons(run, run_job, task)
            if takes_part:
                break
        if found is not None:
            found.besides = tuple(besides)
        return found

    def _outrun(self, run_job: RunJob, task: int) -> Until | None:
        """When it was decided that a job does not start, where something was decided after that; else None."""
        dispatch = self.run.dispatch
        is_last = run_job.category.rejected_at == len(dispatch.starts) and not dispatch.reserved
        if is_last or not run_job.category.rejected:
            return None
        if task in run_job.passed:
            return Until(run_job.id, task, before=True)
        if task not in run_job.queue[run_job.next_task :]:
            return None
        first = self.numbered[run_job.category.rejected_with]
        if first.passed or not first.remaining:
            first = run_job
        return Until(first.id, first.queue[first.next_task], before=True)

    @property
    def _world(self) -> Edited:
        return Edited(self.run.compiled.cluster, self.run.state)

    @no_collection()
    def _before(self, world: Edited, until: Until) -> Turn:
        """The run of a world that ends when a task is about to be tried."""
        formulas = self.run.formula.formulas
        return Turn(simulate(world.cluster, world.state, at=self.run.now, formulas=formulas, until=until))


def _likeness(run_job: RunJob, task: int) -> Hashable | None:
    """The same for one user's jobs with one request whose category is rejected; None for what has a fate of its own."""
    job, category = run_job.job, run_job.category
    has_own_fate = job.tasks or run_job.excluded_at is not None or place_of_task(run_job, task) is not None
    if has_own_fate or not category.rejected or task in run_job.passed:
        return None
    return id(category), job.owner, job.group, id(job.request)
