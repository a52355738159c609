"""The panels of the scheduler: "Policy", all that decides about priorities, and "Shares", functional and override."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from qmon_tui.checks import check_object
from qmon_tui.model.catalogue import spec
from qmon_tui.model.findings import Finding, Severity
from qmon_tui.model.kinds import Kind
from qmon_tui.model.state_entry import StateKind
from qmon_tui.tui.base.messages import EditRequested, FieldEdited, JumpRequested
from qmon_tui.tui.base.table_panel import TablePanel
from qmon_tui.tui.dialogs.question_dialogs import NameDialog
from qmon_tui.tui.present.findings import field_finding_lines
from qmon_tui.tui.present.number_steps import shares_problem, stepped
from qmon_tui.tui.present.policies import POLICY_COLUMNS, SHARES_COLUMNS, policy_rows, shares_rows, shown_fields
from qmon_tui.tui.present.spans import Line, TextRole, wrap
from qmon_tui.workspace.policy_summary import (
    DEADLINE_USERS,
    ShareHolder,
    categories,
    deadline_users,
    holders,
    terms,
    ticket_totals,
    urgent_attributes,
)
from qmon_tui.workspace.workspace import Workspace

_HEADING = "This is a heading, or the sum of what others have: choose a value."
_NO_STEP = "This is no number: e types another value."


class PolicyView(TablePanel):
    """A row per value; below it what its field is for, and warnings about policies that do nothing."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace, POLICY_COLUMNS)
        self.handlers = {
            "policy.edit": self._edit,
            "policy.more": lambda: self._step(1),
            "policy.less": lambda: self._step(-1),
        }

    def refresh_from(self) -> None:
        """Draw the values and what the last run made of them."""
        cluster, result = self.workspace.cluster, self.workspace.result
        outcome = result.outcome if result else None
        scheduler = cluster.single(Kind.SCHEDULER)
        texts = {field: scheduler.text(field) for field in shown_fields()}
        rows = policy_rows(
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
        """What the chosen value is for, and which policies do nothing."""
        field = spec(Kind.SCHEDULER).by_name.get(self._field or "")
        lines: list[Line] = list(wrap(f"{field.name}: {field.help}", cells, TextRole.DIM)) if field else []
        result = self.workspace.result
        warnings = [finding for finding in (result.findings if result else ()) if _is_about_policy(finding)]
        return [*lines, *(line for finding in warnings[:3] for line in field_finding_lines(finding, cells, 0))]

    @property
    def _field(self) -> str | None:
        key = self.grid.chosen
        return None if key is None or key.startswith("=") else key

    def refusals(self) -> Mapping[str, str]:
        """Headings have no value, and words no steps."""
        field = self._field
        if field is None:
            return dict.fromkeys(self.handlers, _HEADING)
        if stepped(self.workspace.cluster.single(Kind.SCHEDULER).text(field), 1) is None:
            return dict.fromkeys(("policy.more", "policy.less"), _NO_STEP)
        return {}

    @property
    def copied(self) -> str:
        """The row under the cursor."""
        return self.grid.cursor_text

    def opened(self, key: str) -> None:
        """Edit the value, or go to the attributes that are urgent."""
        if key == "= deadlines":
            self.post_message(JumpRequested(Kind.USERSET, DEADLINE_USERS, "entries"))
        elif key == "= requests":
            self.post_message(JumpRequested(Kind.COMPLEX, next(iter(urgent_attributes(self.workspace.cluster)))[0]))
        elif self._field is not None and not self.workspace.read_only:
            self._edit()

    def _edit(self) -> None:
        field, cluster = self._field, self.workspace.cluster
        if field is None:
            return
        scheduler = cluster.single(Kind.SCHEDULER)

        def problem(text: str) -> str | None:
            findings = check_object(cluster, scheduler.with_value(field, text))
            return next(
                (
                    finding.message
                    for finding in findings
                    if finding.field == field and finding.severity is Severity.ERROR
                ),
                None,
            )

        def keep(text: str | None) -> None:
            if text is not None:
                self.post_message(FieldEdited(Kind.SCHEDULER, scheduler.name, field, text))

        self.app.push_screen(
            NameDialog(field, spec(Kind.SCHEDULER).by_name[field].help, problem, scheduler.text(field)), keep
        )

    def _step(self, by: int) -> None:
        field = self._field
        scheduler = self.workspace.cluster.single(Kind.SCHEDULER)
        text = stepped(scheduler.text(field), by) if field is not None else None
        if field is not None and text is not None:
            self.post_message(FieldEdited(Kind.SCHEDULER, scheduler.name, field, text, typing=True))


def _is_about_policy(finding: Finding) -> bool:
    """Policies that do nothing, wherever the value stands that makes them so."""
    return finding.severity is Severity.WARNING and (
        finding.kind in (Kind.SCHEDULER, Kind.SHARETREE) or finding.rule == "configuration.auto_user.forgotten"
    )


_SHARES_HEADING = "This is the sum: choose somebody."
_EMPTY = "Nobody can have shares: there are no users, projects, departments and jobs."
_TITLES = {"fshare": "Functional shares", "oticket": "Override tickets"}
_OPTIONS = {"fshare": "-js", "oticket": "-ot"}
"""With which qalter gives them to a job."""


class _Of(NamedTuple):
    """Whose shares a row shows."""

    kind: Kind | StateKind
    name: str


class SharesView(TablePanel):
    """A row per user, project, department and job."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace, SHARES_COLUMNS, empty=_EMPTY)
        self.handlers = {
            "shares.edit": lambda: self._edit("fshare"),
            "shares.more": lambda: self._step(1),
            "shares.less": lambda: self._step(-1),
            "shares.override": lambda: self._edit("oticket"),
        }
        self._holders: Mapping[_Of, ShareHolder] = {}

    def refresh_from(self) -> None:
        """List everybody with the tickets of the last run."""
        workspace = self.workspace
        outcome = workspace.result.outcome if workspace.result else None
        share_holders = holders(workspace.cluster, outcome, workspace.state.jobs)
        self._holders = {_Of(holder.kind, holder.name): holder for holder in share_holders}
        rows = shares_rows(share_holders)
        begins = not self.grid.grid_rows.rows
        self.grid.show_rows(rows)
        if begins and len(rows) > 1:
            self.grid.move_to(rows[1].key)
        self.draw_about()

    @property
    def _holder(self) -> ShareHolder | None:
        kind, _, name = (self.grid.chosen or "=").partition(":")
        return next((holder for of, holder in self._holders.items() if (of.kind.value, of.name) == (kind, name)), None)

    def refusals(self) -> Mapping[str, str]:
        """Sums follow from what everybody has."""
        return dict.fromkeys(self.handlers, _SHARES_HEADING) if self._holder is None else {}

    def opened(self, key: str) -> None:
        """Edit the functional shares."""
        if not self.workspace.read_only:
            self._edit("fshare")

    def _edit(self, field: str) -> None:
        holder = self._holder
        if holder is None:
            return
        share_holder = holder
        is_job = share_holder.kind is StateKind.JOB
        whose = f"job {share_holder.name}" if is_job else share_holder.name
        explanation = f"A whole number, as qalter {_OPTIONS[field]} sets it." if is_job else "A whole number."

        def keep(text: str | None) -> None:
            if text is not None:
                self._give(share_holder, field, text)

        value = str(share_holder.fshare if field == "fshare" else share_holder.oticket)
        self.app.push_screen(NameDialog(f"{_TITLES[field]} of {whose}", explanation, shares_problem, value), keep)

    def _step(self, by: int) -> None:
        holder = self._holder
        text = stepped(str(holder.fshare), by) if holder is not None else None
        if holder is not None and text is not None:
            self._give(holder, "fshare", text, typing=True)

    def _give(self, holder: ShareHolder, field: str, text: str, *, typing: bool = False) -> None:
        from qmon_tui.qmaster import Target
        from qmon_tui.workspace.commands import alter_jobs

        if isinstance(holder.kind, StateKind):
            self.post_message(EditRequested(alter_jobs([Target(int(holder.name))], f"{_OPTIONS[field]} {text}")))
        else:
            self.post_message(FieldEdited(holder.kind, holder.name, field, text, typing=typing))
