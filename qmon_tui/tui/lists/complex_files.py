"""Loading the complexes from a file, shown as a difference first, and saving them, in the format of `qconf -sc`."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from textual.message import Message
from textual.screen import Screen

from qmon_tui.checks import check_object, deletion_refusals
from qmon_tui.formats.qconf import read_complexes, write_complexes
from qmon_tui.model import Cluster, ConfigObject, Finding, Kind, Severity
from qmon_tui.sources.atomic_write import replace_file
from qmon_tui.sources.attributes import cannot_keep
from qmon_tui.sources.regular_file import read_regular
from qmon_tui.tui.base import ASKING, KindReplaced
from qmon_tui.tui.dialogs import Answer, ChoiceDialog, NameDialog, confirm
from qmon_tui.tui.present import Line, Span, TextRole, change_lines, count, wrap
from qmon_tui.workspace import ChangeKind, ObjectChange, ReplaceKind, Workspace, differences


@dataclass(frozen=True, slots=True)
class ComplexLoad:
    """All entries as they would be, how that differs from now, and what the qmaster would say to it."""

    objects: tuple[ConfigObject, ...]
    changes: tuple[ObjectChange, ...]
    kept: tuple[Finding, ...]
    """Entries that the file leaves out but whose deletion is refused: they stay."""
    findings: tuple[Finding, ...]
    """Errors and warnings about the entries that are added or changed."""


def complex_load(cluster: Cluster, entries: Sequence[ConfigObject]) -> ComplexLoad:
    """Compare the entries of a file with those of the cluster."""
    named = {entry.name for entry in entries}
    present = cluster.objects(Kind.COMPLEX)
    refusals = {
        name: refused
        for name in present
        if name not in named
        and (refused := [f for f in deletion_refusals(cluster, Kind.COMPLEX, name) if f.severity is Severity.ERROR])
    }
    objects = (*(present[name] for name in refusals), *entries)
    after = ReplaceKind(Kind.COMPLEX, objects).apply(cluster)
    changes = differences(cluster, after)
    findings = [
        finding
        for change in changes
        if change.what is not ChangeKind.REMOVED and isinstance(change.after, ConfigObject)
        for finding in check_object(after, change.after)
        if finding.severity is not Severity.INFO
    ]
    return ComplexLoad(objects, changes, tuple(refused[0] for refused in refusals.values()), tuple(findings))


def load_lines(load: ComplexLoad, cells: int) -> tuple[Line, ...]:
    """The difference to show before it is taken over."""
    lines: list[Line] = []
    if load.kept:
        lines += wrap(f"{len(load.kept)} entries are not in the file but stay, since they cannot be deleted:", cells)
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


_DEFAULT_NAME = "complexes.txt"


class ComplexFiles:
    """Both dialogs; what is loaded is posted as one `KindReplaced`, so that it can be undone."""

    def __init__(self, screen: Screen[Any], workspace: Workspace, post: Callable[[Message], object]) -> None:
        self._screen = screen
        self._workspace = workspace
        self._post = post

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
        path = Path(answer).expanduser()
        try:
            entries, problems = read_complexes(read_regular(path).decode("utf-8"), path.name)
        except (OSError, UnicodeDecodeError) as error:
            self._say(f"{answer} cannot be read: {getattr(error, 'strerror', None) or error}")
            return
        await self.take_over(path.name, entries, problems)

    async def take_over(self, name: str, entries: Sequence[ConfigObject], problems: Sequence[Finding]) -> None:
        """Show how the entries of a file differ from the present ones, and put them in their place."""
        errors = [finding for finding in problems if finding.severity is Severity.ERROR]
        if errors or not entries:
            await self._screen.app.push_screen_wait(refused_file(f"{name} is no complex table", errors))
            return
        load = complex_load(self._workspace.cluster, entries)
        if not load.changes:
            await self._nothing_to_load(name, load)
            return
        wrong = any(finding.severity is Severity.ERROR for finding in load.findings)
        dialog = ChoiceDialog(
            f"Load {name}: {count(len(load.changes), 'complex', 'complexes')} would differ",
            lambda cells: load_lines(load, cells),
            (Answer("n", "leave all as it is", False, safe=wrong), Answer("y", "take over", True, safe=not wrong)),
            wide=True,
        )
        if await self._screen.app.push_screen_wait(dialog):
            self._post(KindReplaced(Kind.COMPLEX, load.objects))

    async def _nothing_to_load(self, name: str, load: ComplexLoad) -> None:
        """Say that nothing differs, or that all that differs may not be deleted."""
        if not load.kept:
            self._screen.notify(f"{name} holds exactly the present complexes.", markup=False)
            return
        close: tuple[Answer[bool], ...] = (Answer("c", "close", False, safe=True),)
        await self._screen.app.push_screen_wait(
            ChoiceDialog(f"{name}: nothing can be taken over", lambda cells: load_lines(load, cells), close, wide=True)
        )

    async def _save(self) -> None:
        answer = await self._screen.app.push_screen_wait(
            NameDialog(
                "Save complexes to a file", "It is written as `qconf -sc` prints it:", _unwritable, _DEFAULT_NAME
            )
        )
        if answer is None:
            return
        path = Path(answer).expanduser()
        if path.exists():
            losses = (f"{path.name}: {loss}" for loss in cannot_keep(str(path)))
            said = f"{path} exists and would be overwritten."
            question = confirm(f"Replace {path.name}?", "replace it", said, *losses)
            if not await self._screen.app.push_screen_wait(question):
                return
        entries = self._workspace.cluster.objects(Kind.COMPLEX)
        try:
            replace_file(path, write_complexes(entries.values()))
        except OSError as error:
            self._say(f"{path} cannot be written: {error.strerror or error}")
            return
        self._screen.notify(f"Wrote {count(len(entries), 'complex', 'complexes')} to {path}", markup=False)

    def _say(self, sentence: str) -> None:
        self._screen.notify(sentence, severity="error", markup=False)


def unreadable(answer: str) -> str | None:
    """Why a file that is named cannot be read."""
    return None if Path(answer).expanduser().is_file() else "There is no such file."


def _unwritable(answer: str) -> str | None:
    path = Path(answer).expanduser()
    if path.is_dir():
        return "This is a folder."
    return None if path.parent.is_dir() else f"There is no folder {path.parent}."


def refused_file(title: str, errors: list[Finding]) -> ChoiceDialog[bool]:
    """What is wrong with a file of which nothing was loaded."""

    def content(cells: int) -> tuple[Line, ...]:
        lines = list(wrap("Nothing was loaded.", cells))
        for finding in errors or ():
            place = f"line {finding.line}: " if finding.line else ""
            lines += wrap(f"{place}{finding.message}", cells, TextRole.ERROR, first="✗ ", rest="  ")
            if finding.hint:
                lines += wrap(finding.hint, cells, TextRole.DIM, first="  ", rest="  ")
        return tuple(lines)

    return ChoiceDialog(title, content, (Answer("c", "close", False, safe=True),), wide=True)
