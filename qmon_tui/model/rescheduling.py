"""How the qmaster sends jobs back to be scheduled: what qmaster_params of the global configuration say about it."""

from dataclasses import dataclass

from qmon_tui.model.cluster import Cluster
from qmon_tui.model.kinds import Kind
from qmon_tui.model.settings import settings_of


@dataclass(frozen=True, slots=True)
class Rescheduling:
    """The parameters about it, as 8.1.9 reads them (sge_conf(5))."""

    ends_others: bool
    """ENABLE_RESCHEDULE_KILL: a task that may not be run again ends."""
    minds_slaves: bool
    """ENABLE_RESCHEDULE_SLAVE: any queue instance of a parallel task counts, not only its master queue."""
    is_automatic: bool
    """Nothing is sent back from hosts that are not heard from with DISABLE_AUTO_RESCHEDULING."""
    keeps_submission: bool
    """OLD_RESCHEDULE_BEHAVIOR: a job does not wait anew."""
    keeps_submission_of_arrays: bool
    """OLD_RESCHEDULE_BEHAVIOR_ARRAY_JOB."""


def rescheduling_of(cluster: Cluster) -> Rescheduling:
    """What holds in a cluster."""
    configuration = cluster.get(Kind.CONFIGURATION, "global")
    given = settings_of(configuration.text("qmaster_params") if configuration is not None else "")

    def is_on(name: str) -> bool:
        return name in given and given[name].is_on

    return Rescheduling(
        ends_others=is_on("ENABLE_RESCHEDULE_KILL"),
        minds_slaves=is_on("ENABLE_RESCHEDULE_SLAVE"),
        is_automatic=not is_on("DISABLE_AUTO_RESCHEDULING"),
        keeps_submission=is_on("OLD_RESCHEDULE_BEHAVIOR"),
        keeps_submission_of_arrays=is_on("OLD_RESCHEDULE_BEHAVIOR_ARRAY_JOB"),
    )
