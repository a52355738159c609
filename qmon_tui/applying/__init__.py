"""Changing a running cluster: plans, the gate that runs every command, the way back, and rights."""

from qmon_tui.applying.apply import (
    Applied as Applied,
    Changed as Changed,
    WayBack as WayBack,
    apply_plan as apply_plan,
    finish as finish,
    merged_plan as merged_plan,
    take_back as take_back,
    target_of as target_of,
)
from qmon_tui.applying.confirmation import (
    OPTION as OPTION,
    await_confirmation as await_confirmation,
    confirm as confirm,
    need_way_back as need_way_back,
    refuse_second as refuse_second,
    take_back_unless_confirmed as take_back_unless_confirmed,
)
from qmon_tui.applying.effects import Effects as Effects, effects_of as effects_of
from qmon_tui.applying.gate import Gate as Gate, Verdict as Verdict, Written as Written
from qmon_tui.applying.immediate import (
    Immediate as Immediate,
    immediate as immediate,
    run_immediate as run_immediate,
    warnings as warnings,
)
from qmon_tui.applying.plan import (
    Plan as Plan,
    PlanError as PlanError,
    Scope as Scope,
    Step as Step,
    make_plan as make_plan,
    plan_text as plan_text,
    protected_changes as protected_changes,
    read_plan as read_plan,
    wanted_cluster as wanted_cluster,
)
from qmon_tui.applying.records import (
    Record as Record,
    find_record as find_record,
    is_same_cell as is_same_cell,
    note_done as note_done,
    records as records,
    unconfirmed_change as unconfirmed_change,
)
from qmon_tui.applying.rights import Rights as Rights, rights_on as rights_on
