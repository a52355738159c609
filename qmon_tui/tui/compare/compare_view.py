"""The Compare page: the same days are simulated under each policy, and tables show the differences."""

from dataclasses import dataclass
from typing import Final

from textual import events, on
from textual.app import ComposeResult

from qmon_tui.report import Line, tab_at, tab_line
from qmon_tui.report.comparison import (
    CompareTable,
    PolicyHead,
    TaskLine,
    TaskRows,
    comparison_rows,
    head_lines,
    story,
)
from qmon_tui.simulation import (
    Comparison,
    EditError,
    Policy,
    Scenario,
    Subject,
    compared,
    planned_length,
    with_run_times,
)
from qmon_tui.sources import SourceError
from qmon_tui.tui.base import LatestWorker, Lines, LineTable, OneLine, run_in_thread
from qmon_tui.tui.compare.both_sides import both_sides
from qmon_tui.tui.compare.days_page import LOOK, DaysPage, OutdatedError
from qmon_tui.tui.compare.policy_text import check_policy_text, scenario_of
from qmon_tui.tui.dialogs import NameDialog, TextDialog
from qmon_tui.workspace import Document, JobKey, Workspace

_POLICY: Final = (
    "Edits of the present cluster, separated by blanks: scheduler.weight_urgency=1, queues.all.q.slots=4, "
    "workload.load=1.2 for a fifth more jobs, hosts=+10 for ten more hosts. @{1} before them, or alone, takes the "
    "cluster as it was in git one revision before, @{NAME} that of a named revision or snapshot."
)
_SAVED, _EDITED = "saved", "with unsaved edits"
_SAME: Final = "There is nothing to compare yet: edit the cluster, or press a for a policy by its edits."


@dataclass(frozen=True, slots=True)
class _Wanted:
    base: Document
    document: Document
    added: tuple[str, ...]
    seconds: int | None
    seeds: int


@dataclass(frozen=True, slots=True)
class _Answer:
    comparison: Comparison | None = None
    problem: str = ""
    assumed: int = 0
    policies: tuple[Policy, ...] = ()


class CompareView(DaysPage):
    """Compares the saved cluster with the edited one, and with policies added by their edits."""

    SEEDS = (1, 3, 5, 10, 20, 50)
    DEFAULT_CSS = """
    CompareView #compare-head { height: auto; max-height: 10; border-bottom: solid $line; }
    CompareView #compare-tabs { height: 1; }
    CompareView #compare-table { height: 1fr; }
    """

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self.added: tuple[str, ...] = ()
        """The texts of the added policies, as typed."""
        self.table = CompareTable.MEASURES
        self._wanted: _Wanted | None = None
        self._answer = _Answer()
        self._explaining = False
        """True while a task is being explained under two policies."""
        self._progress: tuple[int, int] | None = None
        self._worker: LatestWorker[_Wanted, _Answer] = LatestWorker(self._compare, self._compared, pause=0.3)
        self._head = Lines(self._head_words, id="compare-head")
        self._tabs = OneLine(lambda cells: tab_line(self.table, cells), id="compare-tabs")
        self._table = LineTable(TaskRows(), empty=_SAME, id="compare-table")

    def compose(self) -> ComposeResult:
        yield self._head
        yield self._tabs
        yield self._table

    def on_mount(self) -> None:
        self._head.can_focus = False
        self.border_title = "Compare"
        self.run_worker(self._worker.run(), group="compare")
        self.set_interval(LOOK, self._look)
        super().on_mount()

    def refresh_from(self) -> None:
        """Compare again if documents, policies or days have changed."""
        workspace = self.workspace
        wanted = _Wanted(workspace.base_document, workspace.edited_document, self.added, self._seconds, self._seeds)
        if wanted == self._wanted:
            return
        self._wanted = wanted
        if len(self.labels) < 2:
            self._answer = _Answer()
        else:
            self._worker.ask(wanted)
        self._draw()

    @property
    def busy(self) -> bool:
        return self._worker.busy or self._explaining

    @property
    def labels(self) -> tuple[str, ...]:
        """Names of the compared policies; all others are compared with the first."""
        edited = (_EDITED,) if self._is_edited else ()
        return (_SAVED if self._is_edited else "as it is", *edited, *self.added)

    @property
    def _is_edited(self) -> bool:
        return self.workspace.is_dirty()

    # Beside the screen ------------------------------------------------------------------------------------------

    def _compare(self, wanted: _Wanted) -> _Answer:
        """Simulate and compare the policies; runs in a thread."""
        documents = [wanted.base] if wanted.base is wanted.document else [wanted.base, wanted.document]
        labels = self.labels
        documents = documents if len(labels) - len(wanted.added) == len(documents) else [wanted.document]
        policies = []
        assumed = 0
        for label, document in zip(labels, documents, strict=False):
            state, assumed = with_run_times(document.state)
            policies.append(Policy(label, Scenario(document.cluster, state, length=wanted.seconds)))
        scenario = policies[-1].scenario

        def note(done: int, count: int) -> None:
            self._progress = done, count

        def look() -> None:
            if wanted is not self._wanted:
                raise OutdatedError

        try:
            for text in wanted.added:
                policies.append(Policy(text, scenario_of(text, scenario, self.workspace.reading.folder)))
            return _Answer(compared(policies, range(wanted.seeds), note=note, look=look), "", assumed, tuple(policies))
        except (EditError, SourceError) as error:
            return _Answer(problem=f"{error}.")
        except OutdatedError:
            return _Answer()

    def _compared(self, wanted: _Wanted, answer: _Answer) -> None:
        if wanted is self._wanted:
            self._answer, self._progress = answer, None
            self._draw()

    def _look(self) -> None:
        if self._worker.busy:
            self._head.show(self._head_words)

    # Drawing ----------------------------------------------------------------------------------------------------

    def _draw(self) -> None:
        comparison = self._answer.comparison
        rows = comparison_rows(comparison, self.table) if comparison is not None else TaskRows()
        self._table.show(rows, empty=_SAME if len(self.labels) < 2 else "")
        self._head.show(self._head_words)
        self._tabs.refresh()

    def _head_words(self, cells: int) -> tuple[Line, ...]:
        days = len(self.labels) * self._seeds
        progress = (self._progress or (0, days)) if self._worker.busy else None
        seconds = planned_length(self.workspace.edited_document.state, self._seconds)
        comparison = None if self._worker.busy else self._answer.comparison
        stories: tuple[str, ...] = ()
        if comparison is not None:
            stories = tuple(next(story(comparison, number)) for number in range(1, len(comparison.labels)))
        return head_lines(
            PolicyHead(
                self.labels, seconds, self._seeds, progress, self._answer.problem, self._answer.assumed, stories
            ),
            cells,
        )  # fmt: skip

    # Actions ----------------------------------------------------------------------------------------------------

    def ask_policy(self) -> None:
        """Ask for a policy by its edits, and add it."""
        document = self.workspace.edited_document

        def check(text: str) -> str | None:
            try:
                check_policy_text(text, Subject(document.cluster, document.state))
            except EditError as error:
                return f"{error}."
            return None

        NameDialog("Add a policy", _POLICY, check).ask(self.app, self.add)

    def add(self, text: str) -> None:
        self.added = (*self.added, text)
        self.refresh_from()

    def remove_last(self) -> None:
        self.added = self.added[:-1]
        self.refresh_from()

    def next_table(self) -> None:
        order = tuple(CompareTable)
        self.show_table(order[(order.index(self.table) + 1) % len(order)])

    def show_table(self, table: CompareTable) -> None:
        self.table = table
        self._draw()
        self._table.action_edge(-1)

    def on_click(self, event: events.Click) -> None:
        """Show the table whose title was clicked."""
        if (place := event.get_content_offset(self._tabs)) is not None:
            table = tab_at(CompareTable, place.x)
            if table is not None:
                self.show_table(table)

    # Choosing ---------------------------------------------------------------------------------------------------

    @property
    def _chosen_line(self) -> TaskLine | None:
        rows = self._table.rows
        return rows.at(self._table.cursor_key) if isinstance(rows, TaskRows) else None

    @property
    def chosen(self) -> JobKey | None:
        return self._chosen_line.key if self._chosen_line is not None else None

    @property
    def selected(self) -> str | None:
        chosen = self.chosen
        return str(chosen[0]) if chosen is not None else None

    @on(LineTable.Opened)
    def _opened(self, event: LineTable.Opened) -> None:
        event.stop()
        self.explain()

    def explain(self) -> None:
        """Open a dialog about the task of this row under both policies, at its earlier start time."""
        line, comparison = self._chosen_line, self._answer.comparison
        if line is None or line.key is None or comparison is None:
            self.notify("This row is not about a task: t goes to the jobs.", severity="warning", markup=False)
        elif hidden := self.workspace.hides_why:
            self.notify(hidden, severity="warning", markup=False)
        elif not self._explaining:
            self.run_worker(self._explain(comparison, line.policy, line.key), group="why")

    async def _explain(self, comparison: Comparison, other: int, key: JobKey) -> None:
        self._explaining, policies = True, self._answer.policies
        try:
            sides = await run_in_thread(lambda: both_sides(policies, comparison, other, key))
        finally:
            self._explaining = False
        if isinstance(sides, str):
            self.notify(sides, severity="warning", markup=False)
        else:
            self.app.push_screen(TextDialog(f"Job {key[0]} under both policies", sides))
