"""The questions of the comparison: another policy, and how long a day lasts."""

from typing import TYPE_CHECKING, Final

from qmon_tui.simulation import EditError, Subject, apply_edits, read_edit
from qmon_tui.tui.dialogs import NameDialog
from qmon_tui.values import parse_moment

if TYPE_CHECKING:
    from qmon_tui.tui.compare.view import CompareView

LONGEST: Final = 366 * 86400
"""Seconds of a day at most."""
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
    """A length such as 8h."""

    def check(text: str) -> str | None:
        try:
            seconds = _seconds(text)
        except ValueError as error:
            return f"{error}."
        return None if 0 < seconds <= LONGEST else "write a length from a second up to a year."

    def chosen(text: str | None) -> None:
        if text:
            view.change_length(_seconds(text))

    words = "From the time of the cluster on: 8h, 90m, 2d."
    view.app.push_screen(NameDialog("How long each day lasts", words, check), chosen)


def _seconds(text: str) -> int:
    return parse_moment(f"+{text.strip().removeprefix('+')}", 0)
