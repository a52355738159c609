"""Work for a simulation: generated from arrivals and sizes, or read from a trace (docs/reference/workloads.md)."""

from qmon_tui.simulation.workload.dice import Dice as Dice
from qmon_tui.simulation.workload.generation import (
    total_slots as total_slots,
)
from qmon_tui.simulation.workload.scaling import RUN_TIME as RUN_TIME, WORK_FIELDS as WORK_FIELDS, rescaled as rescaled
from qmon_tui.simulation.workload.traces import renumbered as renumbered
from qmon_tui.simulation.workload.work import (
    Work as Work,
    begun_at as begun_at,
    ending_at as ending_at,
    with_work as with_work,
    work_of_day as work_of_day,
)
