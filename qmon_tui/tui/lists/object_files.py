"""Objects loaded from a file, or pasted, as qconf prints them: compared first, then taken over in one step."""

import os
import shlex
import subprocess
from collections.abc import Sequence
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import Any, Final

from textual.app import App, SuspendNotSupported

from qmon_tui.checks import check_object
from qmon_tui.formats import Printed, read_printed
from qmon_tui.formats.qconf import new_file, write_complexes
from qmon_tui.model import Cluster, Finding, Kind, Severity
from qmon_tui.report import count
from qmon_tui.sources import SourceError
from qmon_tui.sources.object_file import read_object_file, unrecognised
from qmon_tui.tui.base import ASKING
from qmon_tui.tui.dialogs import NameDialog, typed_path, unreadable
from qmon_tui.tui.lists.object_load import (
    EDIT_AGAIN,
    ComplexFiles,
    FileDialogs,
    ObjectLoad,
    complex_load,
    object_load,
    refused_file,
    take_over,
)
from qmon_tui.workspace import Workspace, existing

_PASTED = "what is pasted"


class ObjectFiles(FileDialogs):
    """Objects loaded from a file, pasted, or edited as text."""

    def load(self) -> None:
        """Ask for a file, show how its objects differ from the present ones, and take them over."""
        self._screen.run_worker(self._load(), group=ASKING)

    def edit(self, kind: Kind, name: str) -> None:
        """Edit the qconf text of an object in the user's editor, as `qconf -mq` and others of its kind do."""
        self._screen.run_worker(self._edit(kind, name), group=ASKING)

    def paste(self, text: str) -> None:
        printed = read_printed(text, _PASTED)
        if printed is None:
            self._say(f"What was pasted cannot be loaded: {unrecognised(text)}")
        else:
            self._screen.run_worker(self._take(printed, _PASTED), group=ASKING)

    async def _load(self) -> None:
        answer = await self._screen.app.push_screen_wait(
            NameDialog("Load objects", "A file as `qconf -sq`, `-se`, `-srqs` ... prints it:", unreadable)
        )
        if answer is None:
            return
        path = typed_path(answer)
        try:
            printed = read_object_file(path)
        except SourceError as error:
            self._say(str(error))
            return
        await self._take(printed, path.name)

    async def _edit(self, kind: Kind, name: str) -> None:
        text = qconf_text(self._workspace.cluster, kind, name)
        path = Path(mkdtemp(prefix="qmon-tui-")) / f"{kind.value}.txt"
        path.write_text(text, "utf-8")
        answer = "again"
        while answer == "again":
            problem = run_editor(self._screen.app, path)
            edited = path.read_text("utf-8", "replace")
            if problem:
                self._say(problem)
            answer = "load" if edited == text else "" if problem else await self._take_edited(edited, kind, name)
        if answer == "load":
            rmtree(path.parent, ignore_errors=True)
        else:
            self._screen.notify(f"What you have typed is kept in {path}.", timeout=15, markup=False)

    async def _take_edited(self, text: str, kind: Kind, name: str) -> str:
        """Show what an edited text changes. Returns "load" when that is done, "again" to edit it once more, else ""."""
        printed = read_printed(text, "what was edited")
        errors: list[Finding] = []

        def refuse(message: str) -> None:
            errors.append(Finding("unreadable", Severity.ERROR, kind.value, name, None, message))

        if printed is None:
            refuse(unrecognised(text))
        else:
            errors += [finding for finding in printed.findings if finding.severity is Severity.ERROR]
            if kind is not Kind.COMPLEX and [(obj.kind, obj.name) for obj in printed.objects] != [(kind, name)]:
                refuse(f"This is not one {kind} called {name}.")
        if printed is None or errors:
            dialog = refused_file(f"{name} as edited cannot be used", errors, EDIT_AGAIN)
            return await self._screen.app.push_screen_wait(dialog) or ""
        entries = printed.objects
        cluster = self._workspace.cluster
        load = complex_load(cluster, entries) if kind is Kind.COMPLEX else loaded(self._workspace, printed)
        if not load.changes:
            self._screen.notify("The edited text changes nothing.", markup=False)
            return "load"
        title = f"{kind} {name} as edited" if kind is not Kind.COMPLEX else "The complexes as edited"
        return await take_over(self._screen, self._post, load, title, EDIT_AGAIN)

    async def _take(self, printed: Printed, name: str) -> None:
        errors = [finding for finding in printed.findings if finding.severity is Severity.ERROR]
        if printed.instance:
            obj = printed.objects[0]
            self._say(f"{name}: these are the values of {obj.name}@{obj.text('hostlist')} alone, not a whole queue")
        elif printed.kind is Kind.COMPLEX:
            await ComplexFiles(self._screen, self._workspace, self._post).take_over(
                name, printed.objects, printed.findings
            )
        elif errors or not printed.objects:
            await self._screen.app.push_screen_wait(refused_file(f"{name} cannot be loaded", errors))
        else:
            await self._take_over(printed, name)

    async def _take_over(self, printed: Printed, name: str) -> None:
        load = loaded(self._workspace, printed)
        if not load.changes:
            self._screen.notify(f"{name} contains no changes.", markup=False)
            return
        title = f"Load {name}: {count(len(load.changes), 'object')} would change"
        await take_over(self._screen, self._post, load, title)


def qconf_text(cluster: Cluster, kind: Kind, name: str) -> str:
    """Return an object as qconf prints it for the user's editor; for a complex, the table of all."""
    if kind is Kind.COMPLEX:
        return write_complexes(cluster.objects(kind).values())
    obj = existing(cluster, kind, name)
    if kind is Kind.SHARETREE:
        return obj.text("tree") + "\n"
    return new_file(obj, single_line=False, dialect_name=cluster.dialect)


def run_editor(app: App[Any], path: Path, line: int | None = None) -> str:
    """Run $VISUAL, $EDITOR or vi on a file, at a line, with the program suspended.

    Returns why it failed; "" if it did not.
    """
    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi"
    try:
        words = shlex.split(editor)
        with app.suspend():
            code = subprocess.run([*words, *_at_line(words, path, line)], check=False).returncode
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        return f"The editor {editor} cannot be started: {reason}. VISUAL or EDITOR names another."
    except SuspendNotSupported:
        return "This terminal cannot be left to an editor."
    return f"The editor {editor} ended with exit code {code}: nothing is changed." if code else ""


_COLON: Final = {"code": ("-g",), "codium": ("-g",), "subl": (), "hx": (), "helix": (), "zed": ()}
"""Editors that take the line behind a colon, with the option for it; all others take +LINE."""


def _at_line(editor: Sequence[str], path: Path, line: int | None) -> tuple[str, ...]:
    """Return the arguments that open a file at a line."""
    if line is None:
        return (str(path),)
    options = _COLON.get(Path(editor[0]).name)
    return (f"+{line}", str(path)) if options is None else (*options, f"{path}:{line}")


def loaded(workspace: Workspace, printed: Printed) -> ObjectLoad:
    """Return the load of printed objects; objects of the kind that are missing in the text stay unchanged."""
    cluster, state = workspace.cluster, workspace.state
    fresh = {obj.name: obj for obj in printed.objects}
    present = cluster.objects(printed.kind)
    objects = (*(fresh.pop(name, obj) for name, obj in present.items()), *fresh.values())
    return object_load(cluster, printed.kind, objects, check=lambda after, obj: check_object(after, obj, state))
