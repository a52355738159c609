"""A finished scheduling run, as the qmaster sees it."""

from dataclasses import dataclass

from qmon_tui.model import Job
from qmon_tui.qmaster.states_after_run import StatesAfterRun
from qmon_tui.qmaster.suspended_numbers import SuspendedNumbers
from qmon_tui.scheduler import SchedulingRun


@dataclass(slots=True, kw_only=True)
class Run(SchedulingRun):
    """A finished run with what the qmaster has made of it."""

    rejected: list[tuple[Job, str]]
    states_after_run: StatesAfterRun
    suspended_numbers: SuspendedNumbers
