"""Generation of jobs from a workload (docs/cluster-folder.md, workloads.md)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import ceil
from shlex import quote
from typing import Final, NamedTuple

from qmon_tui.formats import parse_qsub, problem
from qmon_tui.model import Arrivals, Cluster, Finding, Job, JobKind, Kind, Origin, Severity, State, Workload
from qmon_tui.scheduler import session_of
from qmon_tui.simulation.workload import lublin
from qmon_tui.simulation.workload.arrivals import DAY, FARTHEST, arrivals
from qmon_tui.simulation.workload.dice import Dice

MOST: Final = 250_000
"""Largest number of generated jobs; a larger number is taken for a mistake."""
_MOST_TASKS_OF_ALL: Final = 1_000_000
"""Largest number of tasks of all generated jobs."""
MOST_TASKS: Final = 75_000
"""Default of max_aj_tasks (sge_conf(5))."""
_LONGEST: Final = 10**8
"""Longest run time of a job in seconds."""
_MOST_SLOTS: Final = 9_999_999
"""The largest number that qsub accepts (sge_types(1), pe_range)."""
_FARTHEST: Final = 10**8
"""Most minutes of h_rt and most MB of memory that a job requests."""
_TRIED: Final = 4000
_NONE: Final = "NONE"
_NOBODY: Final = ("user1", "user2", "user3")
_MINUTE, _MEGABYTE = 60, 1024**2


@dataclass(frozen=True, slots=True)
class _Draft:
    """Drawn properties of a job."""

    kind: JobKind
    slots: int
    tasks: int
    seconds: int

    @property
    def work(self) -> float:
        """Slot-seconds of all its tasks."""
        return float(self.slots * self.tasks * self.seconds)


def total_slots(cluster: Cluster, state: State) -> int:
    """Return the slots of all queue instances."""
    return sum(instance.profile.slots for instance in session_of(cluster).compiled(state).instances)


class Made(NamedTuple):
    """Generated jobs, and a finding for each part of the workload that could not be followed."""

    jobs: tuple[Job, ...]
    findings: tuple[Finding, ...]


def generated(cluster: Cluster, state: State, workload: Workload, seed: int, first: int) -> Made:
    """Generate the jobs of a workload, in the order of submission, numbered from `first` on."""
    slots = max(1, total_slots(cluster, state))
    maker = _Maker(workload, seed, slots, _users(cluster))
    start = state.now if workload.start is None else workload.start
    length = workload.length or (None if workload.jobs is not None else DAY)
    rate = workload.rate
    if workload.load is not None:
        rate = 3600 * workload.load * slots / maker.mean_work()
    jobs: list[Job] = []
    for arrival in arrivals(workload, seed, start, rate):
        if arrival.time >= start + (length if length is not None else FARTHEST):
            break
        left = (MOST if workload.jobs is None else min(MOST, workload.jobs)) - len(jobs)
        numbers = range(first + len(jobs), first + len(jobs) + min(left, arrival.jobs))
        for number in numbers:
            if maker.tasks >= _MOST_TASKS_OF_ALL:
                break
            jobs.append(maker.job(number, int(arrival.time), arrival.source))
        if left <= arrival.jobs or maker.tasks >= _MOST_TASKS_OF_ALL:
            break
    if maker.tasks >= _MOST_TASKS_OF_ALL:
        maker.cut(
            workload.origin, f"at most {_MOST_TASKS_OF_ALL} tasks are simulated: only the first {len(jobs)} jobs come"
        )
    elif len(jobs) == MOST != workload.jobs and _asked(workload) <= MOST:
        maker.cut(workload.origin, f"at most {MOST} jobs are simulated: later ones do not come")
    elif workload.jobs is not None and length is None and len(jobs) < min(MOST, workload.jobs):
        maker.cut(workload.origin, f"only {len(jobs)} of {workload.jobs} jobs come within two years")
    return Made(tuple(jobs), tuple(maker.findings.values()))


def workload_findings(cluster: Cluster, workload: Workload) -> Iterator[Finding]:
    """Yield a finding for each part of the workload that cannot be generated."""
    if (asked := _asked(workload)) > MOST:
        yield _finding(workload.origin, f"{asked:.4g} jobs are too many, only the first {MOST} come")
    asks_for_more = workload.arrivals == Arrivals.LUBLIN or any(max(kind.slots.numbers) > 1 for kind in workload.kinds)
    if asks_for_more and not any(kind.pes for kind in workload.kinds):
        yield _finding(
            workload.origin,
            "jobs with several slots ask for no parallel environment, so that each gets one slot",
            hint="name parallel environments in pes",
        )
    named = {name: kind.origin for kind in workload.kinds for name in kind.pes if name != _NONE}
    for name in sorted(set(named) - set(cluster.objects(Kind.PE))):
        message = f'there is no parallel environment "{name}", jobs that ask for it are refused'
        yield _finding(named[name], message, severity=Severity.WARNING)


def _asked(workload: Workload) -> float:
    """Return the number of jobs that `jobs` or `rate` and `length` ask for; 0 if none is given."""
    length = workload.length or DAY
    return workload.jobs if workload.jobs is not None else (workload.rate or 0.0) * length / 3600


def _finding(origin: Origin | None, message: str, *, hint: str = "", severity: Severity = Severity.ERROR) -> Finding:
    file, line = (origin.file, origin.line) if origin is not None else (None, None)
    return problem("format.workload", message, file=file, line=line, hint=hint, severity=severity)


def _mean_work(kind: JobKind) -> float:
    slots = kind.slots.mean if kind.pes else 1.0
    return max(1.0, slots) * max(1.0, kind.tasks.mean) * kind.runtime.mean


def _users(cluster: Cluster) -> Mapping[str, float]:
    names = tuple(cluster.objects(Kind.USER)) or _NOBODY
    return dict.fromkeys(names, 1.0)


class _Maker:
    """Makes jobs; sizes and run times are drawn from other streams than users."""

    def __init__(self, workload: Workload, seed: int, all_slots: int, users: Mapping[str, float]) -> None:
        self._workload = workload
        self._seed = seed
        self._all_slots = all_slots
        self._users = users
        self._sizes, self._requests = Dice(seed, "sizes"), Dice(seed, "requests")
        self._sources: dict[int, tuple[JobKind, str]] = {}
        self.tasks = 0
        """Number of tasks of all jobs so far."""
        self._who = Dice(seed, "users")
        self.findings: dict[str, Finding] = {}
        """Message -> finding, for each limit that was applied."""

    def cut(self, origin: Origin | None, message: str) -> None:
        """Note that a limit cuts the workload; `message` says how."""
        self.findings.setdefault(message, _finding(origin, message))

    def mean_work(self) -> float:
        """Return the mean slot-seconds of a job."""
        if self._workload.arrivals != Arrivals.LUBLIN:
            kinds = self._workload.kinds
            weights = sum(kind.weight for kind in kinds)
            return max(1.0, sum(kind.weight * _mean_work(kind) for kind in kinds) / weights)
        dice, kinds_dice = Dice(self._seed, "mean work"), Dice(self._seed, "mean kinds")
        return max(1.0, sum(self._draft(dice, self._kind(kinds_dice)).work for _ in range(_TRIED)) / _TRIED)

    def job(self, number: int, time: int, source: int) -> Job:
        """Return one job; all jobs of one source have the same kind and user."""
        if source not in self._sources:
            kind = self._kind(self._who)
            self._sources[source] = kind, self._who.name(kind.users or self._users)
        kind, owner = self._sources[source]
        draft = self._draft(self._sizes, kind)
        self.tasks += draft.tasks
        line = " ".join(self._words(draft))
        parsed = parse_qsub(line, now=time)
        return Job(number, owner, time, parsed.request, parsed.name, runtime=draft.seconds, qsub=line)

    def _kind(self, dice: Dice) -> JobKind:
        kinds = self._workload.kinds
        return kinds[0] if len(kinds) == 1 else dice.choose(kinds, [kind.weight for kind in kinds])

    def _draft(self, dice: Dice, kind: JobKind) -> _Draft:
        if self._workload.arrivals == Arrivals.LUBLIN:
            size = lublin.slots(dice, self._all_slots)
            seconds = lublin.run_time(dice, size)
        else:
            size = max(1, round(self._at_most(_MOST_SLOTS, dice.number(kind.slots), kind, "slots")))
            seconds = dice.number(kind.runtime)
        tasks = max(1, round(self._at_most(MOST_TASKS, dice.number(kind.tasks), kind, "tasks")))
        seconds = max(0, round(self._at_most(_LONGEST, seconds, kind, "seconds of run time")))
        return _Draft(kind, size if kind.pes else 1, tasks, seconds)

    def _at_most(self, most: int, number: float, kind: JobKind, what: str) -> float:
        if number <= most:
            return number
        self.cut(kind.origin, f'jobs "{kind.name}" are capped at {most} {what}')
        return most

    def _words(self, draft: _Draft) -> Iterator[str]:
        kind, dice = draft.kind, self._requests
        yield f"-N {quote(kind.name)}"
        for option, names in (("-P", kind.projects), ("-q", kind.queues)):
            name = dice.name(names) if names else _NONE
            if name != _NONE:
                yield f"{option} {quote(name)}"
        if draft.slots > 1:
            yield f"-pe {quote(dice.name(kind.pes))} {draft.slots}"
        if draft.tasks > 1:
            yield f"-t 1-{draft.tasks}"
        asked = []
        if kind.over_time is not None:
            minutes = draft.seconds * dice.number(kind.over_time) / _MINUTE
            whole = ceil(self._at_most(_FARTHEST, minutes, kind, "minutes of h_rt"))
            asked.append(f"h_rt={max(1, whole) * _MINUTE}")
        if kind.memory is not None:
            amount = dice.number(kind.memory) * dice.number(kind.over_memory)
            whole = ceil(self._at_most(_FARTHEST, amount / _MEGABYTE, kind, "MB of memory"))
            asked.append(f"{kind.memory_attribute}={max(1, whole)}M")
        if asked:
            yield f"-l {quote(','.join(asked))}"
        if kind.qsub:
            yield kind.qsub
        yield f"sleep {draft.seconds}"
