"""The main loop over the pending jobs in order of priority."""

from qmon_tui.scheduler.dispatch.immediate_jobs import (
    TRY_AGAIN as TRY_AGAIN,
    remove_immediate as remove_immediate,
    waiting_state as waiting_state,
)
from qmon_tui.scheduler.dispatch.list_order import (
    LONG_AGO as LONG_AGO,
    Moment as Moment,
    before_starts as before_starts,
    in_list_order as in_list_order,
)
from qmon_tui.scheduler.dispatch.main_loop import Dispatch as Dispatch, RunEnd as RunEnd
from qmon_tui.scheduler.dispatch.reservation_setup import (
    ar_allocation as ar_allocation,
    close_by_calendars as close_by_calendars,
    hoped as hoped,
    initial_diagrams as initial_diagrams,
    started_allocation as started_allocation,
)
from qmon_tui.scheduler.dispatch.run_setup import InitialState as InitialState, prepare_dispatch as prepare_dispatch
