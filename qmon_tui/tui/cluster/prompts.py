"""The questions of the page of the cluster."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual.widget import Widget

from qmon_tui.qmaster import InstanceCommand
from qmon_tui.report import count
from qmon_tui.tui.base import EditRequested
from qmon_tui.tui.dialogs import Answer, ChoiceDialog, confirm, paragraphs
from qmon_tui.workspace import Edit, Workspace, commands

if TYPE_CHECKING:
    from qmon_tui.tui.cluster.view import ClusterView

_MOST = 4
_ROOM = 20
"""Cells for the hosts in the title of a question; the queue instances are listed below it."""
_MOST_NAMES = 60
_VERBS = {
    InstanceCommand.SUSPEND: ("Suspend", "Jobs running there are suspended, and none start."),
    InstanceCommand.UNSUSPEND: ("Resume", "Jobs suspended there resume."),
    InstanceCommand.CLEAR_ERROR: ("Clear the error state of", "Jobs may start there again."),
}


def ask_command(view: "ClusterView", command: InstanceCommand, edit: Edit) -> None:
    """Whether several queue instances are meant: the question says where, the text names them."""
    names = view.targets
    verb, meaning = _VERBS[command]

    def chosen(answer: bool | None) -> None:
        if answer:
            view.edit(edit)

    whose = "Marked" if view.marked else "Under the cursor"
    more = f" and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
    texts = [f"{whose}: {', '.join(names[:_MOST_NAMES])}{more}.", meaning]
    view.app.push_screen(confirm(f"{verb} {instances_words(names)}?", verb.split()[0].lower(), *texts), chosen)


def instances_words(names: Sequence[str]) -> str:
    """How many queue instances, and where: `3 queue instances on a01`, `40 queue instances on a01, … and 30 more`."""
    if len(names) == 1:
        return names[0]
    queues = list(dict.fromkeys(name.rpartition("@")[0] for name in names))
    hosts = list(dict.fromkeys(sorted(name.rpartition("@")[2] for name in names)))
    shown = next(number for number in range(len(hosts), 0, -1) if number == 1 or len(", ".join(hosts[:number])) < _ROOM)
    more = f" and {len(hosts) - shown} more" if shown < len(hosts) else ""
    of_queue = f" of {queues[0]}" if len(queues) == 1 else ""
    return f"{count(len(names), 'queue instance')}{of_queue} on {', '.join(hosts[:shown])}{more}"


def ask_reschedule(view: Widget, workspace: Workspace, names: Sequence[str]) -> None:
    """Whether what runs there is to be sent back, also what may not be run again."""
    order = commands.reschedule_in(names, force=False)
    messages = order.command.apply(workspace.cluster, workspace.state).messages
    where = instances_words(names)
    more = f" … and {len(messages) - _MOST} more" if len(messages) > _MOST else ""
    answers = [
        Answer("n", "no", "", safe=True),
        Answer("b", "reschedule", "back"),
        Answer("f", "also those not rerunnable", "force"),
    ]

    def chosen(answer: str | None) -> None:
        if answer:
            view.post_message(EditRequested(commands.reschedule_in(names, force=answer == "force")))

    words = "Rescheduled jobs start again from the beginning, on another host. The qmaster would say:"
    content = paragraphs(words, *messages[:_MOST], *([more] if more else []))
    view.app.push_screen(ChoiceDialog(f"Reschedule what runs in {where}?", content, answers, wide=True), chosen)
