"""The live run of the main screen: evaluate every revision and explain the chosen job, off the event loop.

An explanation has two parts: reasons from the finished run are shown immediately; changes that would let the job start
need runs of their own, are shown one after the other, and are cancelled when something else is requested.
"""

import threading
from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from importlib import import_module
from queue import SimpleQueue
from typing import TYPE_CHECKING, Final, NamedTuple
from weakref import finalize

from qmon_tui.explain import Change, ExpectedStart, Explanation
from qmon_tui.gc_pause import gc_paused
from qmon_tui.model import Outcome
from qmon_tui.report import live_pane
from qmon_tui.simulation import expected_start
from qmon_tui.tui.base import LatestWorker, load_setting, run_in_thread
from qmon_tui.workspace import Figures, JobKey, Snapshot, evaluate

if TYPE_CHECKING:
    from qmon_tui.explain import Explainer
    from qmon_tui.tui.screens.pane_screen import PaneScreen

_MODULES: Final = (
    "screens.action_dialogs",
    "screens.copy_selection",
    "screens.object_prompts",
    "screens.reference_navigation",
    "screens.saving",
    "lists.object_files",
    "jobs.view",
    "cluster.view",
)


def preload_modules() -> None:
    """Import the modules that the first actions and pages need; called in a thread, so that no key waits."""
    for name in _MODULES:
        import_module(f"qmon_tui.tui.{name}")


BASELINE_SETTING = "marks compare with"
"""Setting of the baseline while nothing is pinned: `saved`, or `change` for the last change."""


FIGURES_SETTING = "figures"
"""Setting: the name of the `Figures` that pages show."""


def free_parts_after(owner: object, parts: Iterable[object]) -> None:
    """Keep the parts until the owner is freed, then free them one by one in a thread."""
    finalize(owner, _queue().put, list(parts)).atexit = False


@cache
def _queue() -> "SimpleQueue[list[object]]":
    # SimpleQueue: a finalizer may call `put` in any thread, in the middle of any statement.
    queue: SimpleQueue[list[object]] = SimpleQueue()
    threading.Thread(target=_free_parts, args=(queue,), name="remains", daemon=True).start()
    return queue


def _free_parts(queue: "SimpleQueue[list[object]]") -> None:
    while True:
        parts = queue.get()
        while parts:
            parts.pop()  # between two of them, the thread of the screen can run


class ExplanationRequest(NamedTuple):
    """The job to explain, the outcome, and its explainer."""

    explainer: "Explainer"
    outcome: Outcome
    key: JobKey


def _explain(request: ExplanationRequest) -> Explanation | str:
    """Return the explanation without changes, or a sentence that says why there is none."""
    job, task = request.key
    try:
        return request.explainer.explanation(job, task)
    except Exception as error:
        if type(error) is LookupError:  # a subclass, such as KeyError, is a fault of the program
            return f"Nothing to explain: {error}."
        # A fault here must not end the program: unsaved edits would be lost.
        return f"The explanation failed, please report it: {type(error).__name__}: {error}."


def _run(snapshot: Snapshot) -> live_pane.LivePaneContent:
    with gc_paused():
        result = evaluate(snapshot)
        content = live_pane.live_pane_content(result, snapshot.cluster, snapshot.state.drains)
        if result.explainer is not None and result.outcome is not None:
            run = result.explainer.run
            free_parts_after(result.outcome, [*run.jobs, *run.dispatch.starts, *result.outcome.jobs, *content.rows])
        return content


class LiveRun:
    """Background runs of a screen, and explanations of its chosen job."""

    def __init__(self, screen: "PaneScreen") -> None:
        self._screen = screen
        self._runs: LatestWorker[Snapshot, live_pane.LivePaneContent] = LatestWorker(_run, self._evaluated)
        self._explanations: LatestWorker[ExplanationRequest, Explanation | str] = LatestWorker(
            _explain, self._explained, pause=0.03
        )
        self._searches: LatestWorker[ExplanationRequest, None] = LatestWorker(self._search, self._searched, pause=0.1)
        self._requested: ExplanationRequest | None = None
        """The last request; the results of older ones are dropped."""
        self._explanation: Explanation | None = None
        self._explained_question: ExplanationRequest | None = None
        self._sought: ExplanationRequest | None = None
        """The last request whose changes were searched."""
        self._shown: live_pane.LivePaneContent | None = None
        self._loading = False

    @property
    def busy(self) -> bool:
        """True if a run is due or under way."""
        return self._runs.busy

    @property
    def searching(self) -> bool:
        """True while changes that would let the chosen job run are being tried."""
        return self._searches.busy

    @property
    def idle(self) -> bool:
        """True if neither a run nor an explanation is due or under way."""
        return not (self._runs.busy or self._explanations.busy or self._searches.busy)

    def start(self) -> None:
        workspace, figures = self._screen.workspace, load_setting(FIGURES_SETTING)
        workspace.baseline.of_saved = load_setting(BASELINE_SETTING) == "saved"
        workspace.figures = Figures.__members__.get(figures or "", workspace.figures)
        self.changed()
        for latest, group in ((self._runs, "runs"), (self._explanations, "explanations"), (self._searches, "searches")):
            self._screen.run_worker(latest.run(), group=group)

    def changed(self) -> None:
        self._runs.ask(self._screen.workspace.snapshot())

    def explain(self) -> None:
        """Explain the chosen job in the last outcome, if it is visible and was not requested before."""
        row, result = self._screen.live.chosen, self._screen.workspace.result
        if row is None or result is None or result.outcome is None or result.explainer is None:
            return
        if hidden := self._screen.workspace.hides_why:
            self._requested = None
            self._screen.live.show_explanation(row.key, result.outcome, hidden)
            return
        asked = self._requested
        if asked is not None and asked.outcome is result.outcome and asked.key == row.key:
            self._look_for_changes(asked)  # it may be visible now in more detail than before
            return
        if self._is_wanted or self._screen.tells_of_chosen_job:
            # Explain the outcome on the screen, not the edit that is being typed.
            self._requested = ExplanationRequest(result.explainer, result.outcome, row.key)
            self._explanations.ask(self._requested)

    @property
    def _is_wanted(self) -> bool:
        """True if the pane or dialog that shows the full explanation is visible."""
        return self._screen.live.display or self._screen.on_explained is not None

    def _evaluated(self, snapshot: Snapshot, ran: live_pane.LivePaneContent) -> None:
        workspace = self._screen.workspace
        if workspace.accept(ran.result) and workspace.result is not None:
            if ran.result.outcome is not None:
                self._shown = ran
            # A failed run leaves the rows of the last good run, whose outcome the workspace has marked stale.
            self._screen.live.show_content(replace(self._shown or ran, result=workspace.result))
        self._screen.refresh_edges()
        if not self._loading:
            self._loading = True
            self._screen.run_worker(self._load(), group="loading")

    async def _load(self) -> None:
        await run_in_thread(preload_modules)
        await self._screen.begin_day_ahead()

    def _explained(self, request: ExplanationRequest, explanation: Explanation | str) -> None:
        if isinstance(explanation, Explanation):
            self._explanation, self._explained_question = explanation, request
            self._look_for_changes(request)
        self._show(request, explanation)

    def _look_for_changes(self, request: ExplanationRequest) -> None:
        """Start the search for changes of the explained job, once, and only if they are visible."""
        known = self._explanation if self._explained_question is request and request is self._requested else None
        if known is not None and known.groups and request is not self._sought and self._is_wanted:
            self._sought = request
            self._searches.ask(request)

    def _search(self, request: ExplanationRequest) -> None:
        """Try changes until there is another request. Runs off the event loop."""
        job, task = request.key
        changes: tuple[Change, ...] = ()
        try:
            expected = expected_start(request.explainer, job, task)
            if expected is not None and request is self._requested:
                self._screen.app.call_from_thread(self._show_expected_start, request, expected)
            search = request.explainer.changes(job, task)
            for change in search:
                if request is not self._requested:
                    return
                changes = (*changes, change)
                self._screen.app.call_from_thread(self._show_changes, request, changes, search.tried)
            if not changes:
                self._screen.app.call_from_thread(self._show_changes, request, changes, search.tried)
        except Exception as error:
            text = f"The search for changes failed, please report it: {type(error).__name__}: {error}."
            self._screen.app.call_from_thread(self._show, request, text)

    def _show_expected_start(self, request: ExplanationRequest, expected: ExpectedStart) -> None:
        explanation = self._explanation
        if request is self._requested and explanation is not None:
            self._explanation = replace(explanation, expected=expected)
            self._show(request, self._explanation)

    def _show_changes(self, request: ExplanationRequest, changes: tuple[Change, ...], tried: tuple[str, ...]) -> None:
        explanation = self._explanation
        if request is self._requested and explanation is not None:
            self._explanation = replace(explanation, changes=changes, tried=tried)
            self._show(request, self._explanation)

    def _searched(self, request: ExplanationRequest, _: None) -> None:
        if request is self._requested and self._explanation is not None:
            self._show(request, self._explanation)

    def _show(self, request: ExplanationRequest, explanation: Explanation | str) -> None:
        self._screen.live.show_explanation(request.key, request.outcome, explanation, searching=self.searching)
        if self._screen.on_explained is not None:
            self._screen.on_explained()
        if self._screen.tells_of_chosen_job:
            self._screen.refresh_edges()
