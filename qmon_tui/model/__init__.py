"""The cluster, its state and the outcome of a run as immutable values, and the catalogue of every field of every kind.

All of them can be pickled.
"""

from typing import TYPE_CHECKING

from qmon_tui.late import late_names
from qmon_tui.model.read_only import read_only

if TYPE_CHECKING:
    from qmon_tui.model.cluster import Cluster, ConfigObject, Origin, config_object
    from qmon_tui.model.complex_entries import (
        COLUMN_WORDS,
        SLOTS,
        ComplexEntry,
        ComplexIndex,
        complex_entry,
        complex_index,
        printed,
    )
    from qmon_tui.model.defaults import (
        QUEUE_COMPLEXES,
        TEXT_TYPES,
        allowed_types,
        default_complexes,
        default_objects,
        is_built_in,
        is_load_value,
    )
    from qmon_tui.model.dialects import (
        DIALECTS,
        OCS,
        SGE,
        dialect,
        foreign_field,
        foreign_fields,
        forks_without,
        lacks,
        recognised,
    )
    from qmon_tui.model.field_elements import (
        DEFAULT_SCOPE,
        ElementVersions,
        Texts,
        element,
        element_versions,
        scope_key,
    )
    from qmon_tui.model.fields import Field, KindSpec, Separator, ValueType
    from qmon_tui.model.findings import Finding, Severity
    from qmon_tui.model.formulas import parse_formula
    from qmon_tui.model.host_configuration import (
        GLOBAL,
        GLOBAL_ONLY,
        Setting,
        effective_configuration,
        hosts_that_differ,
        inherited,
        known_hosts,
    )
    from qmon_tui.model.hostgroup_members import MemberKind, find_members
    from qmon_tui.model.instances import (
        EffectiveValue,
        defined_name,
        effective_value,
        find_group,
        first_defined_name,
        groups_of,
        hosts_of,
        members,
        overrides_of,
        queue_hosts,
        queue_instances,
        resolve_group,
        select_override,
    )
    from qmon_tui.model.job_references import JobReference, jobs_naming, names_of_job
    from qmon_tui.model.jobs import (
        FINISHED,
        GONE,
        HOLD_LETTERS,
        NO_RESERVATION,
        SEQUENTIAL,
        Job,
        LaterNumbers,
        sorted_holds,
    )
    from qmon_tui.model.kinds import Kind
    from qmon_tui.model.lazy_sequence import DeferredSequence, LazySequence
    from qmon_tui.model.memoize import memoized
    from qmon_tui.model.name_replacement import CannotRemoveName, Replacements, with_replaced_names
    from qmon_tui.model.outcome import (
        CalendarClosing,
        InstanceOutcome,
        JobOutcome,
        Outcome,
        QuotaUse,
        ScheduleEntry,
        ShareNodeOutcome,
        TaskOutcome,
    )
    from qmon_tui.model.params import all_params, params_of, rescheduling_of
    from qmon_tui.model.quota_rules import (
        FILTERS,
        NEW_RULE,
        Filters,
        QuotaFilter,
        QuotaRule,
        changed,
        clause_words,
        filter_text,
        inserted,
        is_dynamic,
        moved,
        parse_rule,
        removed,
        rules_of,
        with_clause,
        without_name,
    )
    from qmon_tui.model.references import ObjectKey, Reference, looked_up, references_of, references_to, target_of
    from qmon_tui.model.renewal import renewed
    from qmon_tui.model.sharetree import ShareNode, parse_share_tree, tree_depth, written_nodes
    from qmon_tui.model.sharetree_editing import NodePosition, TreeRow, tree_rows
    from qmon_tui.model.simulation_plan import (
        NO_PLAN,
        REPORT_INTERVAL,
        CommandLine,
        HostFailure,
        LoadModel,
        LoadValue,
        SimulationPlan,
    )
    from qmon_tui.model.state import (
        CHANGED_AT,
        DATED,
        ENVIRONMENT,
        HIGHEST_NUMBER,
        HOST,
        LAST_NUMBERS,
        QUOTA_SET,
        SEEN_AT,
        AdvanceReservation,
        Amounts,
        PastUsage,
        PeAlg,
        PeRequest,
        Request,
        State,
        Task,
        TaskRange,
        Usage,
    )
    from qmon_tui.model.state_fields import YAML_TYPES, StateEntry, StateField, StateKind, StateSpec, StateType
    from qmon_tui.model.strongly_connected import strongly_connected_components
    from qmon_tui.model.workload import Arrivals, JobKind, Weights, Workload
else:
    __getattr__ = late_names(
        __name__,
        {
            "cluster": ("Cluster", "ConfigObject", "Origin", "config_object"),
            "complex_entries": (
                "COLUMN_WORDS",
                "SLOTS",
                "ComplexEntry",
                "ComplexIndex",
                "complex_entry",
                "complex_index",
                "printed",
            ),
            "defaults": (
                "QUEUE_COMPLEXES",
                "TEXT_TYPES",
                "allowed_types",
                "default_complexes",
                "default_objects",
                "is_built_in",
                "is_load_value",
            ),
            "dialects": (
                "DIALECTS",
                "OCS",
                "SGE",
                "dialect",
                "foreign_field",
                "foreign_fields",
                "forks_without",
                "lacks",
                "recognised",
            ),
            "field_elements": ("DEFAULT_SCOPE", "ElementVersions", "Texts", "element", "element_versions", "scope_key"),
            "fields": ("Field", "KindSpec", "Separator", "ValueType"),
            "findings": ("Finding", "Severity"),
            "formulas": ("parse_formula",),
            "host_configuration": (
                "GLOBAL",
                "GLOBAL_ONLY",
                "Setting",
                "effective_configuration",
                "hosts_that_differ",
                "inherited",
                "known_hosts",
            ),
            "hostgroup_members": ("MemberKind", "find_members"),
            "instances": (
                "EffectiveValue",
                "defined_name",
                "effective_value",
                "find_group",
                "first_defined_name",
                "groups_of",
                "hosts_of",
                "members",
                "overrides_of",
                "queue_hosts",
                "queue_instances",
                "resolve_group",
                "select_override",
            ),
            "job_references": ("JobReference", "jobs_naming", "names_of_job"),
            "jobs": (
                "FINISHED",
                "GONE",
                "HOLD_LETTERS",
                "NO_RESERVATION",
                "SEQUENTIAL",
                "Job",
                "LaterNumbers",
                "sorted_holds",
            ),
            "kinds": ("Kind",),
            "lazy_sequence": ("DeferredSequence", "LazySequence"),
            "memoize": ("memoized",),
            "name_replacement": ("CannotRemoveName", "Replacements", "with_replaced_names"),
            "outcome": (
                "CalendarClosing",
                "InstanceOutcome",
                "JobOutcome",
                "Outcome",
                "QuotaUse",
                "ScheduleEntry",
                "ShareNodeOutcome",
                "TaskOutcome",
            ),
            "params": ("all_params", "params_of", "rescheduling_of"),
            "quota_rules": (
                "FILTERS",
                "NEW_RULE",
                "Filters",
                "QuotaFilter",
                "QuotaRule",
                "changed",
                "clause_words",
                "filter_text",
                "inserted",
                "is_dynamic",
                "moved",
                "parse_rule",
                "removed",
                "rules_of",
                "with_clause",
                "without_name",
            ),
            "references": ("ObjectKey", "Reference", "looked_up", "references_of", "references_to", "target_of"),
            "renewal": ("renewed",),
            "sharetree": ("ShareNode", "parse_share_tree", "tree_depth", "written_nodes"),
            "sharetree_editing": ("NodePosition", "TreeRow", "tree_rows"),
            "simulation_plan": (
                "NO_PLAN",
                "REPORT_INTERVAL",
                "CommandLine",
                "HostFailure",
                "LoadModel",
                "LoadValue",
                "SimulationPlan",
            ),
            "state": (
                "CHANGED_AT",
                "DATED",
                "ENVIRONMENT",
                "HIGHEST_NUMBER",
                "HOST",
                "LAST_NUMBERS",
                "QUOTA_SET",
                "SEEN_AT",
                "AdvanceReservation",
                "Amounts",
                "PastUsage",
                "PeAlg",
                "PeRequest",
                "Request",
                "State",
                "Task",
                "TaskRange",
                "Usage",
            ),
            "state_fields": ("YAML_TYPES", "StateEntry", "StateField", "StateKind", "StateSpec", "StateType"),
            "workload": (
                "Arrivals",
                "JobKind",
                "Weights",
                "Workload",
            ),
            "strongly_connected": ("strongly_connected_components",),
        },
    )

__all__ = [
    "CHANGED_AT", "COLUMN_WORDS", "DATED", "DEFAULT_SCOPE", "DIALECTS", "ENVIRONMENT", "FILTERS", "FINISHED",
    "GLOBAL", "GLOBAL_ONLY", "GONE", "HIGHEST_NUMBER", "HOLD_LETTERS", "HOST", "LAST_NUMBERS", "NEW_RULE",
    "NO_PLAN", "NO_RESERVATION", "OCS", "QUEUE_COMPLEXES", "QUOTA_SET", "REPORT_INTERVAL", "SEEN_AT", "SEQUENTIAL",
    "SGE", "SLOTS", "TEXT_TYPES", "YAML_TYPES", "AdvanceReservation", "Amounts", "Arrivals", "CalendarClosing",
    "CannotRemoveName", "Cluster", "CommandLine", "ComplexEntry", "ComplexIndex", "ConfigObject",
    "DeferredSequence", "EffectiveValue", "ElementVersions", "Field", "Filters", "Finding", "HostFailure",
    "InstanceOutcome", "Job", "JobKind", "JobOutcome", "JobReference", "Kind", "KindSpec", "LaterNumbers",
    "LazySequence", "LoadModel", "LoadValue", "MemberKind", "NodePosition", "ObjectKey", "Origin", "Outcome",
    "PastUsage", "PeAlg", "PeRequest", "QuotaFilter", "QuotaRule", "QuotaUse", "Reference", "Replacements",
    "Request", "ScheduleEntry", "Separator", "Setting", "Severity", "ShareNode", "ShareNodeOutcome",
    "SimulationPlan", "State", "StateEntry", "StateField", "StateKind", "StateSpec", "StateType", "Task",
    "TaskOutcome", "TaskRange", "Texts", "TreeRow", "Usage", "ValueType", "Weights", "Workload", "all_params",
    "allowed_types", "changed", "clause_words", "complex_entry", "complex_index", "config_object",
    "default_complexes", "default_objects", "defined_name", "dialect", "effective_configuration",
    "effective_value", "element", "element_versions", "filter_text", "find_group", "find_members",
    "first_defined_name", "foreign_field", "foreign_fields", "forks_without", "groups_of", "hosts_of",
    "hosts_that_differ", "inherited", "inserted", "is_built_in", "is_dynamic", "is_load_value", "jobs_naming",
    "known_hosts", "lacks", "looked_up", "members", "memoized", "messages", "moved", "names_of_job",
    "overrides_of", "params_of", "parse_formula", "parse_rule", "parse_share_tree", "printed", "queue_hosts",
    "queue_instances", "read_only", "recognised", "references_of", "references_to", "removed", "renewed",
    "rescheduling_of", "resolve_group", "rules_of", "scope_key", "select_override", "sharetree_editing", "sorted_holds",
    "strongly_connected_components", "target_of", "tree_depth", "tree_rows", "with_clause", "with_replaced_names",
    "without_name", "written_nodes",
]  # fmt: skip
