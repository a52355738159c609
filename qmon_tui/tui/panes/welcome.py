"""Three lines of what to press, at the very first start."""

from qmon_tui.report import Line, Span, TextRole
from qmon_tui.tui.base import QLines, key_of


class Welcome(QLines):
    """Short guide: moving, explaining, and saving edits, or what is read of a running cluster. Esc hides it."""

    def __init__(self, *, is_live: bool, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._is_live = is_live

    def on_mount(self) -> None:
        """The keys are those that the user has."""
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
