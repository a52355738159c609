"""Checks of requests, one level at a time, with the messages of qstat -j (matching.md#one-level-at-a-time)."""

from qmon_tui.scheduler.matching.checker import Checker as Checker, Failure as Failure, in_use as in_use
from qmon_tui.scheduler.matching.level import (
    CONSUMABLE as CONSUMABLE,
    FIXED as FIXED,
    GLOBAL as GLOBAL,
    HOST as HOST,
    NO_ADJUSTMENTS as NO_ADJUSTMENTS,
    QUEUE as QUEUE,
    QUOTA as QUOTA,
    SLOTS as SLOTS,
    Adjustments as Adjustments,
    Level as Level,
    MergedValue as MergedValue,
    Offer as Offer,
    Shortfall as Shortfall,
    consumables as consumables,
    holds as holds,
    holds_for_strings as holds_for_strings,
    merged as merged,
    offer_of as offer_of,
    shortfall as shortfall,
)
from qmon_tui.scheduler.matching.reduced_check import (
    INSTANCE_ATTRIBUTES as INSTANCE_ATTRIBUTES,
    CheckTemplate as CheckTemplate,
    FastChecker as FastChecker,
    InstanceClasses as InstanceClasses,
    Needs as Needs,
    ReducedCheck as ReducedCheck,
)
from qmon_tui.scheduler.matching.resources import Grants as Grants, Resources as Resources
from qmon_tui.scheduler.matching.slot_count import (
    ANY_TASK as ANY_TASK,
    FITS as FITS,
    LATER as LATER,
    NEVER as NEVER,
    NO_LIMIT as NO_LIMIT,
    NOT_MASTER as NOT_MASTER,
    NOT_NOW_MASTER as NOT_NOW_MASTER,
    AttributeSlotCount as AttributeSlotCount,
    Say as Say,
    SlotCount as SlotCount,
    SlotCounter as SlotCounter,
    whole_slots as whole_slots,
)
from qmon_tui.scheduler.matching.start_orders import (
    Denial as Denial,
    DenialReason as DenialReason,
    StartOrder as StartOrder,
)
from qmon_tui.scheduler.matching.started_jobs import debit_started as debit_started, started_jobs as started_jobs
from qmon_tui.scheduler.matching.static_checks import (
    PlacementRequest as PlacementRequest,
    Refusal as Refusal,
    Requester as Requester,
    StaticChecks as StaticChecks,
    refused as refused,
)
from qmon_tui.scheduler.matching.thresholds import (
    Thresholds as Thresholds,
    alarm_subject as alarm_subject,
    merge_alarms as merge_alarms,
    threshold_cap as threshold_cap,
)
