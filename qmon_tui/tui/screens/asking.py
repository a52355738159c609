"""The actions that ask something first: names, deletions, saving, changes on disk, leaving."""

from collections.abc import Coroutine, Sequence
from typing import TYPE_CHECKING

from qmon_tui.model.catalogue import spec
from qmon_tui.model.cluster import ConfigObject, config_object
from qmon_tui.model.findings import Finding, Severity
from qmon_tui.model.kinds import Kind
from qmon_tui.tui.dialogs.base import Answer
from qmon_tui.tui.dialogs.choose import Choose
from qmon_tui.tui.dialogs.conflicts import ConflictsDialog
from qmon_tui.tui.dialogs.name import AskName
from qmon_tui.tui.dialogs.save import SaveDialog
from qmon_tui.tui.latest import in_thread
from qmon_tui.tui.present.difference import change_lines
from qmon_tui.tui.present.following import deletion_lines, renaming_lines
from qmon_tui.tui.present.spans import Idea, Line, Span, wrap
from qmon_tui.tui.present.words import count
from qmon_tui.workspace.edits import AddObject, Edit, RemoveObject, RenameObject, object_words
from qmon_tui.workspace.workspace import DiskChange, WorkspaceError

if TYPE_CHECKING:
    from qmon_tui.tui.screens.main import MainScreen


class Asking:
    """Each method starts a dialog and returns; the screen goes on meanwhile."""

    def __init__(self, screen: "MainScreen") -> None:
        self._screen = screen
        self._workspace = screen.workspace

    def add(self) -> None:
        """A new object of the chosen kind."""
        self._start(self._add(None))

    def clone(self) -> None:
        """A copy of the chosen object."""
        self._start(self._add(self._screen.chosen))

    def rename(self) -> None:
        """Another name for the chosen object."""
        self._start(self._rename())

    def rename_to(self, kind: Kind, name: str, new: str) -> None:
        """Another name for an object, after asking where others name it."""
        self._start(self._rename_to(kind, name, new))

    def delete(self) -> None:
        """Delete the chosen object."""
        self._start(self._delete())

    def save(self) -> None:
        """Show the difference, then write it."""
        self._start(self._save())

    def reload(self) -> None:
        """Read the folder again, or decide what is pending."""
        self._start(self._reload())

    def quit(self) -> None:
        """Leave, with unsaved edits after asking."""
        self._start(self._quit())

    def _start(self, dialog: Coroutine[None, None, None]) -> None:
        self._screen.run_worker(dialog, group="asking")

    # Objects ----------------------------------------------------------------------------------------------------

    async def _add(self, template: str | None) -> None:
        kind = self._screen.kind
        words = f"a copy of {object_words(kind, template)}" if template else f"a new {kind}"
        name = await self._screen.app.push_screen_wait(
            AskName(f"Add {words}", "Its name:", lambda text: self._name_problem(kind, text), template or "")
        )
        if name is None:
            return
        pattern = self._workspace.cluster.get(kind, template) if template else None
        if self._screen.apply(AddObject(_new_object(kind, name, pattern))):
            self._screen.go_to(kind, name, _first_field(kind))

    async def _rename(self) -> None:
        kind, name = self._screen.kind, self._screen.chosen
        if name is None:
            return
        new = await self._screen.app.push_screen_wait(
            AskName(
                f"Rename {object_words(kind, name)}",
                "The new name (what refers to the old one is shown next):",
                lambda text: None if text == name else self._name_problem(kind, text),
                name,
            )
        )
        if new is not None and new != name:
            await self._rename_to(kind, name, new)

    async def _rename_to(self, kind: Kind, name: str, new: str) -> None:
        from qmon_tui.workspace.following import renaming

        following, only = renaming(self._workspace.cluster, kind, name, new), RenameObject(kind, name, new)
        edit: Edit | None = only
        if following.changes or following.left:
            answers: list[Answer[Edit | None]] = [Answer("o", "only the name", only), Answer("n", "no", None)]
            if following.changes:
                answers.insert(0, Answer("f", "follow: change these, too", following.edit, safe=True))
            edit = await self._screen.app.push_screen_wait(
                Choose(
                    f"Rename {object_words(kind, name)} to {new}",
                    lambda cells: renaming_lines(name, new, following, cells),
                    answers,
                    wide=True,
                )
            )
        if edit is not None and self._screen.apply(edit):
            self._screen.go_to(kind, new)
        else:
            self._screen.refresh_all()

    def _name_problem(self, kind: Kind, name: str) -> str | None:
        from qmon_tui.checks import check_object, exists

        new = _new_object(kind, name, None)
        if taken := exists(self._workspace.cluster, new):
            return taken.message
        name_field = spec(kind).name_field
        found = check_object(self._workspace.cluster, new)
        return next(
            (f.message for f in found if f.severity is Severity.ERROR and f.field == name_field and name_field), None
        )

    async def _delete(self) -> None:
        from qmon_tui.checks import deletion_refusals
        from qmon_tui.model.references import references_to
        from qmon_tui.workspace.following import deleting

        kind, name = self._screen.kind, self._screen.chosen
        if name is None:
            return
        cluster = self._workspace.cluster
        words = object_words(kind, name)
        refusals, references = deletion_refusals(cluster, kind, name), references_to(cluster, kind, name)
        following = deleting(cluster, kind, name)
        answers: list[Answer[Edit | None]] = [Answer("n", "no, keep it", None, safe=True)]
        if following.changes and not _refused(deletion_refusals(following.cluster, kind, name)):
            answers.append(Answer("t", "take it out there, then delete it", following.edit))
        if not _refused(refusals):
            answers.append(Answer("y", "only delete it" if references else "delete it", RemoveObject(kind, name)))
        dialog = Choose(
            f"Delete {words}?",
            lambda cells: deletion_lines(words, refusals, references, following, cells),
            answers,
            wide=bool(references),
        )
        edit = await self._screen.app.push_screen_wait(dialog)
        if edit is not None:
            self._screen.apply(edit)

    # Saving -----------------------------------------------------------------------------------------------------

    async def _save(self) -> None:
        from qmon_tui.sources.errors import SourceError

        try:
            plan = self._workspace.save_plan()
            files = [(file.file, file.before, file.after) for file in plan.files]
            dialog = SaveDialog(self._workspace.changes(), files, await self._findings())
            if not await self._screen.app.push_screen_wait(dialog):
                return
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
            self._screen.notify(f"Saved {', '.join(name for name, _, _ in files)}", timeout=3, markup=False)

    async def _findings(self) -> tuple[Finding, ...]:
        """Those of the present revision; a run of it that is not over yet is not waited for."""
        from qmon_tui.checks import check

        result, snapshot = self._workspace.result, self._workspace.snapshot()
        if result is not None and result.revision == snapshot.revision:
            return result.findings
        return await in_thread(lambda: tuple(check(snapshot.cluster, snapshot.state)))

    async def _quit(self) -> None:
        changed = self._workspace.changes()
        if changed:
            edits = count(len(changed), "object")

            def content(cells: int) -> tuple[Line, ...]:
                return (*wrap(f"{edits} with unsaved edits:", cells), (), *change_lines(changed, cells))

            answer = await self._screen.app.push_screen_wait(
                Choose(
                    "Leave with unsaved edits?",
                    content,
                    (
                        Answer("n", "stay", "stay", safe=True),
                        Answer("s", "save first", "save"),
                        Answer("d", "discard them and leave", "discard"),
                    ),
                )
            )
            if answer == "save":
                await self._save()
                if self._workspace.changes():
                    return
            elif answer != "discard":
                return
        self._screen.app.exit()

    # The disk ---------------------------------------------------------------------------------------------------

    async def _reload(self) -> None:
        if not self._workspace.unresolved and self._workspace.disk is None:
            await self._screen.watching.read_again(say=True)
        if self._workspace.disk is not None:
            await self._decide(self._workspace.disk)
        elif self._workspace.unresolved:
            await self._resolve()

    async def _decide(self, change: DiskChange) -> None:
        def content(cells: int) -> tuple[Line, ...]:
            return _disk_lines(change, cells)

        answer = await self._screen.app.push_screen_wait(
            Choose(
                "The folder has changed on disk while you have unsaved edits",
                content,
                (
                    Answer("m", "merge both", "merge", safe=True),
                    Answer("r", "reload, drop mine", "reload"),
                    Answer("k", "keep mine", "keep"),
                    Answer("l", "later", "later"),
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

    async def _resolve(self) -> None:
        decided = await self._screen.app.push_screen_wait(ConflictsDialog(self._workspace.unresolved))
        for conflict, side in (decided or {}).items():
            self._workspace.resolve(conflict, side)


def _refused(found: Sequence[Finding]) -> bool:
    return any(finding.severity is Severity.ERROR for finding in found)


def _new_object(kind: Kind, name: str, pattern: ConfigObject | None) -> ConfigObject:
    values = dict(pattern.values) if pattern else {}
    if name_field := spec(kind).name_field:
        values[name_field] = name
    return config_object(kind, name, values)


def _first_field(kind: Kind) -> str | None:
    """The first field that a new object needs filled in: not its name, which it has."""
    declared = spec(kind)
    return next((field.name for field in declared.fields if field.name != declared.name_field), None)


def _disk_lines(change: DiskChange, cells: int) -> tuple[Line, ...]:
    overlaps = count(len(change.conflicts), "place") if change.conflicts else "nothing"
    return (
        *wrap(f"Both sides changed {overlaps}. Merging keeps your edits and takes over the others; you are asked about "
              "what both changed. Undo brings back what reloading drops.", cells),
        (),
        (Span("On disk", Idea.TITLE),),
        *change_lines(change.objects, cells),
    )  # fmt: skip
