"""The check if a run decides the same with another total of a consumable: it does if there is always enough of it.

Each check of the total then passes with both totals. A queue instance that is full before the run with both totals
takes no job, and only thresholds depend on how full it is.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from qmon_tui.scheduler import SchedulingRun
from qmon_tui.scheduler.configuration import CompiledCluster, QueueInstance, QueueProfile, Value
from qmon_tui.scheduler.dispatch import Dispatch
from qmon_tui.scheduler.jobs import RunJob
from qmon_tui.scheduler.matching import NO_LIMIT, SLOTS, Level
from qmon_tui.scheduler.priority import tickets_per_job
from qmon_tui.values import INFINITY

GLOBAL_NUMBER: Final = -1
"""The number of the global host among hosts."""
_WHOLE_OR_REAL = frozenset({"INT", "MEMORY", "DOUBLE"})
"""Attribute types whose value is one number, used for comparison as for division."""


class OtherTotal(NamedTuple):
    """A level of a finished run, and its configured values under the other configuration."""

    level: Level
    configured: Mapping[str, Value]
    number: int
    """Number of the host or queue instance; `GLOBAL_NUMBER` for the global host."""
    is_host: bool

    @property
    def names(self) -> Iterator[str]:
        """The attributes whose totals differ."""
        before = self.level.configured
        return (name for name, value in self.configured.items() if value is not before[name])


def other_totals(run: SchedulingRun, compiled: CompiledCluster) -> list[OtherTotal] | None:
    """Return the totals that differ in a configuration with other hosts and queues; None if more than totals differ.

    The order of entries has to be the same, too, as checks follow it.
    """
    before, resources = run.compiled, run.resources
    if len(before.instances) != len(compiled.instances) or [*before.hosts] != [*compiled.hosts]:
        return None
    totals: list[OtherTotal] = []
    for host, other in zip(before.hosts.values(), compiled.hosts.values(), strict=True):
        if host is other:
            continue
        if [*host.configured] != [*other.configured]:
            return None
        if host == other:
            continue
        if (host.scaling, host.access) != (other.scaling, other.access):
            return None
        number = resources.host_numbers.get(host.name, GLOBAL_NUMBER)
        level = resources.global_level if number == GLOBAL_NUMBER else resources.hosts[number]
        totals.append(OtherTotal(level, _replaced(level, host.configured, other.configured), number, is_host=True))
    alike: dict[tuple[int, int], bool | None] = {}
    for number, (instance, now) in enumerate(zip(before.instances, compiled.instances, strict=True)):
        if instance is now:
            continue
        key = id(instance.profile), id(now.profile)
        is_same = alike.get(key, ...)
        if is_same is ...:
            is_same = alike[key] = _is_same_profile(instance.profile, now.profile)
        if is_same is None or instance.name != now.name:
            return None
        if not is_same:
            configured = _replaced(resources.queues[number], instance.profile.configured, now.profile.configured)
            totals.append(OtherTotal(resources.queues[number], configured, number, is_host=False))
    return totals


def decides_the_same(run: SchedulingRun, others: Sequence[OtherTotal]) -> bool:
    """True if a finished run would have decided the same with these totals."""
    if not _is_plain(run):
        return False
    policy, resources = run.compiled.policy, run.resources
    started = {number for start in run.dispatch.starts for number, _ in start.grants}
    amounts: dict[str, _Amounts | None] = {}
    for other in others:
        read = _read_otherwise(run, _instances_of(run, other))
        if not other.is_host and other.number not in started and SLOTS not in read and _is_full_with_both(other):
            continue
        loads = {*resources.global_level.loads, *other.level.loads}
        for name in other.names:
            attribute = run.compiled.attributes.by_name[name]
            if not attribute.is_plain_consumable or attribute.type not in _WHOLE_OR_REAL or name in loads:
                return False
            if name in read or attribute.shortcut in read:
                return False
            if name not in amounts:
                amounts[name] = _amounts_wanted(run, name, attribute.default_amount)
            wanted = amounts[name]
            totals = other.level.configured[name].number, other.configured[name].number
            if wanted is None or not wanted.most < min(totals) - other.level.used[name]:
                return False
            if max((total for total in totals if total < INFINITY), default=0.0) >= wanted.least_per_slot * NO_LIMIT:
                return False
    free = free_slots_with(run, others)
    least = min(tickets_per_job(policy.tickets, slots) for slots in (free, run.free_slots))
    return free == run.free_slots or all(len(run_job.queue) <= least for run_job in _tried(run))


def free_slots_with(run: SchedulingRun, others: Iterable[OtherTotal]) -> int:
    """Return the free slots of all usable queue instances before the first placement, with other totals."""
    usable = set(run.availability.usable)
    queues = (other for other in others if not other.is_host and other.number in usable)
    changes = (other.configured[SLOTS].number - other.level.configured[SLOTS].number for other in queues)
    return run.free_slots + int(sum(changes))


def _is_plain(run: SchedulingRun) -> bool:
    """True if nothing in this run reads totals but the search for places."""
    compiled, state = run.compiled, run.state
    if type(run.dispatch) is not Dispatch or state.reservations or run.availability.orphaned:
        return False
    if compiled.subordination is not None or compiled.policy.filters_jobs or compiled.policy.max_reservation > 0:
        return False
    rules = (rule for quota_set in compiled.quotas for rule in quota_set.rules)
    if any(limit.formula is not None for rule in rules for limit in rule.limits):
        return False
    return not any(start.denial for start in run.dispatch.starts) and not any(job.request.verify for job in state.jobs)


def _is_same_profile(before: QueueProfile, now: QueueProfile) -> bool | None:
    """Return True if the profiles are equal, False if only their slots differ, else None."""
    if [*before.configured] != [*now.configured]:
        return None
    if before == now:
        return True
    configured = {**now.configured, SLOTS: before.configured[SLOTS]}
    fields = {**now.fields, SLOTS: before.fields[SLOTS]}
    is_like = replace(now, slots=before.slots, configured=configured, fields=fields) == before
    return False if is_like else None


def _replaced(level: Level, before: Mapping[str, Value], now: Mapping[str, Value]) -> Mapping[str, Value]:
    """Return the values of a level with the changed ones replaced; others may have been corrected by reported loads."""
    return {name: level.configured[name] if value == before[name] else value for name, value in now.items()}


def _is_full_with_both(other: OtherTotal) -> bool:
    totals = (other.level.configured[SLOTS].number, other.configured[SLOTS].number)
    return [*other.names] == [SLOTS] and other.level.used[SLOTS] >= max(totals)


def _instances_of(run: SchedulingRun, other: OtherTotal) -> Sequence[QueueInstance]:
    """Return the queue instances to which a level applies."""
    resources = run.resources
    if other.number == GLOBAL_NUMBER:
        return resources.instances
    numbers = resources.instances_of[other.number] if other.is_host else [other.number]
    return [resources.instances[number] for number in numbers]


def _read_otherwise(run: SchedulingRun, instances: Sequence[QueueInstance]) -> set[str]:
    """Return the names of the attributes that the load formula and thresholds of these queue instances read."""
    profiles = {id(instance.profile): instance.profile for instance in instances}.values()
    thresholds = (limits for profile in profiles for limits in (profile.load_thresholds, profile.suspend_thresholds))
    return {name for limits in thresholds for name, _ in limits} | run.resources.formula_names


def _tried(run: SchedulingRun) -> Iterator[RunJob]:
    """Yield the jobs that had pending tasks; `pending` lacks immediate ones that could not start."""
    return (run_job for run_job in run.jobs if run_job.queue)


class _Amounts(NamedTuple):
    """The amounts of a consumable that the pending tasks of a run request."""

    most: float
    """The largest amount of one task, over all its slots."""
    least_per_slot: float
    """Least amount per slot of a parallel task; a total divided by it must still be a number of slots."""


def _amounts_wanted(run: SchedulingRun, name: str, default: float) -> _Amounts | None:
    """Return the requested amounts of a consumable; None if a request is negative or soft."""
    largest = max((environment.slots for environment in run.compiled.environments.values()), default=0)
    most, least_per_slot = 0.0, INFINITY
    for run_job in _tried(run):
        demand = run_job.demand
        amount = demand.amounts.get(name, default)
        if not amount >= 0 or (demand.soft and any(wanted.attribute.name == name for wanted in demand.soft)):
            return None
        parallel = run_job.job.request.pe
        if parallel is not None and amount:
            least_per_slot = min(least_per_slot, amount)
            amount *= min(largest, max(bounds[1] for bounds in parallel.ranges))
        most = max(most, amount)
    return _Amounts(most, least_per_slot)
