"""Panels: tabs of a form that show more about an object than its fields, such as a picture or a table.

To add one: write a `PanelView` (`object_panels/host_panels.py` has four), declare its actions beside it
(`object_panels/actions.py`), and add an entry to `PANELS`. The tab is placed after those of the kind's fields,
or before them. The catalogue's text about a field is shown by the generic form, never by a panel.

A panel posts the same messages as the rows of a form: `FieldEdited` or `EditRequested` for edits, `JumpRequested` to
go to another place. Its actions work while it has the focus, as those of a page do (see `pages`).
Left and right (h and l) lead to the other tabs unless a widget of the panel takes them.
"""

from qmon_tui.model import Kind
from qmon_tui.tui import object_panels, quotas, sharetree
from qmon_tui.tui.keys import Panel, PanelTable

PANELS: tuple[Panel, ...] = (
    Panel(
        Kind.COMPLEX,
        "offers",
        "Offers",
        "Its value in complex_values of each host and queue. Enter edits one, d removes it.",
        lambda workspace: object_panels.OffersView(workspace),
        object_panels.OFFERS_ACTIONS,
    ),
    Panel(
        Kind.HOSTGROUP,
        "resolved",
        "Resolved",
        "The hosts of the group, and through which groups each is in it. Enter goes to the host.",
        lambda workspace: object_panels.ResolvedView(workspace),
        object_panels.RESOLVED_ACTIONS,
    ),
    Panel(
        Kind.QUOTA,
        "rules",
        "Rules",
        "The rules in their order: the first one that matches applies. Enter edits one.",
        lambda workspace: quotas.RulesView(workspace),
        quotas.RULES_ACTIONS,
        first=True,
    ),
    Panel(
        Kind.QUOTA,
        "usage",
        "Usage",
        "What is used of each limit after this run, as qquota shows it; - in a filter: jobs that have none.",
        lambda workspace: quotas.UsageView(workspace),
    ),
    Panel(
        Kind.QUOTA,
        "hit",
        "Hit test",
        "Which rule of each set applies to a job at a place, and why earlier ones do not. Enter changes the question.",
        lambda workspace: quotas.HitTestView(workspace),
        quotas.HIT_TEST_ACTIONS,
    ),
    Panel(
        Kind.CALENDAR,
        "week",
        "Week",
        "What the calendar does to queues in the coming days, as 8.1.9 reads it. Enter edits a list.",
        lambda workspace: object_panels.WeekView(workspace),
        object_panels.WEEK_ACTIONS,
    ),
    Panel(
        Kind.SHARETREE,
        "tree",
        "Tree",
        "Level, total: by shares, among neighbours and of all. Target: what tickets follow, with past usage. "
        "Actual: part of all usage. Tasks: running/all.",
        lambda workspace: sharetree.TreeView(workspace),
        sharetree.TREE_ACTIONS,
        first=True,
    ),
    Panel(
        Kind.SHARETREE,
        "forecast",
        "Forecast",
        "Decay of the past usage if no more is added. Until it has decayed it counts against the shares.",
        lambda workspace: sharetree.ForecastView(workspace),
    ),
    Panel(
        Kind.SCHEDULER,
        "policy",
        "Weights",
        "Up to %: the most that a weight can add to the priority or the tickets. Now: the values of pending tasks.",
        lambda workspace: object_panels.PolicyView(workspace),
        object_panels.POLICY_ACTIONS,
    ),
    Panel(
        Kind.SCHEDULER,
        "shares",
        "Shares",
        "Functional shares (%: among those of the same kind) and override tickets. ftckt, otckt: what jobs get now, "
        "as in qstat -ext.",
        lambda workspace: object_panels.SharesView(workspace),
        object_panels.SHARES_ACTIONS,
    ),
    Panel(
        Kind.HOSTGROUP,
        "groups",
        "Tree",
        "The groups in it, each with the hosts that it lists itself and the queues that list it. Enter goes to one.",
        lambda workspace: object_panels.GroupTreeView(workspace),
    ),
    Panel(
        Kind.HOST,
        "values",
        "Values",
        "Configured, used and reported value of each attribute after this run, and the one that counts. "
        "e changes the reported value.",
        lambda workspace: object_panels.ValuesView(workspace),
        object_panels.VALUES_ACTIONS,
    ),
    Panel(
        Kind.USERSET,
        "members",
        "Members",
        "Its members, their shares, and their tasks. Y gives one an end date.",
        lambda workspace: object_panels.MembersView(workspace),
        object_panels.MEMBERS_ACTIONS,
    ),
    Panel(
        Kind.USER,
        "standing",
        "Standing",
        "What the user has in each policy, and what the user's jobs get from it.",
        lambda workspace: object_panels.SharesSummaryView(workspace),
        object_panels.USER_ACTIONS,
    ),
    Panel(
        Kind.PROJECT,
        "work",
        "Standing",
        "What the project has in each policy, and what its jobs get from it.",
        lambda workspace: object_panels.SharesSummaryView(workspace),
        object_panels.PROJECT_ACTIONS,
    ),
    Panel(
        Kind.CONFIGURATION,
        "effective",
        "Effective",
        "What holds, and where it comes from: a host's own configuration goes before the global one where that counts.",
        lambda workspace: object_panels.EffectiveView(workspace),
    ),
)

PANEL_TABLE = PanelTable(PANELS)
