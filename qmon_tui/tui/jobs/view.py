"""The Jobs page: all jobs in qstat's columns, filtered and sorted, with the commands of the qmaster."""

from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content

from qmon_tui.qmaster import Command, Qhold, Target, target_words
from qmon_tui.report import Line, Span, TextRole, count, groups_of, live_pane, title_words, width
from qmon_tui.report.jobtable import (
    BY_KEY,
    JobTable,
    JobTableRow,
    JobTableSettings,
    completions,
    detail_lines,
    parse_filter,
    totals_line,
)
from qmon_tui.tui.base import (
    Ahead,
    AheadLine,
    FilteredView,
    JobRequested,
    KeptRows,
    LatestWorker,
    Lines,
    LineTable,
    OneLine,
    QInput,
    TablePage,
    ViewSettings,
    day_begins,
    key_of,
    local_bindings,
)
from qmon_tui.tui.jobs.job_view_model import ViewInput, ViewModel, ViewModelBuilder, filter_words
from qmon_tui.values import whole_number
from qmon_tui.workspace import Workspace, copies_of_job

if TYPE_CHECKING:
    from qmon_tui.workspace import Copy

_EMPTY = "No jobs yet: a submits one."


class _Typing(QInput):
    """Input of the filter."""

    BINDINGS: ClassVar[list[BindingType]] = local_bindings({"typing.next": "complete"})

    def action_complete(self) -> None:
        assert isinstance(self.parent, JobsView)
        self.parent.complete()


class JobsView(TablePage, FilteredView):
    """One row per job or task. The live pane explains the job under the cursor."""

    DEFAULT_CSS = """
    JobsView #jobs-typing, JobsView #jobs-filter { display: none; height: 1; }
    JobsView.-filtering #jobs-typing, JobsView.-filtering #jobs-filter { display: block; }
    JobsView.-filtered #jobs-filter { display: block; }
    JobsView #jobs-table { height: 1fr; }
    JobsView #jobs-detail { height: auto; max-height: 7; border-top: solid $line; padding: 0 1; }
    JobsView.-low #jobs-detail { display: none; }
    """

    BINDINGS: ClassVar[list[BindingType]] = local_bindings({
        "sort-next": "order_next(1)",
        "sort-before": "order_next(-1)",
        "sort-reverse": "turn_order",
    })  # fmt: skip

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self._view_settings = view_settings = ViewSettings(workspace)
        self.settings = JobTableSettings(
            tuple(view_settings.get("jobs columns").split()),
            view_settings.get("jobs order"),
            view_settings.get("jobs falling") == "yes",
            parse_filter(view_settings.get("jobs filter"), groups_of(workspace.cluster)),
        )
        self._kept_rows = KeptRows()
        self.marked: frozenset[int] = frozenset()
        self.narrowed: Target | None = None
        """Tasks of the array under the cursor to which commands are restricted; None without a restriction."""
        self._opened: frozenset[int] = frozenset()
        self._model: ViewModel | None = None
        self._pending_choice = ""
        """Name of the row to choose when the table is made."""
        self._submitted = 0
        """Number of the job to choose once it is in the table; 0 for none."""
        self._tables: LatestWorker[ViewInput, ViewModel] = LatestWorker(
            ViewModelBuilder().build, self._show, pause=0.02, patience=0.1
        )
        self._filter_line = OneLine(self._filter_words, id="jobs-filter")
        self._typing = _Typing(
            placeholder="owner=bela state=qw,hqw slots>4 -s r host=@rack text", id="jobs-typing", classes="filter-line"
        )
        self._table = LineTable(JobTable(settings=self.settings), empty=_EMPTY, id="jobs-table")
        self._totals = OneLine(self._totals_words, id="jobs-totals")
        self._ahead = AheadLine(only_changes=True, id="jobs-ahead")
        self._detail = Lines(id="jobs-detail")

    def compose(self) -> ComposeResult:
        yield from (self._typing, self._filter_line, self._table, self._totals, self._ahead, self._detail)

    def on_mount(self) -> None:
        self._detail.can_focus = False
        self.set_class(bool(self.settings.filter), "-filtered")
        self.run_worker(self._tables.run(), group="jobs")
        self.refresh_from()

    # Drawing ----------------------------------------------------------------------------------------------------

    def refresh_from(self) -> None:
        outcome = self.workspace.result.outcome if self.workspace.result else None
        if outcome is not None:
            weights, moves = live_pane.weights_of(self.workspace.cluster), dict(self.workspace.moves)
            state, figures = self.workspace.state, self.workspace.figures
            typing = self._typing.value if self.has_class("-filtering") else None
            kept = self._kept_rows.of(self.settings.filter.text, state.now)
            settings = replace(self.settings, kept=kept)
            self._tables.ask(ViewInput(outcome, state, settings, weights, moves, self._opened, typing, figures))

    def show_ahead(self, ahead: Ahead) -> None:
        """Show an edit's effect on the day ahead; the day itself is shown in Monitor."""
        self._ahead.tell(ahead)

    def _show(self, _: ViewInput, model: ViewModel) -> None:
        if self.settings.filter and not self.has_class("-filtering"):
            self._kept_rows.keep(row.job.id for row in model.table)
        self._draw(model)
        if self.has_focus_within:
            self.announce()
        if self._pending_choice:
            self.choose(self._pending_choice)
            self._pending_choice = ""
        if self._submitted and any(row.job.id == self._submitted for row in model.table.all):
            if not self.choose(str(self._submitted)):
                self.notify(f"Job {self._submitted} is there, but the filter hides it.", markup=False)
            self._submitted = 0
        self._show_detail()

    def _draw(self, model: ViewModel) -> None:
        """Draw a table with the present marks, which are only signs in rows, so that this is fast for many jobs."""
        if self.marked:
            documents = (self.workspace.state, self.workspace.document.state)
            self.marked &= {job.id for state in documents for job in state.jobs}
        self._model = replace(model, table=model.table.with_marks(self.marked))
        self._table.show(self._model.table, empty=self._empty())
        self._show_title()
        self._totals.refresh()
        self._filter_line.refresh()

    @property
    def awaits_first_run(self) -> bool:
        result = self.workspace.result
        return self._model is None and (result is None or result.outcome is not None)

    @property
    def busy(self) -> bool:
        return self._tables.busy

    @property
    def rows(self) -> JobTable | None:
        return self._model.table if self._model else None

    @property
    def row(self) -> JobTableRow | None:
        table, key = self.rows, self._table.cursor_key
        index = table.find(key) if table is not None and key is not None else None
        return table.rows[index] if table is not None and index is not None else None

    @property
    def usual_command(self) -> Command | None:
        return Qhold(self.targets) if self.targets else None

    @property
    def targets(self) -> tuple[Target, ...]:
        """Jobs that a command changes: the marked ones, or the one under the cursor."""
        if self.marked:
            return tuple(Target(number) for number in sorted(self.marked))
        row = self.row
        if row is None:
            return ()
        if self.narrowed is not None and self.narrowed.job == row.job.id:
            return (self.narrowed,)
        tasks = tuple(task.task for task in row.tasks)
        return (Target(row.job.id, tasks if row.inside else None),)

    @property
    def hidden_marks(self) -> tuple[int, ...]:
        """The marked jobs that the filter hides."""
        return self.rows.hidden_marks if self.rows is not None else ()

    def apply_settings(self, settings: JobTableSettings) -> None:
        """Show the table with other settings, and save them."""
        self.settings = settings
        falling = "yes" if settings.descending else ""
        kept = {"columns": " ".join(settings.columns), "order": settings.order, "falling": falling}
        for key, text in (kept | {"filter": settings.filter.text}).items():
            self._view_settings.keep(f"jobs {key}", text)
        self.set_class(bool(settings.filter) or bool(settings.filter.problem), "-filtered")
        self.refresh_from()

    def restrict_to_tasks(self, target: Target | None) -> None:
        """Restrict commands to some tasks of an array while the cursor is on it."""
        self.narrowed = target
        self._totals.refresh()

    def mark(self, keys: frozenset[int]) -> None:
        self.marked = keys
        if self._model is not None:
            self._draw(self._model)

    def _empty(self) -> str:
        if self.settings.filter:
            return f"No jobs match {self.settings.filter.text} — Esc shows all."
        return day_begins(self) if self.workspace.is_before_day else _EMPTY

    def _totals_words(self, cells: int) -> Line:
        if self._model is None:
            return (Span(" waiting for the first run …", TextRole.DIM),)
        narrowed = f" ✓ {target_words((self.narrowed,))} only " if self.narrowed else ""
        hidden = f", {len(self.hidden_marks)} hidden" if self.hidden_marks else ""
        marked = Span(f" ✓ {len(self.marked)} marked{hidden} " if self.marked else narrowed, TextRole.ACCENT)
        model, room = self._model, cells - width((marked,))
        to_come = len(self.workspace.document.state.jobs) - len(self.workspace.state.jobs)
        return (marked, *totals_line(model.totals, model.jobs, room, to_come))

    def _filter_words(self, cells: int) -> Line:
        hints = self._model.completions if self._model and self._model.typing == self._typing.value else ()
        return filter_words(self.settings.filter, hints if self.has_class("-filtering") else None, cells)

    def _show_detail(self) -> None:
        row, weights = self.row, live_pane.weights_of(self.workspace.cluster)
        self._detail.show(lambda cells: detail_lines(row, weights, cells))

    def on_resize(self, event: events.Resize) -> None:
        """Hide the lines about the chosen job on low terminals."""
        self.set_class(event.size.height < 16, "-low")
        self.call_after_refresh(self._show_title)
        self.call_after_refresh(self._show_detail)

    def _show_title(self) -> None:
        """Show in the title the kind of figures and the number of columns that do not fit."""
        hidden = self._model.table.hidden(self._table.inner_width - 1) if self._model else 0
        more = f"  {count(hidden, 'more column')}: {key_of(self, 'jobs.columns')}" if hidden else ""
        self.border_title = Content(f"Jobs{title_words(self.workspace.figures)}{more}")

    # Choosing ---------------------------------------------------------------------------------------------------

    @property
    def selected(self) -> str | None:
        return str(self.row.job.id) if self.row else None

    def choose(self, key: str) -> bool:
        """Go to a job by its number, or to a task as `506.3`; False if it has no row."""
        if self._model is None:
            self._pending_choice = key
            return True
        job, _, task = key.partition(".")
        number, number_of_task = whole_number(job), whole_number(task or "1")
        if number is None or number_of_task is None:
            return False
        return self._table.move_to((number, number_of_task, False))

    def choose_submitted(self, number: int) -> None:
        self._submitted = number

    def copies(self) -> "tuple[Copy, ...]":
        """Return texts about the job under the cursor; see `copies_of_job`."""
        row = self.row
        job = next((job for job in self.workspace.state.jobs if row is not None and job.id == row.job.id), None)
        return tuple(copies_of_job(job, self.copied)) if job is not None else ()

    @on(LineTable.Moved)
    def _moved(self, event: LineTable.Moved) -> None:
        event.stop()
        if self.narrowed is not None and (self.row is None or self.row.job.id != self.narrowed.job):
            self.restrict_to_tasks(None)
        self._show_detail()
        self.announce()

    @on(LineTable.Opened)
    def _row_opened(self, event: LineTable.Opened) -> None:
        event.stop()
        if (row := self.row) is not None and row.whole:
            self._opened = self._opened ^ {row.job.id}
            self.refresh_from()
        else:
            self.announce(explain=True)

    def announce(self, *, explain: bool = False) -> None:
        """Show the job under the cursor in the live pane."""
        if self.row is not None:
            self.post_message(JobRequested(self.row.job.id, self.row.asked.task, explain))

    def on_click(self, event: events.Click) -> None:
        """Sort by the column whose title was clicked."""
        offset = event.get_content_offset(self._table)
        if offset is not None and offset.y == 0 and self._model is not None:
            key = self._model.table.column_at(offset.x - 1, self._table.inner_width - 1)
            if key is not None:
                self.order_by(key)

    def order_by(self, key: str) -> None:
        """Sort by a column, numbers from the highest; the same column again reverses it, then as scheduled."""
        first = BY_KEY[key].descending
        if self.settings.order != key:
            order, descending = key, first
        elif self.settings.descending is first:
            order, descending = key, not first
        else:
            order, descending = "", False
        self.apply_settings(replace(self.settings, order=order, descending=descending))

    def action_order_next(self, by: int) -> None:
        if self._model is None:
            return
        keys = self._model.table.keys(self._table.inner_width - 1)
        place = keys.index(self.settings.order) + by if self.settings.order in keys else (0 if by > 0 else -1)
        key = keys[place % len(keys)]
        self.apply_settings(replace(self.settings, order=key, descending=BY_KEY[key].descending))

    def action_turn_order(self) -> None:
        if self.settings.order:
            self.apply_settings(replace(self.settings, descending=not self.settings.descending))
        else:
            self.order_by("prior")

    # The filter -------------------------------------------------------------------------------------------------

    @property
    def filter(self) -> str:  # type: ignore[override]
        return self.settings.filter.text

    def filter_by(self, text: str) -> None:
        self.apply_settings(replace(self.settings, filter=parse_filter(text, groups_of(self.workspace.cluster))))

    def filter_given(self) -> None:
        """Draw the filter's line without completions."""
        self._filter_line.refresh()

    def leave(self) -> bool:
        """Take one step back on Esc: end the restriction to tasks, leave the filter's line, unmark, drop the filter."""
        if self.narrowed is not None and not self.has_class("-filtering"):
            self.restrict_to_tasks(None)
            return True
        return super().leave()

    def complete(self) -> None:
        model, typed = self._model, self._typing.value
        known = model is not None and model.typing == typed
        hints = model.completions if model and known else completions(typed, model.table.all if model else ())
        if hints:
            lead = typed.rpartition(" ")[0]
            self._typing.value = f"{lead} {hints[0]}".lstrip()
            self._typing.cursor_position = len(self._typing.value)
