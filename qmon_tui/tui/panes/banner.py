"""The lines above the panes: a banner for warnings, and a guide at the first start."""

from qmon_tui.report import Line, Span, TextRole, count, fit, header
from qmon_tui.tui.base import OneLine, QLines, key_of
from qmon_tui.workspace import Workspace


class Banner(OneLine):
    """Line about what awaits a decision of the user; hidden if nothing does."""

    def __init__(self, workspace: Workspace, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._workspace = workspace

    def on_mount(self) -> None:
        self.display = False

    def refresh_from(self) -> None:
        """Show what awaits a decision: a lost source, changes on disk, conflicts, or unreadable files."""
        disk, unresolved = self._workspace.disk, self._workspace.unresolved
        key = key_of(self, "reload")
        stale = ", ".join(self._workspace.snapshot().stale_files)
        if lost := self._workspace.lost:
            source = "folder" if self._workspace.reading.live is None else "qmaster"
            words = f"{key}: read it again. The {source} {lost}; this is its last state"
            self.say(words, "reload", "✗", TextRole.ERROR)
        elif disk is not None:
            edits = f"{header.edits_made(self._workspace.changes(), self._workspace.unsaved_steps)} unsaved"
            changed = count(len(disk.objects), "object")
            place = "on disk" if self._workspace.reading.live is None else "on the cluster"
            self.say(f"{key}: merge, reload or keep. {changed} changed {place}, {edits} here", "reload")
        elif unresolved:
            self.say(
                f"{key}: decide which values to keep. {count(len(unresolved), 'field')} changed on both sides", "reload"
            )
        elif stale:
            words = f"{key_of(self, 'findings')}: what is wrong. {stale} cannot be read; this is its last good state"
            self.say(words, "findings", "✗", TextRole.ERROR)
        else:
            self.be_silent()

    def say(self, text: str, action: str, sign: str = "⇅", role: TextRole = TextRole.WARNING) -> None:
        """Show a sentence; a click runs an action of the registry."""
        click = f"screen.do('{action}')"

        def content(cells: int) -> Line:
            return fit((Span(f" {sign} ", role, click), Span(text, TextRole.STRONG, click)), cells)

        self.show(content)
        self.display = True

    def be_silent(self) -> None:
        self.display = False


class Welcome(QLines):
    """Short guide to moving, explaining, and saving edits or reading a running cluster. Esc hides it."""

    def __init__(self, *, is_live: bool, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._is_live = is_live

    def on_mount(self) -> None:
        """Show the guide with the user's keys."""
        super().on_mount()

        def key(id_: str) -> Span:
            return Span(key_of(self, id_), TextRole.ACCENT)

        lines: tuple[Line, ...] = (
            (
                Span(" "), key("kinds"), Span(" "), key("objects"), Span(" "), key("live"),
                Span(" or Tab: from pane to pane. Arrows move, Enter opens, "), key("back"), Span(" goes back."),
            ),
            (
                Span(" "), key("help"), Span(" lists the keys, "), key("explain"),
                Span(" explains what is under the cursor, "), key("palette"), Span(" goes to anything."),
            ),
            (
                Span(" A running cluster, read regularly. "), key("reload"), Span(" reads it now, "),
                key("pause"), Span(" pauses. "), key("back"), Span(" hides this."),
            ) if self._is_live else (
                Span(" An edit shows what would run; "), key("undo"), Span(" undoes it, "), key("save"),
                Span(" and then F2 saves. "), key("back"), Span(" hides this."),
            ),
        )  # fmt: skip
        self.show(lines)
