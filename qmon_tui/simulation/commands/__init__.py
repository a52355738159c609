"""The qmaster's answer to qsub, qalter, qhold, qrls, qdel and qmod: a new state, and what the client prints."""

from qmon_tui.simulation.commands.alter import alter
from qmon_tui.simulation.commands.alter_refused import looks_at_others
from qmon_tui.simulation.commands.cleaning import clean_up
from qmon_tui.simulation.commands.deletion import delete
from qmon_tui.simulation.commands.holds import hold, release
from qmon_tui.simulation.commands.instances import InstanceCommand, change_instances, instances_named
from qmon_tui.simulation.commands.modify import JobCommand, modify, reschedule_instances
from qmon_tui.simulation.commands.reply import OPERATOR, Operator, Reply, Target
from qmon_tui.simulation.commands.reservations import give_back, reserve
from qmon_tui.simulation.commands.submission import new_job, submit

__all__ = [
    "OPERATOR",
    "InstanceCommand",
    "JobCommand",
    "Operator",
    "Reply",
    "Target",
    "alter",
    "change_instances",
    "clean_up",
    "delete",
    "give_back",
    "hold",
    "instances_named",
    "looks_at_others",
    "modify",
    "new_job",
    "release",
    "reschedule_instances",
    "reserve",
    "submit",
]
