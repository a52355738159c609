"""The questions of the place of the cluster."""

from collections.abc import Sequence

from textual.widget import Widget

from qmon_tui.tui.base import EditRequested
from qmon_tui.tui.dialogs import Answer, ChoiceDialog, paragraphs
from qmon_tui.workspace import Workspace, commands

_MOST = 4


def ask_reschedule(view: Widget, workspace: Workspace, names: Sequence[str]) -> None:
    """Whether what runs there is to be sent back, also what may not be run again."""
    order = commands.reschedule_in(names, force=False)
    said = order.command.apply(workspace.cluster, workspace.state).said
    where = names[0] if len(names) == 1 else f"{len(names)} queue instances"
    more = f" … and {len(said) - _MOST} more" if len(said) > _MOST else ""
    answers = [
        Answer("n", "no", "", safe=True),
        Answer("b", "send back", "back"),
        Answer("f", "also what may not run again", "force"),
    ]

    def chosen(answer: str | None) -> None:
        if answer:
            view.post_message(EditRequested(commands.reschedule_in(names, force=answer == "force")))

    words = "What is sent back begins anew, on another host. The qmaster would say:"
    content = paragraphs(words, *said[:_MOST], *([more] if more else []))
    view.app.push_screen(ChoiceDialog(f"Send back what runs in {where}?", content, answers, wide=True), chosen)
