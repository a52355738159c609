"""The shown document: the edited one, or a moment of a simulated day instead; and the figures that pages show."""

from dataclasses import replace
from enum import StrEnum

from qmon_tui.model import Cluster, State, existing_at
from qmon_tui.workspace import edits
from qmon_tui.workspace.document import Document

Sides = tuple[Document, Document, Document | None]
"""Document before and after undo or redo, and the moment to show (None: keep the shown one)."""


class Figures(StrEnum):
    """The figures that pages show; the value is the text in titles."""

    CHANGES = "now → next run"
    """The current state, with the new value beside it where the next run changes it."""
    NEXT = "next run"
    """The state that the next scheduling run leaves."""
    NOW = "now"
    """The current state."""

    @property
    def next(self) -> "Figures":
        """The choice after this one."""
        order = tuple(Figures)
        return order[(order.index(self) + 1) % len(order)]


class ShownDocument:
    """The document, and the moment of a simulated day that may replace it. All views read the cluster here."""

    _document: Document
    moment: Document | None = None
    """The moment of a simulated day that is shown; None while the document itself is."""
    figures = Figures.CHANGES
    """The figures that pages show."""

    @property
    def document(self) -> Document:
        """Cluster and state as the screen shows them, saved or not."""
        return self._document if self.moment is None else self.moment

    @property
    def shown_after(self) -> str:
        """Edits from the edited document to a shown one that explains them, in words; empty if none is shown."""
        return ""

    @property
    def edited_document(self) -> Document:
        """The cluster folder with the edits, as saving writes it, whatever moment is shown."""
        return self._document

    @property
    def cluster(self) -> Cluster:
        """The cluster as the forms show it, saved or not."""
        return self.document.cluster

    @property
    def state(self) -> State:
        """Jobs that exist, load values, queue states and reservations as the screen shows them, saved or not."""
        return existing_at(self.document.state)

    @property
    def is_before_day(self) -> bool:
        """True if jobs are to come, none is there yet, and no moment of a simulated day is shown."""
        state = self._document.state
        is_to_come = bool(state.jobs) or state.simulation.workload is not None
        return self.moment is None and is_to_come and not self.state.jobs


def edited(edit: "edits.Edit", document: Document, moment: Document | None) -> tuple[Document, Document | None]:
    """Return the edited document, and the edited moment or None if no moment is shown.

    Changes of the configuration apply to both, changes of jobs to the moment alone.
    Raises EditError if the edit cannot be made.
    """
    if moment is None:
        return edit.made(document), None
    if isinstance(edit, edits.ReplaceDocument):
        after = edit.made(document)
        return after, moment.with_cluster(after.cluster)
    shown = edit.made(moment)
    if shown.cluster is moment.cluster:
        return document, shown
    return document.with_cluster(edit.made(document).cluster), shown


def moved(moment: Document | None, before: Document, after: Document) -> Document | None:
    """Return the moment after the document changed from `before` to `after`: with its configuration and new jobs.

    A new job with an earlier submission time is submitted at the moment.
    """
    if moment is None:
        return None
    if before.cluster is not after.cluster and before.cluster != after.cluster:
        moment = moment.with_cluster(after.cluster)
    if before.state.jobs is after.state.jobs:
        return moment
    known = {job.id for state in (before.state, moment.state) for job in state.jobs}
    now = moment.state.now
    new = [replace(job, submitted=max(job.submitted, now)) for job in after.state.jobs if job.id not in known]
    return moment.with_state(replace(moment.state, jobs=(*moment.state.jobs, *new))) if new else moment
