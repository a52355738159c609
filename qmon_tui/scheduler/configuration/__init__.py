"""The configuration in the scheduler's form: objects with parsed values, and derived tables."""

from qmon_tui.scheduler.configuration.access_lists import (
    ANYBODY as ANYBODY,
    Access as Access,
    Userset as Userset,
    compile_userset as compile_userset,
    listed as listed,
)
from qmon_tui.scheduler.configuration.attribute_values import (
    Value as Value,
    entries_of as entries_of,
    stored_value as stored_value,
)
from qmon_tui.scheduler.configuration.compiled_cluster import (
    GLOBAL as GLOBAL,
    CompiledCluster as CompiledCluster,
    as_qmaster as as_qmaster,
    compile_cluster as compile_cluster,
    global_configuration as global_configuration,
)
from qmon_tui.scheduler.configuration.complex_attributes import Attribute as Attribute, AttributeTable as AttributeTable
from qmon_tui.scheduler.configuration.hosts import Host as Host
from qmon_tui.scheduler.configuration.lenient_parsing import (
    boolean as boolean,
    double as double,
    number as number,
    number_or_none as number_or_none,
    unsigned as unsigned,
)
from qmon_tui.scheduler.configuration.load_formula import LoadFormula as LoadFormula
from qmon_tui.scheduler.configuration.parallel_environments import (
    FILL_UP as FILL_UP,
    ROUND_ROBIN as ROUND_ROBIN,
    ParallelEnvironment as ParallelEnvironment,
    likely_environment as likely_environment,
    matching_environments as matching_environments,
)
from qmon_tui.scheduler.configuration.queues import (
    BUILT_IN as BUILT_IN,
    LIMITS as LIMITS,
    ClusterQueue as ClusterQueue,
    QueueAlternatives as QueueAlternatives,
    QueueInstance as QueueInstance,
    QueueProfile as QueueProfile,
    compile_calendar as compile_calendar,
)
from qmon_tui.scheduler.configuration.quota_rule_matching import (
    QuotaSubject as QuotaSubject,
    RuleMatcher as RuleMatcher,
    Rules as Rules,
    filters_of_users as filters_of_users,
    named_projects as named_projects,
    named_usersets as named_usersets,
    names_user as names_user,
)
from qmon_tui.scheduler.configuration.quota_rules import (
    EVERYTHING as EVERYTHING,
    Limit as Limit,
    QuotaSet as QuotaSet,
    Rule as Rule,
    host_passes as host_passes,
    is_open as is_open,
    matches_pattern as matches_pattern,
    name_passes as name_passes,
    user_passes as user_passes,
)
from qmon_tui.scheduler.configuration.sched_conf import (
    SchedConf as SchedConf,
    TicketPolicy as TicketPolicy,
    Weights as Weights,
    compile_sched_conf as compile_sched_conf,
)
from qmon_tui.scheduler.configuration.share_tree import (
    FINISHED_JOBS as FINISHED_JOBS,
    ConfiguredNode as ConfiguredNode,
    UsagePolicy as UsagePolicy,
)
from qmon_tui.scheduler.configuration.subordinate_lists import (
    InstanceNumber as InstanceNumber,
    SlotwiseSubordinate as SlotwiseSubordinate,
    SubordinateQueue as SubordinateQueue,
    Subordination as Subordination,
)
from qmon_tui.scheduler.configuration.ticket_shares import Entitlement as Entitlement
