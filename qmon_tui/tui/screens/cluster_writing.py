"""Changes of a running cluster from the screen: every command is shown, confirmed by F2, and reported."""

import time
from collections.abc import Callable, Coroutine, Iterable, Iterator
from typing import TYPE_CHECKING, Final, TypeVar

from qmon_tui.applying import (
    Applied,
    Effects,
    Gate,
    Immediate,
    Plan,
    PlanError,
    Record,
    Rights,
    Scope,
    WayBack,
    Written,
    apply_plan,
    effects_of,
    find_record,
    finish,
    is_same_cell,
    make_plan,
    note_done,
    protected_changes,
    records,
    rights_on,
    run_immediate,
    take_back,
    target_of,
    unconfirmed_change,
    warnings,
)
from qmon_tui.report import Line, Span, TextRole, change_lines, count, plans, visible, wrap
from qmon_tui.sources import SourceError
from qmon_tui.sources.cell_folder import private_words
from qmon_tui.sources.qmaster_source import QmasterSource
from qmon_tui.tui.base import ASKING, run_in_thread
from qmon_tui.tui.dialogs import Answer, ChoiceDialog, CommandsDialog, TextDialog
from qmon_tui.workspace import Document, WorkspaceError, drift

if TYPE_CHECKING:
    from qmon_tui.tui.screens.folder_watch import FolderWatch
    from qmon_tui.tui.screens.pane_screen import PaneScreen

Result = TypeVar("Result")


_SLOW_SECONDS: Final = 3.0
"""Seconds after which the screen says that commands are still running."""


Content = Callable[[int], tuple[Line, ...]]
"""Lines for a number of cells."""


def no_lines(_: int) -> tuple[Line, ...]:
    """Return nothing."""
    return ()


class ClusterWriting:
    """Dialogs that change the running cluster of a screen. Each method opens one and returns."""

    def __init__(self, screen: "PaneScreen", watch: "FolderWatch") -> None:
        self._screen = screen
        self._watch = watch
        self._workspace = screen.workspace
        self._rights: tuple[Document, Rights] | None = None
        self.is_writing = False
        """True while commands run: leaving the program would interrupt them."""

    @property
    def is_permitted(self) -> bool:
        """True if edits become commands of a running cluster."""
        return self._workspace.reading.live is not None and not self._workspace.read_only

    @property
    def _source(self) -> QmasterSource:
        source = self._workspace.source
        assert isinstance(source, QmasterSource)
        return source

    @property
    def _location(self) -> str:
        """The name of the cluster in titles."""
        return self._source.location.rstrip(":")

    @property
    def _privacy_note(self) -> tuple[str, ...]:
        """A sentence if log, lock and reasons are hidden from other users of the program; else empty."""
        return tuple(filter(None, (private_words(self._source.cell),)))

    def rights(self) -> Rights:
        """Return the rights of the user according to the last reading."""
        base = self._workspace.base_document
        if self._rights is None or self._rights[0] is not base:
            self._rights = base, rights_on(self._source.cell, base.cluster, base.state)
        return self._rights[1]

    def run(self, asked: Immediate) -> None:
        """Show the commands of an edit, and run them."""
        self._start(self._run(asked))

    def save(self) -> None:
        """Show the plan of the unsaved edits, and carry it out."""
        self._start(self._save())

    async def saved(self) -> None:
        """Show the plan of the unsaved edits, and carry it out; returns when that is over."""
        await self._guarded(self._save())

    def take_back(self) -> None:
        """Show the plan that takes the last apply back, and carry it out."""
        self._start(self._take_back())

    def offer_interrupted(self) -> None:
        """Offer to finish an interrupted apply or to take it back, if there is one."""
        self._start(self._offer_interrupted())

    def _start(self, dialog: Coroutine[None, None, None]) -> None:
        self._screen.run_worker(self._guarded(dialog), group=ASKING)

    async def _guarded(self, dialog: Coroutine[None, None, None]) -> None:
        try:
            if self.is_writing:
                dialog.close()
                raise WorkspaceError("Commands are running: wait until they are done.")
            await dialog
        except (PlanError, SourceError, WorkspaceError) as error:
            self._screen.notify(str(error), title="Nothing was run", severity="error", timeout=15, markup=False)

    async def _running(self, write: Callable[[], Result]) -> Result:
        """Run commands in a thread and return their result; `is_writing` is True meanwhile."""
        self.is_writing = True
        slow = self._screen.set_timer(_SLOW_SECONDS, self._say_slow)
        try:
            return await run_in_thread(write)
        finally:
            slow.stop()
            self.is_writing = False

    def _say_slow(self) -> None:
        self._screen.notify("The commands are still running.", timeout=20, markup=False)

    # Immediate commands ---------------------------------------------------------------------------------------------

    async def _run(self, asked: Immediate) -> None:
        if asked.others:
            raise WorkspaceError(f"{asked.others[0]}: no command of Grid Engine does this on a running cluster.")
        rights = self.rights()
        if refusal := next(filter(None, map(rights.refusal, asked.commands)), ""):
            raise WorkspaceError(f"{refusal}.")
        cautions = [*warnings(asked.commands, self._workspace.base_document), *self._privacy_note]
        if self._workspace.moment is not None and asked.commands:
            cautions.append("The page shows a simulated time: the command is for the cluster as it is now.")
        lines = [command.line for command in asked.commands]
        reasons = [edit.label for edit in asked.drains]

        def content(cells: int) -> tuple[Line, ...]:
            commands = [row for text in lines for row in wrap(visible(text), cells, TextRole.STRONG, rest="    ")]
            commands += [row for text in reasons for row in wrap(visible(f"{text} (kept beside the cell)"), cells)]
            return (*commands, *_cautions(cautions, cells))

        title = f"{count(len(lines), 'command')} for {self._location}" if lines else f"Reasons for {self._location}"
        verb = "run them" if lines else "keep them"
        answer = await self._screen.app.push_screen_wait(CommandsDialog(title, content, verb=verb))
        if answer is None:
            return
        reason = answer.removeprefix("run: ") or next(iter(reasons), "")
        gate = Gate(self._source, rights, reason)
        results = await self._running(lambda: run_immediate(gate, asked))
        await self._watch.read_again()
        await self._report_results(results)

    async def _report_results(self, results: tuple[Written, ...]) -> None:
        failed = [number for number, written in enumerate(results, start=1) if not written.verdict.is_well]
        if not failed:
            answers = [line for written in results for line in written.answer]
            words = "\n".join(answers[:4]) or ("The commands are done." if results else "The reasons are kept.")
            more = f"\nand {len(answers) - 4} lines more" if len(answers) > 4 else ""
            self._screen.notify(words + more, title="Done", timeout=6, markup=False)
            return

        def content(cells: int) -> tuple[Line, ...]:
            return tuple(
                row
                for number, written in enumerate(results, start=1)
                for row in plans.written_lines(number, written, cells)
            )

        verdicts = sorted({results[number - 1].verdict for number in failed})
        title = f"{count(len(failed), 'command')} of {len(results)}: {', '.join(verdicts)}"
        await self._screen.app.push_screen_wait(TextDialog(title, content))

    # Plans ----------------------------------------------------------------------------------------------------------

    async def _save(self) -> None:
        workspace = self._workspace
        known = workspace.base_document.cluster
        self._screen.notify("Reading the cluster again …", timeout=3, markup=False)
        await self._watch.read_again(fresh=True)
        if workspace.lost:
            raise WorkspaceError(f"The cluster {workspace.lost}: nothing can be planned until it can be read.")
        if workspace.disk is not None:
            raise WorkspaceError("The cluster has changed meanwhile: merge, reload or keep yours first (r).")
        if workspace.unresolved:
            raise WorkspaceError(f"Decide first which version counts: {workspace.unresolved[0].label}.")
        before, after = workspace.base_document, workspace.edited_document
        names = protected_changes(before.cluster, after.cluster, Scope(protected=self._source.cell.protected))
        if names:
            raise WorkspaceError(
                f"clusters.toml protects {', '.join(names[:5])}: undo these edits, or change it there."
            )
        target = target_of(self._source)
        plan = await run_in_thread(lambda: make_plan(target, "the screen", before.cluster, after.cluster, before.state))
        foreign = drift(known, before.cluster)

        def changed(cells: int) -> tuple[Line, ...]:
            words = "Changed by others since the last reading:"
            return (*wrap(words, cells, TextRole.WARNING), *change_lines(foreign, cells, is_edited=False), ())

        applied = await self._carry_out(plan, changed if foreign else no_lines)
        if applied is not None:
            reading = await run_in_thread(lambda: self._source.read_fresh(workspace.reading))
            workspace.applied(after, reading, is_whole=applied.is_whole)
            await self._report(applied, " :take back undoes it.")

    async def _carry_out(self, plan: Plan, heading: Content = no_lines) -> Applied | None:
        """Show a plan with its effects and run it; None if the user declines. Raises WorkspaceError if it is empty."""
        if not plan.steps and not plan.refusals:
            raise WorkspaceError("Nothing to run: the cluster is as it is wanted.")
        base = self._workspace.base_document
        effects: list[Effects] = []
        refusal = next(filter(None, (self.rights().refusal_for(step.keys) for step in plan.steps)), "")

        def content(cells: int) -> tuple[Line, ...]:
            rows = plans.plan_lines(plan, effects[0] if effects else None, cells)
            waiting = () if effects or not plan.steps else ((), (Span("looking at its effects …", TextRole.DIM),))
            refused = wrap(refusal, cells, TextRole.ERROR, first="✗ ", rest="  ") if refusal else ()
            return (*heading(cells), *refused, *_cautions(self._privacy_note, cells), *rows, *waiting)

        dialog = CommandsDialog(f"Plan for {self._location}", content, may_run=not plan.refusals and not refusal)

        async def look() -> None:
            effects.append(await run_in_thread(lambda: effects_of(plan, base.cluster, base.state)))
            dialog.redraw()

        if plan.steps:
            dialog.call_after_refresh(lambda: dialog.run_worker(look(), group="looking"))
        answer = await self._screen.app.push_screen_wait(dialog)
        if answer is None:
            return None
        reason = answer.removeprefix("run: ")

        shown_at = time.monotonic()

        def tell(number: int, written: Written) -> None:
            nonlocal shown_at
            if time.monotonic() < shown_at + _SLOW_SECONDS:
                return
            shown_at = time.monotonic()
            words = f"{number + 1} of {len(plan.steps)}: {written.verdict}"
            self._screen.app.call_from_thread(self._screen.notify, words, timeout=2, markup=False)

        return await self._running(
            lambda: apply_plan(self._source, plan, base.cluster, base.state, reason=reason, tell=tell)
        )

    async def _report(self, applied: Applied, hint: str = "") -> None:
        """Show the result of an apply: a notification with `hint` if it is whole, else a dialog with every step."""
        if applied.is_whole:
            self._screen.notify(f"{applied.words.capitalize()}.{hint}", timeout=8, markup=False)
        else:
            result = TextDialog(applied.words, lambda cells: plans.applied_lines(applied, cells))
            await self._screen.app.push_screen_wait(result)

    async def _take_back(self) -> None:
        if self._workspace.changes():
            raise WorkspaceError("There are unsaved edits: carry them out or revert them first.")
        record = find_record("", target_of(self._source))
        await self._run_way_back(record, lambda: self._way_back(record, take_back))

    def _way_back(self, record: Record, make: Callable[..., WayBack]) -> WayBack:
        reading = self._source.read_fresh(self._workspace.reading)
        return make(self._source, record, reading.cluster, reading.state)

    async def _run_way_back(self, record: Record, make: Callable[[], WayBack]) -> None:
        way = await run_in_thread(make)
        await self._watch.read_again(fresh=True)

        def heading(cells: int) -> tuple[Line, ...]:
            return (*wrap(plans.apply_words(record), cells), *plans.clash_lines(way.conflicts, cells))

        applied = await self._carry_out(way.plan, heading) if way.plan.steps else None
        if applied is not None:
            await self._watch.read_again(fresh=True)
            await self._report(applied)
        if not way.plan.steps:
            note_done(self._source.cell, way.plan)
            title = "There is nothing left to change for that"
            await self._screen.app.push_screen_wait(TextDialog(title, heading))

    async def _offer_interrupted(self) -> None:
        if (unconfirmed := unconfirmed_change(self._source.cell)) is not None:
            self._screen.notify(unconfirmed.words, severity="warning", timeout=20, markup=False)
        target = target_of(self._source)
        interrupted = await run_in_thread(
            lambda: [
                record for record in records() if record.was_interrupted and is_same_cell(record.plan.target, target)
            ]
        )
        for record in interrupted:
            answers = (
                Answer("l", "later", "later", safe=True),
                Answer("f", "finish it", "finish"),
                Answer("b", "take it back", "back"),
            )
            words = plans.interrupted_words(record)

            def content(cells: int, words: str = words) -> tuple[Line, ...]:
                return wrap(words, cells)

            answer = await self._screen.app.push_screen_wait(ChoiceDialog("An apply was interrupted", content, answers))
            if answer == "finish":
                await self._run_way_back(record, lambda record=record: self._way_back(record, finish))  # type: ignore[misc]
            elif answer == "back":
                await self._run_way_back(record, lambda record=record: self._way_back(record, take_back))  # type: ignore[misc]


def _cautions(texts: Iterable[str], cells: int) -> Iterator[Line]:
    for text in texts:
        yield from wrap(visible(text), cells, TextRole.WARNING, first="! ", rest="  ")
