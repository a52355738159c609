"""The questions of the comparison: another policy, and how long a day lasts."""

from typing import TYPE_CHECKING, Final

from qmon_tui.simulation import EditError, Subject, apply_edits, read_edit
from qmon_tui.tui.dialogs import DayLengthDialog, NameDialog, day_seconds

if TYPE_CHECKING:
    from qmon_tui.tui.compare.view import CompareView

_POLICY: Final = (
    "Edits of the cluster as it is now, with blanks between several: scheduler.weight_urgency=1, queues.all.q.slots=4, "
    "workload.load=1.2 for a fifth more jobs, hosts=+10 for ten more hosts."
)


def ask_policy(view: "CompareView") -> None:
    """A policy by its edits."""
    document = view.workspace.edited_document

    def check(text: str) -> str | None:
        try:
            edits = [read_edit(document.cluster, word) for word in text.split()]
            apply_edits(Subject(document.cluster, document.state), edits)
        except EditError as error:
            return f"{error}."
        return None

    def chosen(text: str | None) -> None:
        if text:
            view.add(text)

    view.app.push_screen(NameDialog("Add a policy", _POLICY, check), chosen)


def ask_length(view: "CompareView") -> None:
    """A length such as 8h, or none."""

    def chosen(text: str | None) -> None:
        if text:
            view.change_length(day_seconds(text))

    view.app.push_screen(DayLengthDialog(), chosen)
