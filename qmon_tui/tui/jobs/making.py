"""What the place of the jobs shows, made in a worker: the rows of a run, filtered, ordered and counted."""

from dataclasses import dataclass

from qmon_tui.model.state import State
from qmon_tui.scheduler.outcome import Outcome
from qmon_tui.tui.present.jobs import Weights
from qmon_tui.tui.present.jobtable.rows import table_rows
from qmon_tui.tui.present.jobtable.table import JobTable, Look, Totals, totals
from qmon_tui.workspace.moves import JobKey, Move


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a table is made of."""

    outcome: Outcome
    state: State
    look: Look
    weights: Weights
    moves: dict[JobKey, Move]
    opened: frozenset[int]
    marked: frozenset[int]


@dataclass(frozen=True, slots=True)
class Made:
    """The table and what is counted in it."""

    table: JobTable
    totals: Totals
    jobs: int
    """All jobs, whatever the filter."""


def make(wanted: Wanted) -> Made:
    """The table; takes about a second for 100,000 jobs."""
    rows = table_rows(wanted.outcome, wanted.state, wanted.opened)
    table = JobTable(rows, wanted.look, wanted.weights, wanted.moves, wanted.opened, wanted.marked)
    return Made(table, totals(table.rows), sum(1 for row in rows if not row.inside))
