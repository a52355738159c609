"""A lesson as the open document: its cluster is a private folder that each step begins with its own content."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from qmon_tui.formats import Layout, folder_texts, read_texts
from qmon_tui.lessons import (
    ClusterState,
    Course,
    Lesson,
    Progress,
    Situation,
    Step,
    keep_progress,
    lesson_room,
    load_progress,
    progress_text,
    submission_name,
)
from qmon_tui.sources import FileChange, FolderSource, Reading, SavePlan, SourceError, reading_of
from qmon_tui.sources.atomic_write import replace_file
from qmon_tui.workspace.broken_files import FolderContent
from qmon_tui.workspace.document import Document
from qmon_tui.workspace.edits import ReplaceDocument
from qmon_tui.workspace.events import ChangeOrigin, Event
from qmon_tui.workspace.undo_history import History
from qmon_tui.workspace.workspace import Workspace


class ExplainedCluster(NamedTuple):
    """A cluster that an explanation is about; `edits` names the edits that lead to it."""

    edits: str
    document: Document


class LessonWorkspace(Workspace):
    """The workspace of one student's lesson; edits are saved immediately."""

    keeps_edits = True
    _explained: Sequence[ExplainedCluster] = ()
    """Clusters of the explanation of the step, other than the student's own; empty until the step is done."""
    _shown: ExplainedCluster | None = None
    """The explained cluster that is shown; None while the student's own is."""

    def __init__(self, lesson: Lesson, path: Path, student: str = "", *, explains_jobs: bool = True) -> None:
        """`path`: the lesson's file; `explains_jobs` False hides why jobs wait until a step is done.

        Raises SourceError, LessonError.
        """
        self._explains_jobs = explains_jobs
        self.course, self.path = Course(lesson), path
        self.room = lesson_room(path, student)
        self.progress: Progress = load_progress(self.room, lesson, student)
        super().__init__(self._begun(self.progress.step))
        self.formulas = self._lesson_step.formulas
        self._origin = self.base_document
        """The document with which the step began."""
        self._restore()

    @property
    def lesson(self) -> Lesson:
        return self.course.lesson

    @property
    def number(self) -> int:
        """Number of the shown step, from 0."""
        return self.progress.step

    @property
    def _lesson_step(self) -> Step:
        return self.course.step(self.number)

    @property
    def hides_why(self) -> str:
        """Why jobs are not explained in this step until it is done, as a sentence; empty if they are."""
        if (self._explains_jobs and self._lesson_step.tells_why) or self.progress.is_done(self.lesson, self.number):
            return ""
        return "Why a job waits is yours to find out: this step shows it when it is done."

    @property
    def situation(self) -> Situation:
        """The present cluster, with its changes since the step began, by the formulas of the step."""
        start = Situation(self._origin.cluster, self._origin.state, formulas=self._lesson_step.formulas)
        document = self.edited_document  # not the moment of a simulated day that may be shown
        return start if document == self._origin else start.after(ClusterState(document.cluster, document.state))

    # The cluster beside an explanation ----------------------------------------------------------------------------

    @property
    def document(self) -> Document:
        """The explained cluster while it is shown, else cluster and state as the student has edited them."""
        return super().document if self._shown is None else self._shown.document

    @property
    def shown_after(self) -> str:
        """Edits that lead to the shown cluster, as the explanation names them; empty if it is the student's own."""
        return self._shown.edits if self._shown is not None else ""

    @property
    def has_explained(self) -> bool:
        """True if the explanation is about other clusters than the student's own."""
        return bool(self._explained)

    def explain(self, clusters: Sequence[ExplainedCluster]) -> None:
        """Take the clusters of an explanation; if they are new, show the last one."""
        is_new = clusters != self._explained
        self._explained = clusters
        if is_new and clusters:
            self._show_explained(clusters[-1])

    def show_next_explained(self) -> None:
        """Show the next cluster of the explanation; after the last one the student's own, then the first."""
        places = [None, *self._explained]
        self._show_explained(places[(places.index(self._shown) + 1) % len(places)])

    def leave_explanation(self) -> None:
        """Show the student's own cluster and forget the explained ones."""
        if self._shown is not None:
            self._explained = ()
            self._show_explained(None)

    def _show_explained(self, cluster: ExplainedCluster | None) -> None:
        self._remember_outcome()
        if self.moment is not None:
            self.show_moment(None)
        self._shown = cluster
        super()._show(self._document, self.origin, Event.MOMENT)

    def _show(self, document: Document, origin: ChangeOrigin, event: Event = Event.CHANGED) -> None:
        """Show a document; an edit or a moment of a day replaces an explained cluster."""
        if document is not self._document or event is Event.MOMENT:
            self._shown = None
        super()._show(document, origin, event)

    # Steps ------------------------------------------------------------------------------------------------------

    def go_to_step(self, number: int) -> None:
        """Begin a step, or continue it. Raises SourceError, LessonError."""
        self.keep()
        self._explained, self._shown = (), None
        reading = self._begun(number)
        self.progress.step = number
        self.formulas = self._lesson_step.formulas
        self._remember_outcome()
        self.reading, self.disk, self.moment = reading, None, None
        self._base = FolderContent(reading.cluster, reading.state)
        self._document = self._origin = self.base_document = self._base.document
        self.history, self._merge_conflicts = History(), ()
        self._restore()
        self.keep()
        self._show(self._document, ChangeOrigin.FILE)

    def begin_again(self) -> None:
        """Restore the cluster with which the step began; undo brings the edits back."""
        if self.moment is not None:
            self.show_moment(None)
        self.apply(ReplaceDocument("begin the step again", self._origin))
        self.keep()

    def note_goal(self, reached: bool) -> bool:
        """Record the goal of the step if it is reached; True if it was not reached before."""
        if not reached or self.number in self.progress.reached:
            return False
        self.progress.reached.add(self.number)
        self.progress.files[self.number] = self._files()
        self.keep()
        return True

    def keep(self) -> str:
        """Write the progress to disk; return the problem as a sentence, empty if it worked."""
        number = self.number
        if number not in self.progress.reached:
            if self.edited_document != self._origin:
                self.progress.files[number] = self._files()
            else:
                self.progress.files.pop(number, None)
        try:
            keep_progress(self.room, self.lesson, self.progress)
        except OSError as error:
            return f"The progress cannot be kept in {self.room}: {error.strerror or error}."
        return ""

    def submission_file(self, folder: Path) -> Path:
        """Return the path of the student's submission in a folder."""
        return folder / submission_name(self.lesson, self.progress.student)

    def write_submission(self, file: Path) -> None:
        """Write the progress as a submission; an existing file is replaced. Raises OSError."""
        replace_file(file, progress_text(self.lesson, self.progress))

    # Inside -----------------------------------------------------------------------------------------------------

    def _files(self) -> dict[str, str]:
        return folder_texts(Layout.YAML, self.edited_document.cluster, self.edited_document.state)

    def _begun(self, number: int) -> Reading:
        """Fill the private folder with the cluster of a step and read it. Raises SourceError, LessonError."""
        start = self.course.start(number)
        folder = self.room / self.lesson.name
        texts = folder_texts(Layout.YAML, start.cluster, start.state)
        source = FolderSource(str(folder))
        try:
            folder.mkdir(parents=True, exist_ok=True)
            before = source.read() if any(folder.iterdir()) else reading_of(source, Layout.YAML, self.lesson.name, {})
        except OSError as error:
            raise SourceError(f"no private folder can be made in {folder}: {error.strerror or error}") from None
        changes = [FileChange(name, before.files.get(name), text) for name, text in sorted(texts.items())]
        changes += [FileChange(name, text, None) for name, text in before.files.items() if name not in texts]
        return source.write(before, SavePlan(tuple(change for change in changes if change.before != change.after)))

    def _restore(self) -> None:
        """Restore the student's earlier edits in this step."""
        files = self.progress.files.get(self.number)
        if files:
            contents = read_texts(Layout.YAML, self.lesson.name, files)
            self._document = Document(contents.cluster, contents.state)
