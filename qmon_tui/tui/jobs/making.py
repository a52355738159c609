"""What the place of the jobs shows, made in a worker: the rows of a run, filtered, ordered and counted."""

from dataclasses import dataclass

from qmon_tui.model.state import State
from qmon_tui.scheduler.collector import no_collection
from qmon_tui.scheduler.outcome import Outcome
from qmon_tui.tui.present.jobtable.job_filter import completions
from qmon_tui.tui.present.jobtable.job_rows import JobTableRow, table_rows
from qmon_tui.tui.present.jobtable.job_table import JobTable, JobTableSettings, Totals, totals
from qmon_tui.tui.present.live_jobs import Weights
from qmon_tui.workspace.moves import JobKey, Move


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a table is made of."""

    outcome: Outcome
    state: State
    look: JobTableSettings
    weights: Weights
    moves: dict[JobKey, Move]
    opened: frozenset[int]
    typing: str | None = None
    """The filter as it is being typed, to which completions are wanted."""


@dataclass(frozen=True, slots=True)
class Made:
    """The table and what is counted in it."""

    table: JobTable
    totals: Totals
    jobs: int
    """All jobs, whatever the filter."""
    typing: str | None = None
    completions: tuple[str, ...] = ()
    """What the last word of that may become."""


class Maker:
    """Makes tables, about a second for 100,000 jobs; another look at the same run finds its rows made."""

    def __init__(self) -> None:
        self._of: tuple[Outcome, State, frozenset[int]] | None = None
        self._rows: list[JobTableRow] = []
        self._jobs = 0

    def make(self, wanted: Wanted) -> Made:
        """The table. Called by one worker at a time."""
        with no_collection():
            rows = self._made(wanted)
            table = JobTable(rows, wanted.look, wanted.weights, wanted.moves, wanted.opened)
            hints = completions(wanted.typing, rows) if wanted.typing is not None else ()
            return Made(table, totals(table.rows), self._jobs, wanted.typing, hints)

    def _made(self, wanted: Wanted) -> list[JobTableRow]:
        known = self._of
        if known is None or known[0] is not wanted.outcome or known[1] is not wanted.state or known[2] != wanted.opened:
            self._rows = table_rows(wanted.outcome, wanted.state, wanted.opened)
            self._jobs = sum(1 for row in self._rows if not row.inside)
            self._of = (wanted.outcome, wanted.state, wanted.opened)
        return self._rows
