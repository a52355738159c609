"""The panels of the forms: tabs that show more about an object than its fields, such as a picture or a table.

To add one: write a `PanelView` in a package of its own (`hostgroups/hostgroup_panels.py` is one), its `Action`s beside
it without importing the view, and an entry of `PANELS`, which imports the view when it is first wanted. The tab then
stands behind those of the kind's fields, or before them. What the catalogue says about a field is shown by the generic
form, never by a panel.

A panel edits as the rows of the form do: it posts `FieldEdited`, `FieldsEdited`, `KindReplaced` or `EditRequested`, and
`JumpRequested` to go elsewhere. Its actions work while it has the focus, as those of a place do (see `places`).
Left and right (h and l) lead to the other tabs unless a widget of the panel takes them.
"""

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING

from qmon_tui.model.kinds import Kind
from qmon_tui.tui.calendars.actions import WEEK_ACTIONS
from qmon_tui.tui.hostgroups.actions import RESOLVED_ACTIONS
from qmon_tui.tui.hosts.actions import VALUES_ACTIONS
from qmon_tui.tui.keys.places import Panel, PanelTable
from qmon_tui.tui.people.actions import PROJECT_ACTIONS, USER_ACTIONS
from qmon_tui.tui.policy.actions import POLICY_ACTIONS, SHARES_ACTIONS
from qmon_tui.tui.quotas.actions import HIT_TEST_ACTIONS, RULES_ACTIONS
from qmon_tui.tui.sharetree.actions import TREE_ACTIONS

if TYPE_CHECKING:
    from qmon_tui.tui.base.views import PanelView
    from qmon_tui.workspace.workspace import Workspace


def _view(module: str, name: str) -> "Callable[[Workspace], PanelView]":
    """Makes a view of a module that is imported when the first is wanted."""

    def build(workspace: "Workspace") -> "PanelView":
        view: PanelView = getattr(import_module(f"qmon_tui.tui.{module}"), name)(workspace)
        return view

    return build


PANELS: tuple[Panel, ...] = (
    Panel(
        Kind.HOSTGROUP,
        "resolved",
        "Resolved",
        "The hosts that the group stands for, and the groups through which each came. Enter goes to the host.",
        _view("hostgroups.hostgroup_panels", "ResolvedView"),
        RESOLVED_ACTIONS.actions,
    ),
    Panel(
        Kind.QUOTA,
        "rules",
        "Rules",
        "The rules in their order: of all that match a job somewhere the first counts. Enter edits one.",
        _view("quotas.quota_panels", "RulesView"),
        RULES_ACTIONS.actions,
        first=True,
    ),
    Panel(
        Kind.QUOTA,
        "usage",
        "Usage",
        "What is used of each limit after this run, as qquota shows it; - in a filter stands for jobs without.",
        _view("quotas.quota_panels", "UsageView"),
    ),
    Panel(
        Kind.QUOTA,
        "hit",
        "Hit test",
        "Which rule of each set counts for a job somewhere, and why earlier ones do not. Enter changes what is asked.",
        _view("quotas.hit_test_panel", "HitTestView"),
        HIT_TEST_ACTIONS.actions,
    ),
    Panel(
        Kind.CALENDAR,
        "week",
        "Week",
        "What the calendar does to queues in the coming days, as 8.1.9 reads it. Enter edits a list.",
        _view("calendars.week_panel", "WeekView"),
        WEEK_ACTIONS.actions,
    ),
    Panel(
        Kind.SHARETREE,
        "tree",
        "Tree",
        "Level, total: by shares, among neighbours and of all. Target: what tickets follow, with past usage. "
        "Actual: part of all usage. Tasks: running/all.",
        _view("sharetree.sharetree_panels", "TreeView"),
        TREE_ACTIONS.actions,
        first=True,
    ),
    Panel(
        Kind.SHARETREE,
        "forecast",
        "Forecast",
        "What will be left of everybody's usage if nobody uses more: so long it counts against the shares.",
        _view("sharetree.sharetree_panels", "ForecastView"),
    ),
    Panel(
        Kind.SCHEDULER,
        "policy",
        "Policy",
        "Up to: the part of a priority, or of the tickets, that a weight can make. Now: that of waiting tasks.",
        _view("policy.policy_panels", "PolicyView"),
        POLICY_ACTIONS.actions,
    ),
    Panel(
        Kind.SCHEDULER,
        "shares",
        "Shares",
        "Functional shares (%: of those of the kind) and override tickets. ftckt, otckt: what jobs get of them now, "
        "as in qstat -ext.",
        _view("policy.policy_panels", "SharesView"),
        SHARES_ACTIONS.actions,
    ),
    Panel(
        Kind.HOSTGROUP,
        "groups",
        "Tree",
        "The groups in it, each with the hosts that it lists itself and the queues that list it. Enter goes to one.",
        _view("hostgroups.hostgroup_panels", "GroupTreeView"),
    ),
    Panel(
        Kind.HOST,
        "values",
        "Values",
        "What is configured, in use and reported of each attribute after this run, and which of it counts. e lets the "
        "host report something else.",
        _view("hosts.host_values_panel", "ValuesView"),
        VALUES_ACTIONS.actions,
    ),
    Panel(
        Kind.USERSET,
        "members",
        "Members",
        "Who is in it, what they have, and the tasks of each.",
        _view("people.user_and_project_panels", "MembersView"),
    ),
    Panel(
        Kind.USER,
        "standing",
        "Standing",
        "What the user has of each policy, and what the jobs get of it.",
        _view("people.user_and_project_panels", "SharesSummaryView"),
        USER_ACTIONS.actions,
    ),
    Panel(
        Kind.PROJECT,
        "work",
        "Standing",
        "What the project has of each policy, and what its jobs get of it.",
        _view("people.user_and_project_panels", "ProjectSharesSummaryView"),
        PROJECT_ACTIONS.actions,
    ),
    Panel(
        Kind.CONFIGURATION,
        "effective",
        "Effective",
        "What holds, and where it comes from: a host's own configuration goes before the global one where that counts.",
        _view("configuration.effective_panel", "EffectiveView"),
    ),
)

PANEL_TABLE = PanelTable(PANELS)
"""The same, by kind."""
