"""The question of the monitor: which time to go to."""

from typing import TYPE_CHECKING

from qmon_tui.tui.dialogs import NameDialog
from qmon_tui.tui.present.day import parse_day_time

if TYPE_CHECKING:
    from qmon_tui.tui.monitor.view import MonitorView


def ask_time(view: "MonitorView") -> None:
    """A time of the day, or a length from the moment that is shown."""
    moment = view.player.moment
    if moment is None:
        return
    now, beginning = moment.time, moment.beginning

    def check(text: str) -> str | None:
        try:
            parse_day_time(text, now, beginning)
        except ValueError as error:
            return f"{error}."
        return None

    def chosen(text: str | None) -> None:
        if text:
            view.player.go_to_time(parse_day_time(text, now, beginning))

    words = "10:30 or 10:30:15 today, 2026-11-21T09:00:00, or from here: +30m, +2h, -10m."
    view.app.push_screen(NameDialog("Go to a time", words, check), chosen)
