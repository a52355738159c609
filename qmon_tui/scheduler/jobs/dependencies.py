"""Dependencies of jobs: -hold_jid and -hold_jid_ad, resolved as at submission (lifecycle.md#dependencies)."""

from collections.abc import Iterable, Iterator, Mapping

from qmon_tui.model import Job, State, TaskRange
from qmon_tui.scheduler.jobs.split import TaskList, task_list_of
from qmon_tui.values import c_integer_prefix, is_expression, matches

NOT_FOUND = 'denied: job "{}" not found'
OWN = 'denied: job "{}" may not be its own jobnet predecessor'
NO_ARRAY = 'Can only specify "-hold_jid_ad" option with an array job (using "-t" option)'
CYCLE = "job {} dependency change would generate a dependency cycle with job {}"
OTHER_RANGE = (
    "This array job must have the same range of sub-tasks as the dependent array job specified with -hold_jid_ad"
)


class Dependencies:
    """The jobs in the system in order of submission, and their predecessors.

    qsub or qalter resolves names to predecessors: a later job counts only if the dependent job was changed after it was
    submitted. Jobs are indexed on first use.
    """

    def __init__(self) -> None:
        self._new: list[Job] = []
        self._jobs: dict[int, Job] = {}
        self._by_owner: dict[str, list[Job]] = {}
        self._by_name: dict[tuple[str, str], list[Job]] = {}
        """(owner, name) -> jobs."""

    def add(self, job: Job) -> None:
        """Add a job; jobs must be added in order of submission."""
        self._new.append(job)

    def objections(self, job: Job) -> Iterator[str]:
        """Yield qsub's messages for invalid -hold_jid and -hold_jid_ad; an unknown number may be a finished job."""
        request = job.request
        yield from _objections_to_numbers(job.id, request.hold_jid)
        if request.hold_jid_ad and request.array is None:
            yield NO_ARRAY
        yield from _objections_to_numbers(job.id, request.hold_jid_ad)
        for other in self.predecessors(job, request.hold_jid_ad):
            if job.request.array is None or other.request.array is None:
                yield NO_ARRAY
            elif _ends(job.request.array) != _ends(other.request.array):
                yield OTHER_RANGE

    def cycle(self, job: Job) -> str | None:
        """Return qalter's message if a job would depend on itself, directly or through others; else None."""
        seen: set[int] = set()
        waiting = [job]
        while waiting:
            successor = waiting.pop()
            before = list(self.predecessors(successor, (*successor.request.hold_jid, *successor.request.hold_jid_ad)))
            if successor is not job and any(other.id == job.id for other in before):
                return CYCLE.format(job.id, successor.id)
            waiting += reversed([other for other in before if other.id not in seen])
            seen.update(other.id for other in before)
        return None

    def settled(self, job: Job, named: Iterable[str]) -> Iterator[str]:
        """Yield the predecessors `named` as the qmaster stores them when the job is submitted or altered.

        A name that a later job also has becomes the numbers of the jobs that have it now; numbers of jobs that do not
        exist yet are left out.
        """
        self._look_up_new()
        for name in named:
            if name[:1].isdigit():
                if (c_integer_prefix(name) or 0) <= job.id or any(self._numbered(job, name)):
                    yield name
                continue
            others = [other.id for other in self._called(job, name, later=True)]
            yield from map(str, others) if max(others, default=0) > job.id else (name,)

    def is_there(self, job: Job, name: str) -> bool:
        """True if the number `name` belongs to another job in the system."""
        self._look_up_new()
        return any(self._numbered(job, name))

    def waits(self, job: Job) -> bool:
        """True if a job named by -hold_jid has unfinished tasks."""
        return any(not is_finished(other) for other in self.predecessors(job, job.request.hold_jid))

    def names(self, job: Job, other: Job) -> bool:
        """True if `other` is a predecessor of the job, finished or not."""
        named = (*job.request.hold_jid, *job.request.hold_jid_ad)
        return any(predecessor.id == other.id for predecessor in self.predecessors(job, named))

    def held_tasks(self, job: Job) -> frozenset[int]:
        """Return the tasks of an array job that wait for tasks of a predecessor (-hold_jid_ad)."""
        held: set[int] = set()
        for predecessor in self.predecessors(job, job.request.hold_jid_ad):
            if len(held) == len(job.task_ids):
                break
            done = _finished_tasks(predecessor)
            step = job.task_ids.step
            for task in job.task_ids:
                if any(number not in done for number in _counterparts(predecessor.task_ids, task, step)):
                    held.add(task)
        return frozenset(held)

    def predecessors(self, job: Job, named: Iterable[str]) -> Iterator[Job]:
        """Yield the jobs with these names or numbers that existed when the job was submitted or last changed."""
        self._look_up_new()
        for name in named:
            if name[:1].isdigit():
                yield from (other for other in self._numbered(job, name) if _was_there(job, other))
            else:
                yield from self._called(job, name)

    def _look_up_new(self) -> None:
        for new in self._new:
            self._jobs[new.id] = new
            self._by_owner.setdefault(new.owner, []).append(new)
            self._by_name.setdefault((new.owner, new.name), []).append(new)
        self._new.clear()

    def _numbered(self, job: Job, name: str) -> Iterator[Job]:
        other = self._jobs.get(c_integer_prefix(name) or 0)
        if other is not None and other.id != job.id:
            yield other

    def _called(self, job: Job, name: str, *, later: bool = False) -> Iterator[Job]:
        """Yield the owner's jobs with a name or matching a pattern: only earlier ones, unless `later`."""
        plain = not is_expression(name)
        for other in self._by_name.get((job.owner, name), ()) if plain else self._by_owner.get(job.owner, ()):
            if (other.id < job.id or (later and other.id != job.id)) and matches("RESTRING", name, other.name):
                yield other


def _was_there(job: Job, other: Job) -> bool:
    """True if `other` was submitted before this job, or before this job was last changed."""
    return other.id < job.id or (job.changed is not None and other.submitted <= job.changed)


def _objections_to_numbers(own: int, named: Iterable[str]) -> Iterator[str]:
    for name in named:
        if name[:1].isdigit():
            if "." in name:
                yield NOT_FOUND.format(name)
            if c_integer_prefix(name) == own:
                yield OWN.format(own)


def _ends(tasks: TaskRange) -> tuple[int, int]:
    return tasks.first, tasks.last


def _counterparts(tasks: range, task: int, step: int) -> range:
    """Return the predecessor's tasks (of the range `tasks`) that cover the numbers `task` to `task` + `step` - 1."""
    first = tasks.start + (task - tasks.start) // tasks.step * tasks.step
    last = tasks.start + (task + step - 1 - tasks.start) // tasks.step * tasks.step
    return range(first, last + 1, tasks.step)


def _finished_tasks(job: Job) -> frozenset[int]:
    return frozenset(number for number, task in job.tasks.items() if task_list_of(task.state) is TaskList.FINISHED)


def is_finished(job: Job) -> bool:
    """True if all tasks of a job have ended."""
    tasks: Mapping[int, object] = job.tasks
    return bool(tasks) and len(tasks) >= len(job.task_ids) and len(_finished_tasks(job)) == len(job.task_ids)


def dependencies_of(state: State) -> Dependencies:
    """Index all jobs of a state."""
    dependencies = Dependencies()
    for job in state.jobs:
        dependencies.add(job)
    return dependencies
