"""The main screen: kinds, objects and form, live schedule. It applies the edits that its widgets post."""

from functools import cached_property
from typing import cast

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingsMap
from textual.containers import Horizontal, Vertical
from textual.widget import Widget

from qmon_tui.model import Kind
from qmon_tui.report import Line, Span, TextRole, fit, header, schedule_changes
from qmon_tui.tui import lists, panes
from qmon_tui.tui.base import (
    DayBranched,
    JobChosen,
    JobRequested,
    JumpRequested,
    KeySettled,
    LineTable,
    ObjectChosen,
    OneLine,
    OpenRequested,
    PageRequested,
    SelectionMoved,
    action_bindings,
    run_in_thread,
)
from qmon_tui.tui.keys import ActionContext, KeyRegistry, Pane, footer_line
from qmon_tui.tui.lists import ObjectList
from qmon_tui.tui.pages import PAGES
from qmon_tui.tui.panes import Banner, KindsPane, PagePane
from qmon_tui.tui.screens import day_ahead, object_prompts
from qmon_tui.tui.screens.action_screen import ActionScreen
from qmon_tui.tui.screens.document_actions import DOCUMENT_ACTIONS
from qmon_tui.tui.screens.folder_watch import Changes, FolderWatch, disk_changes
from qmon_tui.tui.screens.navigation import Navigation
from qmon_tui.tui.screens.object_actions import OBJECT_ACTIONS
from qmon_tui.tui.screens.pane_layout import BREAKPOINTS, CLASS_AT, HEIGHTS, focus_pane, is_narrow, pane_of, show_pane
from qmon_tui.tui.screens.screen_state import action_context_of, awaits_rows, header_of, here
from qmon_tui.tui.screens.view_actions import VIEW_ACTIONS
from qmon_tui.workspace import Event, Workspace


class MainScreen(ActionScreen):
    """The screen of the program; all other screens are dialogs over it."""

    AUTO_FOCUS = ""
    HORIZONTAL_BREAKPOINTS = BREAKPOINTS
    VERTICAL_BREAKPOINTS = HEIGHTS

    def __init__(
        self,
        workspace: Workspace,
        registry: KeyRegistry,
        *,
        changes: Changes = disk_changes,
        play: bool = False,
        welcome: bool = False,
        page: str = "",
    ) -> None:
        """`play` starts the monitor, `welcome` shows the guide of the first start, `page` is the first page's id."""
        super().__init__(classes=CLASS_AT[Pane.LIST])  # set later, it would recompute all styles
        self.registry = registry
        self.actions = (OBJECT_ACTIONS | DOCUMENT_ACTIONS | VIEW_ACTIONS).of(self)
        # There is no public way to give one screen keys that its class does not have.
        self._bindings = BindingsMap.merge([action_bindings(registry), self._bindings])
        self.workspace = workspace
        self.kinds = KindsPane(workspace, PAGES, id="kinds")
        self.list = ObjectList(workspace, id="list")
        self.pages = PagePane(workspace, PAGES, id="place")
        self.navigation = Navigation(self)
        self.folder_watch = FolderWatch(self, changes)
        self._heading = OneLine(id="heading")
        self._banner = Banner(workspace, id="banner")
        self._moves = OneLine(id="moves")
        self._footer = OneLine(id="footer")
        self._plays, self._welcomes = play, welcome
        self._first_page = page
        self._placeholders: tuple[Vertical, ...] = (Vertical(id="form"), Vertical(id="live"))

    @cached_property
    def day_ahead(self) -> "day_ahead.DayAheadWorker":
        return day_ahead.DayAheadWorker(self)

    @property
    def is_fully_mounted(self) -> bool:
        return not self._placeholders

    def compose(self) -> ComposeResult:
        form, live = self._placeholders
        yield self._heading
        yield self._banner
        with Horizontal(id="panes"):
            yield self.kinds
            with Vertical(id="objects"):
                yield self.list
                yield form
            yield self.pages
            yield live
        yield self._moves
        yield self._footer

    def on_mount(self) -> None:
        self.workspace.subscribe(self._workspace_changed)
        self._heading.show(lambda cells: header.header_line(header_of(self), cells))
        self._footer.show(lambda cells: footer_line(self.registry, self.action_context(), cells))
        self.kinds.refresh_from()
        if not (is_narrow(self) or self._first_page or self._welcomes):
            focus_pane(self, Pane.LIST, self.list)

    async def mount_deferred(self) -> None:
        """Mount form and live pane, then start the live run and the folder watch.

        Called after the first frame; keys wait until it returns.
        """
        async with self.batch():
            for placeholder, pane in zip(self._placeholders, (self.form, self.live), strict=True):
                parent = cast(Widget, placeholder.parent)
                await placeholder.remove()
                await parent.mount(pane)
            self._placeholders = ()
            await self.list.mount_deferred()
            self._moves.show(self._moves_line)
            self.form.show(self.kind, self.chosen)
        if self._plays:
            self.navigation.begin_at("monitor")
            self.call_after_refresh(self._play)
        elif self._welcomes:
            await self.mount(
                panes.Welcome(is_live=self.workspace.reading.live is not None, id="welcome"), after=self._banner
            )
            self.navigation.begin_at("jobs")
        elif self._first_page:
            self.navigation.begin_at(self._first_page)
        elif is_narrow(self):  # only one pane is visible: begin with the jobs
            self.navigation.begin_at("jobs")
        self.running.start()
        self.folder_watch.start()
        if self.workspace.reading.live is not None:
            self.set_interval(1.0, self._heading.refresh)
            if not self.workspace.read_only:
                self.call_after_refresh(lambda: self.cluster_writing.offer_interrupted())
        self.call_after_refresh(lambda: self.autosave.start())
        self.call_after_refresh(self.post_message, KeySettled())

    async def begin_day_ahead(self) -> None:
        """Simulate the day ahead from now on."""
        await run_in_thread(lambda: day_ahead.DayAheadWorker)  # imported in a thread, so that no key waits
        self.day_ahead.start()

    def _play(self) -> None:
        if self.pages.view is not None:
            self.pages.view.actions.run("monitor.play")

    # Facts ------------------------------------------------------------------------------------------------------

    def action_context(self) -> ActionContext:
        return action_context_of(self)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Return True for a general action, and for an action of the page or panel with the focus."""
        where = self.registry.by_id[str(parameters[0])].where if action == "do" else ""
        return not where or where == here(self)[0]

    def awaits_rows(self, key: str) -> bool:
        return awaits_rows(self, key)

    # Changes of the workspace -----------------------------------------------------------------------------------

    def _workspace_changed(self, event: Event) -> None:
        if event in (Event.CHANGED, Event.SAVED):
            self.live.mark_changed()
        if event in (Event.CHANGED, Event.SAVED, Event.BASELINE, Event.MOMENT):
            self.running.changed()
        if event is Event.FIGURES:
            self.live.refresh_figures()
        self.refresh_all()

    def refresh_all(self) -> None:
        self.kinds.refresh_from()
        self.list.refresh_from()
        self.form.refresh_from()
        if self.pane is Pane.FORM and self.is_fully_mounted and self.form.object() is None:
            focus_pane(self, Pane.LIST, self.list)  # the focused widget was removed with its object
        self.pages.refresh_from()
        self._banner.refresh_from()
        self.refresh_edges()

    def refresh_edges(self) -> None:
        for line in (self._heading, self._moves, self._footer):
            line.refresh()

    # Messages of the widgets ------------------------------------------------------------------------------------

    @on(ObjectChosen)
    def _object_chosen(self, event: ObjectChosen) -> None:
        if event.kind is self.kind and self.is_fully_mounted:
            self.form.show(event.kind, event.name)
            self._look_at_object(event.kind, event.name)
            self.refresh_edges()

    def _look_at_object(self, kind: Kind, name: str | None) -> None:
        if name is not None and self.workspace.cluster.get(kind, name) is not None:
            self.folder_watch.look_at((kind, name))

    @on(OpenRequested)
    def _open_requested(self, event: OpenRequested) -> None:
        self.form.show(event.kind, event.name)
        focus_pane(self, Pane.FORM, self.form)

    @on(JumpRequested)
    def _jump_requested(self, event: JumpRequested) -> None:
        self.go_to(event.kind, event.name, event.field)

    @on(SelectionMoved)
    def _selection_moved(self) -> None:
        self.refresh_edges()

    @on(JobRequested)
    def _job_requested(self, event: JobRequested) -> None:
        self.live.choose((event.job, event.task))
        if event.explain:
            self.call_after_refresh(self.do, "why")
        self.refresh_edges()

    @on(DayBranched)
    def _day_branched(self, event: DayBranched) -> None:
        self.day_ahead.branched(event)

    @on(PageRequested)
    def _page_requested(self, event: PageRequested) -> None:
        self.go_to_page(event.page, event.chosen)

    @on(LineTable.Moved)
    def _row_moved(self) -> None:
        """Update the footer: actions of a panel may depend on its row."""
        self.refresh_edges()

    @on(LineTable.Moved, "#kinds")
    def _kind_moved(self) -> None:
        if self.kinds.page:
            self.navigation.show_page(self.kinds.page)
        else:
            self.navigation.show_kind(self.kinds.kind)

    @on(LineTable.Opened, "#kinds")
    def _kind_opened(self) -> None:
        if self.kinds.page:
            self.go_to_page(self.kinds.page)
        else:
            self.go_to(self.kind)

    @on(JobChosen)
    def _job_chosen(self) -> None:
        self.running.explain()
        if self.live.chosen is not None:
            self.folder_watch.look_at(self.live.chosen.job.id)
        self.refresh_edges()

    def on_paste(self, event: events.Paste) -> None:
        """Load pasted text that qconf printed, after showing the differences."""
        if "\n" in event.text.strip():
            lists.ObjectFiles(self, self.workspace, self.post_message).paste(event.text)

    def on_resize(self) -> None:
        """Explain the chosen job if the live pane is visible now."""
        self.call_after_refresh(self._explain)

    def _explain(self) -> None:
        if self.is_fully_mounted:
            self.running.explain()

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """Note the pane with the focus; on narrow terminals it is the only visible one."""
        pane = pane_of(event.widget)
        if pane is not None:
            self.pane = pane
            show_pane(self, pane)
            self.call_after_refresh(self._explain)
            self.refresh_edges()

    def rename(self, kind: Kind, name: str, new: str) -> None:
        object_prompts.ObjectPrompts(self).rename_to(kind, name, new)

    def action_do(self, action_id: str) -> None:
        """Run the action with this id. Keys, clicks and the palette all call it."""
        self.do(action_id)

    def do(self, action_id: str) -> None:
        """Run an action of the registry, or show why it is impossible now."""
        if not self.is_fully_mounted:
            return
        action = self.registry.by_id[action_id]
        reason = action.disabled_reason(self.action_context())
        _, view = here(self)
        if reason:
            self.notify(reason, severity="warning", markup=False)
        elif action.where and view is not None:
            view.actions.run(action_id)
        else:
            self.actions.run(action_id)

    def _moves_line(self, cells: int) -> Line:
        """Return the summary of the schedule, shown below the panes even if the live pane is hidden."""
        if self.pages.page and self.pages.view is not None and self.pages.view.hides_schedule:
            return fit((Span(" The schedule shows when the question is answered.", TextRole.DIM),), cells)
        moved = schedule_changes.summary(self.live.name_of, self.workspace.moves)
        if self.pages.page == "jobs" or self._is_of_monitor:  # these pages show the counts themselves
            return fit((Span(" "), *(moved or self.live.summary(cells - 1))), cells)
        counted = self.live.counts.parts(self.workspace.figures)
        return fit((*(span for part in counted for span in (Span("  "), *part)), Span("  "), *moved), cells)
