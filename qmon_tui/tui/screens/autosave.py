"""Journal of unsaved edits: written to disk while the user edits, and offered to the next session."""

import sys
import threading
import time
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from qmon_tui import report
from qmon_tui.sources.journal import AbandonedJournal, Journal, abandoned_journals
from qmon_tui.tui import dialogs
from qmon_tui.tui.base import ASKING, LatestWorker, run_in_thread
from qmon_tui.workspace import Document, Event, ReplaceDocument, Replayed, edits_text, read_edits, replayed

if TYPE_CHECKING:
    from qmon_tui.tui.screens.pane_screen import PaneScreen


_DISCARDING = (
    "Discard these edits?",
    "discard",
    "They are in no file and in no version, so they are lost. No keeps them for the next start.",
)
"""Second question before discarding: the first may open while the user is typing something else."""


class EditSnapshot(NamedTuple):
    """A revision to write: the folder as read (`base`), and the document with the edits."""

    revision: int
    base: Document
    document: Document


class Autosave:
    """Writer of a workspace's unsaved edits: at most about once a second, off the event loop."""

    def __init__(self, screen: "PaneScreen") -> None:
        self._screen = screen
        self._folder = Path(screen.workspace.source.location)
        self._journal = Journal(self._folder)
        self._writing = threading.Lock()
        self._written = 0
        """The newest revision whose edits are on disk; older ones are not written any more."""
        self._is_warned = False
        self._edits: LatestWorker[EditSnapshot, str | None] = LatestWorker(
            self._write, self._warn_if_failed, pause=0.2, patience=1.0
        )

    def start(self) -> None:
        """Write edits from now on, and offer those of earlier sessions."""
        if not self._screen.workspace.read_only:
            self._screen.workspace.subscribe(self._workspace_changed)
            self._screen.run_worker(self._edits.run(), group="keeping")
            self._screen.run_worker(self._offer(), group=ASKING)

    @property
    def idle(self) -> bool:
        """True if all edits are on disk."""
        return not self._edits.busy

    def save_now(self) -> str | None:
        """Write the edits to disk before the program ends; return why that failed, else None."""
        return self._write(self._snapshot())

    def discard(self) -> None:
        """Delete the journal when the program ends; later writes are ignored."""
        with self._writing:
            self._written = sys.maxsize
            self._journal.discard()

    def _workspace_changed(self, event: Event) -> None:
        if event in (Event.CHANGED, Event.SAVED):
            self._edits.ask(self._snapshot())

    def _snapshot(self) -> EditSnapshot:
        workspace = self._screen.workspace
        return EditSnapshot(workspace.revision, workspace.base_document, workspace.edited_document)

    def _write(self, edited: EditSnapshot) -> str | None:
        """Write the edits; return why that failed, else None. Runs off the event loop."""
        text = edits_text(str(self._folder.resolve()), edited.base, edited.document)
        with self._writing:
            if edited.revision < self._written:
                return None
            try:
                self._journal.write(text)
            except OSError as error:
                return f"{self._journal.path}: {error.strerror}"
            self._written = edited.revision
        return None

    def _warn_if_failed(self, _: EditSnapshot, problem: str | None) -> None:
        if problem is not None and not self._is_warned:
            self._is_warned = True
            self._screen.notify(
                f"If the program is killed, unsaved edits are lost: they cannot be kept in {problem}.",
                severity="warning", timeout=15, markup=False,
            )  # fmt: skip

    # Edits of an earlier session ---------------------------------------------------------------------------------

    async def _offer(self) -> None:
        answers = (
            dialogs.Answer("l", "later", "later"),
            dialogs.Answer("r", "restore", "restore", safe=True),
            dialogs.Answer("d", "discard", "discard"),
        )
        for journal in await run_in_thread(lambda: abandoned_journals(self._folder)):
            replayed = self._replayed(journal)
            if replayed is None:
                self._screen.notify(
                    f"Unsaved edits of an earlier session are in {journal.path}, but cannot be read.",
                    severity="warning", timeout=15, markup=False,
                )  # fmt: skip
                journal.leave()
                continue
            if not replayed.changes:
                # All these edits have been saved or made elsewhere since.
                journal.discard()
                continue
            content = partial(report.recovery_lines, replayed, journal.written, time.time())
            question = dialogs.ChoiceDialog("Unsaved edits of an earlier session", content, answers, wide=True)
            answer = await self._screen.app.push_screen_wait(question)
            if answer == "restore":
                await self._restore(journal)
            elif answer == "discard" and await self._screen.app.push_screen_wait(
                dialogs.confirm(*_DISCARDING, letter="D")
            ):
                journal.discard()
            else:
                journal.leave()

    def _replayed(self, journal: AbandonedJournal) -> Replayed | None:
        recovered = read_edits(journal.text)
        try:
            return replayed(recovered, self._snapshot().document) if recovered else None
        except ValueError:
            return None

    async def _restore(self, journal: AbandonedJournal) -> None:
        """Make the edits again; delete the earlier session's journal once ours contains them."""
        replayed = self._replayed(journal)
        if replayed is None:
            journal.leave()
            return
        label = f"restore the edits of {datetime.fromtimestamp(journal.written):%d %b %H:%M}"
        self._screen.workspace.apply(ReplaceDocument(label, replayed.document), conflicts=replayed.conflicts)
        edited = self._snapshot()
        if await run_in_thread(lambda: self._write(edited)) is None:
            journal.discard()
        else:
            journal.leave()
