"""The questions of the monitor: the time to go to, and the file for the charts."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

from qmon_tui.report import TextRole, moment
from qmon_tui.report.day import parse_day_time, svg_of
from qmon_tui.sources.atomic_write import replace_file
from qmon_tui.tui.base import THEMES, run_in_thread
from qmon_tui.tui.dialogs import NameDialog, confirm, typed_path, unwritable
from qmon_tui.values import whole_number

if TYPE_CHECKING:
    from qmon_tui.tui.monitor.view import MonitorView


def ask_time(view: "MonitorView") -> None:
    """Ask for a time of the day, an offset from the shown moment, or a job to whose start the day goes."""
    shown = view.player.moment
    if shown is None:
        return
    now, beginning = shown.time, shown.beginning

    def check(text: str) -> str | None:
        if whole_number(text) is not None:
            return None
        try:
            parse_day_time(text, now, beginning)
        except ValueError as error:
            return f"{error}."
        return None

    def chosen(text: str) -> None:
        job = whole_number(text)
        if job is not None:
            view.player.go_to_start(job)
        else:
            view.player.go_to_time(parse_day_time(text, now, beginning))

    words = "10:30 or 10:30:15 today, 2026-11-21T09:00:00, from here +30m, +2h, -10m; or a job number: its start."
    NameDialog("Go to a time", words, check).ask(view.app, chosen)


def ask_export(view: "MonitorView") -> None:
    """Ask for a file, and again if it exists already."""
    if view.player.moment is None:
        return
    view.player.stop()

    def chosen(answer: str) -> None:
        path = typed_path(answer)
        if not os.path.lexists(path):
            _write(view, path)
            return
        question = confirm(f"Replace {path.name}?", "replace it", f"{path} exists and would be overwritten.")
        question.ask(view.app, lambda _: _write(view, path))

    words = "Use and waits, shares, the Gantt chart in sight, the last events and the alarms, as an SVG picture:"
    NameDialog("Write the charts to a file", words, unwritable, "monitor.svg").ask(view.app, chosen)


def _write(view: "MonitorView", path: Path) -> None:
    # Only the terminal knows the colours of a terminal theme: write those of `light`.
    theme = THEMES[view.app.theme if not THEMES[view.app.theme].ansi else "light"]
    colours = {role: theme.variables[f"role-{role}"] for role in TextRole}
    title = f"{view.workspace.cluster.name}, {moment(view.workspace.state.now)}"
    lines, cells = view.picture(title)
    text = svg_of(lines, cells, colours, theme.background or "#ffffff", title)

    async def write() -> None:
        try:
            await run_in_thread(lambda: replace_file(path, text))
        except OSError as error:
            view.notify(f"{path} cannot be written: {error.strerror or error}", severity="error", markup=False)
            return
        view.notify(f"Wrote {path}", markup=False)

    view.run_worker(write(), group="export")
