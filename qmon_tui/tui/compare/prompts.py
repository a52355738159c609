"""The questions of the comparison: another policy, and how long a day lasts."""

from typing import TYPE_CHECKING, Final

from qmon_tui.simulation import EditError, Subject
from qmon_tui.tui.compare.policy_text import check_policy_text
from qmon_tui.tui.dialogs import NameDialog

if TYPE_CHECKING:
    from qmon_tui.tui.compare.view import CompareView

_POLICY: Final = (
    "Edits of the present cluster, separated by blanks: scheduler.weight_urgency=1, queues.all.q.slots=4, "
    "workload.load=1.2 for a fifth more jobs, hosts=+10 for ten more hosts. @{1} before them, or alone, takes the "
    "cluster as it was in git one revision before, @{NAME} that of a named revision or snapshot."
)


def ask_policy(view: "CompareView") -> None:
    """A policy by its edits."""
    document = view.workspace.edited_document

    def check(text: str) -> str | None:
        try:
            check_policy_text(text, Subject(document.cluster, document.state))
        except EditError as error:
            return f"{error}."
        return None

    NameDialog("Add a policy", _POLICY, check).ask(view.app, view.add)
