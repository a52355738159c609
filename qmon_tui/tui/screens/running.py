"""The live run of the main screen: every revision is evaluated, and the chosen job explained, off the event loop."""

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from qmon_tui.model.cluster import Cluster
from qmon_tui.model.state import State
from qmon_tui.scheduler.explanation import Explanation
from qmon_tui.scheduler.outcome import Outcome
from qmon_tui.tui.latest import Latest
from qmon_tui.tui.present.live import Picture, picture
from qmon_tui.workspace.evaluate import Snapshot, evaluate
from qmon_tui.workspace.moves import JobKey

if TYPE_CHECKING:
    from qmon_tui.tui.screens.main import MainScreen


class Question(NamedTuple):
    """Which job to explain, in which outcome of what."""

    cluster: Cluster
    state: State
    outcome: Outcome
    key: JobKey


def _explain(question: Question) -> Explanation | str:
    """The explanation, or a sentence where there is none."""
    # Imported by the first explanation: the first frame does not wait for the engine.
    from qmon_tui.scheduler.explain import explain

    job, task = question.key
    try:
        return explain(question.cluster, question.state, job, task, question.outcome)
    except Exception as error:
        if type(error) is LookupError:  # not one of its kinds, which are mistakes
            return f"Nothing to explain: {error}."
        # A mistake of the engine must not take unsaved edits along.
        return f"The explanation failed, please report it: {type(error).__name__}: {error}."


def _run(snapshot: Snapshot) -> Picture:
    return picture(evaluate(snapshot), snapshot.cluster)


class Running:
    """Evaluates and explains for a screen."""

    def __init__(self, screen: "MainScreen") -> None:
        self._screen = screen
        self._runs: Latest[Snapshot, Picture] = Latest(_run, self._evaluated)
        self._explanations: Latest[Question, Explanation | str] = Latest(_explain, self._explained, pause=0.03)
        self._asked: Question | None = None
        self._explained_for: Snapshot | None = None
        self._shown: Picture | None = None

    @property
    def busy(self) -> bool:
        """A run is due or under way."""
        return self._runs.busy

    @property
    def idle(self) -> bool:
        """Neither a run nor an explanation is due or under way."""
        return not self._runs.busy and not self._explanations.busy

    def start(self) -> None:
        """Ask for the first run; it begins when the screen is drawn, so that the first frame has the processor."""
        self.changed()
        self._screen.call_after_refresh(self._begin)

    def _begin(self) -> None:
        self._screen.run_worker(self._runs.run(), group="runs")
        self._screen.run_worker(self._explanations.run(), group="explanations")

    def changed(self) -> None:
        """There is a new revision."""
        self._runs.ask(self._screen.workspace.snapshot())

    def explain(self) -> None:
        """Explain the chosen job in the last outcome, if somebody sees it and it was not asked before."""
        row, known, result = self._screen.live.chosen, self._explained_for, self._screen.workspace.result
        if row is None or known is None or result is None or result.outcome is None:
            return
        asked = self._asked
        if asked is not None and asked.outcome is result.outcome and asked.key == row.key:
            return
        if self._screen.live.is_on_screen or self._screen.on_explained is not None:
            self._asked = Question(known.cluster, known.state, result.outcome, row.key)
            self._explanations.ask(self._asked)

    def _evaluated(self, snapshot: Snapshot, ran: Picture) -> None:
        workspace = self._screen.workspace
        if workspace.accept(ran.result) and workspace.result is not None:
            # Explanations must be those of the outcome on the screen, not of what is being typed meanwhile.
            if ran.result.outcome is not None:
                self._shown, self._explained_for = ran, snapshot
            # A failed run leaves the rows of the last good one, whose outcome the workspace has marked stale.
            self._screen.live.show_picture(replace(self._shown or ran, result=workspace.result))
        self._screen.refresh_edges()

    def _explained(self, question: Question, explanation: Explanation | str) -> None:
        self._screen.live.show_explanation(question.key, question.outcome, explanation)
        if self._screen.on_explained is not None:
            self._screen.on_explained()
