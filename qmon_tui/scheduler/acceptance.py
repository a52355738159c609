"""What the qmaster says to the starts that a run has ordered (dispatch.md section 14).

It looks once more whether the user may use each queue instance, whether that has the slots and is not closed by a
calendar, and whether each host and the global host have enough of all consumables. Otherwise it refuses the order: the
task stays pending and is ordered anew in every run. After an order that fails for anything but consumables, it does not
even read those that follow.

The scheduler runs into this because it knows only those usersets that are lists, while for the qmaster departments are
lists, too; because it may take all that calendars have closed for open (`Availability.knows_the_future`); and with
parallel jobs, because it does not mind that a consumable per job is missing on a host, and may take a slot of a queue
instance that it has not looked at, also of one that is closed.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from qmon_tui.scheduler.available import Availability
from qmon_tui.scheduler.compiled.cluster import GLOBAL
from qmon_tui.scheduler.compiled.eyes import as_qmaster
from qmon_tui.scheduler.compiled.queues import Instance
from qmon_tui.scheduler.matching.level import Level
from qmon_tui.scheduler.quotas.ledger import Ledger
from qmon_tui.scheduler.requests import Demand
from qmon_tui.scheduler.resources import SLOTS, Grants, Resources
from qmon_tui.scheduler.start import Start


def refuse_starts(
    starts: Sequence[Start], resources: Resources, availability: Availability, ledger: Ledger | None = None
) -> None:
    """Mark the starts that the qmaster refuses, and take back what they have booked."""
    parallel = any(start.run_job.job.request.pe for start in starts)
    considered = len(starts)
    lists_only = all(userset.is_list for userset in resources.compiled.usersets.values())
    if (parallel or not lists_only) and any(_restricts(instance) for instance in resources.instances):
        considered = next((place for place, start in enumerate(starts) if _is_barred(start, resources)), considered)
    if parallel and any(map(_is_overbooked, resources.instances, resources.queues)):
        considered = min(considered, _first_without_slots(starts, resources))
    if not availability.knows_the_future or (parallel and availability.shuts_some):
        shut = (place for place, start in enumerate(starts) if _is_shut(start, availability))
        considered = min(considered, next(shut, considered))
    for place, start in enumerate(starts[considered:]):
        start.refused, start.unread = True, place > 0
        resources.credit(start.run_job.demand, start.grants)
    if parallel and any(_suspicious(resources)):
        _refuse_overbooked(starts[:considered], resources)
    if ledger is not None:
        for start in starts:
            if start.refused and start.party is not None:
                ledger.credit(start.party, start.run_job.demand, start.grants)


def _restricts(instance: Instance) -> bool:
    return not instance.profile.access.is_open


def _is_overbooked(instance: Instance, level: Level) -> bool:
    return level.used[SLOTS] > instance.profile.slots


def _first_without_slots(starts: Sequence[Start], resources: Resources) -> int:
    """The place of the first start for which a queue instance has too few slots; the number of starts for none."""
    booked: Counter[int] = Counter()
    for start in starts:
        booked.update(dict(start.grants))
    slots = {number: resources.instances[number].profile.slots for number in booked}
    used = {number: resources.slots_used(number) - amount for number, amount in booked.items()}
    for place, start in enumerate(starts):
        for number, amount in start.grants:
            used[number] += amount
            if used[number] > slots[number]:
                return place
    return len(starts)


def _is_barred(start: Start, resources: Resources) -> bool:
    job, usersets = start.run_job.job, as_qmaster(resources.compiled).usersets
    profiles = (resources.instances[number].profile for number, _ in start.grants)
    return not all(profile.access.permits(job.owner, job.group, usersets) for profile in profiles)


def _is_shut(start: Start, availability: Availability) -> bool:
    return any(availability.is_shut(number) for number, _ in start.grants)


def _refuse_overbooked(starts: Sequence[Start], resources: Resources) -> None:
    for start in starts:
        resources.credit(start.run_job.demand, start.grants)
    for start in starts:
        demand = start.run_job.demand
        start.refused = not all(
            _suffices(resources, level, demand, slots, is_master)
            for level, slots, is_master in _bookings(resources, start.grants)
        )
        if not start.refused:
            resources.debit(demand, start.grants)


def _suspicious(resources: Resources) -> Iterator[bool]:
    """For each consumable of a host whether it may be overbooked; what is used exclusively counts slots."""
    by_name = resources.compiled.attributes.by_name
    for level in (resources.global_level, *resources.hosts):
        for name, used in level.used.items():
            yield used > _total(resources, level, name) or (by_name[name].exclusive and used > 0)


def _bookings(resources: Resources, grants: Grants) -> Iterable[tuple[Level, int, bool]]:
    """What is booked where: neighbours in the list of grants are taken together, the first of them is the master's."""
    is_master = True
    for host, group in groupby(grants, key=lambda grant: resources.host_of[grant[0]]):
        yield resources.hosts[host], sum(slots for _, slots in group), is_master
        is_master = False
    yield resources.global_level, sum(slots for _, slots in grants), True


def _suffices(resources: Resources, level: Level, demand: Demand, slots: int, is_master: bool) -> bool:
    for name, used in level.used.items():
        attribute = resources.compiled.attributes.by_name[name]
        if attribute.per_job and not is_master:
            continue
        amount = demand.amounts.get(name, attribute.default_amount)
        count = 1 if attribute.per_job or attribute.exclusive else slots
        if amount:
            if _total(resources, level, name) - used - count * amount < 0:
                return False
        elif attribute.exclusive and used > 0:
            return False
    return True


def _total(resources: Resources, level: Level, name: str) -> float:
    """What is configured, whatever others than our jobs use of it."""
    host = GLOBAL if level is resources.global_level else level.name
    return resources.compiled.hosts[host].configured[name].number
