"""A decision of the scheduler to start a task."""

from dataclasses import dataclass

from qmon_tui.scheduler.jobs import RunJob
from qmon_tui.scheduler.quotas.territory import Party
from qmon_tui.scheduler.resources import Grants


@dataclass(slots=True)
class Start:
    """One task that the run starts."""

    run_job: RunJob
    task: int
    grants: Grants
    """The master queue first."""
    party: Party | None
    """Whose quotas it counts against; None for nobody's."""
    refused: bool = False
    """The qmaster does not carry it out, so that the task stays pending."""
    unread: bool = False
    """Nor does it take over the numbers of the order, because the user of an earlier one is barred."""
