"""The charts of a moment, made beside the screen."""

from dataclasses import dataclass, field
from typing import NamedTuple

from qmon_tui.simulation import Moment
from qmon_tui.tui.present import stands_still
from qmon_tui.tui.present.day import FeedRows, GanttContent, gantt_content


class DayInput(NamedTuple):
    """What the charts are made of."""

    moment: Moment


@dataclass(frozen=True, slots=True)
class DayModel:
    """All that the page draws of one moment."""

    moment: Moment | None = None
    feed: FeedRows = field(default_factory=FeedRows)
    gantt: GanttContent = field(default_factory=GanttContent)


def build_day_model(wanted: DayInput) -> DayModel:
    """Runs off the event loop."""
    moment = wanted.moment
    stretches = moment.stretches
    arrays = frozenset(job.id for job in moment.state.jobs if len(job.task_ids) > 1) | frozenset(
        stretch.job for stretch, _ in stretches if stretch.task > 1
    )
    standing = frozenset(
        (job.id, number)
        for job in moment.state.jobs
        for number, task in job.tasks.items()
        if task.granted and stands_still(task.state)
    )
    return DayModel(
        moment,
        FeedRows(moment.entries, moment.time, arrays),
        gantt_content(stretches, moment.plans, moment.time, moment.slots, standing, arrays),
    )
