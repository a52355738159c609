"""Work for a simulation: made up by arrival process and sizes, or taken from a trace (docs/reference/workloads.md)."""

from qmon_tui.simulation.workload.generation import generated, total_slots, workload_findings
from qmon_tui.simulation.workload.like_days import work_of_day
from qmon_tui.simulation.workload.resampling import resampled
from qmon_tui.simulation.workload.scaling import RUN_TIME, WORK_FIELDS, rescaled
from qmon_tui.simulation.workload.traces import renumbered, scaled, trace_jobs
from qmon_tui.simulation.workload.work import Work, begun_at, ending_at, with_work, work_findings

__all__ = [
    "RUN_TIME",
    "WORK_FIELDS",
    "Work",
    "begun_at",
    "ending_at",
    "generated",
    "renumbered",
    "resampled",
    "rescaled",
    "scaled",
    "total_slots",
    "trace_jobs",
    "with_work",
    "work_findings",
    "work_of_day",
    "workload_findings",
]
