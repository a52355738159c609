"""Drains in words: who disabled hosts, why and until when; and the effects of disabling queue instances."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from qmon_tui.model import Drain, Drains, drains_at
from qmon_tui.report.spans import Line, Span, TextRole, wrap
from qmon_tui.report.words import count, day_and_time
from qmon_tui.values import format_ranges

if TYPE_CHECKING:  # not imported at run time: lists are drawn before `explain` is needed
    from qmon_tui.explain import DrainEffect

_MOST: Final = 6
"""Number of running tasks that are listed; the others are counted."""


def drain_words(drain: Drain) -> str:
    """Return a reason, such as `new disk (anna, until 11-23 12:00)`."""
    until = f"until {day_and_time(drain.until)}" if drain.until is not None else ""
    facts = ", ".join(filter(None, (drain.who, until)))
    return f"{drain.reason} ({facts})" if facts else drain.reason


def drains_words(drains: Iterable[Drain]) -> str:
    """Return all reasons in one line, each once; empty without any."""
    return "; ".join(dict.fromkeys(map(drain_words, drains)))


def host_drains(drains: Drains, host: str) -> str:
    """Return the reasons of a host and, after the queue's name, of its queue instances; empty without any."""
    own = [drain_words(drain) for drain in drains.get(host, ())]
    for name, reasons in drains.items():
        queue, at, where = name.rpartition("@")
        if at and where == host:
            own += [f"{queue}: {drain_words(drain)}" for drain in reasons]
    return "; ".join(dict.fromkeys(own))


def instance_drains(drains: Drains, instances: Sequence[str]) -> str:
    """Return the reasons of queue instances, as `1/3 reason` if only some have one; empty without any."""
    reasons = [at for name in instances if (at := drains_at(drains, name))] if drains else []
    if not reasons:
        return ""
    words = drains_words(drain for at in reasons for drain in at)
    return words if len(reasons) == len(instances) else f"{len(reasons)}/{len(instances)} {words}"


def effect_lines(effect: "DrainEffect", cells: int) -> tuple[Line, ...]:
    """Return the jobs that still run there with their ends, and the pending jobs that fit nowhere else."""
    return tuple(_effect(effect, cells))


def _effect(effect: "DrainEffect", cells: int) -> Iterator[Line]:
    if not effect.running:
        yield (Span("No job runs there.", TextRole.RUNNING),)
    else:
        jobs = len({task.job for task in effect.running})
        ends = [task.end for task in effect.running]
        open_ended = sum(end is None for end in ends)
        last = max((end for end in ends if end is not None), default=None)
        words = f"{count(jobs, 'job')} still {'runs' if jobs == 1 else 'run'} there"
        if open_ended:
            words += f", {open_ended} without a limit"
        if last is not None:
            words += f", the last {'of the others ' if open_ended else ''}until {day_and_time(last)} at the latest"
        yield from wrap(f"{words}:", cells, TextRole.WARNING)
        for task in effect.running[:_MOST]:
            number = str(task.job) if task.task is None else f"{task.job}.{task.task}"
            end = "no limit" if task.end is None else f"until {day_and_time(task.end)} ({task.by})"
            where = ", ".join(task.instances[:2]) + (f" +{len(task.instances) - 2}" if len(task.instances) > 2 else "")
            yield from wrap(f"{number} {task.name} of {task.owner}  {end}  {where}", cells, first="  ", rest="    ")
        if len(effect.running) > _MOST:
            yield (Span(f"  and {count(len(effect.running) - _MOST, 'more task')}", TextRole.DIM),)
    if effect.stranded:
        are = "job fits" if len(effect.stranded) == 1 else "jobs fit"
        words = f"{len(effect.stranded)} pending {are} nowhere else: {format_ranges(effect.stranded)}"
        yield from wrap(words, cells, TextRole.WARNING, rest="  ")
    else:
        yield (Span("All pending jobs that could start fit elsewhere.", TextRole.DIM),)
    if effect.untried:
        yield from wrap(f"{count(effect.untried, 'pending job')} not tried: too many kinds of jobs", cells,
                        TextRole.DIM)  # fmt: skip
