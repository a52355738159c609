"""The qmaster's answer to qsub, qalter, qhold, qrls, qdel and qmod: a new state, and what the client prints."""

from qmon_tui.qmaster.commands.alter import alter
from qmon_tui.qmaster.commands.execd_cleanup import clean_up
from qmon_tui.qmaster.commands.holds import hold, release
from qmon_tui.qmaster.commands.modify import JobCommand, modify, reschedule_instances
from qmon_tui.qmaster.commands.qalter_refusals import looks_at_others
from qmon_tui.qmaster.commands.qdel import delete
from qmon_tui.qmaster.commands.qmod_queues import InstanceCommand, change_instances, instances_named
from qmon_tui.qmaster.commands.qrsub_qrdel import give_back, reserve
from qmon_tui.qmaster.commands.qsub import new_job, submit
from qmon_tui.qmaster.commands.reply import OPERATOR, Operator, Reply, Target

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
