"""The questions of the panels about policies: a value of the scheduler, or a holder's shares."""

from typing import TYPE_CHECKING

from qmon_tui.checks import check_object
from qmon_tui.model import Kind, Severity, StateKind
from qmon_tui.model.catalogue import spec
from qmon_tui.report import shares_problem
from qmon_tui.tui.dialogs import NameDialog
from qmon_tui.tui.policy.policy_panels import QALTER_OPTIONS

if TYPE_CHECKING:
    from qmon_tui.tui.policy.policy_panels import PolicyView, SharesView
    from qmon_tui.workspace import ShareHolder

_TITLES = {"fshare": "Functional shares", "oticket": "Override tickets"}


def ask_value(view: "PolicyView", field: str) -> None:
    """Another value of a field of the scheduler."""
    cluster = view.workspace.cluster
    scheduler = cluster.single(Kind.SCHEDULER)

    def problem(text: str) -> str | None:
        errors = (
            finding.message
            for finding in check_object(cluster, scheduler.with_value(field, text))
            if finding.field == field and finding.severity is Severity.ERROR
        )
        return next(errors, None)

    def keep(text: str | None) -> None:
        if text is not None:
            view.give(field, text)

    explanation = spec(Kind.SCHEDULER).by_name[field].help
    view.app.push_screen(NameDialog(field, explanation, problem, scheduler.text(field)), keep)


def ask_shares(view: "SharesView", holder: "ShareHolder", field: str) -> None:
    """Ask for a holder's functional shares (`fshare`) or override tickets (`oticket`)."""
    is_job = holder.kind is StateKind.JOB
    whose = f"job {holder.name}" if is_job else holder.name
    explanation = f"A whole number, as qalter {QALTER_OPTIONS[field]} sets it." if is_job else "A whole number."

    def keep(text: str | None) -> None:
        if text is not None:
            view.give(holder, field, text)

    value = str(holder.fshare if field == "fshare" else holder.oticket)
    view.app.push_screen(NameDialog(f"{_TITLES[field]} of {whose}", explanation, shares_problem, value), keep)
