"""The panels of the forms: tabs that show more about an object than its fields, such as a picture or a table.

To add one: write a `PanelView` in a package of its own (`hostgroups/hostgroup_panels.py` is one), declare beside it
what can be done there (`hostgroups/actions.py`), and add an entry to `PANELS`. The tab then stands behind those of the
kind's fields, or before them. What the catalogue says about a field is shown by the generic form, never by a panel.

A panel edits as the rows of the form do: it posts `FieldEdited`, `FieldsEdited`, `KindReplaced` or `EditRequested`, and
`JumpRequested` to go elsewhere. Its actions work while it has the focus, as those of a page do (see `pages`).
Left and right (h and l) lead to the other tabs unless a widget of the panel takes them.
"""

from qmon_tui.model import Kind
from qmon_tui.tui import calendars, complexes, configuration, hostgroups, hosts, people, policy, quotas, sharetree
from qmon_tui.tui.keys import Panel, PanelTable

PANELS: tuple[Panel, ...] = (
    Panel(
        Kind.COMPLEX,
        "offers",
        "Offers",
        "On which hosts and queues it has which value in complex_values. Enter types one, d takes it out.",
        lambda workspace: complexes.OffersView(workspace),
        complexes.OFFERS_ACTIONS.actions,
    ),
    Panel(
        Kind.HOSTGROUP,
        "resolved",
        "Resolved",
        "The hosts that the group stands for, and the groups through which each came. Enter goes to the host.",
        lambda workspace: hostgroups.ResolvedView(workspace),
        hostgroups.RESOLVED_ACTIONS.actions,
    ),
    Panel(
        Kind.QUOTA,
        "rules",
        "Rules",
        "The rules in their order: of all that match a job somewhere the first counts. Enter edits one.",
        lambda workspace: quotas.RulesView(workspace),
        quotas.RULES_ACTIONS.actions,
        first=True,
    ),
    Panel(
        Kind.QUOTA,
        "usage",
        "Usage",
        "What is used of each limit after this run, as qquota shows it; - in a filter stands for jobs without.",
        lambda workspace: quotas.UsageView(workspace),
    ),
    Panel(
        Kind.QUOTA,
        "hit",
        "Hit test",
        "Which rule of each set counts for a job somewhere, and why earlier ones do not. Enter changes what is asked.",
        lambda workspace: quotas.HitTestView(workspace),
        quotas.HIT_TEST_ACTIONS.actions,
    ),
    Panel(
        Kind.CALENDAR,
        "week",
        "Week",
        "What the calendar does to queues in the coming days, as 8.1.9 reads it. Enter edits a list.",
        lambda workspace: calendars.WeekView(workspace),
        calendars.WEEK_ACTIONS.actions,
    ),
    Panel(
        Kind.SHARETREE,
        "tree",
        "Tree",
        "Level, total: by shares, among neighbours and of all. Target: what tickets follow, with past usage. "
        "Actual: part of all usage. Tasks: running/all.",
        lambda workspace: sharetree.TreeView(workspace),
        sharetree.TREE_ACTIONS.actions,
        first=True,
    ),
    Panel(
        Kind.SHARETREE,
        "forecast",
        "Forecast",
        "What will be left of everybody's usage if nobody uses more: so long it counts against the shares.",
        lambda workspace: sharetree.ForecastView(workspace),
    ),
    Panel(
        Kind.SCHEDULER,
        "policy",
        "Policy",
        "Up to: the part of a priority, or of the tickets, that a weight can make. Now: that of waiting tasks.",
        lambda workspace: policy.PolicyView(workspace),
        policy.POLICY_ACTIONS.actions,
    ),
    Panel(
        Kind.SCHEDULER,
        "shares",
        "Shares",
        "Functional shares (%: of those of the kind) and override tickets. ftckt, otckt: what jobs get of them now, "
        "as in qstat -ext.",
        lambda workspace: policy.SharesView(workspace),
        policy.SHARES_ACTIONS.actions,
    ),
    Panel(
        Kind.HOSTGROUP,
        "groups",
        "Tree",
        "The groups in it, each with the hosts that it lists itself and the queues that list it. Enter goes to one.",
        lambda workspace: hostgroups.GroupTreeView(workspace),
    ),
    Panel(
        Kind.HOST,
        "values",
        "Values",
        "What is configured, in use and reported of each attribute after this run, and which of it counts. e lets the "
        "host report something else.",
        lambda workspace: hosts.ValuesView(workspace),
        hosts.VALUES_ACTIONS.actions,
    ),
    Panel(
        Kind.USERSET,
        "members",
        "Members",
        "Who is in it, what they have, and the tasks of each.",
        lambda workspace: people.MembersView(workspace),
    ),
    Panel(
        Kind.USER,
        "standing",
        "Standing",
        "What the user has of each policy, and what the jobs get of it.",
        lambda workspace: people.SharesSummaryView(workspace),
        people.USER_ACTIONS.actions,
    ),
    Panel(
        Kind.PROJECT,
        "work",
        "Standing",
        "What the project has of each policy, and what its jobs get of it.",
        lambda workspace: people.ProjectSharesSummaryView(workspace),
        people.PROJECT_ACTIONS.actions,
    ),
    Panel(
        Kind.CONFIGURATION,
        "effective",
        "Effective",
        "What holds, and where it comes from: a host's own configuration goes before the global one where that counts.",
        lambda workspace: configuration.EffectiveView(workspace),
    ),
)

PANEL_TABLE = PanelTable(PANELS)
"""The same, by kind."""
