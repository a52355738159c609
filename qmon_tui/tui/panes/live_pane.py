"""The right pane: the schedule of what the forms show, saved or not."""

import time

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input

from qmon_tui.explain import Change, Explanation
from qmon_tui.model import Outcome
from qmon_tui.report import (
    InstanceRows,
    Line,
    Span,
    TaskCounts,
    TextRole,
    derived_lines,
    groups_of,
    job_explanation,
    live_jobs,
    live_pane,
    moment,
    moves_words,
    since_words,
    title_words,
    wrap,
)
from qmon_tui.sources import job_place
from qmon_tui.tui.base import JobChosen, KeptRows, Lines, LineTable, QInput, ViewSettings, day_begins, key_of
from qmon_tui.tui.panes.lower_part import KnownExplanation, LowerPart
from qmon_tui.workspace import JobKey, Result, Workspace

_FIRST_RUN = "The first run is under way …"


class LivePane(Vertical):
    """Jobs in scheduling order, the chosen job's priority and why it waits, and the queue instances."""

    def __init__(self, workspace: Workspace, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._workspace = workspace
        self.job_rows = live_jobs.LiveJobRows()
        """All rows, whatever the filter."""
        self._pane_content: live_pane.LivePaneContent | None = None
        self._view_settings = ViewSettings(workspace)
        self._marked: frozenset[int] = frozenset()
        self._filter = self._view_settings.get("filter live")
        self._kept_rows = KeptRows()
        self._known: KnownExplanation | None = None
        self._changed_at = time.time()
        self._status = Lines(id="live-status")
        self._notices = Lines(id="live-notices")
        self._jobs = LineTable(self.job_rows, empty=_FIRST_RUN, id="live-jobs")
        self._input = QInput(placeholder="filter jobs: words to match", id="live-filter")
        self._why = Lines(id="live-why")
        self._instances = LineTable(InstanceRows(), empty=_FIRST_RUN, id="live-instances")

    def compose(self) -> ComposeResult:
        yield from (self._status, self._notices, self._jobs, self._input, self._why, self._instances)

    def on_mount(self) -> None:
        self.border_title = "Live schedule"
        self._status.can_focus = self._notices.can_focus = False
        self.show_lower(LowerPart.WHY)

    # Content ---------------------------------------------------------------------------------------------------

    def mark_changed(self) -> None:
        """Note the time of a change; the next result shows its effect."""
        self._changed_at = time.time()

    def show_content(self, content: live_pane.LivePaneContent) -> None:
        """Draw the workspace's last result."""
        self._pane_content = content
        result = content.result
        self._show_top()
        self.set_class(result.stale or result.error is not None, "-stale")
        if result.outcome is None:
            return
        figures = self._workspace.figures
        self.job_rows = content.rows.with_moves(self._workspace.moves).with_figures(figures)
        self._jobs.show(self._filtered, empty=self._empty())
        empty = "No queue instances: give a queue hosts in its field hostlist."
        self._instances.show(content.instances.with_figures(figures), empty=empty)
        self._show_titles()
        self._title(result)
        self._ask_why()

    def refresh_figures(self) -> None:
        """Draw again after another choice of figures."""
        if self._pane_content is not None:
            self.show_content(self._pane_content)

    def show_explanation(
        self, key: JobKey, outcome: Outcome, explanation: Explanation | str, *, searching: bool = False
    ) -> None:
        """Show an explanation if its job is still chosen; a text says why there is none."""
        row = self.chosen
        if row is not None and row.key == key:
            known, self._known = self._known_of(row), KnownExplanation(key, outcome, explanation, searching)
            self._show_why(keep_place=known is not None)

    @property
    def chosen(self) -> live_jobs.LiveJobRow | None:
        key = self._jobs.cursor_key
        index = self.job_rows.find(key) if key is not None else None
        return None if index is None else self.job_rows.items[index]

    def explanation_lines(self, cells: int, *, in_full: bool = False) -> tuple[Line, ...]:
        """Return the explanation of the chosen job; in full with every number derived."""
        row = self.chosen
        if row is None:
            return wrap(
                "No job is chosen: the arrows choose one." if self._pane_content else _FIRST_RUN, cells, TextRole.DIM
            )
        known = self._known_of(row)
        current = (
            known is not None and self._pane_content is not None and known.outcome is self._pane_content.result.outcome
        )
        move = self._workspace.moves.get(row.key)
        lines = job_explanation.job_lines(
            row,
            known.explanation if known else None,
            move,
            cells,
            since=self._since,
            in_full=in_full,
            waiting=not current,
            searching=known is not None and known.searching,
        )
        live = self._workspace.reading.live
        if in_full and live is not None:
            lines += job_explanation.scheduler_lines(live.messages.get(row.job.id, ()), row.job.reasons, cells)
            lines += job_explanation.details_age(time.time() - live.read_at(job_place(row.job.id)))
        if in_full or row.task.granted or known is None or isinstance(known.explanation, str):
            return lines
        click = "screen.do('why')"
        more = Span(" shows all of it, and applies a change", TextRole.DIM, click)
        return (*lines, (Span(key_of(self, "why"), TextRole.ACCENT, click), more))

    def derivation_lines(self, cells: int) -> tuple[Line, ...]:
        """Return the arithmetic of each number of the chosen job's priority."""
        row, explainer = self.chosen, self._pane_content.result.explainer if self._pane_content else None
        if row is None or explainer is None:
            return wrap(_FIRST_RUN, cells, TextRole.DIM)
        try:
            derivation = explainer.derivation(*row.key)
        except LookupError:
            derivation = None
        return derived_lines(derivation, cells)

    def summary(self, cells: int) -> Line:
        """Return the chosen job in one line, for screens that hide this pane."""
        row = self.chosen
        known = None if row is None else self._known_of(row)
        return () if row is None else job_explanation.in_one_line(row, known.explanation if known else None, cells)

    def _known_of(self, row: live_jobs.LiveJobRow) -> KnownExplanation | None:
        return self._known if self._known is not None and self._known.key == row.key else None

    @property
    def _since(self) -> str:
        """The baseline of the marks ▲ ▼, in words."""
        return since_words(self._workspace.baseline.moment)

    @property
    def changes(self) -> tuple[Change, ...]:
        """The changes found until now that would let the chosen job run."""
        known = self._known
        return known.explanation.changes if known and isinstance(known.explanation, Explanation) else ()

    @property
    def counts(self) -> TaskCounts:
        return self._pane_content.counts if self._pane_content else TaskCounts()

    def name_of(self, key: JobKey) -> str:
        index = self.job_rows.find(key)
        row = None if index is None else self.job_rows.items[index]
        return f"{row.number} {row.job.name}" if row else str(key[0])

    @property
    def at_jobs(self) -> bool:
        """True if the focus is not on the queue instances."""
        return not self._instances.has_focus

    @property
    def row_text(self) -> str:
        """The row under the cursor of the focused table."""
        return self._instances.cursor_text if self._instances.has_focus else self._jobs.cursor_text

    def choose(self, key: JobKey) -> bool:
        """Put the cursor on a job, and drop a filter that hides it; False if there is no such job."""
        if not self._jobs.move_to(key):
            self._set_filter("")
        return self._jobs.move_to(key)

    def choose_instance(self, name: str) -> bool:
        """Put the cursor on a queue instance and give it the focus; False if there is none of that name."""
        if has_moved := self._instances.move_to(name):
            self.call_after_refresh(self._instances.focus)
        return has_moved

    def focus(self, scroll_visible: bool = True, from_app_focus: bool = False) -> "LivePane":
        """Focus the job table; if it is hidden the chosen job, else the queue instances."""
        parts = (self._jobs, self._why, self._instances)
        next((part for part in parts if part.display), self._jobs).focus(scroll_visible)
        return self

    # The lower part ---------------------------------------------------------------------------------------------

    @property
    def lower(self) -> LowerPart:
        return LowerPart.INSTANCES if self.has_class("-instances") else LowerPart.WHY

    def show_lower(self, lower: LowerPart) -> None:
        """Show the chosen job or the queue instances if there is no room for both."""
        self.update_classes({"-instances": lower is LowerPart.INSTANCES, "-why": lower is LowerPart.WHY})
        if self.lower is LowerPart.WHY and self._instances.has_focus:
            self.focus()
        self.call_after_refresh(self._show_titles)

    def switch_lower(self) -> None:
        self.show_lower(LowerPart.INSTANCES if self.lower is LowerPart.WHY else LowerPart.WHY)

    # The filter -------------------------------------------------------------------------------------------------

    @property
    def filtered(self) -> bool:
        """True if a filter is set or being typed."""
        return bool(self._filter) or self.has_class("-filtering")

    def start_filter(self) -> None:
        self.add_class("-filtering")
        self._input.value = self._filter
        self._input.focus()

    @on(Input.Changed, "#live-filter")
    def _filter_typed(self, event: Input.Changed) -> None:
        event.stop()
        self._set_filter(event.value)

    @on(Input.Submitted, "#live-filter")
    def _filter_kept(self, event: Input.Submitted) -> None:
        event.stop()
        self.remove_class("-filtering")
        self._view_settings.keep("filter live", self._filter)
        self._show_jobs()
        self.focus()

    def clear_filter(self) -> None:
        self.remove_class("-filtering")
        self._set_filter("")
        self._view_settings.keep("filter live", "")
        self.focus()

    def _set_filter(self, text: str) -> None:
        self._filter = text
        self._show_jobs()

    def _show_jobs(self) -> None:
        self._jobs.show(self._filtered, empty=self._empty())
        if self._workspace.result:
            self._title(self._workspace.result)

    @property
    def _filtered(self) -> live_jobs.LiveJobRows:
        """The rows that the filter accepts, or accepted before the user acted on them."""
        kept = self._kept_rows.of(self._filter, self._workspace.state.now)
        rows = self.job_rows.containing(self._filter, groups_of(self._workspace.cluster), kept)
        if self._filter and not self.has_class("-filtering"):
            self._kept_rows.keep(row.key for row in rows)
        return rows.with_marks(self._marked) if self._marked else rows

    # Marks ------------------------------------------------------------------------------------------------------

    @property
    def marked(self) -> tuple[int, ...]:
        """The marked jobs that are in the schedule."""
        return tuple(dict.fromkeys(row.job.id for row in self.job_rows if row.job.id in self._marked))

    @property
    def hidden_marks(self) -> tuple[int, ...]:
        """The marked jobs that the filter hides."""
        shown = {row.job.id for row in self._filtered} if self._marked else frozenset[int]()
        return tuple(number for number in self.marked if number not in shown)

    def mark(self, *, everything: bool = False) -> None:
        """Mark or unmark the job under the cursor and go to the next row; with `everything`, all visible jobs."""
        shown = frozenset(row.job.id for row in self._filtered)
        if everything:
            self._marked = self._marked - shown if shown <= self._marked else self._marked | shown
        elif self.chosen is not None:
            self._marked ^= {self.chosen.job.id}
        self._show_jobs()
        if not everything:
            self._jobs.action_move(1)

    def unmark(self) -> bool:
        """Remove all marks; False if there were none."""
        had, self._marked = bool(self._marked), frozenset()
        if had:
            self._show_jobs()
        return had

    def _empty(self) -> str:
        """Return the text for an empty job table."""
        if self._pane_content is None:
            return _FIRST_RUN
        if self._filter:
            return f"No jobs match {self._filter} — {key_of(self, 'back')} shows all."
        if self._workspace.is_before_day:
            return day_begins(self)
        return f"No jobs yet: {key_of(self, 'go-jobs')} opens Jobs to submit one; or list them under `jobs:`."

    # Inside -----------------------------------------------------------------------------------------------------

    @on(LineTable.Moved, "#live-jobs")
    def _job_moved(self, event: LineTable.Moved) -> None:
        event.stop()
        self._ask_why()

    @on(LineTable.Opened, "#live-jobs")
    def _job_opened(self, event: LineTable.Opened) -> None:
        event.stop()
        self.screen.call_later(self.screen.run_action, "do('why')")

    def _ask_why(self) -> None:
        self._show_why(keep_place=bool(self.chosen and self._known_of(self.chosen)))
        self.post_message(JobChosen())

    def _show_why(self, *, keep_place: bool) -> None:
        self._why.show(
            lambda cells: tuple((Span(" "), *line) for line in self.explanation_lines(cells - 2)), keep_place=keep_place
        )

    def _show_top(self) -> None:
        """Draw counts and notices; they wrap, so their height depends on the width."""
        content, changed_at, width = self._pane_content, self._changed_at, self.size.width or 40
        figures = self._workspace.figures
        if content is not None:
            lines = (*self._explained_notices, *live_pane.notices(content.result))
            moved = moves_words(self._workspace.moves, self._since)
            self._status.show(lambda cells: live_pane.status_lines(content, figures, changed_at, cells, moved))
            self._status.styles.height = len(live_pane.status_lines(content, figures, changed_at, width, moved))
            self._notices.show(lambda cells: live_pane.notice_lines(lines, cells))
            self._notices.styles.height = len(live_pane.notice_lines(lines, width))

    @property
    def _explained_notices(self) -> tuple[live_pane.Notice, ...]:
        edits = self._workspace.shown_after
        words = f"As explained ({key_of(self, 'learn.cluster')}: the next or your own): after {edits}."
        return (live_pane.Notice(words, TextRole.ACCENT),) if edits else ()

    def on_resize(self) -> None:
        """Wrap to the width, and decide by the height whether both lower parts fit."""
        self._show_top()
        self._show_titles()

    def _show_titles(self) -> None:
        """Draw the titles of the lower parts; if only one is visible, its title names the key of the other."""
        job, instances = "Chosen job", "Queue instances"
        if self._pane_content is not None and self._pane_content.result.outcome is not None:
            instances += " and quotas" if self._pane_content.result.outcome.quotas else ""
        other = key_of(self, "lower")
        self._why.border_title = job if self._instances.display else f"{job}  {other}: {instances.casefold()}"
        self._instances.border_title = instances if self._why.display else f"{instances}  {other}: {job.casefold()}"

    def _title(self, result: Result) -> None:
        shown, total = len(self._filtered), len(self.job_rows)
        hidden = f", {len(self.hidden_marks)} hidden" if self.hidden_marks else ""
        marks = f"  ✓ {len(self.marked)} marked{hidden}" if self.marked else ""
        counted = f"  {shown} of {total}  /{self._filter}" if self._filter else ""
        at = f"  {moment(result.outcome.at)}" if result.outcome else ""
        other = "  not Grid Engine" if result.outcome and result.outcome.not_grid_engine else ""
        self.border_title = Content(f"Live schedule{marks}{at}{other}{counted}{title_words(self._workspace.figures)}")
