"""Events from the settings of a simulation: load reports, commands, hosts that fail and return."""

from typing import TYPE_CHECKING

from qmon_tui.simulation.host_failures import HostFailed, HostReturned
from qmon_tui.simulation.load_reports import LoadsDue
from qmon_tui.simulation.submissions import CommandGiven

if TYPE_CHECKING:
    from qmon_tui.simulation.simulator import Simulator


def plan_settings(simulator: "Simulator") -> None:
    """Plan the first load report, and the commands and host failures of the settings."""
    settings, queue, now = simulator.settings, simulator.queue, simulator.now
    if simulator.load_meter is not None:
        queue.plan(now, LoadsDue())
    for given in settings.commands:
        queue.plan(max(now, given.at), CommandGiven(given.command))
    for failure in settings.failures:
        queue.plan(max(now, failure.at), HostFailed(failure.host))
        if failure.returns is not None:
            queue.plan(max(now, failure.at, failure.returns), HostReturned(failure.host))
