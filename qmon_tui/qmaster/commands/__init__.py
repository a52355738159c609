"""Commands to the qmaster as values: each has its command line, and makes a new state with the client's messages."""

from qmon_tui.qmaster.commands.alter import alter as alter
from qmon_tui.qmaster.commands.calls import FILE as FILE, Call as Call, calls_of as calls_of, keys_of as keys_of
from qmon_tui.qmaster.commands.command import (
    Command as Command,
    Reply as Reply,
    Target as Target,
)
from qmon_tui.qmaster.commands.execd_cleanup import clean_up as clean_up
from qmon_tui.qmaster.commands.job_commands import (
    CleanUp as CleanUp,
    Qalter as Qalter,
    Qdel as Qdel,
    Qhold as Qhold,
    QmodJobs as QmodJobs,
    Qrls as Qrls,
    Qsub as Qsub,
    target_words as target_words,
)
from qmon_tui.qmaster.commands.leading_commands import (
    leading_commands as leading_commands,
    object_of as object_of,
)
from qmon_tui.qmaster.commands.modify import (
    JobCommand as JobCommand,
    modify as modify,
)
from qmon_tui.qmaster.commands.qconf import (
    editor_line as editor_line,
    show_line as show_line,
)
from qmon_tui.qmaster.commands.qconf_attribute import (
    ADD as ADD,
    DELETE as DELETE,
    MODIFY as MODIFY,
    QconfAttribute as QconfAttribute,
    adding_option as adding_option,
)
from qmon_tui.qmaster.commands.qmod_queues import (
    InstanceCommand as InstanceCommand,
    instances_named as instances_named,
)
from qmon_tui.qmaster.commands.qrsub_qrdel import give_back as give_back, reserve as reserve
from qmon_tui.qmaster.commands.qsub import new_job as new_job, submit as submit
from qmon_tui.qmaster.commands.queue_commands import (
    QmodQueues as QmodQueues,
    QmodReschedule as QmodReschedule,
    Qrdel as Qrdel,
    Qrsub as Qrsub,
)
from qmon_tui.qmaster.commands.reading import read_command as read_command, read_target as read_target
from qmon_tui.qmaster.commands.smallest_changes import changed_fields as changed_fields
