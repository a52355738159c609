"""Going about: to an object, a field, a place, a job, a queue instance, a finding, and back to where one was."""

from typing import TYPE_CHECKING, NamedTuple

from qmon_tui.model.catalogue import single_name, spec
from qmon_tui.model.findings import Finding
from qmon_tui.model.kinds import Kind
from qmon_tui.tui.base.bindings import key_of
from qmon_tui.tui.screens.layout import focus_pane, show_pane
from qmon_tui.tui.situation import Pane

if TYPE_CHECKING:
    from qmon_tui.tui.screens.main import MainScreen
    from qmon_tui.workspace.moves import JobKey

_KEPT = 50
"""Jumps that can be taken back."""


class Spot(NamedTuple):
    """Where one was: a place and what was chosen there, or a kind, an object and a field."""

    place: str
    kind: Kind
    name: str | None
    field: str | None


class Jumping:
    """The ways about the main screen. Each jump remembers where it came from."""

    def __init__(self, screen: "MainScreen") -> None:
        self._screen = screen
        self._before: list[Spot] = []

    @property
    def can_return(self) -> bool:
        """There was a jump that can be taken back."""
        return bool(self._before)

    def to(self, kind: Kind, name: str | None = None, field: str | None = None) -> None:
        """Show a kind, an object of it, a field of that."""
        self._remember()
        self._to(kind, name, field)

    def to_field(self, kind: Kind, field: str) -> None:
        """Show a field of the object that the list of its kind has chosen."""
        self._remember()
        self._to(kind)
        self._to(kind, self._screen.chosen, field)

    def to_tab(self, kind: Kind, title: str) -> None:
        """Show a tab of the object that the list of its kind has chosen; the list where there is none."""
        self.to(kind)
        screen = self._screen
        if screen.form.object() is not None:
            focus_pane(screen, Pane.FORM, screen.form)
            screen.call_after_refresh(screen.form.choose_group, title)

    def to_place(self, place: str, chosen: str | None = None) -> None:
        """Show a place of the left pane and something in it."""
        self._remember()
        self._to_place(place, chosen)

    def to_job(self, key: "JobKey") -> None:
        """Show a job in the live pane."""
        from qmon_tui.tui.panes.live import Lower

        live = self._screen.live
        if not live.choose(key):
            self._screen.notify(
                f"Job {key[0]} is no longer in the schedule: it has ended or was deleted.",
                severity="warning",
                markup=False,
            )
        live.show_lower(Lower.WHY)
        focus_pane(self._screen, Pane.LIVE, live)

    def to_instance(self, name: str) -> None:
        """Show a queue instance in the live pane."""
        from qmon_tui.tui.panes.live import Lower

        live = self._screen.live
        live.show_lower(Lower.INSTANCES)
        focus_pane(self._screen, Pane.LIVE, live)
        if not live.choose_instance(name):
            self._screen.notify(f"There is no queue instance {name} any more.", severity="warning", markup=False)

    def to_finding(self, finding: Finding) -> None:
        """Show the place of a finding."""
        if finding.kind in set(Kind):
            self.to(Kind(finding.kind), finding.name, finding.field)
        else:
            where = f"{finding.file} line {finding.line}" if finding.file and finding.line else finding.file
            self._screen.notify(
                f"{where or finding.kind}: mend it in the file, then press {key_of(self._screen, 'reload')}.",
                markup=False,
            )

    def back(self) -> None:
        """Where one was before the last jump."""
        spot = self._before.pop()
        if spot.place:
            self._to_place(spot.place, spot.name)
        else:
            self._to(spot.kind, spot.name, spot.field)

    def show_place(self, place: str) -> None:
        """Show a place without going there; empty: list and form."""
        self._screen.places.show(place)
        self._screen.set_class(bool(place), "-place")
        self._screen.refresh_edges()

    def show_kind(self, kind: Kind) -> None:
        """Show the objects of a kind without going there."""
        screen, single = self._screen, spec(kind).single
        self.show_place("")
        screen.set_class(single, "-single")
        screen.list.show(kind)
        if screen.furnished:
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

    def _to_place(self, place: str, chosen: str | None) -> None:
        screen = self._screen
        screen.kinds.move_to(place)
        self.show_place(place)
        focus_pane(screen, Pane.PLACE, screen.places)
        if chosen is not None and screen.places.view is not None:
            screen.call_after_refresh(screen.places.view.choose, chosen)

    def _remember(self) -> None:
        screen = self._screen
        places = screen.places
        field = screen.form.field if screen.pane is Pane.FORM else None
        name = places.view.selected if places.view is not None else screen.chosen
        spot = Spot(places.place, screen.kind, name, field)
        if not self._before or self._before[-1] != spot:
            self._before = [*self._before[-_KEPT + 1 :], spot]
