"""The panels of hosts, host groups and configurations: "Values", "Resolved", "Tree" and "Effective"."""

from collections.abc import Mapping

from textual import on
from textual.app import ComposeResult

from qmon_tui.model import (
    GLOBAL,
    ComplexEntry,
    Kind,
    MemberKind,
    StateKind,
    complex_index,
    effective_configuration,
    find_members,
)
from qmon_tui.qmaster import host_values
from qmon_tui.report import SETTING_COLUMNS, VALUE_COLUMNS, hostgroups, setting_rows, value_rows
from qmon_tui.tui.base import Grid, JumpRequested, PanelView, TablePanel
from qmon_tui.tui.dialogs import NameDialog
from qmon_tui.tui.forms.dialogs import Pick, PickOne
from qmon_tui.values import canonical, is_number
from qmon_tui.workspace import SetEntry, Workspace


class ValuesView(TablePanel):
    """A row per attribute; Enter goes to the attribute, `e` lets the simulated host report another value."""

    EMPTY = "Nothing is offered (complex_values) and nothing reported: a adds a reported value."

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace, VALUE_COLUMNS, empty=self.EMPTY)

    def refresh_from(self) -> None:
        result = self.workspace.result
        if self.object_name is not None and result is not None and result.explainer is not None:
            self.fill(value_rows(host_values(result.explainer.run, self.object_name)))
            self.draw_about()

    def opened(self, key: str) -> None:
        self.post_message(JumpRequested(Kind.COMPLEX, key))

    # Reported load ----------------------------------------------------------------------------------------------

    @property
    def _host(self) -> str:
        return canonical(self.object_name or "")

    @property
    def reported(self) -> Mapping[str, str]:
        """Full name of an attribute -> value that the host reports."""
        index = complex_index(self.workspace.cluster)
        texts = self.workspace.state.loads.get(self._host, {})
        return {entry.name if (entry := index.find(name)) else name: text for name, text in texts.items()}

    @property
    def chosen_value(self) -> str | None:
        """The reported value of the attribute under the cursor; None if the host does not report it."""
        return self.reported.get(self.grid.chosen or "")

    def report(self, attribute: str, text: str | None) -> None:
        """Change the reported value of an attribute; None removes it."""
        index = complex_index(self.workspace.cluster)
        texts = self.workspace.state.loads.get(self._host, {})
        entry = index.find(attribute)
        # The file keeps its name of the attribute, which may be the shortcut.
        name = next((known for known in texts if index.find(known) == entry is not None), attribute)
        self.edit(SetEntry(StateKind.LOADS, self._host, ((name, text),)))


def ask_attribute(view: ValuesView) -> None:
    """Ask for another attribute that the host reports, and then for its value."""
    reported = view.reported
    entries = [entry for entry in complex_index(view.workspace.cluster).entries.values() if entry.name not in reported]

    picks = [Pick(entry.name, entry.type) for entry in entries]
    PickOne(f"What else does {view.object_name} report?", picks).ask(view.app, lambda name: ask_value(view, name))


def ask_value(view: ValuesView, attribute: str) -> None:
    """Ask for the value of an attribute that the host reports."""
    entry = complex_index(view.workspace.cluster).find(attribute)

    explanation = "As in the host's load report, before load_scaling."
    title = f"{attribute} reported by {view.object_name}"
    value = view.reported.get(attribute, "")
    NameDialog(title, explanation, lambda text: _problem(entry, text), value).ask(
        view.app, lambda text: view.report(attribute, text)
    )


def _problem(entry: ComplexEntry | None, text: str) -> str | None:
    """Return why a reported value is invalid, else None."""
    if entry is None or entry.is_text or is_number(text):
        return None
    return f'"{text}" is not a value of type {entry.type}.'


class GroupTreeView(TablePanel):
    """A row per group; Enter goes to it."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace, hostgroups.GROUP_COLUMNS)

    def refresh_from(self) -> None:
        if self.object_name is not None:
            self.fill(hostgroups.group_rows(self.workspace.cluster, self.object_name))
            self.draw_about()

    def opened(self, key: str) -> None:
        group = hostgroups.group_of(key)
        if group is not None and group in self.workspace.cluster.objects(Kind.HOSTGROUP):
            self.post_message(JumpRequested(Kind.HOSTGROUP, group))


class ResolvedView(PanelView):
    """A row per host; Enter goes to the host, `I` to the group that lists it."""

    grid: Grid

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self.grid = Grid(hostgroups.RESOLVED_COLUMNS, empty="No hosts: the field hostlist names them.")

    def compose(self) -> ComposeResult:
        yield self.grid

    def refresh_from(self) -> None:
        if self.object_name is not None:
            self.grid.show_rows(hostgroups.resolved_rows(self.workspace.cluster, self.object_name))

    @property
    def copied(self) -> str:
        return self.grid.chosen or ""

    @property
    def other_group(self) -> str | None:
        """The group that lists the host under the cursor; None if it is the shown group itself."""
        members = find_members(self.workspace.cluster, self.object_name or "")
        group = next((member.path[-1] for member in members if member.name == self.grid.chosen), self.object_name)
        return None if group == self.object_name else group

    @on(Grid.Opened)
    def _opened(self, event: Grid.Opened) -> None:
        event.stop()
        member = next(
            (m for m in find_members(self.workspace.cluster, self.object_name or "") if m.name == event.key), None
        )
        if member is not None and member.kind is MemberKind.HOST:
            self.post_message(JumpRequested(Kind.HOST, member.name))


class EffectiveView(TablePanel):
    """A row per setting; Enter goes to the field that decides."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace, SETTING_COLUMNS)

    def refresh_from(self) -> None:
        host, cluster = self.object_name, self.workspace.cluster
        if host is not None:
            self.fill(setting_rows(cluster, host, effective_configuration(cluster, host)))
            self.draw_about()

    def opened(self, key: str) -> None:
        settings = effective_configuration(self.workspace.cluster, self.object_name or GLOBAL)
        origin = next((setting.origin for setting in settings if setting.field == key), "")
        self.post_message(JumpRequested(Kind.CONFIGURATION, origin or self.object_name or GLOBAL, key))
