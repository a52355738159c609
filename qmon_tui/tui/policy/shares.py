"""The panel "Shares" of the scheduler: the functional shares and override tickets of everybody who can have some."""

from collections.abc import Mapping
from typing import NamedTuple

from qmon_tui.model.kinds import Kind
from qmon_tui.model.state_entry import StateKind
from qmon_tui.tui.dialogs.name import AskName
from qmon_tui.tui.messages import EditWanted, FieldEdited
from qmon_tui.tui.policy.steps import stepped
from qmon_tui.tui.present.policies import SHARES_COLUMNS, shares_rows
from qmon_tui.tui.sharetree.choices import shares_problem
from qmon_tui.tui.table_panel import TablePanel
from qmon_tui.workspace.policy import Holder, holders
from qmon_tui.workspace.workspace import Workspace

_HEADING = "This is the sum: choose somebody."
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
        self.deeds = {
            "shares.edit": lambda: self._edit("fshare"),
            "shares.more": lambda: self._step(1),
            "shares.less": lambda: self._step(-1),
            "shares.override": lambda: self._edit("oticket"),
        }
        self._holders: Mapping[_Of, Holder] = {}

    def refresh_from(self) -> None:
        """List everybody with the tickets of the last run."""
        workspace = self.workspace
        outcome = workspace.result.outcome if workspace.result else None
        found = holders(workspace.cluster, outcome, workspace.state.jobs)
        self._holders = {_Of(one.kind, one.name): one for one in found}
        rows = shares_rows(found)
        begins = not self.grid.grid_rows.rows
        self.grid.show_rows(rows)
        if begins and len(rows) > 1:
            self.grid.move_to(rows[1].key)
        self.draw_about()

    @property
    def _holder(self) -> Holder | None:
        kind, _, name = (self.grid.chosen or "=").partition(":")
        return next((one for of, one in self._holders.items() if (of.kind.value, of.name) == (kind, name)), None)

    def refusals(self) -> Mapping[str, str]:
        """Sums follow from what everybody has."""
        return dict.fromkeys(self.deeds, _HEADING) if self._holder is None else {}

    def opened(self, key: str) -> None:
        """Edit the functional shares."""
        if not self.workspace.read_only:
            self._edit("fshare")

    def _edit(self, field: str) -> None:
        holder = self._holder
        if holder is None:
            return
        one = holder
        is_job = one.kind is StateKind.JOB
        whose = f"job {one.name}" if is_job else one.name
        explanation = f"A whole number, as qalter {_OPTIONS[field]} sets it." if is_job else "A whole number."

        def keep(text: str | None) -> None:
            if text is not None:
                self._give(one, field, text)

        value = str(one.fshare if field == "fshare" else one.oticket)
        self.app.push_screen(AskName(f"{_TITLES[field]} of {whose}", explanation, shares_problem, value), keep)

    def _step(self, by: int) -> None:
        holder = self._holder
        text = stepped(str(holder.fshare), by) if holder is not None else None
        if holder is not None and text is not None:
            self._give(holder, "fshare", text, typing=True)

    def _give(self, holder: Holder, field: str, text: str, *, typing: bool = False) -> None:
        from qmon_tui.simulation.commands import Target
        from qmon_tui.workspace.orders import alter_jobs

        if isinstance(holder.kind, StateKind):
            self.post_message(EditWanted(alter_jobs([Target(int(holder.name))], f"{_OPTIONS[field]} {text}")))
        else:
            self.post_message(FieldEdited(holder.kind, holder.name, field, text, typing=typing))
