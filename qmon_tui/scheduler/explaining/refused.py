"""Changes that the qmaster does not make, so that they are no way out."""

from qmon_tui.model.state import Job
from qmon_tui.qmaster.run import Run
from qmon_tui.scheduler.advance.promises import broken_promises
from qmon_tui.scheduler.altering import objection_to_belonging, objection_to_consumables
from qmon_tui.scheduler.compiled.cluster import Compiled
from qmon_tui.scheduler.explaining.edits import JOB, Edited


def is_refused(run: Run, world: Edited) -> bool:
    """Tell whether the qmaster refuses one of the changes that have led from a run's world to another one."""
    if next(broken_promises(run.compiled.cluster, world.cluster, world.state), None) is not None:
        return True
    altered = {int(change.name.partition(".")[0]) for change in world.changes if change.kind == JOB}
    before = {job.id: job for job in run.state.jobs if job.id in altered} if altered else {}
    jobs = world.state.jobs if before else ()
    return any(job.id in before and _is_kept(run.compiled, before[job.id], job) for job in jobs)


def _is_kept(compiled: Compiled, before: Job, after: Job) -> bool:
    """Tell whether a job may not become this as long as tasks of it run."""
    reserved, wanted = before.request.advance_reservation, after.request.advance_reservation
    belonging = objection_to_belonging(compiled, before, after, names_reservation=reserved != wanted)
    return bool(belonging or objection_to_consumables(compiled, before, after))
