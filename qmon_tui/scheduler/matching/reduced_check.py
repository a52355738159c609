"""Reduced checks: the part of a check that can change during a run, cached and shared by equivalent levels.

The rule is `Checker.check`. During placement only the use of consumables changes. So for one demand and all levels with
equal values, it is enough to compare the amounts with what is free. If more can change, or a comparison fails, the rule
is applied.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from qmon_tui.scheduler.configuration import Attribute
from qmon_tui.scheduler.jobs import Demand
from qmon_tui.scheduler.matching.checker import Checker
from qmon_tui.scheduler.matching.level import GLOBAL, HOST, QUEUE, SLOTS, Level, Offer, offer_of, shortfall
from qmon_tui.scheduler.matching.resources import Resources
from qmon_tui.scheduler.matching.slot_count import NO_LIMIT, whole_slots
from qmon_tui.values import INFINITY

_LAYERS = frozenset({GLOBAL, HOST, QUEUE})
INSTANCE_ATTRIBUTES = frozenset({"qname", "hostname"})
"""Built-in attributes that differ between queue instances with the same profile."""


Needs = tuple[tuple[str, float, float], ...]
"""(consumable, requested amount, configured total) of each consumable to compare."""


@dataclass(slots=True)
class ReducedCheck:
    """The comparisons to which a check is reduced; it succeeds if all of them hold."""

    needs: Needs
    elsewhere: frozenset[str]
    """Requested attributes that a queue instance does not have: an outer level must have them."""
    accepts: frozenset[str]
    """Requested attributes that the level has."""
    divided: Needs | None = None
    """(consumable, amount as typed, total): free amounts divided by these limit slots; None: apply the rule."""

    def room(self, used: Mapping[str, float]) -> int | None:
        """Return how many slots fit now, given consumable -> amount used; None if the rule must be applied."""
        if self.divided is None:
            return None
        for name, amount, total in self.needs:
            if not amount <= total - used[name]:
                return None
        fewest = float(NO_LIMIT)
        for name, amount, total in self.divided:
            slots = (total - used[name]) / amount
            if slots < fewest:
                fewest = slots
            elif slots > NO_LIMIT:
                # A count outside int is negative in 8.1.9; see `whole_slots`.
                return None
        return whole_slots(fewest)


_ASK = ReducedCheck((), frozenset(), frozenset())
"""A check that cannot be reduced, so that the rule must be applied."""

_UNSTEADY = Offer()
"""Placeholder for an offer that may change later in the run."""


@dataclass(frozen=True, slots=True)
class CheckTemplate:
    """The reduced checks of all demands of one shape, which differ only in the requested amounts of consumables."""

    by_default: Needs
    """Needs by default requests: slots, and consumables that the demand does not request."""
    asked: tuple[tuple[int, str, float], ...]
    """Requested consumables: (index in the hard requests, consumable, configured total)."""
    bounds: tuple[tuple[int, float], ...]
    """(index in the hard requests, highest amount that fits even if nothing is in use)."""
    elsewhere: frozenset[str]
    accepts: frozenset[str]
    by_slot: bool
    """True if dividing the free amount of each consumable by the requested one gives the number of slots."""

    def needs(self, demand: Demand) -> Needs | None:
        """Return the needs of one demand; None if it asks for more than the configured total."""
        hard = demand.hard
        for position, bound in self.bounds:
            if not hard[position].amount <= bound:
                return None
        if not self.asked:
            return self.by_default
        return (*self.by_default, *[(name, hard[position].amount, total) for position, name, total in self.asked])

    def reduced_check(self, demand: Demand) -> ReducedCheck | None:
        """Return the reduced check of one demand; None if it asks for more than the configured total."""
        needs = self.needs(demand)
        if needs is None:
            return None
        if not self.by_slot:
            return ReducedCheck(needs, self.elsewhere, self.accepts)
        typed = [(name, demand.hard[position].typed_amount, total) for position, name, total in self.asked]
        divided = [entry for entry in (*self.by_default, *typed) if entry[1] and entry[2] < INFINITY]
        return ReducedCheck(needs, self.elsewhere, self.accepts, tuple(divided))


@dataclass(frozen=True, slots=True)
class FastChecker(Checker):
    """A checker that also gives reduced checks, with which other caches replace `check`."""

    _shapes: dict[int, int] = field(default_factory=dict)
    """Id of the level -> number above 0, equal for equivalent levels."""
    _numbers: dict[object, int] = field(default_factory=dict)
    _reduced_checks: dict[tuple[int, object], ReducedCheck] = field(default_factory=dict)
    """(id of the demand, shape of the level) -> reduced check."""
    _check_templates: dict[tuple[object, object], CheckTemplate | None] = field(default_factory=dict)
    """(shape of the demand, shape of the level) -> template; None if the check depends on more."""
    _kept: list[object] = field(default_factory=list)
    """Objects whose ids are keys, kept alive."""

    def known(self, level: Level, demand: Demand) -> ReducedCheck | None:
        """Return the reduced check of a level; None if the check depends on more."""
        if level.layer not in _LAYERS:
            return None
        shape = self._shape_for(level, demand)
        key = (id(demand), shape)
        reduced_check = self._reduced_checks.get(key)
        if reduced_check is None:
            check_template = self._check_template_of(level, demand, shape)
            reduced_check = self._reduced_checks[key] = (
                check_template.reduced_check(demand) if check_template is not None else None
            ) or _ASK
            self._kept.append(demand)
        return None if reduced_check is _ASK else reduced_check

    def check_template(self, level: Level, demand: Demand) -> CheckTemplate | None:
        """Return the template for equivalent levels and demands of one shape; None if the check depends on more."""
        return self._check_template_of(level, demand, self._shape_for(level, demand))

    def _check_template_of(self, level: Level, demand: Demand, shape: object) -> CheckTemplate | None:
        key = (demand.shape, shape)
        if key not in self._check_templates:
            self._check_templates[key] = self._new_check_template(level, demand)
        return self._check_templates[key]

    def _shape_for(self, level: Level, demand: Demand) -> object:
        """Return a key that is equal for levels on which the demand's check gives the same result."""
        shape = self._shapes.get(id(level)) or self._shape(level)
        loads = level.loads
        if loads:
            return (shape, *[(name, loads[name].text) for name in demand.names if name in loads])
        return shape

    def _shape(self, level: Level) -> int:
        """Return the number of the level's shape; levels with equal configured values share one object for them."""
        own_load = any(name in level.loads for name in (SLOTS, *level.used))
        traits = (level.layer, id(level.configured), id(level) if own_load else 0)
        shape = self._shapes[id(level)] = self._numbers.setdefault(traits, len(self._numbers) + 1)
        self._kept.append(level)
        return shape

    def _new_check_template(self, level: Level, demand: Demand) -> CheckTemplate | None:
        if not demand.names.isdisjoint(INSTANCE_ATTRIBUTES):
            return None
        wanted: list[tuple[Attribute, float, str]] = []
        if SLOTS in level.configured and self.slots is not None:
            wanted.append((self.slots, 1.0, "1"))
        for name in level.used:
            attribute = self.attributes.by_name[name]
            if name != SLOTS and name not in demand.names and (attribute.default_amount or attribute.exclusive):
                wanted.append((attribute, attribute.default_amount, attribute.default))
        by_default: list[tuple[str, float, float]] = []
        for attribute, amount, text in wanted:
            offer = self._steady_offer(level, attribute)
            if offer is _UNSTEADY:
                return None
            if offer is not None and shortfall(level.layer, offer, attribute, amount, text, 1) is not None:
                return None
            total = self._total(level, attribute)
            if total is not None:
                by_default.append((attribute.name, amount, total))
        asked: list[tuple[int, str, float]] = []
        bounds: list[tuple[int, float]] = []
        elsewhere: set[str] = set()
        accepts: set[str] = set()
        for position, request in enumerate(demand.hard):
            attribute, name = request.attribute, request.attribute.name
            offer = self._steady_offer(level, attribute)
            if offer is None:
                if level.layer == QUEUE:
                    elsewhere.add(name)
                continue
            if offer is _UNSTEADY or attribute.requestable == "NO":
                return None
            total = self._total(level, attribute)
            if total is not None:
                asked.append((position, name, total))
            if attribute.is_plain_consumable:
                bounds += [(position, bound) for bound in (total, offer.per_job, offer.per_slot) if bound is not None]
            elif shortfall(level.layer, offer, attribute, request.amount, request.text, 1) is not None:
                return None
            accepts.add(name)
        # A parallel job is refused even for a default request of an attribute that is not requestable.
        by_slot = all(attribute.requestable != "NO" for attribute, _, _ in wanted)
        names = [name for name, _, _ in by_default] + [name for _, name, _ in asked]
        return CheckTemplate(
            tuple(by_default),
            tuple(asked),
            tuple(bounds),
            frozenset(elsewhere - accepts),
            frozenset(accepts),
            by_slot and not any(self.attributes.by_name[name].per_job for name in names),
        )

    def _total(self, level: Level, attribute: Attribute) -> float | None:
        """Return the configured total; None if the attribute is no consumable or not configured on the level."""
        configured = level.configured.get(attribute.name)
        return configured.number if configured is not None and attribute.is_consumable else None

    def _steady_offer(self, level: Level, attribute: Attribute) -> Offer | None:
        """Return the part of an offer that stays the same in a run; `_UNSTEADY` if more than consumable use changes."""
        offer, name = offer_of(level, attribute, self.adjustments), attribute.name
        if attribute.exclusive or (name in level.loads and name in self.adjustments.amounts):
            return _UNSTEADY
        if offer is None or self._total(level, attribute) is None:
            return offer
        if attribute.relop != "<=" or name in level.loads:
            return _UNSTEADY
        return replace(offer, per_job=None)


class InstanceClasses:
    """Classes of queue instances that are equivalent in one run; `states` are their qstat states."""

    def __init__(self, resources: Resources, states: Sequence[str]) -> None:
        self._resources = resources
        self._states = states
        self.classes: dict[int, int] = {}
        """Queue instance -> class, for instances looked up so far."""
        self._numbers: dict[object, int] = {}
        levels = (resources.global_level, *resources.hosts)
        self._reported = {
            name for loads in {id(level.loads): level.loads for level in levels}.values() for name in loads
        }
        self._forced_loads = any(attribute.name in self._reported for attribute in resources.compiled.attributes.forced)

    def reads_loads(self, demand: Demand) -> bool:
        """True if a demand reads attributes that hosts report, so that no two hosts are equivalent for it."""
        return self._forced_loads or not demand.names.isdisjoint(self._reported)

    def instance_class(self, number: int) -> int:
        """Return a number below 0 that equivalent instances share."""
        instance_class = self.classes.get(number)
        if instance_class is None:
            instance_class = self.classes[number] = self._numbers.setdefault(self._traits(number), -1 - number)
        return instance_class

    def _traits(self, number: int) -> object:
        """Return the traits that equivalent queue instances share."""
        resources = self._resources
        instance = resources.instances[number]
        host = resources.hosts[resources.host_of[number]]
        if any(name in self._reported for name in (*host.used, *resources.queues[number].used)):
            return number
        access = resources.compiled.hosts[instance.host].access
        return instance.queue, id(instance.profile), id(host.configured), access, self._states[number]
