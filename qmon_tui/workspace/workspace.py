"""The open document. It alone owns the current revision, the undo stack, the findings and the outcome.

Not safe for use by several threads: whoever evaluates elsewhere takes a `snapshot()` along and brings a `Result` back.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from qmon_tui.model.cluster import Cluster
from qmon_tui.model.kinds import Kind
from qmon_tui.model.state import State
from qmon_tui.scheduler.outcome import Outcome
from qmon_tui.sources.errors import ConflictError
from qmon_tui.sources.folder import Reading, SavePlan, plan_save, read_folder, save
from qmon_tui.workspace.difference import ObjectChange, changes
from qmon_tui.workspace.edits import Edit, PutBack, RemoveObject
from qmon_tui.workspace.evaluate import GRID_ENGINE, Result, Snapshot, Source
from qmon_tui.workspace.history import History, Step
from qmon_tui.workspace.lastgood import Content, with_last_good
from qmon_tui.workspace.merge import Conflict, Side, conflicts, overlay
from qmon_tui.workspace.moves import JobKey, Move, moved


class WorkspaceError(Exception):
    """Something that cannot be done now; the text is a sentence for the user."""


class Event(StrEnum):
    """What subscribers are told."""

    CHANGED = "changed"
    """The cluster or the state is another one: there is a new revision to evaluate."""
    RESULT = "result"
    """A result was accepted."""
    DISK = "disk"
    """A change on disk awaits a decision, or no longer does."""
    SAVED = "saved"
    """The edits are on disk now."""


@dataclass(frozen=True, slots=True)
class DiskChange:
    """What changed on disk since it was read, and where that overlaps with unsaved edits."""

    reading: Reading
    content: Content
    objects: tuple[ObjectChange, ...]
    conflicts: tuple[Conflict, ...]
    pending: bool
    """There are unsaved edits, so that it awaits merge, take_theirs or keep_mine; otherwise it is adopted already."""


Subscriber = Callable[[Event], None]


class Workspace:
    """A cluster folder that was read, the edits made since, and what checks and scheduler say about the result."""

    def __init__(self, reading: Reading, *, read_only: bool = False) -> None:
        self.read_only = read_only
        self.reading = reading
        """What was read last; saving writes the difference against it."""
        self.revision = 0
        """Counts up with every change, undoing and re-reading included."""
        self.source = Source.FILE
        """Where the last change came from."""
        self.result: Result | None = None
        """The last accepted result."""
        self.moves: Mapping[JobKey, Move] = {}
        """What the last change moved in the schedule."""
        self.formulas = GRID_ENGINE
        """The name of the formulas by which priorities are computed."""
        self.disk: DiskChange | None = None
        """The change on disk that awaits a decision."""
        self._base = Content(reading.cluster, reading.state)
        self._cluster = reading.cluster
        self._history = History()
        self._merge_conflicts: tuple[Conflict, ...] = ()
        self._before_change: Outcome | None = None
        self._subscribers: list[Subscriber] = []
        self._changes: tuple[Cluster, Cluster, tuple[ObjectChange, ...]] | None = None

    @property
    def cluster(self) -> Cluster:
        """The cluster as the forms show it, saved or not."""
        return self._cluster

    @property
    def base(self) -> Cluster:
        """The cluster as it was read, which `changes` compares with; broken files count as they last were good."""
        return self._base.cluster

    @property
    def state(self) -> State:
        """Jobs, load values and queue states as read."""
        return self._base.state

    def subscribe(self, callback: Subscriber) -> Callable[[], None]:
        """Have every event told; returns what ends it."""
        self._subscribers.append(callback)
        return lambda: self._subscribers.remove(callback)

    # Edits ------------------------------------------------------------------------------------------------------

    def apply(self, edit: Edit, *, typing: bool = False) -> bool:
        """Make one edit and say whether it changed anything.

        Edits of one value with `typing` in a row are one undo step; `end_typing` ends the row. Raises EditError
        where the edit cannot be made, WorkspaceError when read-only.
        """
        self._refuse_read_only()
        after = edit.apply(self._cluster)
        if after == self._cluster:
            return False
        if self._history.push(Step(edit.label, self._cluster, after, edit), typing=typing):
            self._remember_outcome()
        self._show(after, Source.FORM)
        return True

    def end_typing(self) -> None:
        """The value was left: what is typed next is another undo step."""
        self._history.typing = False

    @property
    def undo_label(self) -> str | None:
        """What undo would take back."""
        return self._history.done[-1].label if self._history.done else None

    @property
    def redo_label(self) -> str | None:
        """What redo would do again."""
        return self._history.undone[-1].label if self._history.undone else None

    def undo(self) -> str | None:
        """Take back the last step; returns its label, None where there is none."""
        return self._step(self._history.undo, lambda step: step.before)

    def redo(self) -> str | None:
        """Do the last undone step again; returns its label, None where there is none."""
        return self._step(self._history.redo, lambda step: step.after)

    def revert(self, kind: Kind, name: str, field: str | None = None) -> bool:
        """Bring one object, or one field of it, back to what was read, as an undoable edit."""
        read = self.base.get(kind, name)
        if read is None:
            return self.apply(RemoveObject(kind, name)) if field is None else False
        return self.apply(PutBack(read, tuple(self.base.objects(kind)), field))

    # What is unsaved --------------------------------------------------------------------------------------------

    def changes(self) -> tuple[ObjectChange, ...]:
        """The unsaved edits, object by object; empty exactly if the cluster equals what was read."""
        known = self._changes
        if known is None or known[0] is not self.base or known[1] is not self._cluster:
            known = self._changes = (self.base, self._cluster, changes(self.base, self._cluster))
        return known[2]

    def is_dirty(self, kind: Kind | None = None, name: str | None = None, field: str | None = None) -> bool:
        """Whether there are unsaved edits: at all, or of a kind, an object, a field."""
        return any(
            kind in (None, change.kind)
            and name in (None, change.name)
            and (field is None or any(field == changed for changed, _, _ in change.fields))
            for change in self.changes()
        )

    def save_plan(self) -> SavePlan:
        """The files that saving would write.

        Raises WorkspaceError where there is nothing to save or it is refused, SourceError where an edit cannot be
        written without touching something else.
        """
        self._refuse_read_only()
        if not self.changes():
            raise WorkspaceError("Nothing to save: there are no changes.")
        if self.disk is not None:
            raise WorkspaceError("The files changed on disk meanwhile: merge, reload or keep yours first.")
        if self.unresolved:
            raise WorkspaceError(f"Decide first which version counts: {self.unresolved[0].label}.")
        for change in self.changes():
            if (change.kind, change.name) in self._base.kept:
                file = change.before.origin.file if change.before and change.before.origin else "its file"
                raise WorkspaceError(
                    f"{change.kind} {change.name} cannot be saved while {file} is broken: mend it first."
                )
        if not self._base.kept:
            return plan_save(self.reading, self._cluster)
        return plan_save(self.reading, overlay(self.changes(), self.reading.cluster))

    def save(self) -> DiskChange | None:
        """Write the unsaved edits. Where the files changed meanwhile nothing is written: that change is returned.

        Raises WorkspaceError as save_plan does, SourceError where a file cannot be written.
        """
        while True:
            plan = self.save_plan()
            try:
                written = save(self.reading, plan)
            except ConflictError:
                change = self.disk_changed(read_folder(self.reading.path, self.reading))
                # What changed is no object, for instance a comment: it is part of the reading now, so write again.
                if not change.pending and self.is_dirty():
                    continue
                return change
            self._rebase(self._cluster, written, self._content_of(written))
            self._merge_conflicts = ()
            self._show(self._cluster, self.source, Event.SAVED)
            return None

    # The disk ---------------------------------------------------------------------------------------------------

    def disk_changed(self, reading: Reading) -> DiskChange:
        """A new reading of the folder: adopted at once unless that would touch objects under unsaved edits."""
        content = self._content_of(reading)
        objects = changes(self.base, content.cluster)
        pending = bool(objects) and self.is_dirty()
        change = DiskChange(reading, content, objects, self._conflicts_with(content), pending)
        if pending:
            self.disk = change
            self._tell(Event.DISK)
            return change
        was_pending = self.disk is not None
        same = not objects and content.state == self.state and reading.findings == self.reading.findings
        if same and reading.files == self.reading.files:
            self.disk = None
        else:
            self._rebase(self.base, reading, content)
        if same:
            # Nothing but spelling, comments or lines: no new run, and no mark on what the last edit moved.
            if was_pending:
                self._tell(Event.DISK)
            return change
        if objects:
            self._merge_conflicts = ()
        self._remember_outcome()
        self._show(self._cluster, Source.FILE)
        return change

    def merge(self) -> tuple[Conflict, ...]:
        """Take over the pending change and keep the unsaved edits; returns the conflicts, in which mine hold so far."""
        if self.disk is None:
            return ()
        self._take_over(self.disk)
        self._show(self._cluster, Source.FILE)
        return self.unresolved

    def take_theirs(self) -> None:
        """Take over the pending change and drop the unsaved edits; undo brings these back, merged."""
        self._decide("take what is on disk", lambda mine: self.base)

    def keep_mine(self) -> None:
        """Keep everything as the forms show it, so that saving would undo the pending change; undo merges instead."""
        self._decide("keep mine over the disk", lambda mine: overlay(changes(self.base, mine), self.base))

    @property
    def unresolved(self) -> tuple[Conflict, ...]:
        """The conflicts of the last merge that are not decided yet."""
        return tuple(c for c in self._merge_conflicts if c.version_in(self._cluster) != c.version_in(self.base))

    def resolve(self, conflict: Conflict, side: Side | str) -> None:
        """Decide a conflict of the last merge; taking theirs is an undoable edit."""
        if Side(side) is Side.MINE:
            self._merge_conflicts = tuple(c for c in self._merge_conflicts if c != conflict)
            self._tell(Event.DISK)
        else:
            self.apply(conflict.taking(Side.THEIRS))

    # The live run -----------------------------------------------------------------------------------------------

    def snapshot(self) -> Snapshot:
        """What a worker needs to evaluate the current revision."""
        return Snapshot(
            self.revision, self._cluster, self.state, self.source, self.reading.findings, self._base.stale_files,
            self.formulas, self._before_change,
        )  # fmt: skip

    def compute_by(self, formulas: str) -> None:
        """Compute the priorities by other formulas, for comparison; what that moves is shown as for an edit."""
        if formulas != self.formulas:
            self.formulas = formulas
            self._remember_outcome()
            self._show(self._cluster, self.source)

    def accept(self, result: Result) -> bool:
        """Take a result in; one of another revision is dropped. A failed run leaves the last good outcome, stale."""
        if result.revision != self.revision:
            return False
        if result.outcome is None and self.result is not None:
            last = self.result
            moves = moved(self._before_change, last.outcome) if last.outcome is not None else {}
            result = replace(result, outcome=last.outcome, explainer=last.explainer, moves=moves, stale=True)
        self.result = result
        self.moves = result.moves
        self._tell(Event.RESULT)
        return True

    # Inside -----------------------------------------------------------------------------------------------------

    def _refuse_read_only(self) -> None:
        if self.read_only:
            raise WorkspaceError("Opened read-only: nothing can be changed.")

    def _show(self, cluster: Cluster, source: Source, event: Event = Event.CHANGED) -> None:
        self._cluster = cluster
        self.revision += 1
        self.source = source
        if self.disk is not None:
            self.disk = replace(self.disk, conflicts=self._conflicts_with(self.disk.content))
        self._tell(event)

    def _tell(self, event: Event) -> None:
        for subscriber in tuple(self._subscribers):
            subscriber(event)

    def _remember_outcome(self) -> None:
        self._before_change = self.result.outcome if self.result else None

    def _step(self, shift: Callable[[], Step | None], cluster_of: Callable[[Step], Cluster]) -> str | None:
        self._refuse_read_only()
        step = shift()
        if step is None:
            return None
        self._remember_outcome()
        self._show(cluster_of(step), Source.FORM)
        return step.label

    def _content_of(self, reading: Reading) -> Content:
        fresh = Content(reading.cluster, reading.state)
        return with_last_good(self._base, self.reading.findings, fresh, reading.findings)

    def _conflicts_with(self, content: Content) -> tuple[Conflict, ...]:
        return conflicts(self.base, self._cluster, content.cluster)

    def _rebase(self, old: Cluster, reading: Reading, content: Content) -> None:
        """Carry the cluster and all that undo knows over from `old` to a new reading; edits win over it."""
        self._history.rebase(lambda cluster: overlay(changes(old, cluster), content.cluster))
        self._cluster = overlay(changes(old, self._cluster), content.cluster)
        self.reading, self._base, self.disk = reading, content, None

    def _take_over(self, change: DiskChange) -> None:
        self._remember_outcome()
        undecided = self.unresolved
        self._rebase(self.base, change.reading, change.content)
        places = {conflict.place for conflict in change.conflicts}
        self._merge_conflicts = (*(c for c in undecided if c.place not in places), *change.conflicts)

    def _decide(self, label: str, choose: Callable[[Cluster], Cluster]) -> None:
        if self.disk is None:
            return
        mine = self._cluster
        self._take_over(self.disk)
        self._merge_conflicts = ()
        after = choose(mine)
        if after != self._cluster:
            self._history.push(Step(label, self._cluster, after))
        self._show(after, Source.FILE)
