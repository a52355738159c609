"""The main screen: kinds, objects and form, live schedule; it applies what the widgets post to the workspace."""

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.command import Provider
from textual.containers import Horizontal, Vertical
from textual.screen import Screen

from qmon_tui.model.catalogue import single_name, spec
from qmon_tui.model.findings import Finding
from qmon_tui.model.kinds import Kind
from qmon_tui.tui import messages
from qmon_tui.tui.actions import ACTIONS, BY_ID, footer_actions
from qmon_tui.tui.commands import Everything
from qmon_tui.tui.forms.object_form import ObjectForm
from qmon_tui.tui.lists.object_list import ObjectList
from qmon_tui.tui.panes.footer import Banner
from qmon_tui.tui.panes.kinds import KindsPane
from qmon_tui.tui.panes.lines import OneLine
from qmon_tui.tui.panes.live import JobChosen, LivePane
from qmon_tui.tui.panes.table import LineTable
from qmon_tui.tui.present.footer import footer_line
from qmon_tui.tui.present.header import Heading, count_severities, heading_line
from qmon_tui.tui.present.live import counts_line
from qmon_tui.tui.present.moves import summary
from qmon_tui.tui.present.spans import Line, Span, fit
from qmon_tui.tui.present.words import count
from qmon_tui.tui.screens.layout import BREAKPOINTS, HEIGHTS, focus_pane, pane_of, show_pane
from qmon_tui.tui.screens.running import Running
from qmon_tui.tui.screens.watching import Changes, Watching, disk_changes
from qmon_tui.tui.situation import Pane, Situation
from qmon_tui.workspace.difference import What
from qmon_tui.workspace.edits import Edit, EditError, ReplaceKind, SetField, SetFields
from qmon_tui.workspace.workspace import Event, Workspace, WorkspaceError

if TYPE_CHECKING:
    from qmon_tui.tui.screens.deeds import Deeds


class MainScreen(Screen[None]):
    """The whole of the program; everything else is a dialog over it."""

    CSS_PATH = "main.tcss"
    AUTO_FOCUS = ""
    HORIZONTAL_BREAKPOINTS = BREAKPOINTS
    VERTICAL_BREAKPOINTS = HEIGHTS
    COMMANDS: ClassVar[set[type[Provider] | Callable[[], type[Provider]]]] = {Everything}
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(",".join(action.keys), f"do('{action.id}')", action.label, show=False, tooltip=action.description)
        for action in ACTIONS
        if action.keys
    ]

    def __init__(self, workspace: Workspace, *, changes: Changes = disk_changes) -> None:
        super().__init__()
        self.workspace = workspace
        self.kinds = KindsPane(workspace, id="kinds")
        self.list = ObjectList(workspace, id="list")
        self.form = ObjectForm(workspace, id="form")
        self.live = LivePane(workspace, id="live")
        self.running = Running(self)
        self.watching = Watching(self, changes)
        self.on_explained: Callable[[], None] | None = None
        """Set while a dialog about the chosen job is open: what to do when it is explained anew."""
        self._heading = OneLine(id="heading")
        self._banner = Banner(id="banner")
        self._moves = OneLine(id="moves")
        self._footer = OneLine(id="footer")
        self._pane = Pane.LIST

    def compose(self) -> ComposeResult:
        """Top line, panes, bottom lines."""
        yield self._heading
        yield self._banner
        with Horizontal(id="panes"):
            yield self.kinds
            with Vertical(id="objects"):
                yield self.list
                yield self.form
            yield self.live
        yield self._moves
        yield self._footer

    def on_mount(self) -> None:
        """Start the live run and the watch."""
        self.workspace.subscribe(self._told)
        self._moves.show(self._moves_line)
        self._heading.show(lambda cells: heading_line(self.heading(), cells))
        self._footer.show(lambda cells: footer_line(footer_actions(self.situation()), self.situation(), cells))
        self.kinds.refresh_from()
        self._show_kind(self.kinds.kind)
        self.running.start()
        self.watching.start()
        focus_pane(self, Pane.LIST, self.list)

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

    def situation(self) -> Situation:
        """The facts that decide which actions are possible."""
        workspace, kind, name = self.workspace, self.kind, self.chosen
        return Situation(
            pane=self._pane,
            read_only=workspace.read_only,
            single=spec(kind).single,
            complexes=kind is Kind.COMPLEX,
            object_chosen=name is not None,
            object_changed=name is not None and workspace.is_dirty(kind, name),
            changes=len(workspace.changes()),
            undo=workspace.undo_label,
            redo=workspace.redo_label,
            findings=len(self.findings),
            job_chosen=self.live.chosen is not None,
        )

    def heading(self) -> Heading:
        """What the top line says."""
        workspace, result = self.workspace, self.workspace.result
        errors, warnings = count_severities(self.findings)
        single = spec(self.kind).single
        return Heading(
            crumbs=(
                workspace.cluster.name,
                spec(self.kind).title,
                *([] if single or not self.chosen else [self.chosen]),
            ),
            read_only=workspace.read_only,
            edits=sum(len(change.fields) if change.what is What.CHANGED else 1 for change in workspace.changes()),
            errors=errors,
            warnings=warnings,
            seconds=result.seconds if result else None,
            running=self.running.busy and (result is None or result.seconds > 0.15),
            stale=bool(result and result.stale),
            disk=workspace.disk is not None or bool(workspace.unresolved),
        )

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
        self._show_banner()
        self.refresh_edges()

    def refresh_edges(self) -> None:
        """Draw the lines at top and bottom."""
        for line in (self._heading, self._moves, self._footer):
            line.refresh()

    def _show_banner(self) -> None:
        disk, unresolved = self.workspace.disk, self.workspace.unresolved
        if disk is not None:
            edits = count(len(self.workspace.changes()), "unsaved edit")
            changed = count(len(disk.objects), "object")
            self._banner.say(f"{changed} changed on disk while you have {edits}. r: merge, reload or keep", "reload")
        elif unresolved:
            self._banner.say(
                f"{count(len(unresolved), 'field')} changed on both sides. r: decide what counts", "reload"
            )
        else:
            self._banner.be_silent()

    # What the widgets post --------------------------------------------------------------------------------------

    def apply(self, edit: Edit, *, typing: bool = False) -> bool:
        """Make an edit; where it cannot be made, say why."""
        try:
            return self.workspace.apply(edit, typing=typing)
        except (EditError, WorkspaceError) as error:
            self.notify(str(error), severity="warning", markup=False)
            self.form.refresh_from()
            return False

    @on(messages.FieldEdited)
    def _field_edited(self, event: messages.FieldEdited) -> None:
        self.apply(SetField(event.kind, event.name, event.field, event.text), typing=event.typing)
        if not event.typing:
            self.workspace.end_typing()

    @on(messages.FieldsEdited)
    def _fields_edited(self, event: messages.FieldsEdited) -> None:
        self.apply(SetFields(event.kind, event.name, dict(event.values)))

    @on(messages.KindReplaced)
    def _kind_replaced(self, event: messages.KindReplaced) -> None:
        self.apply(ReplaceKind(event.kind, event.objects))

    @on(messages.ObjectChosen)
    def _object_chosen(self, event: messages.ObjectChosen) -> None:
        if event.kind is self.kind:
            self.form.show(event.kind, event.name)
            self.refresh_edges()

    @on(messages.OpenRequested)
    def _open_requested(self, event: messages.OpenRequested) -> None:
        self.form.show(event.kind, event.name)
        focus_pane(self, Pane.FORM, self.form)

    @on(messages.JumpRequested)
    def _jump_requested(self, event: messages.JumpRequested) -> None:
        self.go_to(event.kind, event.name, event.field)

    @on(LineTable.Moved, "#kinds")
    def _kind_moved(self) -> None:
        self._show_kind(self.kinds.kind)

    @on(LineTable.Opened, "#kinds")
    def _kind_opened(self) -> None:
        self.go_to(self.kind)

    @on(JobChosen)
    def _job_chosen(self) -> None:
        self.running.explain()
        self.refresh_edges()

    def on_resize(self) -> None:
        """The live pane may have come into sight."""
        self.call_after_refresh(self.running.explain)

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """Follow the focus: on narrow terminals the focused pane is the one in sight."""
        pane = pane_of(event.widget)
        if pane is not None:
            self._pane = pane
            show_pane(self, pane)
            self.call_after_refresh(self.running.explain)
            self.refresh_edges()

    # Going about ------------------------------------------------------------------------------------------------

    def _show_kind(self, kind: Kind) -> None:
        single = spec(kind).single
        self.set_class(single, "-single")
        self.list.show(kind)
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

    def action_do(self, action_id: str) -> None:
        """What every key, click and palette entry runs."""
        self.do(action_id)

    def do(self, action_id: str) -> None:
        """Do an action of the registry, or say why it is not possible now."""
        reason = BY_ID[action_id].disabled_reason(self.situation())
        if reason:
            self.notify(reason, severity="warning", markup=False)
        else:
            self.deeds.do(action_id)

    def _moves_line(self, cells: int) -> Line:
        """What the schedule says, for when the live pane is not in sight."""
        moved = summary(self.live.name_of, self.workspace.moves)
        return fit((*counts_line(self.live.counts, cells), Span("  "), *moved), cells)
