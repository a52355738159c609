"""What is found about a cluster that is being edited: what is wrong with it, and what a qmaster would not be told."""

from collections.abc import Iterator

from qmon_tui.model import Cluster, Finding, State


def findings_of(cluster: Cluster, state: State, saved: Cluster) -> tuple[Finding, ...]:
    """All that is to be said of a cluster and its state, and of its edits since it was saved."""
    # Checks are imported when somebody asks: the first frame does not wait for them.
    from qmon_tui.checks import check

    return (*check(cluster, state), *_refused_edits(cluster, state, saved))


def _refused_edits(cluster: Cluster, state: State, saved: Cluster) -> Iterator[Finding]:
    """Edits that a qmaster with these advance reservations refuses."""
    if cluster is saved or not state.reservations:
        return
    from qmon_tui.checks import REFUSED_FOR_RESERVATIONS  # late: most clusters have no advance reservations
    from qmon_tui.qmaster import ar_conflicts

    for broken in ar_conflicts(saved, cluster, state):
        obj = cluster.get(broken.kind, broken.name)
        if obj is not None:
            yield REFUSED_FOR_RESERVATIONS[broken.kind].finding(
                obj, broken.field, f"a running qmaster refuses this edit: {broken.text}"
            )
