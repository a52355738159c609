"""The application: themes, the main screen, and what happens when the program fails."""

import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path, PurePath
from time import time
from typing import Any, ClassVar

from rich.text import Text
from textual import events
from textual.app import App
from textual.binding import Binding, BindingType
from textual.dom import DOMNode
from textual.driver import Driver
from textual.filter import ANSIToTruecolor, LineFilter, Monochrome, NoColor
from textual.notifications import Notify
from textual.screen import ModalScreen
from textual.theme import Theme

from qmon_tui.report import plain, visible
from qmon_tui.tui.base import (
    DEFAULT_THEME,
    THEMES,
    ClusterRequested,
    ControlCharFilter,
    DialogFailed,
    KeyQueue,
    LessonRequested,
)
from qmon_tui.tui.keys import KeyRegistry
from qmon_tui.tui.registry import REGISTRY
from qmon_tui.tui.screens import Changes, MainScreen, disk_changes
from qmon_tui.workspace import Workspace

_NO_KEY = "f24"
"""Key of actions without keys: a binding of the framework needs one, and no keyboard has this."""
_DIALOGS = Path(os.path.abspath(__file__)).parent / "dialogs" / "dialogs.tcss"


class QmonApp(App[None]):
    """The application on one workspace."""

    # The main screen's styles are read with the application's: read later, they would recompute all styles.
    CSS_PATH: ClassVar[list[str | PurePath]] = ["qmon.tcss", "screens/main.tcss"]
    TITLE = "qmon-tui"
    ENABLE_COMMAND_PALETTE = False
    """The palette is a dialog of our own, whose Enter waits for the search of the typed text."""
    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+q", "quit", "Quit", show=False, priority=True)]

    def __init__(
        self,
        workspace: Workspace,
        *,
        theme: str = DEFAULT_THEME,
        changes: Changes = disk_changes,
        registry: KeyRegistry = REGISTRY,
        key_problems: Sequence[str] = (),
        play: bool = False,
        welcome: bool = False,
        page: str = "",
        student: str = "",
        lessons: Sequence[Path] = (),
        message: str = "",
    ) -> None:
        self._first_theme = theme  # the styles are first read with its colours
        super().__init__()
        self.key_registry: KeyRegistry = registry
        self._key_problems = key_problems
        usual = REGISTRY.keys
        self.set_keymap({id_: ",".join(keys) or _NO_KEY for id_, keys in registry.keys.items() if keys != usual[id_]})
        self._workspace = workspace
        self._changes = changes
        self._plays, self._welcomes = play, welcome
        self._page = page
        self._message = message
        self.student = student
        """Name of the student whose lessons are shown; empty for the user of the terminal."""
        self.lessons = lessons
        """Files of the lessons that have been opened, the last one at the end."""
        self.wanted: LessonRequested | ClusterRequested | None = None
        """The lesson or cluster to open next, once the program has left this cluster."""
        self._begun = False
        self._touched = 0.0
        """Time of the last key or click, in seconds since the epoch."""
        self._keys = KeyQueue(self, super().on_event, self._is_early)
        self.when_painted: Callable[[], object] = lambda: None
        """Called once, after the first frame."""
        self.theme = theme
        self.animation_level = "none"
        self._filters.append(ControlCharFilter())
        if self.no_color:
            # The framework chose before it knew the theme: it would draw the terminal's own colours black on black.
            self._filters = [NoColor() if isinstance(known, Monochrome) else known for known in self._filters]

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Return the filters but that of ANSI colours: themes other than the terminal's own have true colours only."""
        return [
            line_filter for line_filter in super().get_line_filters() if not isinstance(line_filter, ANSIToTruecolor)
        ]

    @property
    def available_themes(self) -> dict[str, Theme]:
        """Our own themes: those of the framework lack the colours of the roles."""
        return dict(THEMES)

    def get_theme(self, theme_name: str) -> Theme:
        """Return the theme of a name; the first theme for the name that the framework starts with."""
        return THEMES.get(theme_name) or THEMES[self._first_theme]

    def get_driver_class(self) -> type[Driver]:
        """Return the framework's driver, which draws on stderr; if that is not a terminal, our own for stdout."""
        driver = super().get_driver_class()
        if driver.__name__ != "LinuxDriver" or (sys.__stderr__ is not None and sys.__stderr__.isatty()):
            return driver
        from qmon_tui.tui.stdout_driver import StdoutDriver  # late: stderr is rarely redirected

        return StdoutDriver

    def get_default_screen(self) -> MainScreen:
        return MainScreen(
            self._workspace,
            self.key_registry,
            changes=self._changes,
            play=self._plays,
            welcome=self._welcomes,
            page=self._page,
        )

    def on_mount(self) -> None:
        """Show the problems of the keys file, and why a lesson did not open."""
        if self._message:
            self.notify(self._message, severity="error", timeout=15, markup=False)
        for problem in self._key_problems:
            self.notify(problem, title="A key was not changed", severity="warning", timeout=15, markup=False)

    def on_notify(self, event: Notify) -> None:
        """Drop a notification equal to one that is shown."""
        new = event.notification
        if any(
            (notification.title, notification.message) == (new.title, new.message)
            for notification in self._notifications
        ):
            event.prevent_default()

    def on_dialog_opened(self) -> None:
        """Remove notifications older than the last key or click: they were read, and would cover the dialog."""
        for notification in tuple(self._notifications):
            if notification.raised_at < self._touched:
                self._unnotify(notification)
        for below in self.screen_stack[:-1]:
            below.query("ToastRack").set(display=False)  # shown again with its screen

    async def on_event(self, event: events.Event) -> None:
        """Queue keys, which wait for each other; handle all other events immediately."""
        if isinstance(event, (events.Key, events.MouseDown)) and not event.is_forwarded:
            self._touched = time()
        if isinstance(event, events.Key) and not event.is_forwarded:
            await self._keys.take(event)
        else:
            await super().on_event(event)

    @property
    def last_key(self) -> str:
        """The last key that was handled, empty for none."""
        return self._keys.last

    def _is_early(self, key: str) -> bool:
        """Return True if a key needs rows that the first run has not delivered yet."""
        screen = self.screen
        return isinstance(screen, MainScreen) and screen.awaits_rows(key)

    def on_cluster_requested(self, event: ClusterRequested) -> None:
        """Leave this cluster and open the other one, unless there are unsaved edits here."""
        main = self.screen_stack[0]
        if isinstance(main, MainScreen) and main.workspace.changes() and not event.drops:
            self.notify("Save or undo the edits first.", severity="warning", markup=False)
            return
        self.wanted = event
        self.exit()

    def on_lesson_requested(self, event: LessonRequested) -> None:
        """Leave this cluster and open the lesson, which has its own."""
        self.wanted = event
        main = self.screen_stack[0]
        if isinstance(main, MainScreen):
            main.autosave.discard()
        self.exit()

    async def on_key_settled(self) -> None:
        await self._keys.settled()

    def refresh_css(self, animate: bool = True) -> None:
        """Recompute all styles; not when the framework sets the theme with which they were read."""
        if self._begun or self.stylesheet._variables != self.get_css_variables():
            super().refresh_css(animate)

    def post_display_hook(self) -> None:
        """Start the work that the first frame does not wait for, once it is painted."""
        if self._begun or self._batch_count:
            return  # a batch does not paint
        self._begun = True
        self.when_painted()
        # Read now: read with the first dialog, they would recompute all styles before it opens.
        self.stylesheet.add_source(_DIALOGS.read_text("utf-8"), read_from=(str(_DIALOGS), ""))
        main = self.screen_stack[0]
        if isinstance(main, MainScreen):
            main.call_later(main.mount_deferred)

    async def action_quit(self) -> None:
        """Quit as q does, asking about unsaved edits, whatever dialog is open."""
        main = next((screen for screen in self.screen_stack if isinstance(screen, MainScreen)), None)
        if main is None:
            self.exit()
        else:
            main.do("quit")

    def action_help_quit(self) -> None:
        """Explain how to quit when Ctrl+C is pressed."""
        self.notify("Ctrl-C does not end the program: ^q does, and asks if there are unsaved edits.", markup=False)

    async def _dispatch_action(self, namespace: DOMNode, action_name: str, params: Any) -> bool:
        """Run an action; if one of a dialog fails, report that and leave the dialog open."""
        try:
            return await super()._dispatch_action(namespace, action_name, params)
        except Exception as error:
            if namespace is self or not isinstance(namespace.screen, ModalScreen):
                raise
            self.on_dialog_failed(DialogFailed(error))
            return True

    def on_dialog_failed(self, event: DialogFailed) -> None:
        """Write a crash report about a failure in a dialog, and notify the user."""
        from qmon_tui.tui.crash_report import write_report  # late: only a failure needs it

        report, _ = write_report(event.error)
        where = f"; the report is in {report}: please send it" if report else ""
        words = f"This should not happen: {type(event.error).__name__}: {event.error}{where}."
        self.notify(visible(words), severity="error", timeout=30, markup=False)

    def _handle_exception(self, error: Exception) -> None:
        """Leave with a report instead of a traceback that shows local variables."""
        from qmon_tui.tui.crash_report import (  # late: only a failure needs it
            crash_message,
            write_report,
        )

        files, edits = self._unsaved()
        report, patch = write_report(error, files, edits)
        self._return_code = 1
        if self._exception is None:
            self._exception = error
            self._exception_event.set()
        self.panic(Text(crash_message(error, report, patch, is_unsaved=bool(edits))))

    def _unsaved(self) -> tuple[list[tuple[str, str | None, str | None]], str]:
        """Return the unsaved edits as (file, before, after), empty if they cannot be saved; and as text."""
        edits = ""
        try:
            from qmon_tui.report import change_lines  # late: only a failure needs it

            edits = "\n".join(plain(line) for line in change_lines(self._workspace.changes(), 110))
            files = [(file.file, file.before, file.after) for file in self._workspace.save_plan().files]
        except Exception:
            # A failure here must not hide the first one.
            files = []
        return files, edits
