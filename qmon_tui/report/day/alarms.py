"""Alarms of a simulated day: starved jobs, idle slots while jobs wait, full quotas, bad hosts."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from qmon_tui.model import Job, Outcome, PendingKind
from qmon_tui.report.day.clock import lasting
from qmon_tui.report.spans import Line, Span, TextRole, fit, wrap
from qmon_tui.report.table_rows import ListRows
from qmon_tui.report.words import count
from qmon_tui.simulation import Moment, Sample
from qmon_tui.values import is_number, parse_number

STARVED: Final = 86400
"""Seconds of waiting after which any job counts as starved."""
_TIMES: Final = 10
"""A job is also starved after waiting this many times its run time, and at least an hour."""
_MOST_HOSTS: Final = 4
"""Number of hosts with their own alarm; the others share one."""
_BAD: Final = {"u": "unreachable", "E": "in error"}


@dataclass(frozen=True, slots=True)
class Alarm:
    """One alarm: sign, colour and sentence."""

    sign: str
    role: TextRole
    text: str
    job: int | None = None
    """Number of its job, or of the first job on its host; None without one."""
    about: str = ""
    """Host or quota rule: identifies the alarm when its text changes."""


def alarms_of(moment: Moment, sample: Sample | None, outcome: Outcome | None, bad: Mapping[str, str]) -> list[Alarm]:
    """Return the alarms of a moment, the worst first; `outcome` is its run, `bad` maps hosts to their state letters."""
    alarms: list[Alarm] = []
    for host, letters in list(bad.items())[:_MOST_HOSTS]:
        jobs = _jobs_on(moment, host)
        jobs_words = f": {_numbers(jobs)} {'is' if len(jobs) == 1 else 'are'} there" if jobs else ""
        what = " and ".join(text for letter, text in _BAD.items() if letter in letters)
        first = jobs[0] if jobs else None
        alarms.append(
            Alarm("!", TextRole.FAILED, f"{host} has a queue instance {what} ({letters}){jobs_words}", first, host)
        )
    if len(bad) > _MOST_HOSTS:
        words = f"{len(bad) - _MOST_HOSTS} more hosts have a queue instance in error or unreachable"
        alarms.append(Alarm("!", TextRole.FAILED, words))
    waiting = waiting_tasks(outcome)
    starved = [job for job in moment.state.jobs if job.id in waiting and _is_starved(job, moment.time)]
    longest = sorted(starved, key=lambda job: job.submitted)
    for job in longest[:3]:
        words = f"{job.id} {job.name} of {job.owner} has waited {lasting(moment.time - job.submitted)}"
        alarms.append(Alarm("!", TextRole.WARNING, words, job.id))
    if len(starved) > 3:
        words = f"{count(len(starved) - 3, 'more job')} waited too long"
        alarms.append(Alarm("!", TextRole.WARNING, words, longest[3].id, "more"))
    alarms += _full_quotas(outcome)
    if sample is not None and waiting:
        used, total = sample.slots
        if used < total:
            reserved = sum(number for plan in moment.plans for _, number in plan.places)
            kept = f", {reserved} of them kept for reservations" if reserved else ""
            number = sum(waiting.values())
            waits = "1 task waits" if number == 1 else f"{number} tasks wait"
            words = f"{int(total - used)} slots are idle while {waits}{kept}"
            alarms.append(Alarm("○", TextRole.WAITING, words, min(waiting)))
    return alarms


def waiting_tasks(outcome: Outcome | None) -> Mapping[int, int]:
    """Return job -> number of tasks that wait before the run (`PendingKind.WAITING`); empty without an outcome."""
    waiting: dict[int, int] = {}
    for job in outcome.jobs if outcome is not None else ():
        number = sum(outcome.pending_kind(job, task) is PendingKind.WAITING for task in job.tasks) if outcome else 0
        if number:
            waiting[job.id] = number
    return waiting


def _is_starved(job: Job, now: int) -> bool:
    waited = now - job.submitted
    return waited > STARVED or (job.runtime is not None and waited > max(3600, _TIMES * job.runtime))


def _full_quotas(outcome: Outcome | None) -> list[Alarm]:
    """Return an alarm for each quota limit that is used up and named in the messages of a waiting job."""
    if outcome is None or not outcome.quotas_before:
        return []
    full = [
        use for use in outcome.quotas_before
        if use.used is not None and is_number(use.limit) and is_number(use.used)
        and parse_number(use.used) >= parse_number(use.limit)
    ]  # fmt: skip
    alarms: list[Alarm] = []
    by_rule: dict[str, list[int]] = {}
    for job in outcome.jobs:
        if any(outcome.pending_kind(job, task, after=True) is PendingKind.WAITING for task in job.tasks):
            for use in full:
                if any(f'"{use.rule}"' in text or f"{use.rule}/" in text for text in job.reasons):
                    by_rule.setdefault(f"{use.rule}: {use.text} for {use.filter}", []).append(job.id)
    for words, jobs in by_rule.items():
        waits = "waits" if len(jobs) == 1 else "wait"
        text = f"quota {words} is used up: {_numbers(jobs)} {waits}"
        alarms.append(Alarm("⊘", TextRole.WARNING, text, jobs[0], words))
    return alarms


def _numbers(jobs: Sequence[int]) -> str:
    return ", ".join(map(str, jobs[:4])) + (" …" if len(jobs) > 4 else "")


def _jobs_on(moment: Moment, host: str) -> list[int]:
    """Return the numbers of the jobs that have slots on a host."""
    return [
        job.id
        for job in moment.state.jobs
        if any(name.rpartition("@")[2] == host for task in job.tasks.values() for name in task.granted)
    ]


class AlarmRows(ListRows[tuple[Alarm, int, Line]]):
    """Alarms as rows of a table, one row per line of text; each row opens the alarm's job."""

    def __init__(self, alarms: Sequence[Alarm] = (), cells: int = 80) -> None:
        lines: list[tuple[Alarm, int, Line]] = []
        for alarm in alarms:
            words = wrap(alarm.text, max(10, cells - 2))
            for part, line in enumerate(words):
                first = Span("  ") if part else Span(f"{alarm.sign} ", alarm.role)
                lines.append((alarm, part, (first, *line)))
        super().__init__(lines)

    def key(self, index: int) -> Hashable:
        """Return the alarm's sign and subject, and the number of the line within the alarm."""
        alarm, part, _ = self.items[index]
        return alarm.sign, alarm.about or alarm.job or alarm.text, part

    def job(self, key: Hashable) -> int | None:
        """Return the job that a row opens; None without one."""
        row = self.at(key)
        return row[0].job if row is not None else None

    def line(self, index: int, cells: int) -> Line:
        return fit(self.items[index][2], cells)

    def text(self, index: int) -> str:
        return self.items[index][0].text


def alarm_lines(alarms: Sequence[Alarm], cells: int) -> tuple[Line, ...]:
    """Return the lines of all alarms, or one line if there are none."""
    if not alarms:
        return ((Span("✓ ", TextRole.RUNNING), Span("No alarms.", TextRole.DIM)),)
    rows = AlarmRows(alarms, cells)
    return tuple(rows.line(index, cells) for index in range(len(rows)))
