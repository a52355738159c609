"""The configuration as the scheduler uses it: every object with its values parsed, and what follows from them."""

from qmon_tui.scheduler.configuration.access_lists import ANYBODY, Access, Userset, compile_userset, listed
from qmon_tui.scheduler.configuration.attribute_values import Value, entries_of, stored_value
from qmon_tui.scheduler.configuration.compiled_cluster import (
    GLOBAL,
    CompiledCluster,
    as_qmaster,
    compile_cluster,
    global_configuration,
)
from qmon_tui.scheduler.configuration.complex_attributes import Attribute, AttributeTable
from qmon_tui.scheduler.configuration.hosts import Host
from qmon_tui.scheduler.configuration.lenient_parsing import boolean, double, number, number_or_none, unsigned
from qmon_tui.scheduler.configuration.load_formula import LoadFormula
from qmon_tui.scheduler.configuration.parallel_environments import (
    FILL_UP,
    ROUND_ROBIN,
    ParallelEnvironment,
    likely_environment,
    matching_environments,
)
from qmon_tui.scheduler.configuration.queues import (
    BUILT_IN,
    LIMITS,
    ClusterQueue,
    QueueAlternatives,
    QueueInstance,
    QueueProfile,
    compile_calendar,
)
from qmon_tui.scheduler.configuration.quota_rule_matching import (
    QuotaSubject,
    RuleMatcher,
    Rules,
    filters_of_users,
    named_projects,
    named_usersets,
    names_user,
)
from qmon_tui.scheduler.configuration.quota_rules import (
    EVERYTHING,
    Limit,
    QuotaSet,
    Rule,
    host_passes,
    is_open,
    matches_pattern,
    name_passes,
    user_passes,
)
from qmon_tui.scheduler.configuration.sched_conf import SchedConf, TicketPolicy, Weights, compile_sched_conf
from qmon_tui.scheduler.configuration.share_tree import FINISHED_JOBS, ConfiguredNode, UsagePolicy
from qmon_tui.scheduler.configuration.subordinate_lists import (
    InstanceNumber,
    SlotwiseSubordinate,
    SubordinateQueue,
    Subordination,
)
from qmon_tui.scheduler.configuration.ticket_shares import Entitlement

__all__ = [
    "ANYBODY",
    "BUILT_IN",
    "EVERYTHING",
    "FILL_UP",
    "FINISHED_JOBS",
    "GLOBAL",
    "LIMITS",
    "ROUND_ROBIN",
    "Access",
    "Attribute",
    "AttributeTable",
    "ClusterQueue",
    "CompiledCluster",
    "ConfiguredNode",
    "Entitlement",
    "Host",
    "InstanceNumber",
    "Limit",
    "LoadFormula",
    "ParallelEnvironment",
    "QueueAlternatives",
    "QueueInstance",
    "QueueProfile",
    "QuotaSet",
    "QuotaSubject",
    "Rule",
    "RuleMatcher",
    "Rules",
    "SchedConf",
    "SlotwiseSubordinate",
    "SubordinateQueue",
    "Subordination",
    "TicketPolicy",
    "UsagePolicy",
    "Userset",
    "Value",
    "Weights",
    "as_qmaster",
    "boolean",
    "compile_calendar",
    "compile_cluster",
    "compile_sched_conf",
    "compile_userset",
    "double",
    "entries_of",
    "filters_of_users",
    "global_configuration",
    "host_passes",
    "is_open",
    "likely_environment",
    "listed",
    "matches_pattern",
    "matching_environments",
    "name_passes",
    "named_projects",
    "named_usersets",
    "names_user",
    "number",
    "number_or_none",
    "stored_value",
    "unsigned",
    "user_passes",
]
