"""Reset of the private copy of the teaching cluster; the old copy is kept beside the new one."""

from typing import TYPE_CHECKING

from qmon_tui.report import count
from qmon_tui.sources import SourceError
from qmon_tui.sources.shipped import private_folder, start_over as make_new_copy
from qmon_tui.tui.base import ASKING, ClusterRequested
from qmon_tui.tui.dialogs import confirm
from qmon_tui.workspace import with_renames

if TYPE_CHECKING:
    from qmon_tui.tui.screens.action_screen import ActionScreen


def refusal(screen: "ActionScreen") -> str | None:
    """Return why the cluster of the screen cannot begin again; None if it can."""
    is_private = screen.workspace.reading.folder == private_folder()
    return None if is_private else "Only the private copy of the teaching cluster (qmon-tui without PATH) begins again."


def start_over(screen: "ActionScreen") -> None:
    """Ask the user, then make a new copy of the teaching cluster and open it."""
    screen.run_worker(_start_over(screen), group=ASKING)


async def _start_over(screen: "ActionScreen") -> None:
    changed = with_renames(screen.workspace.changes())
    edits = f"Unsaved edits of {count(len(changed), 'object')} are dropped. " if changed else ""
    words = f"{edits}What is saved is kept in a folder beside {private_folder()}."
    if not await screen.app.push_screen_wait(confirm("Begin again with the teaching cluster?", "begin again", words)):
        return
    try:
        folder, _ = make_new_copy()
    except SourceError as error:
        screen.notify(f"{error}.", severity="error", markup=False)
        return
    screen.autosave.discard()
    screen.post_message(ClusterRequested(str(folder), drops=True))
