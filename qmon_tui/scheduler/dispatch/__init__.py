"""The main loop: pending jobs in their order, each as far as it goes."""

from qmon_tui.scheduler.dispatch.immediate_jobs import TRY_AGAIN, remove_immediate, waiting_state
from qmon_tui.scheduler.dispatch.list_order import LONG_AGO, Moment, before_starts, in_list_order
from qmon_tui.scheduler.dispatch.main_loop import Dispatch, RunEnd
from qmon_tui.scheduler.dispatch.reservation_setup import (
    ar_allocation,
    close_by_calendars,
    hoped,
    initial_diagrams,
    started_allocation,
)
from qmon_tui.scheduler.dispatch.run_setup import InitialState, prepare_dispatch

__all__ = [
    "LONG_AGO",
    "TRY_AGAIN",
    "Dispatch",
    "InitialState",
    "Moment",
    "RunEnd",
    "ar_allocation",
    "before_starts",
    "close_by_calendars",
    "hoped",
    "in_list_order",
    "initial_diagrams",
    "prepare_dispatch",
    "remove_immediate",
    "started_allocation",
    "waiting_state",
]
