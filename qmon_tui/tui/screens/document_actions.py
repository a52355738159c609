"""Actions on the document as a whole: undo, save, its changes, versions and findings, and reading it again."""

from typing import TYPE_CHECKING

from qmon_tui.tui.keys import SHARED_KEYS, ActionSet, Group, Need, Pane
from qmon_tui.tui.screens import action_dialogs, saving
from qmon_tui.tui.screens.object_actions import EVERYWHERE

if TYPE_CHECKING:
    from qmon_tui.tui.screens.action_screen import ActionScreen

_CHANGES = Need(lambda now: now.changes > 0, "Nothing has changed since the last save.")

DOCUMENT_ACTIONS: "ActionSet[ActionScreen]" = ActionSet(group=Group.CHANGES)


@DOCUMENT_ACTIONS.action(
    "undo",
    *SHARED_KEYS["undo"],
    text="Undo the last edit",
    needs=(Need(lambda now: now.undo is not None, "There is nothing to undo."),),
    dangerous=True,
    footer=EVERYWHERE,
)
def _undo(screen: "ActionScreen") -> None:
    _notify_label(screen, "Undone", screen.workspace.undo())


@DOCUMENT_ACTIONS.action(
    "redo",
    *SHARED_KEYS["redo"],
    text="Redo the edit that was undone",
    needs=(Need(lambda now: now.redo is not None, "There is nothing to redo."),),
    dangerous=True,
)
def _redo(screen: "ActionScreen") -> None:
    _notify_label(screen, "Redone", screen.workspace.redo())


def _notify_label(screen: "ActionScreen", what: str, label: str | None) -> None:
    if label:
        screen.notify(f"{what}: {label}", timeout=2, markup=False)


@DOCUMENT_ACTIONS.action(
    "save",
    "s",
    "ctrl+s",
    text="Show the difference, then save it; of a running cluster the commands, then run them",
    needs=(_CHANGES,),
    dangerous=True,
    footer=EVERYWHERE,
)
def _save(screen: "ActionScreen") -> None:
    saving.Saving(screen).save()


@DOCUMENT_ACTIONS.action(
    "take-back",
    text="Take back the last plan that was carried out on the running cluster; later changes stay",
    needs=(Need(lambda now: now.live, "This is a folder: undo, or an earlier version, takes a save back."),),
    dangerous=True,
)
def _take_back(screen: "ActionScreen") -> None:
    screen.cluster_writing.take_back()


@DOCUMENT_ACTIONS.action(
    "changes",
    *SHARED_KEYS["changes"],
    text="All unsaved edits: revert any of them, go to it, see the lines of the files or the commands",
    needs=(_CHANGES,),
)
def _changes(screen: "ActionScreen") -> None:
    saving.Saving(screen).changes()


@DOCUMENT_ACTIONS.action(
    "versions",
    *SHARED_KEYS["versions"],
    text="Earlier versions: what each save left, and named snapshots; restore one",
)
def _versions(screen: "ActionScreen") -> None:
    saving.Saving(screen).versions()


@DOCUMENT_ACTIONS.action(
    "findings",
    *SHARED_KEYS["findings"],
    text="List all findings; Enter jumps to the field",
    needs=(Need(lambda now: now.findings > 0, "There are no findings: everything checked is in order."),),
    footer=(Pane.FORM,),
)
def _findings(screen: "ActionScreen") -> None:
    action_dialogs.choose_finding(screen)


@DOCUMENT_ACTIONS.action(
    "reload",
    "r",
    "f5",
    text="Read the folder or the running cluster again; with unsaved edits: merge, reload or keep",
)
def _reload(screen: "ActionScreen") -> None:
    saving.Saving(screen).reload()


@DOCUMENT_ACTIONS.action(
    "pull",
    "ctrl+r",
    text="Show what has changed on the qmaster since this folder was taken from it, and merge it into the folder",
    needs=(Need(lambda now: not now.live, "This is the running cluster itself, read again every few seconds."),),
    dangerous=True,
)
def _pull(screen: "ActionScreen") -> None:
    saving.Saving(screen).pull()


@DOCUMENT_ACTIONS.action(
    "pause",
    "semicolon",
    "f10",
    text="Read the running cluster only when r is pressed, or every few seconds again",
    needs=(Need(lambda now: now.live, "This is a folder: it is read whenever it changes."),),
)
def _pause(screen: "ActionScreen") -> None:
    watch = screen.folder_watch
    watch.is_paused = not watch.is_paused
    screen.refresh_edges()
    if not watch.is_paused:
        saving.Saving(screen).reload()
