"""The panels of the scheduler: "Weights" of priorities and tickets, "Shares" with functional and override tickets."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from qmon_tui.checks import check_object
from qmon_tui.model import DatedPlace, Finding, Kind, Severity, StateKind
from qmon_tui.model.catalogue import spec
from qmon_tui.qmaster import Qalter, Target
from qmon_tui.report import Line, TextRole, field_finding_lines, policies, shares_problem, wrap
from qmon_tui.tui.base import JumpRequested, TablePanel
from qmon_tui.tui.dialogs import NameDialog
from qmon_tui.workspace import (
    DEADLINE_USERS,
    CommandEdit,
    ShareHolder,
    Workspace,
    categories,
    deadline_users,
    holders,
    terms,
    ticket_totals,
    urgent_attributes,
)


class PolicyView(TablePanel):
    """A row per value; below the table the help of its field, and warnings about policies without effect."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace, policies.POLICY_COLUMNS)

    def refresh_from(self) -> None:
        cluster, result = self.workspace.cluster, self.workspace.result
        outcome = result.outcome if result else None
        scheduler = cluster.single(Kind.SCHEDULER)
        texts = {field: scheduler.text(field) for field in policies.shown_fields()}
        rows = policies.policy_rows(
            terms(cluster, outcome),
            ticket_totals(cluster, outcome, self.workspace.state.jobs),
            categories(cluster),
            urgent_attributes(cluster),
            texts,
            deadline_users(cluster),
        )
        begins = not self.grid.grid_rows.rows
        self.grid.show_rows(rows)
        if begins:
            self.grid.move_to(next(row.key for row in rows if not row.key.startswith("=")))
        self.draw_about()

    def about(self, cells: int) -> Sequence[Line]:
        """Return the help of the chosen value, and the policies without effect."""
        field = spec(Kind.SCHEDULER).by_name.get(self.field or "")
        lines: list[Line] = list(wrap(f"{field.name}: {field.help}", cells, TextRole.DIM)) if field else []
        result = self.workspace.result
        warnings = [finding for finding in (result.findings if result else ()) if _is_about_policy(finding)]
        return [*lines, *(line for finding in warnings[:3] for line in field_finding_lines(finding, cells, 0))]

    @property
    def field(self) -> str | None:
        """The field of the scheduler under the cursor; None on a heading and on a sum."""
        key = self.grid.chosen
        return None if key is None or key.startswith("=") else key

    @property
    def value(self) -> str:
        """The text of that field; empty if none is chosen."""
        return self.workspace.cluster.single(Kind.SCHEDULER).text(self.field) if self.field is not None else ""

    def opened(self, key: str) -> None:
        """Edit the value; on a sum, go to the users with deadlines or to the urgent attributes."""
        if key == "= deadlines":
            self.post_message(JumpRequested(Kind.USERSET, DEADLINE_USERS, "entries"))
        elif key == "= requests":
            self.post_message(JumpRequested(Kind.COMPLEX, next(iter(urgent_attributes(self.workspace.cluster)))[0]))
        elif self.field is not None and not self.workspace.read_only:
            self.actions.run("policy.edit")

    def give(self, field: str, text: str, *, typing: bool = False) -> None:
        scheduler = self.workspace.cluster.single(Kind.SCHEDULER)
        self.edit_field(Kind.SCHEDULER, scheduler.name, field, text, typing=typing)


def _is_about_policy(finding: Finding) -> bool:
    """Return True for a finding about a policy without effect, whichever object causes it."""
    return finding.severity is Severity.WARNING and (
        finding.kind in (Kind.SCHEDULER, Kind.SHARETREE) or finding.rule == "configuration.auto_user.forgotten"
    )


_EMPTY = "No shares: there are no users, projects, departments and jobs."
QALTER_OPTIONS = {"fshare": "-js", "oticket": "-ot"}
"""Field of a share holder -> option of qalter that sets it for a job."""


class _Of(NamedTuple):
    """Kind and name of a holder of shares."""

    kind: Kind | StateKind
    name: str


class SharesView(TablePanel):
    """A row per user, project, department and job."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace, policies.SHARES_COLUMNS, empty=_EMPTY)
        self._holders: Mapping[_Of, ShareHolder] = {}

    def refresh_from(self) -> None:
        workspace = self.workspace
        outcome = workspace.result.outcome if workspace.result else None
        share_holders = holders(workspace.cluster, outcome, workspace.state.jobs)
        self._holders = {_Of(holder.kind, holder.name): holder for holder in share_holders}
        rows = policies.shares_rows(share_holders)
        begins = not self.grid.grid_rows.rows
        self.grid.show_rows(rows)
        if begins and len(rows) > 1:
            self.grid.move_to(rows[1].key)
        self.draw_about()

    @property
    def holder(self) -> ShareHolder | None:
        """The holder of the shares under the cursor; None on a sum."""
        kind, _, name = (self.grid.chosen or "=").partition(":")
        return next((holder for of, holder in self._holders.items() if (of.kind.value, of.name) == (kind, name)), None)

    @property
    def place(self) -> DatedPlace | None:
        """The override tickets of the holder under the cursor; None for a sum or a job."""
        holder = self.holder
        return None if holder is None or isinstance(holder.kind, StateKind) else DatedPlace(holder.kind, holder.name)

    def opened(self, key: str) -> None:
        if not self.workspace.read_only:
            self.actions.run("shares.edit")

    def give(self, holder: ShareHolder, field: str, text: str, *, typing: bool = False) -> None:
        if isinstance(holder.kind, StateKind):
            self.edit(CommandEdit(Qalter((Target(int(holder.name)),), f"{QALTER_OPTIONS[field]} {text}")))
        else:
            self.edit_field(holder.kind, holder.name, field, text, typing=typing)


_TITLES = {"fshare": "Functional shares", "oticket": "Override tickets"}


def ask_value(view: PolicyView, field: str) -> None:
    """Ask for the value of a field of the scheduler."""
    cluster = view.workspace.cluster
    scheduler = cluster.single(Kind.SCHEDULER)

    def problem(text: str) -> str | None:
        errors = (
            finding.message
            for finding in check_object(cluster, scheduler.with_value(field, text))
            if finding.field == field and finding.severity is Severity.ERROR
        )
        return next(errors, None)

    explanation = spec(Kind.SCHEDULER).by_name[field].help
    NameDialog(field, explanation, problem, scheduler.text(field)).ask(view.app, lambda text: view.give(field, text))


def ask_shares(view: SharesView, holder: ShareHolder, field: str) -> None:
    """Ask for a holder's functional shares (`fshare`) or override tickets (`oticket`)."""
    is_job = holder.kind is StateKind.JOB
    whose = f"job {holder.name}" if is_job else holder.name
    explanation = f"A whole number, as qalter {QALTER_OPTIONS[field]} sets it." if is_job else "A whole number."

    value = str(holder.fshare if field == "fshare" else holder.oticket)
    NameDialog(f"{_TITLES[field]} of {whose}", explanation, shares_problem, value).ask(
        view.app, lambda text: view.give(holder, field, text)
    )
