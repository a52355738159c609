"""What somebody who watches a cluster should look at: starved jobs, idle slots while jobs wait, quota walls, hosts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from qmon_tui.model import Job, Outcome
from qmon_tui.simulation import Moment, Sample
from qmon_tui.tui.present.day.times import lasting
from qmon_tui.tui.present.spans import Line, Span, TextRole, wrap
from qmon_tui.tui.present.words import count
from qmon_tui.values import is_number, parse_number

STARVED: Final = 86400
"""Seconds that a job waits before it counts as starved, whatever it asks for."""
_TIMES: Final = 10
"""Or so many times the time that it would run, and an hour at least."""


@dataclass(frozen=True, slots=True)
class Alarm:
    """One thing to look at."""

    sign: str
    role: TextRole
    text: str
    job: int | None = None
    """The job that it is about."""


def alarms_of(moment: Moment, sample: Sample | None, outcome: Outcome | None, bad: Mapping[str, str]) -> list[Alarm]:
    """What is the matter at a moment, the worst first; `outcome` is the run then, `bad` are hosts with letters."""
    found: list[Alarm] = []
    if bad:
        named = ", ".join(f"{host} {letters}" for host, letters in list(bad.items())[:4])
        more = f" and {len(bad) - 4} more" if len(bad) > 4 else ""
        words = f"{count(len(bad), 'host')} with a queue in error or unreachable: {named}{more}"
        found.append(Alarm("!", TextRole.FAILED, words))
    waiting = [job for job in moment.state.jobs if _waits(job, outcome)]
    starved = [job for job in waiting if _is_starved(job, moment.time)]
    for job in sorted(starved, key=lambda job: job.submitted)[:3]:
        words = f"{job.id} {job.name} of {job.owner} has waited {lasting(moment.time - job.submitted)}"
        found.append(Alarm("!", TextRole.WARNING, words, job.id))
    if len(starved) > 3:
        found.append(Alarm("!", TextRole.WARNING, f"{len(starved) - 3} more jobs have waited as long"))
    found += _walls(outcome)
    if sample is not None and sample.waiting:
        used, total = sample.slots
        if used < total:
            reserved = sum(number for plan in moment.plans for _, number in plan.places)
            kept = f", {reserved} of them kept for reservations" if reserved else ""
            waits = "1 task waits" if sample.waiting == 1 else f"{sample.waiting} tasks wait"
            words = f"{int(total - used)} slots are idle while {waits}{kept}"
            found.append(Alarm("○", TextRole.WAITING, words, sample.oldest))
    return found


def _waits(job: Job, outcome: Outcome | None) -> bool:
    if len(job.tasks) < len(job.task_ids):
        return not job.request.hold
    return any("q" in task.state and "h" not in task.state and "E" not in task.state for task in job.tasks.values())


def _is_starved(job: Job, now: int) -> bool:
    waited = now - job.submitted
    if job.request.start_time is not None and job.request.start_time > now:
        return False
    return waited > STARVED or (job.runtime is not None and waited > max(3600, _TIMES * job.runtime))


def _walls(outcome: Outcome | None) -> list[Alarm]:
    """The limits of quotas that are used up while a job waits whose messages name them."""
    if outcome is None or not outcome.quotas:
        return []
    full = [
        use for use in outcome.quotas
        if use.used is not None and is_number(use.limit) and is_number(use.used)
        and parse_number(use.used) >= parse_number(use.limit)
    ]  # fmt: skip
    alarms: list[Alarm] = []
    told: dict[str, list[int]] = {}
    for job in outcome.jobs:
        if any("q" in task.state for task in job.tasks):
            for use in full:
                if any(f'"{use.rule}"' in text or f"{use.rule}/" in text for text in job.reasons):
                    told.setdefault(f"{use.rule}: {use.text} for {use.filter}", []).append(job.id)
    for words, jobs in told.items():
        names = ", ".join(map(str, jobs[:4])) + (" …" if len(jobs) > 4 else "")
        waits = "waits" if len(jobs) == 1 else "wait"
        alarms.append(Alarm("⊘", TextRole.WARNING, f"quota {words} is used up: {names} {waits}", jobs[0]))
    return alarms


def alarm_lines(alarms: Sequence[Alarm], cells: int) -> tuple[Line, ...]:
    """A sign and words for each; that all is well where there are none."""
    if not alarms:
        return ((Span("✓ ", TextRole.RUNNING), Span("No alarms.", TextRole.DIM)),)
    lines: list[Line] = []
    for alarm in alarms:
        first, *others = wrap(alarm.text, cells - 2)
        lines.append((Span(f"{alarm.sign} ", alarm.role), *first))
        lines += [(Span("  "), *other) for other in others]
    return tuple(lines)
