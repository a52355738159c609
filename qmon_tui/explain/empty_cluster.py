"""Impossible tasks: those that do not start even on the empty cluster with every queue instance open.

Load values are assumed to be the best possible, as they change without any command.
"""

from collections.abc import Iterator
from dataclasses import replace

from qmon_tui.explain.alone import alone, opened, starts_alone
from qmon_tui.explain.equivalent_places import EquivalentPlaces
from qmon_tui.explain.explanation import ReasonGroup, ReasonKind
from qmon_tui.explain.next_slot import find_next_slot
from qmon_tui.explain.reason_groups import groups_of
from qmon_tui.explain.task_rejections import TaskRejections
from qmon_tui.gc_pause import gc_paused

_TASK = 1
_MAY_END = frozenset({ReasonKind.QUOTA, ReasonKind.BUSY, ReasonKind.STATE})
"""Kinds of reasons that end when other jobs do."""
_MAY_CHANGE = frozenset({ReasonKind.HELD, ReasonKind.NOT_YET, ReasonKind.POLICY, ReasonKind.STATE, ReasonKind.BUSY})


def with_impossible(rejections: TaskRejections, groups: tuple[ReasonGroup, ...]) -> tuple[ReasonGroup, ...]:
    """Return the reasons, preceded by those why the task can never start although no single place excludes it."""
    if not any(group.why in _MAY_END for group in groups):
        return groups
    if rejections.impossible is None:
        rejections.impossible = tuple(_impossible_reasons(rejections))
    instances = rejections.run.resources.instances
    refusing = {
        instances[number].name
        for number, rejection in enumerate(rejections.of)
        if rejection is not None and rejection.why is ReasonKind.NEVER
    }
    first = [
        group for group in rejections.impossible if not group.instances or not refusing.issuperset(group.instances)
    ]
    known = {(group.message, group.instances) for group in first}
    return (*first, *(group for group in groups if (group.message, group.instances) not in known))


@gc_paused()
def _impossible_reasons(rejections: TaskRejections) -> Iterator[ReasonGroup]:
    run, job = rejections.run, rejections.run_job.job
    may_fit = any(rejection is None or rejection.why is not ReasonKind.NEVER for rejection in rejections.of)
    if not may_fit or job.request.advance_reservation is not None or rejections.run_job.not_simulated:
        return
    if starts_alone(run, job, is_open=True):
        return
    state = alone(run, job, is_open=True)
    empty = run.again(opened(run), state)
    run_job = next((known for known in empty.pending if known.id == job.id), None)
    if run_job is None or not run_job.remaining:
        return
    empty.dispatch.prepare_checks(run_job)
    of_empty = TaskRejections(empty, run_job, EquivalentPlaces(empty))
    find_next_slot(of_empty, _TASK)
    groups = groups_of(empty, run_job, _TASK, of_empty)
    # A reason that may change without a command does not make the task impossible.
    if not any(group.why in _MAY_CHANGE for group in groups):
        yield from (replace(group, why=ReasonKind.IMPOSSIBLE) for group in groups)
