"""The qmaster: admission of jobs, scheduling runs and their effects, events, and commands of the clients."""

from qmon_tui.qmaster.ar_conflicts import ar_conflicts as ar_conflicts
from qmon_tui.qmaster.commands import (
    FILE as FILE,
    MODIFY as MODIFY,
    Call as Call,
    CleanUp as CleanUp,
    Command as Command,
    InstanceCommand as InstanceCommand,
    JobCommand as JobCommand,
    Qalter as Qalter,
    QconfAttribute as QconfAttribute,
    Qdel as Qdel,
    Qhold as Qhold,
    QmodJobs as QmodJobs,
    QmodQueues as QmodQueues,
    QmodReschedule as QmodReschedule,
    Qrdel as Qrdel,
    Qrls as Qrls,
    Qrsub as Qrsub,
    Qsub as Qsub,
    Reply as Reply,
    Target as Target,
    calls_of as calls_of,
    changed_fields as changed_fields,
    editor_line as editor_line,
    instances_named as instances_named,
    keys_of as keys_of,
    leading_commands as leading_commands,
    modify as modify,
    new_job as new_job,
    object_of as object_of,
    read_command as read_command,
    read_target as read_target,
    reserve as reserve,
    show_line as show_line,
    submit as submit,
    target_words as target_words,
)
from qmon_tui.qmaster.commands.hold_jid import without_absent_predecessors as without_absent_predecessors
from qmon_tui.qmaster.commands.job_numbers import next_job as next_job, remembered as remembered
from qmon_tui.qmaster.commands.qrsub_qrdel import NO_PLACE as NO_PLACE
from qmon_tui.qmaster.commands.subordinate_suspension import has_subordinates as has_subordinates
from qmon_tui.qmaster.commands.tasks import left as left
from qmon_tui.qmaster.host_values import HostValue as HostValue, host_values as host_values
from qmon_tui.qmaster.numbers_shown import parts_of_master as parts_of_master
from qmon_tui.qmaster.option_texts import name_objection as name_objection
from qmon_tui.qmaster.outcome_builder import build_outcome as build_outcome
from qmon_tui.qmaster.run import (
    NOBODY_WAITS as NOBODY_WAITS,
    Consumables as Consumables,
    Run as Run,
    RunFacts as RunFacts,
    Simulate as Simulate,
    TaskKey as TaskKey,
    WaitingTasks as WaitingTasks,
    counted_levels as counted_levels,
    sums_of as sums_of,
)
from qmon_tui.qmaster.run_jobs import (
    ProfileInRun as ProfileInRun,
    ProfilesInRun as ProfilesInRun,
    RunJobs as RunJobs,
    collect_run_jobs as collect_run_jobs,
)
from qmon_tui.qmaster.scheduler_events import (
    copied_changes as copied_changes,
    find_job as find_job,
    moments as moments,
    next_moment as next_moment,
    place_of as place_of,
    with_changed_instances as with_changed_instances,
    with_job as with_job,
    with_released_jobs as with_released_jobs,
)
from qmon_tui.qmaster.scheduling import carried_out as carried_out, schedule as schedule, simulate as simulate
from qmon_tui.qmaster.share_tree_outcome import usage_ahead as usage_ahead
from qmon_tui.qmaster.start_order_check import refuse_starts as refuse_starts
from qmon_tui.qmaster.states_after_run import (
    StatesAfterRun as StatesAfterRun,
    kept_letters as kept_letters,
    seen_after_starts as seen_after_starts,
    states_after_run as states_after_run,
)
from qmon_tui.qmaster.submission_check import (
    SubmissionCheck as SubmissionCheck,
    is_let_in_alone as is_let_in_alone,
    refusal as refusal,
)
from qmon_tui.qmaster.task_end import places_left as places_left
from qmon_tui.qmaster.verification import verified as verified
from qmon_tui.qmaster.wallclock_limits import (
    wallclock_limit as wallclock_limit,
    with_wallclock_limits as with_wallclock_limits,
)
