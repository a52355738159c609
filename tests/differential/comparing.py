"""Our outcome beside the real one: every column, placement and message, as texts that qstat would print."""

import math
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Final

from qmon_tui.model.outcome import InstanceOutcome, JobOutcome, Outcome, TaskOutcome
from tests.differential.observing import Row, SeenInstance, SeenJob
from tests.differential.runs import Run
from tests.differential.schedule import arranged, written

_LARGEST_PLAIN: Final = 99999999
_QQUOTA_LIMIT: Final = 20
"""So wide is the column of the limits, and what is longer is cut off."""
_LAST_BITS: Final = 1e-6
_LAST_DIGIT: Final = 1e-15


def five_decimals(value: float) -> tuple[str, ...]:
    """As prior, nurg, npprior, ntckts and share are printed."""
    return (f"{value:.5f}",)


def contribution(value: float) -> tuple[str, ...]:
    """As urg, rrcontr, wtcontr and dlcontr are printed (priority.md#columns-and-their-formats)."""
    return (f"{value:.3g}" if value > _LARGEST_PLAIN else f"{value:.0f}",)


def truncated(value: float) -> tuple[str, ...]:
    """As tickets are printed: cut off, so that a whole number may be one less where the order of additions differs.

    Of large numbers qstat prints the lowest 32 bits, with a sign.
    """
    whole = round(value)
    numbers = (whole, whole - 1) if abs(value - whole) < max(_LAST_BITS, abs(value) * _LAST_DIGIT) else (int(value),)
    return tuple(str((number + 2**31) % 2**32 - 2**31) for number in numbers)


JOB_COLUMNS: Final[dict[str, Callable[[float], tuple[str, ...]]]] = {
    "nurg": five_decimals,
    "npprior": five_decimals,
    "urg": contribution,
    "rrcontr": contribution,
    "wtcontr": contribution,
    "dlcontr": contribution,
    "ppri": truncated,
    "ovrts": truncated,
}
ROW_COLUMNS: Final[dict[str, Callable[[float], tuple[str, ...]]]] = {
    "prior": five_decimals,
    "ntckts": five_decimals,
    "tckts": truncated,
    "otckt": truncated,
    "ftckt": truncated,
    "stckt": truncated,
    "share": five_decimals,
}
STARTED_COLUMNS: Final = ("prior", "ntckts")
"""What a start order carries; the rest of a started task is filled in by the next run."""


@dataclass(frozen=True, slots=True)
class Mismatch:
    """One thing that differs."""

    sort: str
    what: str
    ours: object
    real: object

    def __str__(self) -> str:
        return f"{self.what}: ours {self.ours!r}, real {self.real!r}"


@dataclass(slots=True)
class Comparison:
    """How many things of each sort were compared, and those that differ."""

    compared: Counter[str] = field(default_factory=Counter)
    mismatches: list[Mismatch] = field(default_factory=list)

    def same(self, sort: str, what: str, ours: object, real: object) -> None:
        """Compare one thing."""
        self.compared[sort] += 1
        if ours != real:
            self.mismatches.append(Mismatch(sort, what, ours, real))

    def near(self, sort: str, what: str, ours: float, real: str) -> None:
        """Compare a number that is printed with six decimals."""
        self.same(
            sort, what, real if math.isclose(ours, float(real), rel_tol=1e-9, abs_tol=2e-6) else f"{ours:.6f}", real
        )

    def column(self, what: str, texts: tuple[str, ...], real: str) -> None:
        """Compare one number of qstat, for which there is more than one text where rounding decides."""
        self.same("columns", what, real if real in texts else texts[0], real)


def compare(run: Run, outcome: Outcome) -> Comparison:
    """Compare one run; `outcome` is ours of the moment before it."""
    comparison = Comparison()
    ours = {job.id: job for job in outcome.jobs}
    comparison.same("jobs", "jobs", sorted(ours), [job.id for job in run.after.jobs])
    before = {job.id: job for job in run.before.jobs}
    for seen in run.after.jobs:
        if seen.id in ours:
            _compare_job(comparison, ours[seen.id], before[seen.id], seen, skipped=run.skipped)
    instances = {instance.name: instance for instance in outcome.queue_instances}
    comparison.same(
        "instances", "queue instances", sorted(instances), sorted(seen.name for seen in run.after.instances)
    )
    for instance in run.after.instances:
        if instance.name in instances:
            _compare_instance(comparison, instances[instance.name], instance)
    if run.schedule or outcome.timeline:
        _compare_schedule(comparison, run, outcome)
    _compare_nodes(comparison, run, outcome)
    if run.pe_alg is not None and (any(run.pe_alg) or any(outcome.pe_alg)):
        comparison.same("searches", "pe-alg", outcome.pe_alg, run.pe_alg)
    if outcome.quotas is not None:
        lines = [f"{use.rule} {use.text[:_QQUOTA_LIMIT]} {use.filter}".rstrip() for use in outcome.quotas]
        comparison.same("quotas", "qquota", sorted(lines), sorted(run.after.quotas))
    if run.after.jobs:  # without a job qstat -j shows nothing
        comparison.same("messages", "global messages", list(outcome.messages), run.after.messages)
    return comparison


def _compare_schedule(comparison: Comparison, run: Run, outcome: Outcome) -> None:
    ours, real = arranged(written(outcome.timeline)), arranged(run.schedule)
    for our_line, real_line in zip_longest(ours, real):
        comparison.same("schedule", "schedule", our_line, real_line)


def _compare_job(comparison: Comparison, ours: JobOutcome, before: SeenJob, seen: SeenJob, *, skipped: bool) -> None:
    where = f"job {seen.id}"
    for name in ("name", "owner", "department"):
        comparison.same("names", f"{where} {name}", getattr(ours, name), getattr(seen, name))
    comparison.same("names", f"{where} project", ours.project or "", seen.project)
    comparison.same("placements", f"{where} slots", ours.slots, seen.slots)
    tasks = {task.task: task for task in ours.tasks}
    comparison.same(
        "placements", f"{where} tasks", sorted(tasks), sorted(task for row in seen.rows for task in row.tasks)
    )
    placed = {task for row in before.rows if row.granted for task in row.tasks}
    fresh = [row for row in seen.rows if row.granted and row.tasks[0] not in placed]
    kept = [row.columns for row in before.rows if not row.granted] if fresh or skipped else []
    kept_before = {task for row in before.rows if _is_suspended(row.state) for task in row.tasks}
    halted = {task.task for task in ours.tasks if task.keeps_numbers} - kept_before
    for row in seen.rows:
        _compare_place(comparison, where, tasks, row, started=row in fresh)
        if row.tasks[0] in tasks and row.tasks[0] not in halted and not _is_stale(row, kept):
            _compare_columns(comparison, where, tasks[row.tasks[0]], row, started=row in fresh)
    if len(fresh) < len(seen.rows):
        for name, printed in JOB_COLUMNS.items():
            comparison.column(f"{where} {name}", printed(getattr(ours, name)), seen.columns[name])
    # Where the real one has no words for a reason, its text ends with a blank, which is not read.
    comparison.same("messages", f"{where} messages", [text.rstrip() for text in ours.reasons], seen.messages)


def _compare_nodes(comparison: Comparison, run: Run, outcome: Outcome) -> None:
    """The share tree: who is where, with how many shares, and what has been used.

    The usage of who is not in the tree of the decisions has not faded in the run, and stands for an earlier time.
    """
    if not run.nodes:
        return
    is_old = any(0 < int(seen.get("usage_time", "0")) < run.at for seen in run.nodes)
    ours = {node.path: node for node in outcome.sharetree}
    comparison.same("nodes", "nodes", sorted(ours), sorted(node["node_name"] for node in run.nodes))
    for seen in run.nodes:
        node = ours.get(seen["node_name"])
        if node is None:
            continue
        place = f"node {node.path}"
        comparison.same("nodes", f"{place} user", node.user or "", seen["user_name"])
        comparison.same("nodes", f"{place} project", node.project or "", seen["project_name"])
        comparison.same("nodes", f"{place} shares", str(node.shares), seen["shares"])
        numbers = {"level%": node.level, "total%": node.total}
        if not is_old:
            numbers |= {"actual_share": node.actual, "usage": node.usage}
        for name, value in numbers.items():
            comparison.near("nodes", f"{place} {name}", value, seen[name])


def _is_stale(row: Row, kept: list[dict[str, str]]) -> bool:
    """Whether qstat shows what it had, which no cluster folder can tell.

    It does so of the pending tasks of a job whose last prepared task was started in this run: the order that brings
    their new numbers then goes to that task instead. So it does where orders were left unread.
    """
    return not row.granted and row.columns in kept


def _is_suspended(state: str) -> bool:
    return "s" in state or "T" in state


def _compare_place(
    comparison: Comparison, where: str, tasks: dict[int, TaskOutcome], row: Row, *, started: bool
) -> None:
    state = row.state if started else _arrived(row.state)
    for number in row.tasks:
        task = tasks.get(number)
        ours = (task.state if started else _arrived(task.state), *_places(task.granted)) if task else None
        comparison.same("placements", f"{where}.{number} place", ours, (state, *_places(row.granted)))


def _places(granted: Mapping[str, int]) -> tuple[tuple[str, int], ...]:
    """The master queue, then the others by name: qstat does not tell their order."""
    return (*list(granted.items())[:1], *sorted(list(granted.items())[1:]))


def _compare_columns(comparison: Comparison, where: str, task: TaskOutcome, row: Row, *, started: bool) -> None:
    for name in STARTED_COLUMNS if started else ROW_COLUMNS:
        comparison.column(f"{where}.{task.task} {name}", ROW_COLUMNS[name](getattr(task, name)), row.columns[name])


def _arrived(state: str) -> str:
    """A task is transferring for five seconds, which may end while the comparison looks."""
    return state.replace("t", "" if {"S", "T", "s"} & set(state) else "r")


def _compare_instance(comparison: Comparison, ours: InstanceOutcome, seen: SeenInstance) -> None:
    comparison.same(
        "instances",
        f"{seen.name} slots",
        (ours.reserved, ours.used, ours.total),
        (seen.reserved, seen.used, seen.total),
    )
    comparison.same("instances", f"{seen.name} state", ours.state, seen.state)
    values = dict(ours.values)
    for name in values.keys() | seen.values.keys():
        comparison.same("values", f"{seen.name} {name}", values.get(name), seen.values.get(name))
