"""Commands to the qmaster as values: each says its line, and makes a new state with what the client prints."""

from qmon_tui.qmaster.commands.alter import alter
from qmon_tui.qmaster.commands.command import OPERATOR, Command, Operator, Reply, Target
from qmon_tui.qmaster.commands.execd_cleanup import clean_up
from qmon_tui.qmaster.commands.holds import hold, release
from qmon_tui.qmaster.commands.job_commands import (
    CleanUp,
    Qalter,
    Qdel,
    Qhold,
    QmodJobs,
    Qrls,
    Qsub,
    target_text,
    target_words,
)
from qmon_tui.qmaster.commands.leading_commands import QconfComplexes, leading_commands, script_lines
from qmon_tui.qmaster.commands.modify import JobCommand, modify, reschedule_instances
from qmon_tui.qmaster.commands.qconf import (
    QconfAdd,
    QconfDelete,
    QconfListName,
    QconfModify,
    editor_line,
    show_line,
)
from qmon_tui.qmaster.commands.qconf_attribute import MODIFY, QconfAttribute
from qmon_tui.qmaster.commands.qdel import delete
from qmon_tui.qmaster.commands.qmod_queues import InstanceCommand, change_instances, instances_named
from qmon_tui.qmaster.commands.qrsub_qrdel import give_back, reserve
from qmon_tui.qmaster.commands.qsub import new_job, submit
from qmon_tui.qmaster.commands.queue_commands import QmodQueues, QmodReschedule, Qrdel, Qrsub
from qmon_tui.qmaster.commands.reading import read_command, read_target

__all__ = [
    "MODIFY",
    "OPERATOR",
    "CleanUp",
    "Command",
    "InstanceCommand",
    "JobCommand",
    "Operator",
    "Qalter",
    "QconfAdd",
    "QconfAttribute",
    "QconfComplexes",
    "QconfDelete",
    "QconfListName",
    "QconfModify",
    "Qdel",
    "Qhold",
    "QmodJobs",
    "QmodQueues",
    "QmodReschedule",
    "Qrdel",
    "Qrls",
    "Qrsub",
    "Qsub",
    "Reply",
    "Target",
    "alter",
    "change_instances",
    "clean_up",
    "delete",
    "editor_line",
    "give_back",
    "hold",
    "instances_named",
    "leading_commands",
    "modify",
    "new_job",
    "read_command",
    "read_target",
    "release",
    "reschedule_instances",
    "reserve",
    "script_lines",
    "show_line",
    "submit",
    "target_text",
    "target_words",
]
