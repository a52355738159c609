"""Ways out where the scheduler orders a start and the qmaster does not carry it out (dispatch.md section 14)."""

from collections.abc import Iterator

from qmon_tui.scheduler import messages
from qmon_tui.scheduler.compiled.cluster import GLOBAL
from qmon_tui.scheduler.explaining.alike import Alike
from qmon_tui.scheduler.explaining.amounts import more_of, more_slots
from qmon_tui.scheduler.explaining.denied import first_denied
from qmon_tui.scheduler.explaining.entry import remedies_for_entry
from qmon_tui.scheduler.explaining.lacks import Lack
from qmon_tui.scheduler.explaining.obstacle import Obstacle
from qmon_tui.scheduler.explaining.obstacles import Obstacles
from qmon_tui.scheduler.explaining.remedy import Remedy
from qmon_tui.scheduler.explanation import Why
from qmon_tui.scheduler.placement.sequential import GLOBAL_SCOPE, HOST_SCOPE, INSTANCE_SCOPE
from qmon_tui.scheduler.start import Denial, Denied, Start


def remedies_for_denial(found: Obstacles, start: Start) -> Iterator[Remedy]:
    """What lets the qmaster carry out an order; of one that it has not read, what lets it carry out the one before."""
    denial, run = start.denial, found.run
    if denial is not None and denial.why is Denied.UNREAD:
        first = first_denied(run)
        denial = first.denial if first is not None else None
        if first is not None and first.run_job is not found.run_job:
            run.dispatch.look_at(first.run_job)
            found = Obstacles(run, first.run_job, Alike(run))
    if denial is None:
        return
    if denial.why is Denied.CONSUMABLE:
        yield from _more_of_consumable(found, denial)
        return
    number = next((n for n, one in enumerate(run.resources.instances) if one.name == denial.place), None)
    if number is None:
        return
    if denial.why is Denied.SLOTS:
        yield more_slots(run.resources.instances[number], 1)
    elif denial.why is Denied.CLOSED:
        closed = found.in_state(number)
        if closed is not None:
            yield from remedies_for_entry(found, Lack(number, closed, denial.place))
    else:
        barred = _obstacle(messages.NO_PERMISSION, INSTANCE_SCOPE)
        yield from remedies_for_entry(found, Lack(number, barred, denial.place))


def _more_of_consumable(found: Obstacles, denial: Denial) -> Iterator[Remedy]:
    resources = found.run.resources
    everywhere = denial.place == GLOBAL
    level = resources.global_level if everywhere else next(one for one in resources.hosts if one.name == denial.place)
    if denial.lack > 0:
        obstacle = _obstacle(messages.AT_HOST, GLOBAL_SCOPE if everywhere else HOST_SCOPE)
        attribute = found.run.compiled.attributes.by_name[denial.attribute]
        yield more_of(found, Lack(-1, obstacle, denial.place, level), attribute, denial.lack, denial.lack)


def _obstacle(number: int, scope: str) -> Obstacle:
    return Obstacle(Why.BUSY, scope, number, ())
