"""Content of the monitor page at one moment, computed off the event loop."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from qmon_tui.model import Outcome
from qmon_tui.report import stands_still
from qmon_tui.report.day import (
    Alarm,
    FeedRows,
    GanttContent,
    ShareRow,
    alarms_of,
    gantt_content,
    share_groups,
    waiting_tasks,
)
from qmon_tui.simulation import Moment, Sample


class DayInput(NamedTuple):
    """Input of `build_day_model`."""

    moment: Moment
    outcome: Outcome | None
    """Outcome of the latest live run; None before the first."""
    words: str = ""
    """Words that the lines of the feed must contain."""


@dataclass(frozen=True, slots=True)
class DayModel:
    """Content of the page at one moment."""

    moment: Moment | None = None
    feed: FeedRows = field(default_factory=FeedRows)
    samples: Sequence[Sample] = ()
    """Samples of the runs; on long days a selection (`thinned`)."""
    gantt: GanttContent = field(default_factory=GanttContent)
    shares: Mapping[str, Sequence[ShareRow]] = field(default_factory=dict)
    alarms: Sequence[Alarm] = ()
    waiting: int | None = None
    """Number of waiting tasks; None before the first live run."""
    bad: Mapping[str, str] = field(default_factory=dict)
    """Host -> state letters u and E of one of its queue instances; hosts without these letters are missing."""


def build_day_model(wanted: DayInput) -> DayModel:
    """Return the content of the page; called off the event loop."""
    moment, outcome, words = wanted
    stretches, samples = moment.stretches, moment.samples
    arrays = frozenset(job.id for job in moment.state.jobs if len(job.task_ids) > 1) | frozenset(
        stretch.job for stretch, _ in stretches if stretch.task > 1
    )
    suspended = frozenset(
        (job.id, number)
        for job in moment.state.jobs
        for number, task in job.tasks.items()
        if task.granted and stands_still(task.state)
    )
    bad = _bad_hosts(moment, outcome)
    return DayModel(
        moment,
        FeedRows(moment.entries, moment.time, arrays, words),
        thinned(samples),
        gantt_content(stretches, moment.plans, moment.time, moment.slots, suspended, arrays),
        share_groups(stretches, outcome, moment.beginning, moment.time, moment.state.jobs),
        alarms_of(moment, samples[-1] if samples else None, outcome, bad),
        sum(waiting_tasks(outcome).values()) if outcome is not None else None,
        bad,
    )


def thinned(samples: Sequence[Sample], most: int = 3000) -> Sequence[Sample]:
    """Return about `most` samples: of each group of successive ones, that with the most waiting tasks and the last."""
    if len(samples) <= most:
        return samples
    size = -(-len(samples) // (most // 2))
    kept: list[Sample] = []
    for first in range(0, len(samples), size):
        group = samples[first : first + size]
        peak = max(group, key=lambda sample: sample.waiting)
        kept += [peak, group[-1]] if peak is not group[-1] else [peak]
    return kept


def _bad_hosts(moment: Moment, outcome: Outcome | None) -> Mapping[str, str]:
    states = {instance.name: instance.state for instance in outcome.instances_before} if outcome is not None else {}
    bad: dict[str, str] = {}
    for name, letters in (states or moment.state.queue_states).items():
        bad_letters = "".join(letter for letter in "uE" if letter in letters)
        if bad_letters:
            bad[name.rpartition("@")[2]] = bad_letters
    return bad
