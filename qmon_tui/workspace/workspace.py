"""The open document. It alone owns the current revision, the undo history, the findings and the outcome.

Not thread-safe: a background run takes a `snapshot()` and returns a `Result`.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from qmon_tui.sources import ConflictError, Live, Reading, SavePlan, Source
from qmon_tui.workspace import evaluation, merge as merging, state_edits
from qmon_tui.workspace.baseline import Baseline
from qmon_tui.workspace.broken_files import FolderContent, with_last_good
from qmon_tui.workspace.difference import ObjectChange, changes, document_changes, drift, state_changes, unsaved_changes
from qmon_tui.workspace.document import AnyKind, Document, WorkspaceError
from qmon_tui.workspace.events import GRID_ENGINE, ChangeOrigin, DiskChange, Event, Notifier, Pulled
from qmon_tui.workspace.shown_document import Figures, ShownDocument, Sides, edited, moved
from qmon_tui.workspace.undo_history import History, Step

if TYPE_CHECKING:
    from qmon_tui.workspace.edits import Edit
    from qmon_tui.workspace.evaluation import JobKey, Result, ScheduleChange, Snapshot
    from qmon_tui.workspace.merge import Conflict, EditedText, Side


class Workspace(ShownDocument, Notifier):
    """A cluster folder that was read, the edits made since, and what checks and scheduler say about the result."""

    keeps_edits = False  # True: edits are kept on disk without being saved

    def __init__(self, reading: Reading, *, read_only: bool = False) -> None:
        super().__init__()
        self.read_only = read_only
        self.reading = reading
        """The last reading; saving writes the difference from it."""
        self.revision = 0
        """Counter of changes, undo and re-reading included."""
        self.origin = ChangeOrigin.FILE
        """Where the last change came from."""
        self.result: Result | None = None
        self.moves: Mapping[JobKey, ScheduleChange] = {}
        """Changes of the schedule since the baseline."""
        self.formulas = GRID_ENGINE
        """The name of the formulas by which priorities are computed."""
        self.trust: evaluation.Trust | None = None
        """How many starts on a running cluster our runs predicted; None before the first start."""
        self.disk: DiskChange | None = None
        """The change on disk that awaits a decision; None if there is none."""
        self.pulled: Pulled | None = None
        """The merged pull whose snapshot the next save writes; None without one."""
        self.lost = ""
        """Problem of the whole folder, such as `is gone`; empty while it can be read."""
        self._base = FolderContent(reading.cluster, reading.state)
        self.base_document = self._base.document
        """Cluster and state as read, with which `changes` compares; of broken files the last good content."""
        self._document = self.base_document
        self.history = History()
        """The steps of undo and redo, saved ones included."""
        self._merge_conflicts: tuple[Conflict, ...] = ()
        self.baseline = Baseline()
        """The schedule with which moves compare."""

    @property
    def hides_why(self) -> str:
        """Why jobs are not explained now, as a sentence; empty if they are."""
        return ""

    @property
    def source(self) -> Source:
        """The folder or running cluster from which the document was read."""
        return self.reading.source

    # Edits ------------------------------------------------------------------------------------------------------

    def apply(self, edit: "Edit", *, typing: bool = False, conflicts: "tuple[Conflict, ...]" = ()) -> bool:
        """Make one edit; True if it changed anything. `conflicts` are to be decided before saving.

        Consecutive edits of one value with `typing` are one undo step, until `end_typing`. Raises EditError if
        the edit cannot be made, WorkspaceError when read-only.
        """
        self._refuse_read_only()
        before, moment = self._document, self.moment
        after, shown = edited(edit, before, moment)
        if self.reading.live is not None and after.state is not before.state and after.state != before.state:
            raise WorkspaceError(f"{edit.label}: no command of Grid Engine does this on a running cluster.")
        self._merge_conflicts = (*self._merge_conflicts, *conflicts)
        if after == before and shown == moment:
            return False
        if self.history.push(Step(edit.label, before, after, edit, moment, shown), typing=typing):
            self._remember_outcome()
        self.moment = shown
        self._show(after, ChangeOrigin.FORM)
        return True

    def end_typing(self) -> None:
        """Note that the typed value was left: the next typing is another undo step."""
        self.history.typing = False

    def undo(self) -> str | None:
        """Revert the last step; return its label, None if there is none."""
        return self._step(self.history.undo, lambda step: (step.after, step.before, step.moment_before))

    def redo(self) -> str | None:
        """Repeat the last undone step; return its label, None if there is none."""
        return self._step(self.history.redo, lambda step: (step.before, step.after, step.moment_after))

    def revert(self, kind: AnyKind, *names: str, field: str | None = None) -> bool:
        """Restore objects, or one field of them, as read, in one undo step; True if anything changed."""
        edit = state_edits.revert_edits(self.base_document, self._document, kind, names, field)
        return self.apply(edit) if edit is not None else False

    # Unsaved edits ----------------------------------------------------------------------------------------------

    def changes(self) -> tuple[ObjectChange, ...]:
        """Return the unsaved edits, object by object; empty exactly if the document equals `base_document`."""
        return unsaved_changes(self.base_document, self._document)

    @property
    def unsaved_steps(self) -> int | None:
        """Number of steps since the last save; None if it is no longer known."""
        return self.history.steps_since(self.base_document)

    def is_dirty(self, kind: AnyKind | None = None, name: str | None = None, field: str | None = None) -> bool:
        """Return True if there are unsaved edits: of the document, or of a kind, an object, a field."""
        return any(change.concerns(kind, name, field) for change in self.changes())

    def save_plan(self) -> SavePlan:
        """Return the files that saving would write.

        Raises WorkspaceError if there is nothing to save or it is refused, SourceError if an edit cannot be written.
        """
        self._refuse_read_only()
        if not self.changes():
            raise WorkspaceError("Nothing to save: there are no changes.")
        if self.disk is not None:
            raise WorkspaceError("The files changed on disk meanwhile: merge, reload or keep yours first.")
        if self.unresolved:
            raise WorkspaceError(f"Decide first which version counts: {self.unresolved[0].label}.")
        for change in self.changes():
            if text := self._base.refusal(change.kind, change.name, change.before):
                raise WorkspaceError(text)
        wanted = self._document
        if self._base.stale_files:
            wanted = merging.overlay_document(self.changes(), Document(self.reading.cluster, self.reading.state))
        plan = self.source.plan(self.reading, wanted.cluster, wanted.state)
        return plan if self.pulled is None else self.pulled.with_snapshot(plan, self.history.edits_done)

    def save(self) -> DiskChange | None:
        """Write the unsaved edits; None if written. If the files changed meanwhile, write nothing; return that change.

        Raises WorkspaceError as save_plan does, SourceError if a file cannot be written.
        """
        while True:
            plan = self.save_plan()
            try:
                written = self.source.write(self.reading, plan)
            except ConflictError:
                change = self.disk_changed(self.source.read(self.reading))
                # If no object changed, only a comment for instance, the new reading has it: write again.
                if not change.pending and self.is_dirty():
                    continue
                return change
            self._rebase(self._document, written, self._content_of(written))
            self._merge_conflicts, self.pulled = (), None
            self.baseline.save(self.result, self.revision)
            self._show(self._document, self.origin, Event.SAVED)
            return None

    def applied(self, planned: Document, reading: Reading, *, is_whole: bool) -> None:
        """Adopt a running cluster as read after applying a plan; edits that were not carried out stay unsaved.

        `planned` is the document from which the plan was made: later edits stay unsaved as well.
        """
        if not is_whole:
            self.disk_changed(reading)
            self.merge()
            return
        self._rebase(planned, reading, self._content_of(reading))
        self._merge_conflicts = ()
        self.baseline.save(self.result, self.revision)
        self._show(self._document, self.origin, Event.SAVED)

    # The disk ---------------------------------------------------------------------------------------------------

    def disk_lost(self, lost: str) -> None:
        """Set the problem of the whole folder; empty if it can be read again."""
        if lost != self.lost:
            self.lost = lost
            self._tell(Event.DISK)

    def disk_changed(self, reading: Reading) -> DiskChange:
        """Adopt a new reading of the folder, unless it changes objects with unsaved edits."""
        if reading.live is not None:
            before = self._document.state
            self.trust = evaluation.after_reading(self.trust, self.result, self.revision, before, reading.state)
        content = self._content_of(reading)
        objects = (changes if reading.live is None else drift)(self._base.cluster, content.cluster)
        items = state_changes(self._base.state, content.state)
        edited_state = self._document.state is not self._base.state and self._document.state != self._base.state
        concerned = (bool(objects) and self.is_dirty()) or (bool(items) and edited_state)
        shown = objects if reading.live is not None else (*objects, *items)  # jobs and loads change at each reading
        conflicts = self._conflicts_with(content)
        # On a running cluster a change by others that no edit concerns is merged without a question.
        pending = concerned and (reading.live is None or bool(conflicts))
        change = DiskChange(reading, content, shown, conflicts, pending)
        if pending:
            self.disk = change
            self._tell(Event.DISK)
            return change
        was_pending = self.disk is not None
        same = not objects and content.state == self._base.state and reading.findings == self.reading.findings
        if same and reading.files == self.reading.files:
            self.disk = None
            if reading.live is not None:
                self.take_ages(reading.live)
        else:
            self._rebase(self.base_document, reading, content)
        if same:
            # Only spelling, comments or lines changed: no new run, and the marks of the last edit are kept.
            if was_pending:
                self._tell(Event.DISK)
            return change
        # Conflicts of objects are kept while only jobs and loads change on disk.
        self._merge_conflicts = self.unresolved
        self._remember_outcome()
        self._show(self._document, ChangeOrigin.FILE)
        return change

    def take_ages(self, live: Live) -> None:
        """Adopt new reading times of a running cluster of which nothing has changed."""
        self.reading = replace(self.reading, live=live)

    def merge(self) -> "tuple[Conflict, ...]":
        """Adopt the pending change and keep the unsaved edits; return the conflicts, where mine holds for now."""
        if self.disk is None:
            return ()
        self._take_over(self.disk)
        self._show(self._document, ChangeOrigin.FILE)
        return self.unresolved

    def take_theirs(self) -> None:
        """Adopt the pending change and drop the unsaved edits; undo brings the edits back, merged."""
        self._decide("take what is on disk", lambda mine: self.base_document)

    def keep_mine(self) -> None:
        """Keep the document as shown, so that saving reverts the pending change on disk; undo merges instead."""
        self._decide("keep mine over the disk", self._over_theirs)

    @property
    def unresolved(self) -> "tuple[Conflict, ...]":
        """The conflicts of the last merge that are not decided yet."""
        mine, theirs = self._document, self.base_document
        return tuple(merge_conflict for merge_conflict in self._merge_conflicts if merge_conflict.is_open(mine, theirs))

    def resolve(self, conflict: "Conflict", decision: "Side | EditedText | str") -> None:
        """Decide a conflict of the last merge; taking theirs or a third text is an edit that undo reverts.

        A third text decides all conflicts of its field. Raises EditError if the text is invalid.
        """
        if isinstance(decision, merging.EditedText):
            self.apply(conflict.edited(decision.text))
            same = (other for other in self._merge_conflicts if other.place[:3] == conflict.place[:3])
            settled = {other for other in same if other.version_in(self._document) == other.mine}
        elif merging.Side(decision) is merging.Side.MINE:
            settled = {conflict}
        else:
            self.apply(conflict.taking(merging.Side.THEIRS, self._document))
            return
        self._merge_conflicts = tuple(other for other in self._merge_conflicts if other not in settled)
        self._tell(Event.DISK)

    # The live run -----------------------------------------------------------------------------------------------

    def snapshot(self) -> "Snapshot":
        """Return the input of a background run of the current revision."""
        last = self.result.explainer if self.result is not None else None
        return evaluation.Snapshot(
            self.revision, self.cluster, self.state, self.base_document,
            self.origin if self.reading.live is None else ChangeOrigin.QMASTER,
            self.reading.findings, self._base.stale_files, self.formulas, self.baseline.outcome,
            last.run.simulate if last is not None else None,
        )  # fmt: skip

    def compute_by(self, formulas: str) -> None:
        """Compute the priorities by other formulas, for comparison; moved jobs are marked as after an edit."""
        if formulas != self.formulas:
            self.formulas = formulas
            self._remember_outcome()
            self._show(self._document, self.origin)

    def show_figures(self, figures: Figures) -> None:
        self.figures = figures
        self._tell(Event.FIGURES)

    def compare_again(self) -> None:
        """Run again to compare the schedule with a changed baseline."""
        self._show(self._document, self.origin, Event.BASELINE)

    def show_moment(self, moment: Document | None) -> None:
        """Show a moment of a simulated day instead of the document, or the document again (None); neither changes.

        Edits are then made at that moment, edits of the configuration also in the document.
        """
        self._remember_outcome()
        if moment is None:
            self.history.leave_moments()
        self.moment = moment
        self._show(self._document, self.origin, Event.MOMENT)

    def accept(self, result: "Result") -> bool:
        """Adopt a result; False if it is of another revision. If its run failed, the last outcome stays as stale."""
        if result.revision != self.revision:
            return False
        if result.outcome is None and self.result is not None:
            result = result.with_last_good(self.result, self.baseline.outcome)
        self.result = result
        self.moves = result.moves
        self.baseline.take(result, is_saved=not self.changes())
        self._tell(Event.RESULT)
        return True

    # Inside -----------------------------------------------------------------------------------------------------

    def _refuse_read_only(self) -> None:
        if self.read_only:
            raise WorkspaceError("Opened read-only: nothing can be changed.")

    def _show(self, document: Document, origin: ChangeOrigin, event: Event = Event.CHANGED) -> None:
        self._document = document
        self.revision += 1
        self.origin = origin
        if self.disk is not None:
            self.disk = replace(self.disk, conflicts=self._conflicts_with(self.disk.content))
        self._tell(event)

    def _remember_outcome(self) -> None:
        self.baseline.before_change = self.result.outcome if self.result else None

    def _step(self, shift: Callable[[], Step | None], sides: Callable[[Step], Sides]) -> str | None:
        self._refuse_read_only()
        step = shift()
        if step is None:
            return None
        self._remember_outcome()
        before, after, kept = sides(step)
        self.moment = kept if kept is not None and self.moment is not None else moved(self.moment, before, after)
        self._show(after, ChangeOrigin.FORM)
        return step.label

    def _content_of(self, reading: Reading) -> FolderContent:
        fresh = FolderContent(reading.cluster, reading.state)
        return with_last_good(self._base, self.reading.findings, fresh, reading.findings)

    def _conflicts_with(self, content: FolderContent) -> "tuple[Conflict, ...]":
        there = merging.ON_DISK if self.reading.live is None else merging.ON_QMASTER
        return merging.document_conflicts(self.base_document, self._document, content.document, there)

    def _rebase(self, old: Document, reading: Reading, content: FolderContent) -> None:
        """Adopt a new reading: repeat on it the edits since `old`, in the document and all undo steps; edits win."""
        new = content.document

        def moved_over(document: Document) -> Document:
            return merging.overlay_document(document_changes(old, document), new)

        self.history.rebase(moved_over)
        before, self._document = self._document, moved_over(self._document)
        self.moment = moved(self.moment, before, self._document)
        self.reading, self._base, self.base_document, self.disk = reading, content, new, None

    def _over_theirs(self, mine: Document) -> Document:
        return merging.overlay_document(document_changes(self.base_document, mine), self.base_document)

    def _take_over(self, change: DiskChange) -> None:
        self._remember_outcome()
        undecided = self.unresolved
        self._rebase(self.base_document, change.reading, change.content)
        places = {conflict.place for conflict in change.conflicts}
        self._merge_conflicts = (
            *(merge_conflict for merge_conflict in undecided if merge_conflict.place not in places),
            *change.conflicts,
        )

    def _decide(self, label: str, choose: Callable[[Document], Document]) -> None:
        if self.disk is None:
            return
        mine = self._document
        self._take_over(self.disk)
        self._merge_conflicts, after = (), choose(mine)
        if after != self._document:
            self.history.push(Step(label, self._document, after))
        self._show(after, ChangeOrigin.FILE)
