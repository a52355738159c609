"""What the qmaster says to the starts that a run has ordered (dispatch.md#acceptance-of-a-start-order).

It looks once more whether the user may use each queue instance, whether that has the slots and is not closed by a
calendar, and whether each host and the global host have enough of all consumables. Otherwise it refuses the order: the
task stays pending and is ordered again in every run. After an order that fails not for consumables, it does not
even read those that follow.

The scheduler runs into this because it knows only those usersets that are lists, while for the qmaster departments are
lists, too; because it may take all that calendars have closed for open (`Availability.knows_the_future`); and with
parallel jobs, because it does not mind that a consumable per job is missing on a host, and may take a slot of a queue
instance that it has not looked at, also of one that is closed.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from qmon_tui.scheduler.configuration import GLOBAL, QueueInstance, as_qmaster
from qmon_tui.scheduler.jobs import Demand
from qmon_tui.scheduler.matching import SLOTS, Denial, DenialReason, Grants, Level, Resources, StartOrder
from qmon_tui.scheduler.quotas import QuotaUsage
from qmon_tui.scheduler.suspension import Availability


def refuse_starts(
    starts: Sequence[StartOrder],
    resources: Resources,
    availability: Availability,
    quota_usage: QuotaUsage | None = None,
) -> None:
    """Mark the starts that the qmaster refuses, and take back what they have booked."""
    parallel = any(start.run_job.job.request.pe for start in starts)
    considered = _mark_first(starts, resources, availability, parallel=parallel)
    for start in starts[considered:]:
        start.denial = start.denial or Denial(DenialReason.UNREAD)
        resources.credit(start.run_job.demand, start.grants)
    # With reservations a job of no duration takes nothing from those that start with it.
    if (parallel or availability.plans_ahead) and any(_suspicious(resources, starts)):
        _refuse_overbooked(starts[:considered], resources)
    if quota_usage is not None:
        for start in starts:
            if start.denial is not None and start.subject is not None:
                quota_usage.credit(start.subject, start.run_job.demand, start.grants)


def _mark_first(
    starts: Sequence[StartOrder], resources: Resources, availability: Availability, *, parallel: bool
) -> int:
    """Mark the first start that fails for anything but consumables; how many come before it."""
    lists_only = all(userset.is_list for userset in resources.compiled.usersets.values())
    checks: list[Iterator[tuple[int, int, DenialReason]]] = []
    if (parallel or not lists_only) and resources.compiled.restricts_access:
        checks.append(_barred(starts, resources))
    granted = {number for start in starts for number, _ in start.grants} if parallel else frozenset()
    if any(_is_overbooked(resources.instances[number], resources.queues[number]) for number in granted):
        checks.append(_without_slots(starts, resources))
    if not availability.plans_for_any or (parallel and availability.has_closed_by_calendar):
        checks.append(_shut(starts, availability))
    failures = [first for check in checks if (first := next(check, None)) is not None]
    if not failures:
        return len(starts)
    place, instance, why = min(failures, key=lambda failure: failure[0])
    starts[place].denial = Denial(why, resources.instances[instance].name)
    return place


def _is_overbooked(instance: QueueInstance, level: Level) -> bool:
    return level.used[SLOTS] > instance.profile.slots


def _without_slots(starts: Sequence[StartOrder], resources: Resources) -> Iterator[tuple[int, int, DenialReason]]:
    """The starts, by their places, for which a queue instance has too few slots."""
    booked: Counter[int] = Counter()
    for start in starts:
        booked.update(dict(start.grants))
    slots = {number: resources.instances[number].profile.slots for number in booked}
    used = {number: resources.slots_used(number) - amount for number, amount in booked.items()}
    for place, start in enumerate(starts):
        for number, amount in start.grants:
            used[number] += amount
            if used[number] > slots[number]:
                yield place, number, DenialReason.SLOTS


def _barred(starts: Sequence[StartOrder], resources: Resources) -> Iterator[tuple[int, int, DenialReason]]:
    """The starts, by their places, whose user may not use a queue instance."""
    usersets = as_qmaster(resources.compiled).usersets
    for place, start in enumerate(starts):
        job = start.run_job.job
        for number, _ in start.grants:
            if not resources.instances[number].profile.access.permits(job.owner, job.group, usersets):
                yield place, number, DenialReason.USER


def _shut(starts: Sequence[StartOrder], availability: Availability) -> Iterator[tuple[int, int, DenialReason]]:
    """The starts, by their places, for which a calendar has closed a queue instance."""
    for place, start in enumerate(starts):
        for number, _ in start.grants:
            if availability.is_closed_by_calendar(number):
                yield place, number, DenialReason.CLOSED


def _refuse_overbooked(starts: Sequence[StartOrder], resources: Resources) -> None:
    for start in starts:
        resources.credit(start.run_job.demand, start.grants)
    for start in starts:
        demand = start.run_job.demand
        lacks = (
            _short_of(resources, level, demand, slots, is_master)
            for level, slots, is_master in _bookings(resources, start.grants)
        )
        start.denial = next(filter(None, lacks), None)
        if start.denial is None:
            resources.debit(demand, start.grants)


def _suspicious(resources: Resources, starts: Sequence[StartOrder]) -> Iterator[bool]:
    """For each consumable of a host of theirs whether it may be overbooked; what is used exclusively counts slots."""
    hosts = {resources.host_of[number] for start in starts for number, _ in start.grants}
    by_name = resources.compiled.attributes.by_name
    for level in (resources.global_level, *(resources.hosts[host] for host in hosts)):
        for name, used in level.used.items():
            yield used > _total(resources, level, name) or (by_name[name].exclusive and used > 0)


def _bookings(resources: Resources, grants: Grants) -> Iterable[tuple[Level, int, bool]]:
    """What is booked where: neighbours in the list of grants are taken together, the first of them is the master's."""
    is_master = True
    for host, group in groupby(grants, key=lambda grant: resources.host_of[grant[0]]):
        yield resources.hosts[host], sum(slots for _, slots in group), is_master
        is_master = False
    yield resources.global_level, sum(slots for _, slots in grants), True


def _short_of(resources: Resources, level: Level, demand: Demand, slots: int, is_master: bool) -> Denial | None:
    """The first consumable of which a level has too little; None where it has enough of all."""
    for name, used in level.used.items():
        attribute = resources.compiled.attributes.by_name[name]
        if attribute.per_job and not is_master:
            continue
        amount = demand.amounts.get(name, attribute.default_amount)
        count = 1 if attribute.per_job or attribute.exclusive else slots
        left = _total(resources, level, name) - used - count * amount if amount else 0.0
        if left < 0 or (not amount and attribute.exclusive and used > 0):
            return Denial(DenialReason.CONSUMABLE, level.name, name, -left)
    return None


def _total(resources: Resources, level: Level, name: str) -> float:
    """What is configured, whatever others than our jobs use of it."""
    host = GLOBAL if level is resources.global_level else level.name
    return resources.compiled.hosts[host].configured[name].number
