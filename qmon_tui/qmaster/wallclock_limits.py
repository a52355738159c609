"""For how long a task is started (lifecycle.md#start-of-a-task)."""

from qmon_tui.scheduler.matching import Resources, StartOrder
from qmon_tui.scheduler.reservation import duration_limit
from qmon_tui.values import INFINITE, INFINITY


def wallclock_limit(start: StartOrder, resources: Resources) -> float:
    """The seconds that its job asks for, else those that its queue instances allow; infinity for no limit.

    So it is in an advance reservation, too: what is left of that is told to the execution host only.
    """
    profiles = (resources.instances[place].profile for place, _ in start.grants)
    limit = duration_limit(start.run_job.demand, profiles)
    return INFINITY if limit == INFINITE else float(limit)
