"""Jumps on the main screen: to an object, a field, a page, a job, a queue instance or a finding, and back."""

from typing import TYPE_CHECKING, NamedTuple

from qmon_tui.model import Finding, Kind
from qmon_tui.model.catalogue import single_name, spec
from qmon_tui.tui import panes
from qmon_tui.tui.base import key_of
from qmon_tui.tui.keys import Pane
from qmon_tui.tui.pages import PAGES_BY_ID
from qmon_tui.tui.screens.pane_layout import focus_pane, show_pane

if TYPE_CHECKING:
    from qmon_tui.tui.screens.pane_screen import PaneScreen
    from qmon_tui.workspace import JobKey

_KEPT = 50
"""Largest number of jumps that `back` can undo."""


class Location(NamedTuple):
    """The start of a jump: a page and its chosen row in `name`, or a kind, an object and a field if `page` is empty."""

    page: str
    kind: Kind
    name: str | None
    field: str | None


class Navigation:
    """Jumps of the main screen, with the start of each for `back`."""

    def __init__(self, screen: "PaneScreen") -> None:
        self._screen = screen
        self._starts: list[Location] = []

    @property
    def can_return(self) -> bool:
        """True if there is a jump that `back` can undo."""
        return bool(self._starts)

    def to(self, kind: Kind, name: str | None = None, field: str | None = None) -> None:
        """Show a kind, one of its objects, or a field of that object."""
        self._remember()
        self._to(kind, name, field)

    def to_field(self, kind: Kind, field: str) -> None:
        """Show a field of the object that is chosen in the list of its kind."""
        self._remember()
        self._to(kind)
        self._to(kind, self._screen.chosen, field)

    def to_tab(self, kind: Kind, title: str) -> None:
        """Show a tab of the object that is chosen in the list of its kind; the list if none is chosen."""
        self.to(kind)
        screen = self._screen
        if screen.form.object() is not None:
            focus_pane(screen, Pane.FORM, screen.form)
            screen.call_after_refresh(screen.form.choose_group, title)

    def to_page(self, page: str, chosen: str | None = None) -> None:
        """Show a page, with the row `chosen` selected in it."""
        self._remember()
        self._to_page(page, chosen)

    def begin_at(self, page: str) -> None:
        """Show a page without remembering a jump."""
        self._to_page(page, None)

    def to_job(self, key: "JobKey") -> None:
        """Choose a job in the live pane and explain it there."""
        live = self._screen.live
        if not live.choose(key):
            self._screen.notify(
                f"Job {key[0]} is no longer in the schedule: it has ended or was deleted.",
                severity="warning",
                markup=False,
            )
        live.show_lower(panes.LowerPart.WHY)
        focus_pane(self._screen, Pane.LIVE, live)

    def to_instance(self, name: str) -> None:
        """Choose a queue instance in the live pane."""
        live = self._screen.live
        live.show_lower(panes.LowerPart.INSTANCES)
        focus_pane(self._screen, Pane.LIVE, live)
        if not live.choose_instance(name):
            self._screen.notify(f"There is no queue instance {name} any more.", severity="warning", markup=False)

    def to_finding(self, finding: Finding) -> None:
        """Show the place of a finding, or name its file and line if no object has it."""
        if finding.kind in set(Kind):
            self.to(Kind(finding.kind), finding.name, finding.field)
        else:
            where = f"{finding.file} line {finding.line}" if finding.file and finding.line else finding.file
            self._screen.notify(
                f"{where or finding.kind}: fix it in the file, then press {key_of(self._screen, 'reload')}.",
                markup=False,
            )

    def back(self) -> None:
        """Undo the last jump; `can_return` must be True."""
        location = self._starts.pop()
        if location.page:
            self._to_page(location.page, location.name)
        else:
            self._to(location.kind, location.name, location.field)

    def show_page(self, page: str) -> None:
        """Show a page, leaving the focus and the jumps as they are; empty for list and form."""
        self._screen.pages.show(page)
        wide = self._screen.pages.view is not None and self._screen.pages.view.wants_width
        is_wide = bool(page) and (PAGES_BY_ID[page].wide or wide)
        self._screen.update_classes({"-place": bool(page), "-wide": is_wide, "-jobs": page == "jobs"})
        self._screen.refresh_edges()

    def show_kind(self, kind: Kind) -> None:
        """Show the objects of a kind, leaving the focus and the jumps as they are."""
        screen, single = self._screen, spec(kind).single
        self.show_page("")
        screen.set_class(single, "-single")
        screen.list.show(kind)
        if screen.is_fully_mounted:
            screen.form.show(kind, single_name(kind) if single else screen.list.selected)
        screen.refresh_edges()

    def _to(self, kind: Kind, name: str | None = None, field: str | None = None) -> None:
        screen = self._screen
        screen.kinds.move_to(kind)
        self.show_kind(kind)
        if name is not None and not spec(kind).single and not screen.list.select(name):
            screen.notify(f"There is no {kind} {name}: it was deleted or renamed.", severity="warning", markup=False)
            return
        screen.form.show(kind, screen.chosen)
        if field is not None:
            show_pane(screen, Pane.FORM)
            screen.call_after_refresh(screen.form.focus_field, field)
        elif spec(kind).single:
            focus_pane(screen, Pane.FORM, screen.form)
        else:
            focus_pane(screen, Pane.LIST, screen.list)

    def _to_page(self, page: str, chosen: str | None) -> None:
        screen = self._screen
        screen.kinds.move_to(page)
        self.show_page(page)
        focus_pane(screen, Pane.PAGE, screen.pages)
        if chosen is not None and screen.pages.view is not None:
            screen.call_after_refresh(screen.pages.view.choose, chosen)

    def _remember(self) -> None:
        screen = self._screen
        pages = screen.pages
        field = screen.form.field if screen.pane is Pane.FORM else None
        name = pages.view.selected if pages.view is not None else screen.chosen
        location = Location(pages.page, screen.kind, name, field)
        if not self._starts or self._starts[-1] != location:
            self._starts = [*self._starts[-_KEPT + 1 :], location]
