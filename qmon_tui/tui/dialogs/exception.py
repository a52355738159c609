"""The question about an exception: its last day and its reason."""

from qmon_tui.model import DatedPlace, last_day
from qmon_tui.tui.base import PanelView
from qmon_tui.tui.dialogs.question_dialogs import NameDialog
from qmon_tui.workspace import drains

NO_TICKETS = "There are no override tickets that could end: set oticket first."
_WORDS = (
    "Write the last day and the reason, such as 2026-12-01 cover for anna; - removes the end. Check and Attention name"
    " it when the day is over."
)


def ask_exception(view: PanelView, place: DatedPlace) -> None:
    """Ask for the last day and the reason of a member or of override tickets."""
    workspace = view.workspace

    def problem(text: str) -> str | None:
        try:
            drains.read_end(text, workspace.state.now)
        except ValueError as error:
            return str(error)
        return None

    def keep(text: str) -> None:
        given = drains.read_end(text, workspace.state.now)
        view.edit(drains.set_exception(workspace.document, workspace.base_document, place, given))

    known = workspace.state.exceptions.get(place.text, ())
    value = f"{last_day(known[-1])} {known[-1].reason}" if known else ""
    NameDialog(f"The end of {place.words}", _WORDS, problem, value).ask(view.app, keep)
