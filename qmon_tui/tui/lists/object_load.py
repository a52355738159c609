"""Objects of a kind that were read from a file: shown as a difference first, then taken over in one step."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from textual.message import Message
from textual.screen import Screen

from qmon_tui.checks import check_object, deletion_refusals
from qmon_tui.formats.qconf import read_complexes, write_complexes
from qmon_tui.model import Cluster, ConfigObject, Finding, Kind, Severity
from qmon_tui.report import Line, Span, TextRole, change_lines, count, wrap
from qmon_tui.sources.regular_file import read_regular
from qmon_tui.tui.base import ASKING, EditRequested
from qmon_tui.tui.dialogs import Answer, ChoiceDialog, NameDialog, typed_path, unreadable, write_to_file
from qmon_tui.workspace import ChangeKind, ObjectChange, ReplaceKind, Workspace, differences


@dataclass(frozen=True, slots=True)
class ObjectLoad:
    """All objects of a kind after a load, the changes, and the findings that the qmaster would report."""

    kind: Kind
    objects: tuple[ConfigObject, ...]
    changes: tuple[ObjectChange, ...]
    findings: tuple[Finding, ...]
    """Errors and warnings about the objects that are added or changed."""
    kept: tuple[Finding, ...] = ()
    """Refused deletions: one for each object that the file leaves out and that stays."""


def object_load(
    cluster: Cluster,
    kind: Kind,
    objects: Sequence[ConfigObject],
    kept: Sequence[Finding] = (),
    check: Callable[[Cluster, ConfigObject], Iterable[Finding]] = check_object,
) -> ObjectLoad:
    """Compare all objects of a kind after a load with those of the cluster; removed objects are not checked."""
    after = ReplaceKind(kind, tuple(objects)).apply(cluster)
    changes = differences(cluster, after)
    present = [
        obj
        for change in changes
        if change.what is not ChangeKind.REMOVED and (obj := after.get(kind, change.name)) is not None
    ]
    findings = [finding for obj in present for finding in check(after, obj) if finding.severity is not Severity.INFO]
    return ObjectLoad(kind, tuple(objects), changes, tuple(findings), tuple(kept))


class FileDialogs:
    """Dialogs about files; a load is posted as one edit, so that it can be undone."""

    def __init__(self, screen: Screen[Any], workspace: Workspace, post: Callable[[Message], object]) -> None:
        self._screen = screen
        self._workspace = workspace
        self._post = post

    def _say(self, sentence: str) -> None:
        self._screen.notify(sentence, severity="error", markup=False)


EDIT_AGAIN = Answer("e", "edit again", "again")


async def take_over(
    screen: Screen[Any],
    post: Callable[[Message], object],
    load: ObjectLoad,
    title: str,
    *answers: Answer[str],
) -> str:
    """Show the changes of a load; if the user confirms, post it as one edit.

    Returns "load", the result of one of the other `answers`, or "" if the user cancelled.
    """
    wrong = any(finding.severity is Severity.ERROR for finding in load.findings)
    dialog = ChoiceDialog(
        title,
        lambda cells: load_lines(load, cells),
        (Answer("n", "cancel", "", safe=wrong), Answer("y", "load", "load", safe=not wrong), *answers),
        wide=True,
    )
    answer = await screen.app.push_screen_wait(dialog) or ""
    if answer == "load":
        post(EditRequested(ReplaceKind(load.kind, load.objects)))
    return answer


def load_lines(load: ObjectLoad, cells: int) -> tuple[Line, ...]:
    """Return the lines about a load: objects that stay, findings, and changes."""
    lines: list[Line] = []
    if load.kept:
        lines += wrap(f"{len(load.kept)} entries are not in the file but stay, because they cannot be deleted:", cells)
        for finding in load.kept[:3]:
            lines += wrap(finding.message, cells, TextRole.DIM, first="  ", rest="  ")
        if len(load.kept) > 3:
            lines.append((Span(f"  and {len(load.kept) - 3} more", TextRole.DIM),))
        lines.append(())
    for finding in load.findings:
        error = finding.severity is Severity.ERROR
        sign, role = ("✗ ", TextRole.ERROR) if error else ("! ", TextRole.WARNING)
        lines += wrap(f"{finding.name}: {finding.message}", cells, role, first=sign, rest="  ")
    if load.findings:
        lines.append(())
    return (*lines, *change_lines(load.changes, cells))


def refused_file(title: str, errors: Sequence[Finding], *answers: Answer[str]) -> ChoiceDialog[str]:
    """Return a dialog with the errors of a file that was not loaded; its result is "" or the result of an answer."""

    def content(cells: int) -> tuple[Line, ...]:
        lines = list(wrap("Nothing was loaded.", cells))
        for finding in errors:
            place = f"line {finding.line}: " if finding.line else ""
            lines += wrap(f"{place}{finding.message}", cells, TextRole.ERROR, first="✗ ", rest="  ")
            if finding.hint:
                lines += wrap(finding.hint, cells, TextRole.DIM, first="  ", rest="  ")
        return tuple(lines)

    return ChoiceDialog(title, content, (Answer("c", "close", "", safe=not answers), *answers), wide=True)


def complex_load(cluster: Cluster, entries: Sequence[ConfigObject]) -> ObjectLoad:
    """Compare a file's entries with all complexes; missing ones are removed unless their deletion is refused."""
    named = {entry.name for entry in entries}
    present = cluster.objects(Kind.COMPLEX)
    refusals = {
        name: refused
        for name in present
        if name not in named
        and (refused := [f for f in deletion_refusals(cluster, Kind.COMPLEX, name) if f.severity is Severity.ERROR])
    }
    objects = (*(present[name] for name in refusals), *entries)
    return object_load(cluster, Kind.COMPLEX, objects, [refused[0] for refused in refusals.values()])


_DEFAULT_NAME = "complexes.txt"


class ComplexFiles(FileDialogs):
    """The complexes loaded from a file, and saved to one."""

    def load(self) -> None:
        """Ask for a file, show how its entries differ from the present ones, and take them over."""
        self._screen.run_worker(self._load(), group=ASKING)

    def save(self) -> None:
        """Ask for a file and write all entries to it, as they are shown now."""
        self._screen.run_worker(self._save(), group=ASKING)

    async def _load(self) -> None:
        answer = await self._screen.app.push_screen_wait(
            NameDialog("Load complexes", "A file as `qconf -sc` prints it:", unreadable)
        )
        if answer is None:
            return
        path = typed_path(answer)
        try:
            entries, problems = read_complexes(read_regular(path).decode("utf-8"), path.name)
        except (OSError, UnicodeDecodeError) as error:
            self._say(f"{answer} cannot be read: {getattr(error, 'strerror', None) or error}")
            return
        await self.take_over(path.name, entries, problems)

    async def take_over(self, name: str, entries: Sequence[ConfigObject], problems: Sequence[Finding]) -> None:
        """Show how a file's entries differ from the present ones; replace those if the user confirms."""
        errors = [finding for finding in problems if finding.severity is Severity.ERROR]
        if errors or not entries:
            await self._screen.app.push_screen_wait(refused_file(f"{name} is not a complex table", errors))
            return
        load = complex_load(self._workspace.cluster, entries)
        if not load.changes:
            await self._nothing_to_load(name, load)
            return
        title = f"Load {name}: {count(len(load.changes), 'complex', 'complexes')} would change"
        await take_over(self._screen, self._post, load, title)

    async def _nothing_to_load(self, name: str, load: ObjectLoad) -> None:
        """Say that nothing differs, or that all that differs may not be deleted."""
        if not load.kept:
            self._screen.notify(f"{name} holds the complexes that are there already.", markup=False)
            return
        close = (Answer("c", "close", "", safe=True),)
        await self._screen.app.push_screen_wait(
            ChoiceDialog(f"{name}: nothing can be loaded", lambda cells: load_lines(load, cells), close, wide=True)
        )

    async def _save(self) -> None:
        entries = self._workspace.cluster.objects(Kind.COMPLEX)
        words, wrote = "It is written as `qconf -sc` prints it:", f"Wrote {count(len(entries), 'complex', 'complexes')}"
        text = write_complexes(entries.values())
        await write_to_file(self._screen.app, "Save complexes to a file", words, _DEFAULT_NAME, text, wrote)
