"""The signals that end the program: unsaved edits are kept for the next start, the terminal is restored."""

import asyncio
import errno
import os
import signal
import sys
import termios
from threading import Timer
from typing import TYPE_CHECKING, Final

from rich.text import Text

from qmon_tui.report import visible
from qmon_tui.tui.screens import MainScreen

if TYPE_CHECKING:
    from qmon_tui.tui.app import QmonApp

_ENDED_BY: Final = {
    signal.SIGTERM: "was asked to end (SIGTERM)",
    signal.SIGHUP: "lost its terminal (SIGHUP)",
    signal.SIGINT: "was interrupted (SIGINT)",
    signal.SIGQUIT: "was asked to quit (SIGQUIT)",
    # Grid Engine sends these to a job before it suspends or kills it (-notify, s_rt, s_cpu), also to a shell of qrsh.
    signal.SIGUSR1: "was warned of its end (SIGUSR1)",
    signal.SIGUSR2: "was warned of its end (SIGUSR2)",
    signal.SIGXCPU: "has used its CPU time (SIGXCPU)",
}
_KEPT: Final = " What was not saved is kept: opened on this folder again, qmon-tui offers it."

_PATIENCE: Final = 10.0
"""Seconds that the regular exit may take."""

_CHECK_INTERVAL: Final = 2.0
"""Seconds between two checks that the terminal still exists."""


def end_on_signal(app: "QmonApp", loop: asyncio.AbstractEventLoop) -> None:
    """End the program in good order on the first termination signal, and immediately on the second."""

    def end(number: signal.Signals) -> None:
        for handled in _ENDED_BY:
            loop.remove_signal_handler(handled)
        kept, code = _keep_edits(app), 128 + number
        if not _terminal_exists():
            os._exit(code)  # the regular exit would wait forever for a terminal that is gone
        deadline = Timer(_PATIENCE, os._exit, (code,))
        deadline.daemon = True
        deadline.start()
        app.exit(return_code=code, message=Text(visible(f"qmon-tui {_ENDED_BY[number]}.{kept}")))

    def check_terminal() -> None:
        # Only the terminal's first process gets SIGHUP when it closes: a parent such as make does not pass it on.
        if not _terminal_exists():
            end(signal.SIGHUP)
        loop.call_later(_CHECK_INTERVAL, check_terminal)

    for number in _ENDED_BY:
        loop.add_signal_handler(number, end, number)
    loop.call_later(_CHECK_INTERVAL, check_terminal)


def _terminal_exists() -> bool:
    """Return False if the terminal is gone; True if it exists, or if there never was one."""
    try:
        termios.tcgetattr(sys.__stdin__ or 0)
    except termios.error as error:
        return bool(error.args[0] != errno.EIO)
    return True


def _keep_edits(app: "QmonApp") -> str:
    """Write unsaved edits to the journal; return a sentence about it, empty if there are none."""
    main = next((screen for screen in app.screen_stack if isinstance(screen, MainScreen)), None)
    if main is None or not main.workspace.is_dirty():
        return ""
    problem = main.autosave.save_now()
    return _KEPT if problem is None else f" Unsaved edits are lost: they cannot be kept in {problem}."
