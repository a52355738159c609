"""The cluster, its state and the outcome of a run as immutable values, and the catalogue of every field of every kind.

All of them can be pickled.
"""

from typing import TYPE_CHECKING

from qmon_tui.late import late_names
from qmon_tui.model.renewal import read_only as read_only

if TYPE_CHECKING:
    from qmon_tui.model import messages as messages, sharetree_editing as sharetree_editing
    from qmon_tui.model.catalogue.hosts import ONLY_SHOWN as ONLY_SHOWN
    from qmon_tui.model.cluster import (
        Cluster as Cluster,
        ConfigObject as ConfigObject,
        Origin as Origin,
        config_object as config_object,
    )
    from qmon_tui.model.complex_entries import (
        COLUMN_WORDS as COLUMN_WORDS,
        SLOTS as SLOTS,
        ComplexEntry as ComplexEntry,
        ComplexIndex as ComplexIndex,
        complex_entry as complex_entry,
        complex_index as complex_index,
        printed as printed,
    )
    from qmon_tui.model.defaults import (
        QUEUE_COMPLEXES as QUEUE_COMPLEXES,
        TEXT_TYPES as TEXT_TYPES,
        allowed_types as allowed_types,
        default_complexes as default_complexes,
        default_objects as default_objects,
        is_built_in as is_built_in,
        is_load_value as is_load_value,
    )
    from qmon_tui.model.dialects import (
        DIALECTS as DIALECTS,
        OCS as OCS,
        SGE as SGE,
        dialect as dialect,
        foreign_decisions as foreign_decisions,
        foreign_field as foreign_field,
        foreign_fields as foreign_fields,
        forks_without as forks_without,
        lacks as lacks,
        recognised as recognised,
    )
    from qmon_tui.model.exceptions import (
        NO_DRAINS as NO_DRAINS,
        DatedPlace as DatedPlace,
        Drain as Drain,
        Drains as Drains,
        dated_place as dated_place,
        drains_at as drains_at,
        end_of as end_of,
        end_of_day as end_of_day,
        exception_rule as exception_rule,
        exceptions_in as exceptions_in,
        last_day as last_day,
        vanished as vanished,
    )
    from qmon_tui.model.field_elements import (
        DEFAULT_SCOPE as DEFAULT_SCOPE,
        ElementVersions as ElementVersions,
        Texts as Texts,
        element as element,
        element_versions as element_versions,
        scope_key as scope_key,
    )
    from qmon_tui.model.fields import (
        Field as Field,
        KindSpec as KindSpec,
        Separator as Separator,
        ValueType as ValueType,
    )
    from qmon_tui.model.findings import Finding as Finding, Severity as Severity
    from qmon_tui.model.formulas import parse_formula as parse_formula
    from qmon_tui.model.host_configuration import (
        GLOBAL as GLOBAL,
        GLOBAL_ONLY as GLOBAL_ONLY,
        WHOLE_LINES as WHOLE_LINES,
        Setting as Setting,
        all_params as all_params,
        configuration_of as configuration_of,
        effective_configuration as effective_configuration,
        hosts_that_differ as hosts_that_differ,
        inherited as inherited,
        kept_configuration as kept_configuration,
        kept_value as kept_value,
        known_hosts as known_hosts,
        params_of as params_of,
        rescheduling_of as rescheduling_of,
    )
    from qmon_tui.model.instances import (
        EffectiveValue as EffectiveValue,
        MemberKind as MemberKind,
        defined_name as defined_name,
        effective_value as effective_value,
        find_group as find_group,
        find_members as find_members,
        first_defined_name as first_defined_name,
        groups_of as groups_of,
        hosts_of as hosts_of,
        instances_of as instances_of,
        members as members,
        overrides_of as overrides_of,
        queue_hosts as queue_hosts,
        queue_instances as queue_instances,
        resolve_group as resolve_group,
        select_override as select_override,
    )
    from qmon_tui.model.job_references import (
        JobReference as JobReference,
        jobs_naming as jobs_naming,
        names_of_job as names_of_job,
    )
    from qmon_tui.model.jobs import (
        FINISHED as FINISHED,
        GONE as GONE,
        HOLD_LETTERS as HOLD_LETTERS,
        NO_RESERVATION as NO_RESERVATION,
        SEQUENTIAL as SEQUENTIAL,
        AdvanceReservation as AdvanceReservation,
        Amounts as Amounts,
        Job as Job,
        LaterNumbers as LaterNumbers,
        PeRequest as PeRequest,
        Request as Request,
        Task as Task,
        TaskRange as TaskRange,
        is_task_state as is_task_state,
        sorted_holds as sorted_holds,
    )
    from qmon_tui.model.kinds import Kind as Kind
    from qmon_tui.model.lazy_sequence import (
        DeferredSequence as DeferredSequence,
        DeferredSet as DeferredSet,
        LazySequence as LazySequence,
    )
    from qmon_tui.model.memoize import memoized as memoized
    from qmon_tui.model.name_replacement import (
        CannotRemoveName as CannotRemoveName,
        Replacements as Replacements,
        with_replaced_names as with_replaced_names,
    )
    from qmon_tui.model.outcome import (
        CalendarClosing as CalendarClosing,
        InstanceOutcome as InstanceOutcome,
        JobOutcome as JobOutcome,
        Outcome as Outcome,
        PendingKind as PendingKind,
        QuotaUse as QuotaUse,
        ScheduleEntry as ScheduleEntry,
        ShareNodeOutcome as ShareNodeOutcome,
        TaskOutcome as TaskOutcome,
    )
    from qmon_tui.model.quota_rules import (
        FILTERS as FILTERS,
        NEW_RULE as NEW_RULE,
        Filters as Filters,
        QuotaFilter as QuotaFilter,
        QuotaRule as QuotaRule,
        changed as changed,
        clause_words as clause_words,
        filter_text as filter_text,
        inserted as inserted,
        is_dynamic as is_dynamic,
        moved as moved,
        parse_rule as parse_rule,
        removed as removed,
        rules_of as rules_of,
        with_clause as with_clause,
        without_name as without_name,
    )
    from qmon_tui.model.references import (
        ObjectKey as ObjectKey,
        Reference as Reference,
        looked_up as looked_up,
        references_of as references_of,
        references_to as references_to,
        target_of as target_of,
    )
    from qmon_tui.model.renewal import renewed as renewed
    from qmon_tui.model.sharetree import (
        ShareNode as ShareNode,
        parse_share_tree as parse_share_tree,
        tree_depth as tree_depth,
        written_nodes as written_nodes,
    )
    from qmon_tui.model.sharetree_editing import (
        NodePosition as NodePosition,
        TreeRow as TreeRow,
        tree_rows as tree_rows,
    )
    from qmon_tui.model.simulation_plan import (
        NO_PLAN as NO_PLAN,
        REPORT_INTERVAL as REPORT_INTERVAL,
        CommandLine as CommandLine,
        HostFailure as HostFailure,
        LoadModel as LoadModel,
        LoadValue as LoadValue,
        SimulationPlan as SimulationPlan,
    )
    from qmon_tui.model.state import (
        CHANGED_AT as CHANGED_AT,
        DATED as DATED,
        DRAIN_AT as DRAIN_AT,
        ENVIRONMENT as ENVIRONMENT,
        EXCEPTION_AT as EXCEPTION_AT,
        HIGHEST_NUMBER as HIGHEST_NUMBER,
        HOST as HOST,
        LAST_NUMBERS as LAST_NUMBERS,
        QUOTA_SET as QUOTA_SET,
        REASON_AT as REASON_AT,
        SEEN_AT as SEEN_AT,
        PastUsage as PastUsage,
        PeAlg as PeAlg,
        State as State,
        Usage as Usage,
        at_beginning_of_day as at_beginning_of_day,
        beginning_of_day as beginning_of_day,
        existing_at as existing_at,
    )
    from qmon_tui.model.state_fields import (
        YAML_TYPES as YAML_TYPES,
        StateEntry as StateEntry,
        StateField as StateField,
        StateKind as StateKind,
        StateSpec as StateSpec,
        StateType as StateType,
    )
    from qmon_tui.model.strongly_connected import strongly_connected_components as strongly_connected_components
    from qmon_tui.model.workload import (
        Arrivals as Arrivals,
        JobKind as JobKind,
        Workload as Workload,
    )
else:
    __getattr__ = late_names(__name__, __file__)
