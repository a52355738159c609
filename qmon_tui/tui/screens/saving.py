"""Dialogs about saving, changes on disk, unsaved edits, earlier versions, and quitting."""

from collections.abc import Coroutine
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

from qmon_tui.model import Finding, Kind, StateKind, dated_place
from qmon_tui.qmaster import Command
from qmon_tui.report import RESTORED, ChangeKey, Line, Span, TextRole, change_lines, command_script, count, moment, wrap
from qmon_tui.sources import SourceError
from qmon_tui.sources.snapshot import advanced, pulled_now, read_snapshot
from qmon_tui.tui.base import ASKING, key_of, run_in_thread
from qmon_tui.tui.dialogs import (
    Answer,
    ChangesDialog,
    ChoiceDialog,
    ConflictsDialog,
    FileTexts,
    FindingsSource,
    SaveDialog,
    ScriptDialog,
    VersionsDialog,
)
from qmon_tui.workspace import (
    Conflict,
    DiskChange,
    EditError,
    Pull,
    ReplaceDocument,
    WorkspaceError,
    differences,
    document_of,
    findings_of,
    keep_base,
    keep_saved,
    keep_snapshot,
    merge_pull,
    pull_of,
    restore_edit,
    state_changes,
    unsaved_commands,
    with_renames,
)

if TYPE_CHECKING:
    from qmon_tui.tui.screens.action_screen import ActionScreen


_PAGES_OF: Final = {
    StateKind.JOB: "jobs",
    StateKind.INSTANCE: "cluster",
    StateKind.RESERVATION: "reservations",
}
"""Kind of state -> page that shows its items."""


class Saving:
    """Dialogs about saving. Each method opens one and returns."""

    def __init__(self, screen: "ActionScreen") -> None:
        self._screen = screen
        self._workspace = screen.workspace

    def save(self) -> None:
        """Show the difference, then write it; of a running cluster the plan, then carry it out."""
        if self._workspace.reading.live is not None:
            self._screen.cluster_writing.save()
        else:
            self._start(self._save())

    def reload(self) -> None:
        """Read the source again, or ask about pending changes and conflicts."""
        self._start(self._reload())

    def pull(self) -> None:
        """Show what has changed on the qmaster since the folder's snapshot, and merge it."""
        self._start(self._pull())

    def changes(self) -> None:
        self._start(self._changes())

    def versions(self) -> None:
        """List earlier versions, to restore one of them."""
        self._start(self._versions())

    def quit(self) -> None:
        """Leave the program; ask first if there are unsaved edits."""
        self._start(self._quit())

    def _start(self, dialog: Coroutine[None, None, None]) -> None:
        self._screen.run_worker(dialog, group=ASKING)

    async def _save_either(self) -> None:
        """Save a folder, or carry out the plan of a running cluster."""
        if self._workspace.reading.live is not None:
            await self._screen.cluster_writing.saved()
        else:
            await self._save()

    # Saving -----------------------------------------------------------------------------------------------------

    async def _save(self) -> None:
        before, changes = self._workspace.reading, self._workspace.changes()
        try:
            if self._workspace.lost:
                raise WorkspaceError(f"The folder {self._workspace.lost}: nothing can be saved until it is back.")
            plan = self._workspace.save_plan()
            files = [(file.file, file.before, file.after) for file in plan.files]
            dialog = SaveDialog(changes, files, self._findings(), plan.losses, self._script)
            if not await self._screen.app.push_screen_wait(dialog):
                return
            # A save that is killed will be undone: then the edits must be in the journal.
            self._screen.autosave.save_now()
            change = self._workspace.save()
        except (WorkspaceError, SourceError) as error:
            self._screen.notify(str(error), title="Not saved", severity="error", timeout=15, markup=False)
            return
        if change is not None:
            self._screen.notify(
                "The files have changed on disk meanwhile, so nothing was written.", title="Not saved",
                severity="warning", markup=False,
            )  # fmt: skip
            if change.pending:
                await self._decide(change)
        else:
            self._screen.app.clear_notifications()  # those about unsaved edits are outdated
            names = ", ".join(name for name, _, _ in files)
            self._screen.notify(f"Saved {names} in {before.source.location}", timeout=5, markup=False)
            after = self._workspace.reading
            try:
                await run_in_thread(lambda: keep_saved(before, after, changes))
            except SourceError as error:
                self._screen.notify(str(error), title="No history of this save", severity="warning", markup=False)

    def _findings(self) -> tuple[Finding, ...] | FindingsSource:
        """Return the findings of this revision; if its run is not done, the function that computes them."""
        result, snapshot = self._workspace.result, self._workspace.snapshot()
        if result is not None and result.revision == snapshot.revision:
            return result.findings
        return lambda: findings_of(snapshot.cluster, snapshot.state, snapshot.saved)

    async def _quit(self) -> None:
        if self._workspace.reading.live is not None and self._screen.cluster_writing.is_writing:
            self._screen.notify("Commands are running: wait until they are done.", severity="warning", markup=False)
            return
        changed = self._workspace.changes()
        if changed and not self._workspace.keeps_edits:
            edits = count(len(with_renames(changed)), "object")

            def content(cells: int) -> tuple[Line, ...]:
                return (*wrap(f"{edits} with unsaved edits:", cells), (), *change_lines(changed, cells))

            answer = await self._screen.app.push_screen_wait(
                ChoiceDialog(
                    "Leave with unsaved edits?",
                    content,
                    (
                        Answer("n", "stay", "stay", safe=True),
                        Answer("s", "save first", "save"),
                        Answer("D", "discard them and leave", "discard"),
                    ),
                )
            )
            if answer == "save":
                await self._save_either()
                if self._workspace.changes():
                    return
            elif answer != "discard":
                return
        self._screen.autosave.discard()
        self._screen.app.exit()

    # All edits --------------------------------------------------------------------------------------------------

    async def _changes(self) -> None:
        dialog = ChangesDialog(
            self._workspace, revert=self._revert, edit=self._screen.do, files=self._files, script=self._script
        )
        wanted = await self._screen.app.push_screen_wait(dialog)
        if wanted == "save":
            await self._save_either()
        elif isinstance(wanted, ChangeKey):
            self._go_to(wanted)

    def _script(self) -> ScriptDialog:
        """Return the dialog with the commands of the unsaved edits."""
        workspace, place = self._workspace, self._workspace.reading.source.location
        before, after = workspace.base_document, workspace.edited_document
        commands = unsaved_commands(before, after, workspace.history.done)
        now = datetime.now()
        heading = (f"Unsaved edits of {place}, {now:%d %b %Y %H:%M}",)
        changed = (*differences(before.cluster, after.cluster), *state_changes(before.state, after.state))
        number = sum(isinstance(command, Command) for command in commands)
        title = f"The unsaved edits as {count(number, 'command')}"
        return ScriptDialog(
            title, command_script(heading, commands, changed), f"{Path(place).name}-{now:%Y%m%d-%H%M}.sh"
        )

    def _go_to(self, place: ChangeKey) -> None:
        if isinstance(place.kind, Kind):
            here = self._workspace.cluster.get(place.kind, place.name) is not None
            self._screen.go_to(place.kind, place.name if here else None, place.field if here else None)
        elif place.kind in _PAGES_OF:
            self._screen.go_to_page(_PAGES_OF[place.kind], place.names[0])
        elif place.kind in (StateKind.LOADS, StateKind.DRAIN):
            self._screen.go_to(Kind.HOST, place.name.rpartition("@")[2])
        elif place.kind is StateKind.EXCEPTION and (dated := dated_place(place.names[0])) is not None:
            self._screen.go_to(dated.kind, dated.name, dated.field)
        elif place.kind is StateKind.NUMBER:
            self._screen.go_to_page("reservations" if place.name == "arseqnum" else "jobs")
        elif place.kind is StateKind.USAGE:
            self._screen.go_to(Kind.SHARETREE, None)

    def _revert(self, place: ChangeKey | None) -> None:
        if place is not None:
            self._workspace.revert(place.kind, *place.names, field=place.field)
            return
        edits = count(len(with_renames(self._workspace.changes())), "object")
        if self._workspace.apply(ReplaceDocument(f"revert all edits of {edits}", self._workspace.base_document)):
            undo = key_of(self._screen, "undo")
            self._screen.notify(f"All edits of {edits} are reverted. {undo} undoes that.", markup=False)

    def _files(self) -> FileTexts | str:
        """Return the files that saving would write, or a sentence why it cannot."""
        if self._workspace.reading.live is not None:
            return "A running cluster has no files: c shows the commands, s the plan."
        try:
            return [(file.file, file.before, file.after) for file in self._workspace.save_plan().files]
        except (WorkspaceError, SourceError) as error:
            return str(error)

    # Earlier versions -------------------------------------------------------------------------------------------

    async def _versions(self) -> None:
        workspace = self._workspace
        folder, now = workspace.reading.folder, workspace.edited_document
        if folder is None:
            text = "There are no earlier versions of a running cluster: qmon-tui convert writes it into a folder."
            self._screen.notify(text, severity="warning", markup=False)
            return
        dialog = VersionsDialog(folder, now, read_only=workspace.read_only, keep=self._keep_snapshot)
        wanted = await self._screen.app.push_screen_wait(dialog)
        if wanted is None:
            return
        version, part = wanted
        try:
            restored = await run_in_thread(lambda: document_of(version, now.cluster.name))
        except SourceError as error:
            self._screen.notify(str(error), title="Not restored", severity="error", markup=False)
            return
        label = f"restore {RESTORED[part]} of {moment(version.time)}"
        if self._screen.apply(restore_edit(workspace, restored, label, part)):
            undo = key_of(self._screen, "undo")
            words = f"Restored {RESTORED[part]} as one edit: nothing is saved yet, {undo} undoes it."
            self._screen.notify(words, markup=False)

    def _keep_snapshot(self, name: str) -> str | None:
        try:
            keep_snapshot(self._workspace, name)
        except SourceError as error:
            return str(error)
        return None

    # The disk ---------------------------------------------------------------------------------------------------

    async def _reload(self) -> None:
        if self._workspace.lost or (not self._workspace.unresolved and self._workspace.disk is None):
            await self._screen.folder_watch.read_again(say=True)
            if self._workspace.lost or self._screen.app.screen is not self._screen:
                return  # another dialog is open; the banner shows the findings
        if self._workspace.disk is not None:
            await self._decide(self._workspace.disk)
        elif self._workspace.unresolved:
            await self._resolve()

    async def _decide(self, change: DiskChange) -> None:
        def content(cells: int) -> tuple[Line, ...]:
            return _disk_lines(change, cells, "On disk" if change.reading.live is None else "On the cluster")

        what = "folder has changed on disk" if change.reading.live is None else "cluster has changed"
        answer = await self._screen.app.push_screen_wait(
            ChoiceDialog(
                f"The {what} while you have unsaved edits",
                content,
                (
                    Answer("l", "later", "later"),
                    Answer("m", "merge both", "merge", safe=True),
                    Answer("k", "keep mine", "keep"),
                    Answer("r", "reload, drop mine", "reload"),
                ),
                wide=True,
            )
        )
        if answer == "merge" and self._workspace.merge():
            await self._resolve()
        elif answer == "reload":
            self._workspace.take_theirs()
        elif answer == "keep":
            self._workspace.keep_mine()

    # The qmaster ------------------------------------------------------------------------------------------------

    async def _pull(self) -> None:
        workspace, folder = self._workspace, self._workspace.reading.folder
        assert folder is not None  # the action needs it
        if workspace.unresolved:
            await self._resolve()
            return
        try:
            snapshot = await run_in_thread(lambda: read_snapshot(folder))
            self._screen.notify(f"Reading {snapshot.location} …", timeout=3, markup=False)
            now = await run_in_thread(lambda: pulled_now(snapshot))
            pull = pull_of(workspace.edited_document, snapshot.cluster, now.cluster)
            if not pull.made:
                words = f"Nothing has changed on {snapshot.location.rstrip(':')} since {moment(snapshot.taken)}."
                self._screen.notify(words, markup=False)
                return

            def content(cells: int) -> tuple[Line, ...]:
                return _pull_lines(pull, cells)

            title = f"{snapshot.location.rstrip(':')} since {moment(snapshot.taken)}"
            answers = (Answer("l", "later", "later"), Answer("m", "merge", "merge", safe=True))
            if await self._screen.app.push_screen_wait(ChoiceDialog(title, content, answers, wide=True)) != "merge":
                return
            merge_pull(workspace, pull, advanced(folder, now))
            if workspace.unresolved:
                await self._resolve()
            keep_base(workspace)
        except (WorkspaceError, SourceError) as error:
            self._screen.notify(str(error), title="Not pulled", severity="error", timeout=15, markup=False)

    async def _resolve(self) -> None:
        workspace = self._workspace

        def check(conflict: Conflict, text: str) -> str | None:
            try:
                conflict.edited(text).made(workspace.edited_document)
            except EditError as error:
                return str(error)
            return None

        dialog = ConflictsDialog(workspace.unresolved, workspace.edited_document, check)
        for conflict, decision in (await self._screen.app.push_screen_wait(dialog) or {}).items():
            workspace.resolve(conflict, decision)


def _pull_lines(pull: Pull, cells: int) -> tuple[Line, ...]:
    places = count(len(pull.conflicts), "place")
    overlaps = f"Both sides changed {places}; you are asked about them." if pull.conflicts else ""
    words = f"Merging is one edit, which can be undone and is saved as others are. {overlaps}"
    return (*wrap(words, cells), (), (Span("On the qmaster", TextRole.TITLE),), *change_lines(pull.made, cells))


def _disk_lines(change: DiskChange, cells: int, place: str) -> tuple[Line, ...]:
    places = count(len(change.conflicts), "place")
    overlaps = f"Both sides changed {places}." if change.conflicts else "Nothing was changed by both."
    return (
        *wrap(f"{overlaps} Merging keeps your edits and adds the others; you are asked about "
              "what both changed. Undo brings back what reloading drops.", cells),
        (),
        (Span(place, TextRole.TITLE),),
        *change_lines(change.objects, cells),
    )  # fmt: skip
