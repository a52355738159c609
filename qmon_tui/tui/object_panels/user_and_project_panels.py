"""The panels "Standing" of users and projects with their shares in each policy, and "Members" of usersets."""

from qmon_tui.model import DatedPlace, Kind, last_day, references_to
from qmon_tui.report import moment, users_and_projects
from qmon_tui.tui.base import JumpRequested, PanelView, TablePanel
from qmon_tui.tui.dialogs import NameDialog
from qmon_tui.workspace import (
    UsageOwner,
    Workspace,
    drains,
    holders,
    job_totals,
    jobs_of,
    members,
    nodes_of,
    usage_line,
    usage_of,
)


class SharesSummaryView(TablePanel):
    """A row per fact; Enter on a userset opens it, on a node the share tree."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace, users_and_projects.SHARE_SUMMARY_COLUMNS, show_head=False)

    def refresh_from(self) -> None:
        kind, name, owner, cluster = self.kind, self.object_name, self.usage_owner, self.workspace.cluster
        if kind is None or name is None or owner is None:
            return
        result = self.workspace.result
        outcome = result.outcome if result else None
        holder = next(
            (holder for holder in holders(cluster, outcome) if (holder.kind, holder.name) == (kind, name)), None
        )
        sets = [reference.name for reference in references_to(cluster, kind, name) if reference.kind is Kind.USERSET]
        usersets = [(userset, cluster.objects(Kind.USERSET)[userset].text("type")) for userset in dict.fromkeys(sets)]
        amounts, time = usage_of(self.workspace.state, owner)
        used = usage_line(amounts) if amounts else "none", f"as of {moment(time)}" if time is not None else ""
        work, nodes = job_totals(outcome, jobs_of(outcome, kind, name)), nodes_of(outcome, kind, name)
        given = self.workspace.state.exceptions.get(DatedPlace(kind, name).text, ())
        self.fill(users_and_projects.share_summary_rows(holder, work, nodes, usersets, used, given))
        self.draw_about()

    @property
    def usage_owner(self) -> UsageOwner | None:
        """The user or project whose past usage is shown; None if none is shown."""
        if self.kind is None or self.object_name is None:
            return None
        return UsageOwner(self.object_name) if self.kind is Kind.USER else UsageOwner(None, self.object_name)

    @property
    def place(self) -> DatedPlace | None:
        """The override tickets of the shown user or project, which can have an end date; None if nothing is shown."""
        return None if self.kind is None or self.object_name is None else DatedPlace(self.kind, self.object_name)

    def opened(self, key: str) -> None:
        if key.startswith("userset:"):
            self.post_message(JumpRequested(Kind.USERSET, key.removeprefix("userset:")))
        elif key.startswith("node "):
            self.post_message(JumpRequested(Kind.SHARETREE, Kind.SHARETREE.value))


class MembersView(TablePanel):
    """A row per member; Enter goes to the user."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace, users_and_projects.MEMBER_COLUMNS, empty="No users: the field entries names them.")

    def refresh_from(self) -> None:
        result = self.workspace.result
        outcome = result.outcome if result else None
        if self.object_name is not None:
            known = members(self.workspace.cluster, outcome, self.object_name)
            ends = {
                member.name: given
                for member in known
                if (given := self.workspace.state.exceptions.get(self._place(member.name).text))
            }
            self.fill(users_and_projects.member_rows(known, ends))
            self.draw_about()

    def _place(self, member: str) -> DatedPlace:
        return DatedPlace(Kind.USERSET, self.object_name or "", member)

    @property
    def place(self) -> DatedPlace | None:
        """The member under the cursor; None if the list is empty."""
        chosen = self.grid.chosen
        return self._place(chosen) if chosen and self.object_name is not None else None

    def opened(self, key: str) -> None:
        if self.workspace.cluster.get(Kind.USER, key) is not None:
            self.post_message(JumpRequested(Kind.USER, key))


_WORDS = (
    "Write the last day and the reason, such as 2026-12-01 cover for anna; - removes the end. Check and Attention name"
    " it when the day is over."
)


def ask_exception(view: PanelView, place: DatedPlace) -> None:
    """Ask for the last day and the reason of a member or of override tickets, and store both in the state."""
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
