"""Asking for the past usage of somebody in the share tree."""

from textual.widget import Widget

from qmon_tui.tui.base import EditRequested
from qmon_tui.tui.dialogs.dialog import Answer, paragraphs
from qmon_tui.tui.dialogs.question_dialogs import ChoiceDialog, NameDialog
from qmon_tui.tui.present.words import moment
from qmon_tui.workspace import ClearUsage, SetUsage, UsageOwner, Workspace, parse_usage, usage_line, usage_of

_FORGET = "All past usage of users and projects is forgotten, as qconf -clearusage does: everybody begins anew."
_FORGET_ONE = "Or only what {0} has used, also within projects, as qconf -clearusage {0} does; projects keep theirs."


def ask_usage(view: Widget, workspace: Workspace, holder: UsageOwner) -> None:
    """One line for all kinds of usage; cpu in seconds, mem in gigabyte seconds, io in gigabytes."""
    amounts, time = usage_of(workspace.state, holder)
    when = f", as of {moment(time)}, fading since" if time is not None else ""
    words = f"cpu in seconds, mem in GB seconds, io in GB{when}; 0 is none:"

    def check(text: str) -> str | None:
        usage = parse_usage(text)
        return usage if isinstance(usage, str) else None

    def typed(text: str | None) -> None:
        if text is not None:
            view.post_message(EditRequested(SetUsage(holder, text)))

    view.app.push_screen(NameDialog(f"Past usage of {holder.words}", words, check, usage_line(amounts)), typed)


def ask_to_clear_usage(view: Widget, workspace: Workspace, holder: UsageOwner | None) -> None:
    """The safe answer keeps it; the usage of the user in question can go alone, where there is some."""
    user = holder.user if holder is not None else None

    def chosen(edit: ClearUsage | None) -> None:
        if edit is not None:
            view.post_message(EditRequested(edit))

    answers: list[Answer[ClearUsage | None]] = [
        Answer("n", "no", None, safe=True),
        Answer("f", "forget it", ClearUsage()),
    ]
    texts = [_FORGET]
    if user is not None and user in workspace.state.usage.users:
        answers.append(Answer("o", f"only that of {user}", ClearUsage(user)))
        texts.append(_FORGET_ONE.format(user))
    view.app.push_screen(ChoiceDialog("Forget all past usage?", paragraphs(*texts), answers), chosen)
