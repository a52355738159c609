"""Jumps from a name to the object it names, and from an object or job to everything that names it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from qmon_tui.model import ConfigObject, Job, config_object
from qmon_tui.tui.forms.dialogs import Pick, PickOne
from qmon_tui.tui.keys import Pane
from qmon_tui.workspace import LinkTarget, definitions, definitions_of_job, object_words, uses, uses_of_job

if TYPE_CHECKING:
    from qmon_tui.tui.screens.action_screen import ActionScreen


class ReferenceNavigation:
    """Jumps along references; a dialog asks if there are several targets."""

    def __init__(self, screen: "ActionScreen") -> None:
        self._screen = screen

    def definition(self) -> None:
        """Go to an object that the focused field names; outside the form, one that the chosen object or job names."""
        screen, job = self._screen, self._job
        if job is not None:
            self._choose(f"Named by job {job.id}", definitions_of_job(screen.workspace.cluster, job))
            return
        obj = self._object
        if obj is None:
            return
        field = screen.form.field if screen.pane is Pane.FORM else None
        words = object_words(obj.kind, obj.name)
        self._choose(f"Named by {field + ' of ' if field else ''}{words}",
                     definitions(screen.workspace.cluster, obj, field or None), at_once=field is not None)  # fmt: skip

    def used_by(self) -> None:
        """Go to an object or job that names the chosen object, or to a job that waits for the chosen job."""
        workspace, job, obj = self._screen.workspace, self._job, self._object
        if job is not None:
            self._choose(f"Waiting for job {job.id}", uses_of_job(workspace.state, job))
        elif obj is not None:
            words = object_words(obj.kind, obj.name)
            self._choose(f"{words} is used by", uses(workspace.cluster, workspace.state, obj.kind, obj.name))

    @property
    def _job(self) -> Job | None:
        """The chosen job in the live pane and on the page Jobs; None elsewhere."""
        screen = self._screen
        if screen.pane is not Pane.LIVE and screen.pages.page != "jobs":
            return None
        number = screen.live.chosen.key[0] if screen.live.chosen else None
        return next((job for job in screen.workspace.state.jobs if job.id == number), None)

    @property
    def _object(self) -> ConfigObject | None:
        screen = self._screen
        kind, name = screen.kind, screen.chosen
        if screen.pages.page or name is None:
            return None
        return screen.workspace.cluster.get(kind, name) or config_object(kind, name, {})

    def _choose(self, title: str, places: Sequence[LinkTarget], *, at_once: bool = False) -> None:
        screen = self._screen
        if not places:
            screen.notify(f"{title}: nothing.", markup=False)
        elif len(places) == 1 and at_once:
            self._go(places[0])
        else:
            places_by_words = {f"{place.words}  {number}" if number else place.words: place
                     for place, number in _numbered(places)}  # fmt: skip
            picks = [Pick(words, place.note) for words, place in places_by_words.items()]
            PickOne(title, picks).ask(screen.app, lambda words: self._go(places_by_words[words]))

    def _go(self, place: LinkTarget) -> None:
        if place.kind is not None:
            self._screen.go_to(place.kind, place.name, place.field)
        elif place.job is not None:
            self._screen.go_to_page("jobs", str(place.job))


def _numbered(places: Sequence[LinkTarget]) -> list[tuple[LinkTarget, int]]:
    """Number targets with equal words, so that they can be distinguished."""
    seen: dict[str, int] = {}
    numbered = []
    for place in places:
        seen[place.words] = seen.get(place.words, 0) + 1
        numbered.append((place, seen[place.words] if seen[place.words] > 1 else 0))
    return numbered
