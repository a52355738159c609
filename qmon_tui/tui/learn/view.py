"""The Learn page: the list of lessons, or the present step of the open lesson."""

from dataclasses import replace
from pathlib import Path

from textual import events, on
from textual.app import ComposeResult

from qmon_tui.lessons import (
    Entry,
    Lesson,
    LessonError,
    Question,
    lessons_folder,
    listed,
    next_lesson,
)
from qmon_tui.report import Line
from qmon_tui.report.lesson import Keys, LessonRows, StepModel, head_line, step_lines
from qmon_tui.sources import SourceError
from qmon_tui.tui.base import (
    LatestWorker,
    LessonRequested,
    Lines,
    LineTable,
    OneLine,
    PageView,
    QInput,
    key_of,
    run_in_thread,
)
from qmon_tui.tui.learn.handing_in import write_submission
from qmon_tui.tui.learn.step import StepInput, StepLines, build_step_model, placeholder
from qmon_tui.workspace import Event, LessonWorkspace, Workspace


class LearnView(PageView):
    """The list of lessons, or a step of one."""

    DEFAULT_CSS = """
    LearnView #learn-list { height: 1fr; }
    LearnView #learn-about { height: auto; max-height: 40%; border-top: solid $line; padding: 0 1; }
    LearnView #learn-head { height: 1; background: $surface; }
    LearnView #learn-step { height: 1fr; padding: 0 1; }
    LearnView #learn-answer { display: none; }
    LearnView.-asking #learn-answer { display: block; }
    """

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self.session = workspace if isinstance(workspace, LessonWorkspace) else None
        """Workspace of the open lesson; None on the list of lessons."""
        self._model: StepModel | None = None
        self._models: LatestWorker[StepInput, StepModel] = LatestWorker(
            build_step_model, self._built, pause=0.0, patience=0.0
        )
        self._judging, self._listing = False, self.session is None
        self._to_verdict = False
        """True if the question was just answered and its explanation is not shown yet."""
        self._asked: tuple[int, int] | None = None
        """Step and revision of the last request for a StepModel; None before the first."""
        self._rows = LessonRows()
        self._table = LineTable(self._rows, empty="Reading the lessons ...", id="learn-list")
        self._about = Lines(self._about_lines, id="learn-about")
        self._head = OneLine(self._head_words, id="learn-head")
        self._step = StepLines(self._step_words, id="learn-step")
        self._input = QInput(placeholder="your answer", id="learn-answer")

    def compose(self) -> ComposeResult:
        if self.session is None:
            yield self._table
            yield self._about
        else:
            yield self._head
            yield self._step
            yield self._input

    def on_mount(self) -> None:
        self._about.can_focus = False
        self.border_title = "Learn" if self.session is None else "Lesson"
        if self.session is None:
            self.run_worker(self._read_list(), group="lessons")
        else:
            self.run_worker(self._models.run(), group="lessons")
            self.workspace.subscribe(self._workspace_changed)
        self.refresh_from()

    # The list ---------------------------------------------------------------------------------------------------

    async def _read_list(self) -> None:
        student, opened = getattr(self.app, "student", ""), getattr(self.app, "lessons", ())
        try:
            entries, broken = await run_in_thread(lambda: listed(lessons_folder(), student, opened))
        except SourceError as error:
            entries, broken = [], [str(error)]
        self._listing = False
        self._rows = LessonRows(entries)
        self._table.show(self._rows, empty="No lessons.")
        last = {str(entry.path) for entry in entries if opened and entry.path.resolve() == opened[-1].resolve()}
        self._table.move_to(next(iter(last), None))
        self._about.show(self._about_lines)
        for problem in broken[:3]:
            self.notify(problem, title="A lesson cannot be read", severity="warning", markup=False)

    def _about_lines(self, cells: int) -> tuple[Line, ...]:
        return self._rows.about_lines(self._table.cursor_key, cells)

    @on(LineTable.Moved)
    def _moved(self, event: LineTable.Moved) -> None:
        event.stop()
        self._about.show(self._about_lines)

    @on(LineTable.Opened)
    def _opened(self, event: LineTable.Opened) -> None:
        event.stop()
        entry = self._rows.entry(self._table.cursor_key)
        if entry is None:
            return
        if self.workspace.changes():
            words = f"Save or undo your edits first: {entry.title} has a cluster of its own."
            self.notify(words, severity="warning", markup=False)
        else:
            self.post_message(LessonRequested(entry.path))

    # The step ---------------------------------------------------------------------------------------------------

    @property
    def lesson(self) -> Lesson | None:
        return self.session.lesson if self.session is not None else None

    @property
    def number(self) -> int:
        """Number of the shown step, from 0."""
        return self.session.number if self.session is not None else 0

    @property
    def has_next(self) -> bool:
        """True if there is a step after this one, or a lesson after this finished one."""
        return not self._is_last or self._following is not None

    @property
    def _following(self) -> Entry | None:
        """The next lesson once this one is finished; else None."""
        return self._model.following if self._model is not None and self._model.number == self.number else None

    @property
    def _is_last(self) -> bool:
        return self.lesson is None or self.number + 1 >= len(self.lesson.steps)

    @property
    def has_hint(self) -> bool:
        """True if there is a hint that is not open yet."""
        session = self.session
        return session is not None and session.progress.hints.get(self.number, 0) < len(
            session.lesson.steps[self.number].hints
        )

    @property
    def is_asking(self) -> bool:
        """True if the question of the step is not answered yet."""
        session = self.session
        if session is None or session.lesson.steps[self.number].question is None:
            return False
        return not session.progress.is_answered(session.lesson, self.number)

    @property
    def hides_schedule(self) -> bool:
        """True while the question is open, as the schedule shows its answer."""
        return self.is_asking

    @property
    def wants_width(self) -> bool:
        """True for the list of lessons, which is not about the cluster, and while the question is open."""
        return self.session is None or self.is_asking

    def refresh_from(self) -> None:
        """Request a StepModel of the present cluster, and draw."""
        session = self.session
        if session is None:
            return
        asked = (session.number, session.revision)
        if asked != self._asked:
            self._asked = asked
            self._ask()
        self._explain()
        self._draw()

    def _workspace_changed(self, _: Event) -> None:
        """Refresh also while another page is shown: an edit there may reach the goal."""
        if self.is_attached:
            self.refresh_from()

    def _ask(self) -> None:
        session = self.session
        if session is None:
            return
        progress = session.progress
        answered = progress.is_answered(session.lesson, session.number)
        reached = session.number in progress.reached
        wrong = None if session.number in progress.right else progress.answers.get(session.number)
        self._models.ask(StepInput(session.course, session.number, session.situation, answered, reached, wrong))

    def _built(self, asked: StepInput, model: StepModel) -> None:
        session = self.session
        if session is None or asked.number != session.number:
            return
        self._model = model
        self._explain()
        holds = bool(model.goal) and all(held.holds for held in model.goal)
        if session.note_goal(holds):
            where = "" if self.is_on_screen else f" {key_of(self, 'go-learn')} shows the explanation."
            self.notify(f"The goal is reached.{where}", markup=False)
            self._ask()  # the explanation may be due
        if self._is_last and session.progress.is_done(session.lesson, session.number):
            self.run_worker(self._find_following(session.path), group="following", exclusive=True)
        self._draw()
        if self._to_verdict and asked.is_answered:
            self._to_verdict = False
            self.call_after_refresh(self._scroll_to_verdict)

    async def _find_following(self, path: Path) -> None:
        """Find the next lesson in a thread, as reading all lessons takes a second, and offer it."""
        following = await run_in_thread(lambda: next_lesson(path))
        if self._model is not None and following is not None:
            self._model = replace(self._model, following=following)
            self._draw()

    def _scroll_to_verdict(self) -> None:
        """Scroll to the verdict on the answer, with as much of the explanation below it as fits."""
        self._step.follow(lambda text: text[:2] in ("✓ ", "✗ "))

    def _draw(self, *, keep_place: bool = True) -> None:
        self.set_class(self.is_asking, "-asking")
        if self.is_on_screen:
            self.screen.set_class(self.is_asking, "-wide")
        self._input.placeholder = placeholder(self._question)
        self._head.refresh()
        if self._step.is_attached:
            self._step.show(self._step_words, keep_place=keep_place)

    @property
    def _question(self) -> Question | None:
        return self.lesson.steps[self.number].question if self.lesson is not None else None

    def _head_words(self, cells: int) -> Line:
        session = self.session
        return head_line(session.lesson, session.progress, cells) if session is not None else ()

    def _step_words(self, cells: int) -> tuple[Line, ...]:
        session = self.session
        if session is None:
            return ()
        keys = Keys(
            *(key_of(self, f"learn.{name}") for name in ("answer", "next", "hint", "revert", "export", "leave"))
        )
        return step_lines(session.lesson, session.progress, self._model, keys, cells)

    def on_resize(self, event: events.Resize) -> None:
        if self.session is None:
            self.call_after_refresh(lambda: self._about.show(self._about_lines))

    @property
    def busy(self) -> bool:
        return self._models.busy or self._judging or self._listing

    # Doing ------------------------------------------------------------------------------------------------------

    def focus(self, scroll_visible: bool = True, from_app_focus: bool = False) -> "LearnView":
        """Give the focus to the answer, the text or the list."""
        if self.session is None:
            self._table.focus(scroll_visible)
        elif self.is_asking and (self._input.has_focus or not self._input.value):
            self._input.focus(scroll_visible)
        else:
            self._step.focus(scroll_visible)
        return self

    def begin_answer(self) -> None:
        self._input.focus()

    def leave(self) -> bool:
        """Move the focus from the answer to the text on Esc; False if the answer has no focus."""
        if not self._input.has_focus:
            return False
        self._step.focus()
        return True

    @on(QInput.Submitted, "#learn-answer")
    def _answered(self, event: QInput.Submitted) -> None:
        event.stop()
        self._begin_judging(event.value)

    @on(StepLines.Chosen)
    def _clicked(self, event: StepLines.Chosen) -> None:
        event.stop()
        self._begin_judging(event.answer)

    def _begin_judging(self, given: str) -> None:
        if self.is_asking and not self._judging:
            self.run_worker(self._judge(given), group="answers")

    async def _judge(self, given: str) -> None:
        session, number = self.session, self.number
        if session is None:
            return
        self._judging = True
        try:
            verdict = await run_in_thread(lambda: session.course.verdict(number, given))
        except LessonError as error:
            self.notify(error.message, severity="error", markup=False)
            return
        finally:
            self._judging = False
        if not verdict.understood:
            self.notify(f"{verdict.words}.", severity="warning", markup=False)
            return
        session.progress.note_answer(number, given.strip(), right=verdict.right)
        self._keep()
        self._input.value = ""
        if not self.is_asking:
            self._step.focus()
        self._ask()
        self._draw()
        self._to_verdict = not self.is_asking

    def go_on(self) -> None:
        """Begin the next step; after the last step, the next lesson."""
        if not self._is_last:
            self.go_to_step(self.number + 1)
        elif self._following is not None:
            self._keep()
            self.post_message(LessonRequested(self._following.path))

    def go_to_step(self, number: int) -> None:
        """Show another step, with the student's earlier edits in it."""
        session = self.session
        if session is None:
            return
        try:
            session.go_to_step(number)
        except (LessonError, SourceError) as error:
            self.notify(str(error), severity="error", markup=False)
            return
        self._model = None
        self._input.value = ""
        self._draw(keep_place=False)
        self.focus()

    def open_hint(self) -> None:
        session = self.session
        if session is not None and self.has_hint:
            session.progress.hints[self.number] = session.progress.hints.get(self.number, 0) + 1
            self._keep()
            self._draw()

    def _explain(self) -> None:
        """Show the explained cluster beside its explanation."""
        if self.session is not None and self.display and self._model is not None and self._model.number == self.number:
            self.session.explain(self._model.others)

    def put_away(self) -> None:
        """Show the student's own cluster on other pages."""
        if self.session is not None:
            self.session.leave_explanation()

    def begin_again(self) -> None:
        """Restore the cluster with which the step began."""
        if self.session is not None:
            self.session.begin_again()

    def _keep(self) -> None:
        if self.session is not None and (problem := self.session.keep()):
            self.notify(problem, severity="warning", markup=False)

    def write_submission(self) -> None:
        """Write the submission to the working directory; ask if the file exists already."""
        if self.session is not None:
            self._keep()
            self.run_worker(write_submission(self, self.session), group="submission")

    def leave_lesson(self) -> None:
        """Return to the list; the progress is kept."""
        self._keep()
        self.post_message(LessonRequested(None))

    def on_unmount(self) -> None:
        if self.session is not None:
            self.session.keep()
