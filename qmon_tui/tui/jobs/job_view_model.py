"""Content of the Jobs page, computed in a worker: the rows of a run, filtered, sorted and counted."""

from collections.abc import Sequence
from dataclasses import dataclass

from qmon_tui.gc_pause import gc_paused
from qmon_tui.model import Outcome, State
from qmon_tui.report import Line, Span, TextRole, fit, live_jobs
from qmon_tui.report.jobtable import (
    JobFilter,
    JobTable,
    JobTableRow,
    JobTableSettings,
    Totals,
    completions,
    table_rows,
    totals,
)
from qmon_tui.workspace import Figures, JobKey, ScheduleChange


@dataclass(frozen=True, slots=True)
class ViewInput:
    """Input of a view model."""

    outcome: Outcome
    state: State
    settings: JobTableSettings
    weights: live_jobs.Weights
    moves: dict[JobKey, ScheduleChange]
    opened: frozenset[int]
    typing: str | None = None
    """The filter while it is typed, for which completions are made; None else."""
    figures: Figures = Figures.CHANGES


@dataclass(frozen=True, slots=True)
class ViewModel:
    """The table and its totals."""

    table: JobTable
    totals: Totals
    jobs: int
    """Number of all jobs, whatever the filter."""
    typing: str | None = None
    completions: tuple[str, ...] = ()
    """Possible completions of the last word of the typed filter."""


class ViewModelBuilder:
    """Builder of tables, which takes about a second for 100,000 jobs; rows of the same run are kept and reused."""

    def __init__(self) -> None:
        self._of: tuple[Outcome, State, frozenset[int], Figures] | None = None
        self._rows: list[JobTableRow] = []
        self._jobs = 0

    def build(self, given: ViewInput) -> ViewModel:
        """Return the table. Called by one worker at a time."""
        with gc_paused():
            rows = self._rows_for(given)
            table = JobTable(rows, given.settings, given.weights, given.moves, given.opened)
            hints = completions(given.typing, rows) if given.typing is not None else ()
            return ViewModel(table, totals(table.rows), self._jobs, given.typing, hints)

    def _rows_for(self, given: ViewInput) -> list[JobTableRow]:
        known, options = self._of, (given.opened, given.figures)
        if known is None or known[0] is not given.outcome or known[1] is not given.state or known[2:] != options:
            self._rows = table_rows(given.outcome, given.state, *options)
            self._jobs = sum(1 for row in self._rows if not row.inside)
            self._of = (given.outcome, given.state, *options)
        return self._rows


def filter_words(job_filter: JobFilter, hints: Sequence[str] | None, cells: int) -> Line:
    """Return the line about the filter; `hints`: completions while it is typed, else None."""
    problem = Span(f"  ✗ {job_filter.problem} " if job_filter.problem else " ", TextRole.ERROR)
    if hints is not None:
        words = "  ".join(hints) if hints else "names: owner state queue pe request … Tab completes, Enter applies"
        return fit((problem, Span(words, TextRole.DIM)), cells)
    spans = Span(" / ", TextRole.ACCENT), Span(job_filter.text), problem, Span(" Esc shows all", TextRole.DIM)
    return fit(spans, cells)
