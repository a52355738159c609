"""The questions of the Cluster page."""

from collections.abc import Callable, Sequence

from textual.widget import Widget

from qmon_tui.formats import fold_hosts
from qmon_tui.qmaster import InstanceCommand, QmodQueues, QmodReschedule
from qmon_tui.report import count
from qmon_tui.tui.base import EditRequested
from qmon_tui.tui.dialogs import Answer, ChoiceDialog, confirm, paragraphs
from qmon_tui.workspace import CommandEdit, Edit, Workspace

_MOST = 4
_ROOM = 20
"""Width in cells for the hosts in a question's title; all queue instances are listed below it."""
_MOST_NAMES = 20
_VERBS = {
    InstanceCommand.SUSPEND: ("Suspend", "Jobs running there are suspended, and none start."),
    InstanceCommand.UNSUSPEND: ("Resume", "Jobs suspended there resume."),
    InstanceCommand.CLEAR_ERROR: ("Clear the error state of", "Jobs may start there again."),
}


_LETTERS = {
    InstanceCommand.SUSPEND: ("s", False, "not suspended"),
    InstanceCommand.UNSUSPEND: ("s", True, "suspended"),
    InstanceCommand.CLEAR_ERROR: ("E", True, "in state E"),
}
"""Command -> state letter that it changes, whether instances must have it, and a word for such instances."""


def give_command(
    view: Widget, workspace: Workspace, command: InstanceCommand, names: Sequence[str], apply: Callable[[Edit], object],
    hidden: Sequence[str] = (),
) -> None:  # fmt: skip
    """Give a command to those queue instances on which it has an effect.

    A single one is changed without a question, as undo restores it; for several the question names them, and those
    that the filter hides.
    """
    letter, present, words = _LETTERS[command]
    letters = instance_letters(workspace)
    known = [name for name in names if name in letters]
    meant = [name for name in known if (letter in letters[name]) is present]
    if not meant and len(known) != 1:
        view.notify(f"None of these {count(len(known), 'queue instance')} is {words}.", severity="warning",
                    markup=False)  # fmt: skip
        return
    meant = meant or known
    edit = CommandEdit(QmodQueues(command, tuple(meant), letters))
    if len(meant) == 1 and not hidden:
        apply(edit)
        return
    verb, meaning = _VERBS[command]

    texts = [f"{named(meant)}.", *hidden_words([name for name in meant if name in hidden])]
    if others := len(known) - len(meant):
        texts.append(f"{count(others, 'other queue instance')} here {'is' if others == 1 else 'are'} not {words}.")
    confirm(f"{verb} {instances_words(meant)}?", verb.split()[0].lower(), *texts, meaning).ask(
        view.app, lambda _: apply(edit)
    )


def hidden_words(hidden: Sequence[str]) -> tuple[str, ...]:
    """Return a sentence about the targets that the filter hides; empty without any."""
    if not hidden:
        return ()
    return (f"{len(hidden)} hidden by the filter: {named(hidden)}.",)


def named(names: Sequence[str]) -> str:
    """Return hosts and queue instances as node sets: `all.q@node[01-40], all.q@old`; beyond _MOST_NAMES, a number."""
    queues: dict[str, list[str]] = {}
    for name in names:
        queue, at, host = name.rpartition("@")
        queues.setdefault(queue + at, []).append(host)
    sets = [f"{queue}{hosts}" for queue, there in queues.items() for hosts in fold_hosts(there)]
    more = f" and {len(sets) - _MOST_NAMES} more" if len(sets) > _MOST_NAMES else ""
    return ", ".join(sets[:_MOST_NAMES]) + more


def instance_letters(workspace: Workspace) -> dict[str, str]:
    """Return queue instance -> its letters in the current state; empty before the first run."""
    outcome = workspace.result.outcome if workspace.result is not None else None
    return {instance.name: instance.state for instance in outcome.instances_before} if outcome is not None else {}


def instances_words(names: Sequence[str]) -> str:
    """Return number and hosts in words: `3 queue instances on a01`, `40 queue instances on a[01-40]`."""
    if len(names) == 1:
        return names[0]
    queues = list(dict.fromkeys(name.rpartition("@")[0] for name in names))
    hosts = fold_hosts(dict.fromkeys(sorted(name.rpartition("@")[2] for name in names)))
    shown = next(number for number in range(len(hosts), 0, -1) if number == 1 or len(", ".join(hosts[:number])) < _ROOM)
    more = f" and {len(hosts) - shown} more" if shown < len(hosts) else ""
    of_queue = f" of {queues[0]}" if len(queues) == 1 else ""
    return f"{count(len(names), 'queue instance')}{of_queue} on {', '.join(hosts[:shown])}{more}"


def ask_reschedule(view: Widget, workspace: Workspace, names: Sequence[str], hidden: Sequence[str] = ()) -> None:
    """Ask whether to reschedule the jobs in these queue instances, and whether to force those not rerunnable."""
    order = CommandEdit(QmodReschedule(tuple(names)))
    messages = order.command.apply(workspace.cluster, workspace.state).messages
    where = instances_words(names)
    more = f" … and {len(messages) - _MOST} more" if len(messages) > _MOST else ""
    answers = [
        Answer("n", "no", "", safe=True),
        Answer("b", "reschedule", "back"),
        Answer("f", "also those not rerunnable", "force"),
    ]

    words = "Rescheduled jobs start again from the beginning, on another host. The qmaster would say:"
    content = paragraphs(*hidden_words(hidden), words, *messages[:_MOST], *([more] if more else []))
    ChoiceDialog(f"Reschedule what runs in {where}?", content, answers, wide=True).ask(
        view.app,
        lambda answer: view.post_message(EditRequested(CommandEdit(QmodReschedule(tuple(names), answer == "force")))),
    )
