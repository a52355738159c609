"""The main screen: kinds, objects and form, live schedule; it applies what the widgets post to the workspace."""

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, cast

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.command import Provider
from textual.containers import Horizontal, Vertical
from textual.widget import Widget

from qmon_tui.model.catalogue import single_name, spec
from qmon_tui.model.findings import Finding
from qmon_tui.model.kinds import Kind
from qmon_tui.tui import messages
from qmon_tui.tui.actions import ACTIONS, BY_ID, footer_actions
from qmon_tui.tui.commands import Everything
from qmon_tui.tui.keys import Settled
from qmon_tui.tui.lists.object_list import ObjectList
from qmon_tui.tui.panes.footer import Banner
from qmon_tui.tui.panes.kinds import KindsPane
from qmon_tui.tui.panes.lines import OneLine
from qmon_tui.tui.panes.places import PlacesPane
from qmon_tui.tui.panes.table import LineTable
from qmon_tui.tui.present.footer import footer_line
from qmon_tui.tui.present.header import heading_line
from qmon_tui.tui.present.spans import Line, Span, fit
from qmon_tui.tui.screens.applying import Applying
from qmon_tui.tui.screens.facts import heading_of, here, situation_of
from qmon_tui.tui.screens.layout import BREAKPOINTS, CLASS_AT, HEIGHTS, focus_pane, pane_of, show_pane
from qmon_tui.tui.screens.watching import Changes, Watching, disk_changes
from qmon_tui.tui.situation import Pane, Situation
from qmon_tui.workspace.workspace import Event, Workspace

if TYPE_CHECKING:
    from qmon_tui.tui.forms.object_form import ObjectForm
    from qmon_tui.tui.panes.live import LivePane
    from qmon_tui.tui.screens.deeds import Deeds
    from qmon_tui.tui.screens.keeping import Keeping
    from qmon_tui.tui.screens.running import Running


class MainScreen(Applying):
    """The whole of the program; everything else is a dialog over it."""

    AUTO_FOCUS = ""
    HORIZONTAL_BREAKPOINTS = BREAKPOINTS
    VERTICAL_BREAKPOINTS = HEIGHTS
    COMMANDS: ClassVar[set[type[Provider] | Callable[[], type[Provider]]]] = {Everything}
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(",".join(action.keys), f"do('{action.id}')", action.label, show=False, tooltip=action.description)
        # Those of places and panels come first: where they work, a key is theirs.
        for action in sorted(ACTIONS, key=lambda action: not action.where)
        if action.keys
    ]

    def __init__(self, workspace: Workspace, *, changes: Changes = disk_changes) -> None:
        super().__init__(classes=CLASS_AT[Pane.LIST])  # set later, it would have all styles worked out again
        self.workspace = workspace
        self.kinds = KindsPane(workspace, id="kinds")
        self.list = ObjectList(workspace, id="list")
        self.places = PlacesPane(workspace, id="place")
        self.watching = Watching(self, changes)
        self.on_explained: Callable[[], None] | None = None
        """Set while a dialog about the chosen job is open: what to do when it is explained anew."""
        self._heading = OneLine(id="heading")
        self._banner = Banner(workspace, id="banner")
        self._moves = OneLine(id="moves")
        self._footer = OneLine(id="footer")
        self._pane = Pane.LIST
        self._rooms: tuple[Vertical, ...] = (Vertical(id="form"), Vertical(id="live"))

    @cached_property
    def form(self) -> "ObjectForm":
        """The form of the chosen object."""
        from qmon_tui.tui.forms.object_form import ObjectForm

        return ObjectForm(self.workspace, id="form")

    @cached_property
    def live(self) -> "LivePane":
        """The pane with the schedule."""
        from qmon_tui.tui.panes.live import LivePane

        return LivePane(self.workspace, id="live")

    @cached_property
    def running(self) -> "Running":
        """The live run."""
        from qmon_tui.tui.screens.running import Running

        return Running(self)

    @property
    def furnished(self) -> bool:
        """Form and live pane are in their rooms; the first frame does not wait for them."""
        return not self._rooms

    def compose(self) -> ComposeResult:
        """Top line, panes, bottom lines."""
        form, live = self._rooms
        yield self._heading
        yield self._banner
        with Horizontal(id="panes"):
            yield self.kinds
            with Vertical(id="objects"):
                yield self.list
                yield form
            yield self.places
            yield live
        yield self._moves
        yield self._footer

    def on_mount(self) -> None:
        """Draw for the first time."""
        self.workspace.subscribe(self._told)
        self._heading.show(lambda cells: heading_line(heading_of(self), cells))
        self._footer.show(lambda cells: footer_line(footer_actions(self.situation()), self.situation(), cells))
        self.kinds.refresh_from()
        focus_pane(self, Pane.LIST, self.list)

    async def furnish(self) -> None:
        """Put form and live pane into their rooms and start the live run and the watch, once the first frame is out.

        Keys wait until then.
        """
        async with self.batch():
            for room, pane in zip(self._rooms, (self.form, self.live), strict=True):
                where = cast(Widget, room.parent)
                await room.remove()
                await where.mount(pane)
            self._rooms = ()
            self._moves.show(self._moves_line)
            self.form.show(self.kind, self.chosen)
        self.running.start()
        self.watching.start()
        self.call_after_refresh(lambda: self.keeping.start())
        self.post_message(Settled())

    # What is the case -------------------------------------------------------------------------------------------

    @property
    def kind(self) -> Kind:
        """The chosen kind."""
        return self.kinds.kind

    @property
    def chosen(self) -> str | None:
        """The name of the chosen object."""
        return single_name(self.kind) if spec(self.kind).single else self.list.selected

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Those of the last run; before it, those of reading."""
        result = self.workspace.result
        return result.findings if result else tuple(self.workspace.reading.findings)

    @property
    def pane(self) -> Pane:
        """Where the focus is."""
        return self._pane

    def situation(self) -> Situation:
        """The facts that decide which actions are possible."""
        return situation_of(self)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """A key means what the place or panel with the focus makes of it; elsewhere, what it means everywhere."""
        where = BY_ID[str(parameters[0])].where if action == "do" else ""
        return not where or where == here(self)[0]

    # What the workspace tells -----------------------------------------------------------------------------------

    def _told(self, event: Event) -> None:
        if event in (Event.CHANGED, Event.SAVED):
            self.live.mark_changed()
            self.running.changed()
        self.refresh_all()

    def refresh_all(self) -> None:
        """Draw everything that shows the workspace."""
        self.kinds.refresh_from()
        self.list.refresh_from()
        self.form.refresh_from()
        self.places.refresh_from()
        self._banner.refresh_from()
        self.refresh_edges()

    def refresh_edges(self) -> None:
        """Draw the lines at top and bottom."""
        for line in (self._heading, self._moves, self._footer):
            line.refresh()

    # What the widgets post --------------------------------------------------------------------------------------

    @on(messages.ObjectChosen)
    def _object_chosen(self, event: messages.ObjectChosen) -> None:
        if event.kind is self.kind and self.furnished:
            self.form.show(event.kind, event.name)
            self.refresh_edges()

    @on(messages.OpenRequested)
    def _open_requested(self, event: messages.OpenRequested) -> None:
        self.form.show(event.kind, event.name)
        focus_pane(self, Pane.FORM, self.form)

    @on(messages.JumpRequested)
    def _jump_requested(self, event: messages.JumpRequested) -> None:
        self.go_to(event.kind, event.name, event.field)

    @on(messages.PlaceMoved)
    def _place_moved(self) -> None:
        self.refresh_edges()

    @on(messages.JobWanted)
    def _job_wanted(self, event: messages.JobWanted) -> None:
        self.live.choose((event.job, event.task))
        if event.explain:
            self.call_after_refresh(self.do, "why")
        self.refresh_edges()

    @on(LineTable.Moved)
    def _row_moved(self) -> None:
        """What a panel can do now may depend on its row."""
        self.refresh_edges()

    @on(LineTable.Moved, "#kinds")
    def _kind_moved(self) -> None:
        if self.kinds.place:
            self._show_place(self.kinds.place)
        else:
            self._show_kind(self.kinds.kind)

    @on(LineTable.Opened, "#kinds")
    def _kind_opened(self) -> None:
        if self.kinds.place:
            self.go_to_place(self.kinds.place)
        else:
            self.go_to(self.kind)

    @on(messages.JobChosen)
    def _job_chosen(self) -> None:
        self.running.explain()
        self.refresh_edges()

    def on_resize(self) -> None:
        """The live pane may have come into sight."""
        self.call_after_refresh(self._explain)

    def _explain(self) -> None:
        if self.furnished:
            self.running.explain()

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """Follow the focus: on narrow terminals the focused pane is the one in sight."""
        pane = pane_of(event.widget)
        if pane is not None:
            self._pane = pane
            show_pane(self, pane)
            self.call_after_refresh(self._explain)
            self.refresh_edges()

    def rename(self, kind: Kind, name: str, new: str) -> None:
        """Give an object another name, after asking where others name it."""
        self.deeds.asking.rename_to(kind, name, new)

    # Going about ------------------------------------------------------------------------------------------------

    def _show_place(self, place: str) -> None:
        self.places.show(place)
        self.set_class(bool(place), "-place")
        self.refresh_edges()

    def go_to_place(self, place: str, chosen: str | None = None) -> None:
        """Show a place of the left pane and something in it."""
        self.kinds.move_to(place)
        self._show_place(place)
        focus_pane(self, Pane.PLACE, self.places)
        if chosen is not None and self.places.view is not None:
            self.call_after_refresh(self.places.view.choose, chosen)

    def _show_kind(self, kind: Kind) -> None:
        self._show_place("")
        single = spec(kind).single
        self.set_class(single, "-single")
        self.list.show(kind)
        if self.furnished:
            self.form.show(kind, single_name(kind) if single else self.list.selected)
        self.refresh_edges()

    def go_to(self, kind: Kind, name: str | None = None, field: str | None = None) -> None:
        """Show a kind, an object of it, a field of that."""
        self.kinds.move_to(kind)
        self._show_kind(kind)
        if name is not None and not spec(kind).single and not self.list.select(name):
            self.notify(f"There is no {kind} {name}.", severity="warning", markup=False)
            return
        self.form.show(kind, self.chosen)
        if field is not None:
            show_pane(self, Pane.FORM)
            self.call_after_refresh(self.form.focus_field, field)
        elif spec(kind).single:
            focus_pane(self, Pane.FORM, self.form)
        else:
            focus_pane(self, Pane.LIST, self.list)

    def go_to_finding(self, finding: Finding) -> None:
        """Show the place of a finding."""
        if finding.kind in set(Kind):
            self.go_to(Kind(finding.kind), finding.name, finding.field)
        else:
            self.notify(f"{finding.file or finding.kind}: mend it in the file.", markup=False)

    @cached_property
    def deeds(self) -> "Deeds":
        """The actions. With their dialogs they are imported by the first: the first frame does not wait for them."""
        from qmon_tui.tui.screens.deeds import Deeds

        return Deeds(self)

    @cached_property
    def keeping(self) -> "Keeping":
        """What keeps unsaved edits on disk; the first frame does not wait for it."""
        from qmon_tui.tui.screens.keeping import Keeping

        return Keeping(self)

    def action_do(self, action_id: str) -> None:
        """What every key, click and palette entry runs."""
        self.do(action_id)

    def do(self, action_id: str) -> None:
        """Do an action of the registry, or say why it is not possible now."""
        if not self.furnished:
            return
        action = BY_ID[action_id]
        reason = action.disabled_reason(self.situation())
        _, view = here(self)
        if reason:
            self.notify(reason, severity="warning", markup=False)
        elif action.where and view is not None:
            view.deeds[action_id]()
        else:
            self.deeds.do(action_id)

    def _moves_line(self, cells: int) -> Line:
        """What the schedule says, for when the live pane is not in sight."""
        from qmon_tui.tui.present.live import counts_line
        from qmon_tui.tui.present.moves import summary

        moved = summary(self.live.name_of, self.workspace.moves)
        return fit((*counts_line(self.live.counts, cells), Span("  "), *moved), cells)
