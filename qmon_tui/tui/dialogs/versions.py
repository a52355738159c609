"""Earlier versions of the cluster: restores or deletes one, and names a snapshot."""

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType

from qmon_tui.report import NOTHING_TO_RESTORE, Line, VersionRows, version_lines, version_words
from qmon_tui.sources import SourceError
from qmon_tui.sources.versions import Version, forget_version, versions
from qmon_tui.tui.base import LatestWorker, Lines, LineTable, local_bindings
from qmon_tui.tui.dialogs.dialog import Answer, Dialog
from qmon_tui.tui.dialogs.question_dialogs import NameDialog, confirm
from qmon_tui.workspace import Document, ObjectChange, RestoredPart, changes_of, document_changes, document_of

Comparison = tuple[ObjectChange, ...] | str
"""The changes that restoring a version would make, or a sentence why it cannot be read."""

VersionPart = tuple[Version, RestoredPart]


class VersionsDialog(Dialog[VersionPart]):
    """Answers the version to restore and the part of it, or None."""

    WIDE: ClassVar[bool] = True
    BINDINGS: ClassVar[list[BindingType]] = local_bindings({"dialog.close": "cancel", "versions": "cancel"})
    FIRST_FOCUS = "#versions-table"

    def __init__(self, folder: Path, now: Document, *, read_only: bool, keep: Callable[[str], str | None]) -> None:
        """`keep` takes a snapshot with a name; it returns why that failed, else None."""
        answers = [Answer("n", "name", "snapshot")]
        if not read_only:
            restoring = [Answer("r", "restore all", str(RestoredPart.ALL)),
                         Answer("o", "objects", str(RestoredPart.OBJECTS)),
                         Answer("j", "jobs, state", str(RestoredPart.STATE))]  # fmt: skip
            answers = [*restoring, *answers, Answer("d", "forget", "forget")]
        super().__init__("", answers)  # type: ignore[arg-type]
        self._read_only = read_only
        self._folder, self._now, self._keep = folder, now, keep
        self._versions: Sequence[Version] = ()
        self._comparisons: dict[Path, Comparison] = {}
        self._comparing: LatestWorker[Version, Comparison] = LatestWorker(self._compare, self._compared, pause=0.1)
        self.add_class("-tall")

    def body(self) -> ComposeResult:
        ways = "n names one now" if self._read_only else "each save keeps one, n names one now"
        yield LineTable(VersionRows(()), empty=f"None yet: {ways}.", id="versions-table")
        yield Lines(self._detail, id="versions-detail")

    def on_mount(self) -> None:
        super().on_mount()
        self.run_worker(self._comparing.run(), group="comparing")
        self._read()

    def answer(self, result: object) -> None:
        """Handle an answer; only restoring closes the dialog."""
        version = self._chosen
        if result == "snapshot":
            words = "A name for the present state, jobs included:"
            NameDialog("Name a snapshot", words, lambda name: None).ask(self.app, self._named)
        elif version is None:
            self.app.bell()
        elif result == "forget":
            words = f"{version_words(version)} cannot be restored any more."
            confirm("Delete this version?", "forget it", words).ask(self.app, lambda _: self._forget(version))
        else:
            self._restore(version, RestoredPart(str(result)))

    @on(LineTable.Opened)
    def _opened(self) -> None:
        if self._chosen is not None and not self._read_only:
            self._restore(self._chosen, RestoredPart.ALL)

    @on(LineTable.Moved)
    def _moved(self) -> None:
        self._show_detail()

    @property
    def _chosen(self) -> Version | None:
        key = self.query_one("#versions-table", LineTable).cursor_key
        return key if isinstance(key, Version) else None

    def _restore(self, version: Version, part: RestoredPart) -> None:
        comparison = self._comparisons.get(version.path)
        if isinstance(comparison, str):
            self.notify(comparison, severity="error", markup=False)
        elif comparison is not None and not changes_of(part, comparison):
            self.notify(f"{NOTHING_TO_RESTORE[part]}: there is nothing to restore.", markup=False)
        else:
            self.dismiss((version, part))

    def _named(self, name: str) -> None:
        problem = self._keep(name)
        if problem:
            self.notify(problem, title="No snapshot", severity="error", markup=False)
        self._read()

    def _forget(self, version: Version) -> None:
        try:
            forget_version(version)
        except SourceError as error:
            self.notify(str(error), severity="error", markup=False)
        self._read()

    def _read(self) -> None:
        self._versions = versions(self._folder)
        number = len(self._versions)
        hint = "Opened read-only: none can be restored" if self._read_only else "Enter restores one, as an edit"
        self.query_one(".dialog").border_title = f"Earlier versions: {number}. {hint}"
        self.query_one("#versions-table", LineTable).show(VersionRows(self._versions))
        self._show_detail()

    def _show_detail(self) -> None:
        version = self._chosen
        if version is not None and version.path not in self._comparisons:
            self._comparing.ask(version)
        self.query_one("#versions-detail", Lines).show(self._detail)

    def _detail(self, cells: int) -> tuple[Line, ...]:
        version = self._chosen
        return (
            () if version is None else version_lines(version, self._comparisons.get(version.path), time.time(), cells)
        )

    def _compare(self, version: Version) -> Comparison:
        """Return the changes that restoring a version would make. Runs off the event loop."""
        try:
            return document_changes(self._now, document_of(version, self._now.cluster.name))
        except SourceError as error:
            return str(error)

    def _compared(self, version: Version, comparison: Comparison) -> None:
        self._comparisons[version.path] = comparison
        self._show_detail()
