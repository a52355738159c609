"""Jobs at the start of a run: their requests, their tasks by list, their categories."""

from qmon_tui.scheduler.jobs.categories import (
    EMPTY_SNAPSHOT as EMPTY_SNAPSHOT,
    AttemptKind as AttemptKind,
    Category as Category,
    Cursor as Cursor,
    HostScan as HostScan,
    Key as Key,
    PeCache as PeCache,
    PlainCategory as PlainCategory,
    Snapshot as Snapshot,
)
from qmon_tui.scheduler.jobs.dependencies import (
    NO_ARRAY as NO_ARRAY,
    Dependencies as Dependencies,
    dependencies_of as dependencies_of,
    is_finished as is_finished,
)
from qmon_tui.scheduler.jobs.jc_filter import apply_jc_filter as apply_jc_filter
from qmon_tui.scheduler.jobs.job_profiles import (
    JobProfile as JobProfile,
    JobProfiles as JobProfiles,
    job_profiles_of as job_profiles_of,
    leaves_category as leaves_category,
)
from qmon_tui.scheduler.jobs.resource_requests import (
    Demand as Demand,
    ResourceRequest as ResourceRequest,
    as_typed as as_typed,
    compile_demand as compile_demand,
)
from qmon_tui.scheduler.jobs.run_job import (
    RunJob as RunJob,
    TicketHolder as TicketHolder,
    TicketHolders as TicketHolders,
    Tickets as Tickets,
)
from qmon_tui.scheduler.jobs.split import (
    Split as Split,
    TaskList as TaskList,
    has_just_finished as has_just_finished,
    is_enrolled as is_enrolled,
    split_job as split_job,
    task_list_of as task_list_of,
    untouched as untouched,
)
