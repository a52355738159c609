"""Restrictions on altering a job while its tasks run (clients.md#running-jobs)."""

from typing import Final

from qmon_tui.model import Job, Request
from qmon_tui.scheduler.configuration import CompiledCluster, stored_value
from qmon_tui.scheduler.jobs import TaskList, task_list_of

_MISSING: Final = 'denied: former resource request on consumable "{}" of running job missing in new resource request'
_CHANGED: Final = 'denied: can\'t change consumable resource request "{}" of running job'
_ADDED: Final = (
    'denied: resource request on consumable "{}" of running job was not contained in former resource request'
)


def has_running_tasks(job: Job) -> bool:
    """True if tasks of a job run, or are suspended."""
    return any(task_list_of(task.state) in (TaskList.RUNNING, TaskList.SUSPENDED) for task in job.tasks.values())


def objection_to_consumables(compiled: CompiledCluster, job: Job, after: Job) -> str | None:
    """Return the objection to changed requests of consumables, naming the first one as typed; None without."""
    if not has_running_tasks(job):
        return None
    before, wanted = _consumables(compiled, job.request), _consumables(compiled, after.request)
    for name in before:
        if name not in wanted:
            return _MISSING.format(name)
    for name, amount in wanted.items():
        if name not in before:
            return _ADDED.format(name)
        if amount != before[name]:
            return _CHANGED.format(name)
    return None


def objection_to_project_or_ar(
    compiled: CompiledCluster, job: Job, after: Job, *, names_reservation: bool
) -> str | None:
    """Return the objection to another project, or to any named advance reservation; None without."""
    project_of = compiled.shares.project_of
    changes = names_reservation or project_of(job) != project_of(after)
    return f"job {job.id} can't modify running jobs" if changes and has_running_tasks(job) else None


def _consumables(compiled: CompiledCluster, request: Request) -> dict[str, float | str]:
    """Return the requested consumables: name -> amount, as a number if it is one."""
    amounts: dict[str, float | str] = {}
    for asked, text in request.hard:
        attribute = compiled.attributes.find(asked)
        if attribute is not None and attribute.is_consumable:
            value = stored_value(attribute, "TRUE" if text is None else text)
            amounts[attribute.name] = value.number if attribute.numeric else value.text
    return amounts
