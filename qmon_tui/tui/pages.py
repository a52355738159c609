"""The pages of the left pane, above the kinds of object; each takes the area of list and form.

To add one: write a `PageView` in a package of its own (such as `jobs/view.py`), declare its actions beside it
(`jobs/actions.py`), and add an entry to `PAGES`. Everything else follows: the row in the left pane, the key, help,
footer, command palette, `go to`.

An action of a page works while the page has the focus, and precedes a general action with the same key. Both must have
the same label: a letter means the same everywhere.
"""

from qmon_tui.model import StateKind
from qmon_tui.tui import attention, cluster, compare, jobs, learn, monitor, reservations
from qmon_tui.tui.keys import Page

PAGES: tuple[Page, ...] = (
    Page(
        "attention",
        "Attention",
        "What is broken now: queue instances and jobs in error, hosts that do not answer, full consumables.",
        ("8",),
        lambda workspace: attention.AttentionView(workspace),
        for_running_clusters=True,
    ),
    Page(
        "jobs",
        "Jobs",
        "All jobs as qstat lists them.",
        ("J",),
        lambda workspace: jobs.JobsView(workspace),
        lambda workspace: len(workspace.state.jobs),
        jobs.JOB_ACTIONS,
        StateKind.JOB,
    ),
    Page(
        "cluster",
        "Cluster",
        "Queues and hosts as a map, and as qstat -g c, qstat -f and qhost list them.",
        ("M",),
        lambda workspace: cluster.ClusterView(workspace),
        action_set=cluster.CLUSTER_ACTIONS,
        holds=StateKind.INSTANCE,
    ),
    Page(
        "reservations",
        "Reservations",
        "Advance reservations as qrstat lists them.",
        ("Q",),
        lambda workspace: reservations.ReservationsView(workspace),
        lambda workspace: len(workspace.state.reservations),
        reservations.RESERVATION_ACTIONS,
        StateKind.RESERVATION,
    ),
    Page(
        "monitor",
        "Monitor",
        "The cluster over time: play a day, stop it, go back, and look at any moment.",
        ("4",),
        lambda workspace: monitor.MonitorView(workspace),
        action_set=monitor.MONITOR_ACTIONS,
        wide=True,
    ),
    Page(
        "compare",
        "Compare",
        "The same days under several policies: longer and shorter waits, and why.",
        ("5",),
        lambda workspace: compare.CompareView(workspace),
        action_set=compare.COMPARE_ACTIONS,
        wide=True,
    ),
    Page(
        "learn",
        "Learn",
        "Lessons: questions that the scheduler answers, and goals that it checks.",
        ("6",),
        lambda workspace: learn.LearnView(workspace),
        action_set=learn.LEARN_ACTIONS,
    ),
    Page(
        "sweep",
        "Sweep",
        "Many policies tried on the same days: all combinations of some values, the best first.",
        ("7",),
        lambda workspace: compare.SweepView(workspace),
        action_set=compare.SWEEP_ACTIONS,
        wide=True,
    ),
)
PAGES_BY_ID: dict[str, Page] = {page.id: page for page in PAGES}
