"""What the real system remembers from one run to the next and qstat does not show, though later runs depend on it."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Final

from qmon_tui.formats.qsub import parse_qsub
from qmon_tui.model.jobs import FINISHED, GONE, Job
from qmon_tui.model.state import PastUsage, PeAlg, State
from qmon_tui.qmaster.run import Run as Engine
from qmon_tui.qmaster.task_end import changed_by_end
from qmon_tui.qmaster.transition import TaskEnded, after_event, after_run
from qmon_tui.scheduler.jobs.job_profiles import category_access, leaves_category
from qmon_tui.scheduler.priority.past_usage import decayed_usage
from qmon_tui.values.number_ranges import parse_ranges
from qmon_tui.values.times import INFINITE
from tests.differential.changes import Ended, of_instances
from tests.differential.observing import Row, Seen, SeenJob
from tests.differential.runs import Accepted, Run
from tests.differential.session import Edit
from tests.differential.session_player import started_since

Task = tuple[int, int]
"""Job and task."""

_STEP: Final = 1e-6
"""Between two things that a run did."""
_AFTER_DEEDS: Final = 0.5
"""So much later in its second is what a run did than what happened before it."""
_BEFORE_DEEDS: Final = 0.4
"""So much later in its second is what a reservation gives back at its end: that of a task rings before."""
_USERSETS: Final = "usersets"
_HALFTIME: Final = "halftime"
"""In the first run with another one, usage still fades as before."""
_ARRAY: Final = re.compile(r"(?:^|\s)-t '?(?P<range>[\d:-]+)'?(?=\s)")


@dataclass(slots=True)
class HiddenState:
    """The runs so far.

    Where the real system started the same tasks at the same places as we did, it is taken to have done so in our order.
    """

    starts: tuple[Task, ...] = ()
    """All starts, in their order: qstat has seconds, and priorities with five decimals."""
    granted: dict[Task, Mapping[str, int]] = field(default_factory=dict)
    """The queue instances in the order in which they were taken: qstat lists them in that of all queues."""
    started: dict[Task, int] = field(default_factory=dict)
    """When tasks were started: the last start of a job decides about its place in the list of jobs."""
    usage: PastUsage = field(default_factory=PastUsage)
    """What everybody has used, as we worked it out: the share tree afterwards is compared."""
    moved: dict[str, float] = field(default_factory=dict)
    """When a task that had something of a queue instance ended last, or a threshold made one stand still or go on."""
    relieved: dict[Task, float] = field(default_factory=dict)
    """When a threshold made a task stand still or go on last."""
    limits: dict[Task, int] = field(default_factory=dict)
    """For how many seconds tasks were started: nothing shows it."""
    after: Seen | None = None
    gone: set[Task] = field(default_factory=set)
    """Tasks that have finished or were deleted."""
    edits: int = 0
    """How many edits of the configuration there were by the run before."""
    rejected: frozenset[int] = frozenset()
    """Jobs of a kind for which no reservation is tried any more: nothing shows it."""
    qsubs: Mapping[int, str] = field(default_factory=dict)
    """How jobs were described."""
    alone: frozenset[int] = frozenset()
    """The only jobs of their kinds. A change of such a job makes its kind anew."""
    pe_alg: PeAlg = (0, 0, 0)
    """What the scheduler remembers of its searches in ranges of slots."""
    seen: frozenset[str] = frozenset()
    """The queue instances that the scheduler takes for suspended by others."""
    at: int = 0
    """When the run before was."""
    engine: Engine | None = None
    """Our run before."""
    left: State = field(default_factory=State)
    """The state that it has left."""

    def completed(self, run: Run) -> Run:
        """A run with what is remembered put into what was there before it."""
        self.moved |= dict(of_instances(run.ended, self._changed_by_ends(run.ended)))
        self.moved |= dict(self._given_back(run))
        moved = dict(run.moved)
        moved |= {name: max(when, moved.get(name, 0)) for name, when in self.moved.items()}
        finished, gone = self._finished_and_gone(run)
        self.gone |= finished | gone
        jobs = {job.id: job for job in run.before.jobs}
        for job in self.after.jobs if self.after else ():
            # A finished job is in the scheduler's list until it has run once more.
            if job.id not in jobs and any(number == job.id for number, _ in finished):
                jobs[job.id] = replace(job, rows=[])
        completed = [self._completed(job, finished) for _, job in sorted(jobs.items())]
        before = replace(run.before, jobs=completed)
        usage = PastUsage() if run.cleared else run.usage or self.usage
        edits, self.edits = run.edits[self.edits :], len(run.edits)
        usage = _without_edited(usage, edits)
        if self.engine is not None and any(edit.field == _HALFTIME for edit in edits):
            usage = decayed_usage(usage, run.at, self.engine.compiled.policy.tickets.usage)
        sent = {job for job, when in run.changed if when >= self.at + _AFTER_DEEDS}
        whole = {job.id for job in run.jobs if _is_sent_whole(self.qsubs.get(job.id, job.qsub), job.qsub)}
        whole |= set(run.told)
        rejected = self.rejected - (sent & whole & self.alone) - set(self._in_new_categories(run.jobs))
        has_rebuilt = self._has_rebuilt(edits)
        stopped = dict(self.relieved)
        stopped |= {(job, task): max(when, stopped.get((job, task), 0)) for job, task, when in run.stopped}
        return replace(
            run,
            rejected=frozenset() if has_rebuilt else rejected,
            categories=() if has_rebuilt else run.categories,
            starts=self.starts,
            before=before,
            usage=usage,
            moved=tuple(moved.items()),
            stopped=tuple((*task, when) for task, when in stopped.items()),
            limits=tuple((*task, limit) for task, limit in self.limits.items()),
            pe_alg_before=self.pe_alg,
            start_failed=frozenset(_with_refused_start(self.left)),
            seen=self._seen_after(run),
        )

    def _seen_after(self, run: Run) -> frozenset[str]:
        """What the scheduler takes for suspended: what ends has its queue instances sent as they stand just then."""
        sent = dict(run.sent)
        if self.engine is not None:
            cluster, state = self.engine.compiled.cluster, self.left
            for job, number, when in run.ended:
                tasks = next((known.tasks for known in state.jobs if known.id == job), {})
                task = tasks.get(number)
                if task is not None and task.granted:
                    state = after_event(cluster, state, TaskEnded(job, number), at=int(when))
                    sent |= {name: name in state.seen_suspended for name in task.granted}
        return self.seen.difference(sent) | {name for name, stood in sent.items() if stood}

    def _has_rebuilt(self, edits: Iterable[Edit]) -> bool:
        """Tell whether a userset was edited that tells categories apart, with which all of them are made anew."""
        named = {edit.name for edit in edits if edit.kind == _USERSETS}
        if not named or self.engine is None:
            return False
        usersets, _ = category_access(self.engine.compiled)
        return not named.isdisjoint(userset.name for userset in usersets)

    def _in_new_categories(self, jobs: Iterable[Accepted]) -> Iterator[int]:
        """The jobs that were altered and of whose category nothing is remembered any more."""
        for job in jobs:
            before = self.qsubs.get(job.id, job.qsub)
            if before != job.qsub and self.engine is not None:
                old, new = (_job(job, qsub) for qsub in (before, job.qsub))
                others = [job.job for job in self.engine.jobs]
                if leaves_category(self.engine.compiled.cluster, others, old, new, is_sent=False):
                    yield job.id

    def _given_back(self, run: Run) -> Iterator[tuple[str, float]]:
        """The queue instances of advance reservations whose time was over since the run before: they are sent then."""
        there = {reservation.id for reservation in run.before.reservations}
        for reservation in self.after.reservations if self.after else ():
            if reservation.id not in there and reservation.end <= run.at:
                yield from ((name, reservation.end + _BEFORE_DEEDS) for name in reservation.granted)

    def _changed_by_ends(self, ended: Iterable[Ended]) -> Mapping[Task, Iterable[str]]:
        """What comes last in its list with the end of each task, as we have it after the run before."""
        state, engine = self.left, self.engine
        if engine is None:
            return {}
        there = {(job.id, task) for job in state.jobs for task in job.tasks}
        return {
            (job, task): changed_by_end(engine.compiled.cluster, state, job, [task])
            for job, task, _ in ended
            if (job, task) in there
        }

    def _completed(self, job: SeenJob, finished: Iterable[Task]) -> SeenJob:
        rows = [replace(row, granted=self._in_order(job.id, row)) for row in job.rows]
        for state, tasks in ((FINISHED, set(finished)), (GONE, self.gone.difference(finished))):
            numbers = sorted(task for number, task in tasks if number == job.id)
            rows += [Row([task], state, {}, {}, self.started.get((job.id, task))) for task in numbers]
        return replace(job, rows=rows)

    def _in_order(self, job: int, row: Row) -> dict[str, int]:
        ours = self.granted.get((job, row.tasks[0]))
        if not ours or ours != row.granted or next(iter(ours)) != next(iter(row.granted)):
            return row.granted
        return dict(ours)

    def _finished_and_gone(self, run: Run) -> tuple[frozenset[Task], set[Task]]:
        """Tasks that ran after the last run and are no longer there, and those that have gone without running."""
        there = {(job.id, task) for job in run.before.jobs for row in job.rows for task in row.tasks}
        ran = self.after.placed if self.after else frozenset()
        known = {job for job, _ in there | ran}
        submitted = {(job.id, task) for job in run.jobs if job.id in known for task in _tasks(job.qsub)}
        return ran - there, submitted - there - ran

    def note(self, run: Run, engine: Engine) -> None:
        """Remember what a run has started, there and here."""
        order = {(start.run_job.id, start.task): place for place, start in enumerate(engine.dispatch.starts)}
        fresh = started_since(run.before, run.after)
        self.starts += tuple(sorted(fresh, key=lambda start: order.get(start, len(order))))
        self.alone = frozenset(job.id for job in engine.jobs if job.category.jobs == 1)
        self.qsubs = {job.id: job.qsub for job in run.jobs}
        self.left = after_run(engine)
        self.rejected = frozenset(job.id for job in self.left.jobs if job.reservation_rejected)
        names = [instance.name for instance in engine.resources.instances]
        for start in engine.dispatch.starts:
            self.granted[start.run_job.id, start.task] = {names[number]: slots for number, slots in start.grants}
        self.usage = self.left.usage
        self.engine = engine
        self.pe_alg = self.left.pe_alg if run.pe_alg is None else run.pe_alg
        self.limits |= dict(self._started_for(fresh))
        acts = (*engine.states_after_run.removed, *engine.states_after_run.added)
        relieved = sorted(_relieved(run), key=lambda act: acts.index(act[0]) if act[0] in acts else len(acts))
        for place, (task, master) in enumerate(relieved):
            self.relieved[task] = self.moved[master] = run.at + _AFTER_DEEDS + place * _STEP
        self.started |= {
            (job.id, row.tasks[0]): row.started for job in run.after.jobs for row in job.rows if row.started is not None
        }
        self.after, self.at = run.after, run.at
        self.seen = self.left.seen_suspended

    def _started_for(self, fresh: Iterable[Task]) -> Iterator[tuple[Task, int]]:
        """For how long tasks that this run has started were started."""
        jobs = {job.id: job.tasks for job in self.left.jobs}
        for number, task_number in fresh:
            task = jobs.get(number, {}).get(task_number)
            if task is not None and task.wallclock_limit is not None:
                yield (number, task_number), int(min(task.wallclock_limit, INFINITE))


def _with_refused_start(state: State) -> Iterator[Task]:
    return ((job.id, number) for job in state.jobs for number, task in job.tasks.items() if task.start_failed)


def _without_edited(book: PastUsage, edits: Iterable[Edit]) -> PastUsage:
    """8.1.9 forgets what a user or project has used that `qconf -Muser` or `-Mprj` modifies; `-rattr` would keep it."""
    edited = {(edit.kind, edit.name) for edit in edits}
    users, projects = (
        MappingProxyType({name: usage for name, usage in usages.items() if (kind, name) not in edited})
        for kind, usages in (("users", book.users), ("projects", book.projects))
    )
    return PastUsage(users, projects)


def _is_sent_whole(before: str, after: str) -> bool:
    """Tell whether a job that was sent came with its tasks: qalter does not send them for a few of its options."""
    old, new = (parse_qsub(qsub).request for qsub in (before, after))
    alike = replace(new, priority=old.priority, job_share=old.job_share, advance_reservation=old.advance_reservation)
    return new == old or replace(alike, kept=old.kept) != old


def _relieved(run: Run) -> Iterator[tuple[Task, str]]:
    """The tasks that a run made stand still, or go on, because of thresholds, each with its master queue.

    The qmaster notes there when that was and sends both anew, even if another queue instance of the task is in alarm.
    """
    stood = {(job.id, task): _stands(row) for job in run.before.jobs for row in job.rows for task in row.tasks}
    for job in run.after.jobs:
        for row in job.rows:
            for task in row.tasks if row.granted else ():
                if stood.get((job.id, task), False) != _stands(row):
                    yield (job.id, task), next(iter(row.granted))


def _stands(row: Row) -> bool:
    return "T" in row.state


def _job(accepted: Accepted, qsub: str) -> Job:
    return Job(accepted.id, accepted.owner, 0, parse_qsub(qsub).request, "", group=accepted.group)


def _tasks(qsub: str) -> Iterator[int]:
    *_, found = (None, *_ARRAY.finditer(qsub))
    for first, last, step in parse_ranges(found["range"]) if found else [(1, 1, 1)]:
        yield from range(first, last + 1, step)
