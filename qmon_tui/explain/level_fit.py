"""Checks whether slots of a task fit a level: now, and at best, with nothing in use and no load.

Allocation rules say how many slots of a parallel job must fit together.
"""

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from qmon_tui.explain.explanation import ReasonKind
from qmon_tui.explain.rejection import PlaceRejection
from qmon_tui.model import PeRequest, messages
from qmon_tui.scheduler.configuration import Attribute, AttributeTable, ParallelEnvironment
from qmon_tui.scheduler.jobs import Demand
from qmon_tui.scheduler.matching import GLOBAL, HOST, SLOTS, Checker, Failure, Level, offer_of, shortfall
from qmon_tui.values import c_integer_prefix


def fewest_slots_of_request(request: PeRequest | None, environment: ParallelEnvironment | None = None) -> int:
    """Return the smallest number of slots that the job accepts and the PE can allocate."""
    least = min(first for first, _, _ in request.ranges) if request is not None else 1
    return least if environment is None else next(allocatable_slots(request, environment), least)


def allocatable_slots(request: PeRequest | None, environment: ParallelEnvironment) -> Iterator[int]:
    """Yield the slot numbers that the allocation rule can give, ascending; only the first ones of each range."""
    each = max(1, slots_per_host(environment))
    ranges = request.ranges if request is not None else ((1, 1, 1),)
    numbers = {number for first, last, step in ranges for number in range(first, last + 1, step)[:each]}
    return (number for number in sorted(numbers) if environment.per_host(number))


def slots_per_host(environment: ParallelEnvironment) -> int:
    """Return the slots that each host must give; 0 if the allocation rule does not fix it."""
    return (c_integer_prefix(environment.rule) or 0) if environment.rule[:1].isdigit() else 0


def least_slots(request: PeRequest | None, environments: Sequence[ParallelEnvironment]) -> Mapping[str, int]:
    """Return layer -> the least slots that must fit there, in any of the PEs; empty without PEs."""
    if not environments:
        return {}
    everywhere = min(fewest_slots_of_request(request, environment) for environment in environments)
    return {
        GLOBAL: everywhere,
        HOST: max(
            1, min(environment.per_host(fewest_slots_of_request(request, environment)) for environment in environments)
        ),
    }


LASTING = frozenset({"arch", "num_proc", "mem_total", "swap_total", "virtual_total", "m_core", "m_socket", "m_thread"})
"""Load values that are constant properties of a host."""


@dataclass(frozen=True, slots=True)
class FitResult:
    """The obstacle on a level (None if the slots fit), and the names of attributes known there or on an outer level."""

    rejection: PlaceRejection | None
    accepted: frozenset[str]


@dataclass(frozen=True, slots=True)
class AllSlotsChecker(Checker):
    """The check of all slots of a parallel job that a level must take together.

    Unlike for one slot, the default request of an attribute that is not requestable is refused.
    """

    least_slots: Mapping[str, int] = field(default_factory=dict)
    """Layer -> slots that must fit there, if more than one."""

    def check(self, level: Level, demand: Demand, accepted: set[str]) -> Failure | None:
        """Return why one slot, or all that must be there, do not fit."""
        return Checker.check(self, level, demand, accepted) or self._check_least_slots(level, demand)

    def _check_least_slots(self, level: Level, demand: Demand) -> Failure | None:
        slots = self.least_slots.get(level.layer, 1)
        if slots == 1:
            return None
        asked = {request.attribute.name: request for request in demand.hard}
        for name in level.used:
            attribute, wanted = self.attributes.by_name[name], asked.get(name)
            if attribute.per_job or attribute.exclusive or (wanted is None and name in demand.names):
                continue
            amount, text = (wanted.amount, wanted.text) if wanted else (attribute.default_amount, attribute.default)
            offer = offer_of(level, attribute, self.adjustments)
            missing = offer and shortfall(level.layer, offer, attribute, 1.0 if name == SLOTS else amount, text, slots)
            if missing:
                return Failure(name, missing)
        return None

    def _defaults(self, level: Level, demand: Demand) -> Failure | None:
        for name in level.used:
            attribute = self.attributes.by_name[name]
            asks = attribute.default_amount != 0.0 or attribute.exclusive
            if asks and name != SLOTS and name not in demand.names and attribute.requestable == "NO":
                return Failure(name, text=messages.NOT_REQUESTABLE.format(name))
        return Checker._defaults(self, level, demand)


def needed(least_slots: Mapping[str, int], level: Level, attribute: Attribute) -> int:
    """Return the multiple of a slot's amount that must fit; `least_slots` as in `AllSlotsChecker`."""
    return least_slots.get(level.layer, 1) if attribute.name in level.used and not attribute.per_job else 1


class LevelFit:
    """Checks of levels for one demand."""

    def __init__(self, checker: Checker, demand: Demand, least_slots: Mapping[str, int]) -> None:
        self._checker = checker
        self._least_slots = least_slots
        self._demand = demand
        self._limits: dict[Hashable, tuple[tuple[str, float, float], ...]] = {}

    def when_empty(self, level: Level, scope: str, accepted: frozenset[str]) -> FitResult:
        """Check with nothing in use; a shortage is permanent."""
        empty, changing = when_empty(level, self._checker.attributes)
        return self._check(empty, scope, accepted | changing, ReasonKind.NEVER)

    def now(self, level: Level, scope: str, accepted: frozenset[str]) -> FitResult:
        return self._check(level, scope, accepted, ReasonKind.BUSY)

    def fit_key(self, level: Level, values: Hashable) -> Hashable:
        """Return a key that is equal for levels with the same results apart from amounts; `values` are configured."""
        limits = self._limits.get(values)
        if limits is None:
            limits = self._limits[values] = tuple(self._used_limits(level))
        used = level.used
        # Only whether the requested amount fits the rest matters, not the rest itself.
        fits = [amount <= total - used[name] for name, amount, total in limits]
        if not level.loads and not level.shared:
            return (values, *fits)
        loads = level.loads
        reported = [(name, loads[name].text) for name in (*self._demand.names, *used) if name in loads]
        if reported:
            return (values, *used.values(), *reported, level.correction)
        return (values, *fits, *level.shared.items())

    def _used_limits(self, level: Level) -> Iterator[tuple[str, float, float]]:
        """Yield (consumable, requested amount, total); the rest of an exclusive one must be unused."""
        for name in level.used:
            attribute = self._checker.attributes.by_name[name]
            amount = self._demand.amounts.get(name, attribute.default_amount) * needed(
                self._least_slots, level, attribute
            )
            yield (name, 0.0, 0.0) if attribute.exclusive else (name, amount, level.configured[name].number)

    def _check(self, level: Level, scope: str, accepted: Iterable[str], why: ReasonKind) -> FitResult:
        known = set(accepted)
        failure = self._checker.check(level, self._demand, known)
        if failure is None:
            return FitResult(None, frozenset(known))
        # A shortage here still makes the attribute known to inner levels.
        requested = [request.attribute for request in self._demand.hard]
        known.update(
            attribute.name
            for attribute in requested
            if offer_of(level, attribute, self._checker.adjustments) is not None
        )
        return FitResult(PlaceRejection.of_failure(failure, scope, why, self._demand.printed), frozenset(known))


def when_empty(level: Level, attributes: AttributeTable) -> tuple[Level, frozenset[str]]:
    """Return the level with nothing in use and without variable load values, and the names of these."""
    changing = frozenset(
        name
        for name in level.loads
        if name not in LASTING and (attribute := attributes.by_name.get(name)) is not None and attribute.numeric
    )
    return replace(
        level,
        used=dict.fromkeys(level.used, 0.0),
        shared={},
        loads={name: value for name, value in level.loads.items() if name not in changing},
        correction=0,
    ), changing
