"""Checks of start orders by the qmaster (dispatch.md#acceptance-of-a-start-order).

It checks again access to each queue instance, its slots and calendar, and the consumables of each host and of the
global host. If one fails, the order is denied: the task stays pending and is ordered again in every run. After a
failure other than of consumables, it does not even read the following orders.

The scheduler makes such orders because it ignores departments in access lists, unlike the qmaster; because it may treat
everything closed by calendars as open (`Availability.plans_for_any`); and for parallel jobs, because it ignores a
missing consumable per job on a host, and may take a slot of an unchecked queue instance, even of a closed one. If a
soft request names an attribute made a consumable later, it takes a host with too little, and the qmaster books that.
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
    """Mark the starts that the qmaster denies, and release their bookings."""
    parallel = any(start.run_job.job.request.pe for start in starts)
    considered = _mark_first(starts, resources, availability, parallel=parallel)
    for start in starts[considered:]:
        start.denial = start.denial or Denial(DenialReason.UNREAD)
        resources.credit(start.run_job.demand, start.grants)
    # With reservations a job of duration 0 takes nothing from jobs that start at the same time.
    may_overbook = parallel or availability.plans_ahead or any(map(_has_soft_consumable, starts))
    if may_overbook and any(_suspicious(resources, starts)):
        _refuse_overbooked(starts[:considered], resources)
    if quota_usage is not None:
        for start in starts:
            if start.denial is not None and start.subject is not None:
                quota_usage.credit(start.subject, start.run_job.demand, start.grants)


def _mark_first(
    starts: Sequence[StartOrder], resources: Resources, availability: Availability, *, parallel: bool
) -> int:
    """Mark the first start that fails other than by consumables; return the number of starts before it."""
    lists_only = all(userset.is_list for userset in resources.compiled.usersets.values())
    checks: list[Iterator[tuple[int, int, DenialReason]]] = []
    if (parallel or not lists_only) and resources.compiled.restricts_access:
        checks.append(_denied_by_access(starts, resources))
    granted = {number for start in starts for number, _ in start.grants} if parallel else frozenset()
    if any(_is_overbooked(resources.instances[number], resources.queues[number]) for number in granted):
        checks.append(_without_slots(starts, resources))
    if not availability.plans_for_any or (parallel and availability.has_closed_by_calendar):
        checks.append(_closed_by_calendar(starts, availability))
    failures = [first for check in checks if (first := next(check, None)) is not None]
    if not failures:
        return len(starts)
    place, instance, why = min(failures, key=lambda failure: failure[0])
    starts[place].denial = Denial(why, resources.instances[instance].name)
    return place


def _is_overbooked(instance: QueueInstance, level: Level) -> bool:
    return level.used[SLOTS] > instance.profile.slots


def _without_slots(starts: Sequence[StartOrder], resources: Resources) -> Iterator[tuple[int, int, DenialReason]]:
    """Yield the indexes of starts for which a queue instance has too few slots."""
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


def _denied_by_access(starts: Sequence[StartOrder], resources: Resources) -> Iterator[tuple[int, int, DenialReason]]:
    """Yield the indexes of starts whose user may not use a queue instance."""
    usersets = as_qmaster(resources.compiled).usersets
    for place, start in enumerate(starts):
        job = start.run_job.job
        for number, _ in start.grants:
            if not resources.instances[number].profile.access.permits(job.owner, job.group, usersets):
                yield place, number, DenialReason.USER


def _closed_by_calendar(
    starts: Sequence[StartOrder], availability: Availability
) -> Iterator[tuple[int, int, DenialReason]]:
    """Yield the indexes of starts for which a calendar has closed a queue instance."""
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


def _has_soft_consumable(start: StartOrder) -> bool:
    """True if the job was admitted before an attribute of its soft requests was made a consumable."""
    return any(request.attribute.is_consumable for request in start.run_job.demand.soft)


def _suspicious(resources: Resources, starts: Sequence[StartOrder]) -> Iterator[bool]:
    """Yield for each consumable of the starts' hosts True if it may be overbooked; exclusive ones count slots."""
    hosts = {resources.host_of[number] for start in starts for number, _ in start.grants}
    by_name = resources.compiled.attributes.by_name
    for level in (resources.global_level, *(resources.hosts[host] for host in hosts)):
        for name, used in level.used.items():
            yield used > _total(resources, level, name) or (by_name[name].exclusive and used > 0)


def _bookings(resources: Resources, grants: Grants) -> Iterable[tuple[Level, int, bool]]:
    """Yield (level, slots, is master): adjacent grants on a host are joined, the first being the master's."""
    is_master = True
    for host, group in groupby(grants, key=lambda grant: resources.host_of[grant[0]]):
        yield resources.hosts[host], sum(slots for _, slots in group), is_master
        is_master = False
    yield resources.global_level, sum(slots for _, slots in grants), True


def _short_of(resources: Resources, level: Level, demand: Demand, slots: int, is_master: bool) -> Denial | None:
    """Return the denial for the first consumable that a level lacks; None if it has enough."""
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
    """Return the configured total, ignoring use by others than our jobs."""
    host = GLOBAL if level is resources.global_level else level.name
    return resources.compiled.hosts[host].configured[name].number
