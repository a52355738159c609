"""Asking for the past usage of somebody in the share tree."""

from textual.widget import Widget

from qmon_tui.tui.dialogs.choose import confirm
from qmon_tui.tui.dialogs.name import AskName
from qmon_tui.tui.messages import EditWanted
from qmon_tui.tui.present.words import moment
from qmon_tui.workspace.usage_edits import ClearUsage, Holder, SetUsage, parse_usage, usage_line, usage_of
from qmon_tui.workspace.workspace import Workspace

_FORGET = "All past usage of users and projects is forgotten, as qconf -clearusage does: everybody begins anew."


def ask_usage(view: Widget, workspace: Workspace, holder: Holder) -> None:
    """One line for all kinds of usage; cpu in seconds, mem in gigabyte seconds, io in gigabytes."""
    amounts, time = usage_of(workspace.state, holder)
    when = f", as of {moment(time)}, fading since" if time is not None else ""
    words = f"cpu in seconds, mem in GB seconds, io in GB{when}; 0 is none:"

    def check(text: str) -> str | None:
        found = parse_usage(text)
        return found if isinstance(found, str) else None

    def typed(text: str | None) -> None:
        if text is not None:
            view.post_message(EditWanted(SetUsage(holder, text)))

    view.app.push_screen(AskName(f"Past usage of {holder.words}", words, check, usage_line(amounts)), typed)


def ask_to_clear_usage(view: Widget) -> None:
    """The safe answer keeps it."""

    def chosen(forget: bool | None) -> None:
        if forget:
            view.post_message(EditWanted(ClearUsage()))

    view.app.push_screen(confirm("Forget all past usage?", "forget it", _FORGET, letter="f"), chosen)
