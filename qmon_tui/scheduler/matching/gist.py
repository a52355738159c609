"""The fast path of matching: what a check comes down to on all levels that are alike, worked out once.

The rule itself is `Checker.check`. Most of what it compares cannot change while jobs are placed; what can are the
consumables in use. So for one demand and all levels with equal values the comparison with what is left of each
consumable remains. Wherever more can change, or a comparison fails, the rule is asked.
"""

from dataclasses import dataclass, field, replace

from qmon_tui.scheduler.compiled.attributes import Attribute
from qmon_tui.scheduler.matching.check import SLOTS, Checker, Failure
from qmon_tui.scheduler.matching.level import GLOBAL, HOST, QUEUE, Level, offer_of, shortfall
from qmon_tui.scheduler.matching.room import FITS, NO_LIMIT, Counter, Room, Say, whole_slots
from qmon_tui.scheduler.requests import Demand
from qmon_tui.values.number import INFINITY

_LAYERS = frozenset({GLOBAL, HOST, QUEUE})
_OF_THE_INSTANCE = frozenset({"qname", "hostname"})
"""Built-in attributes in which queue instances with one profile differ."""


@dataclass(frozen=True, slots=True)
class Gist:
    """What is left of a check, which succeeds if all this holds."""

    needs: tuple[tuple[str, float, float], ...]
    """Consumable, amount wanted, configured total."""
    elsewhere: frozenset[str]
    """Requests that a queue instance does not know: an outer level has to."""
    accepts: frozenset[str]
    """Requests that the level has."""
    divided: tuple[tuple[str, float, float], ...] | None = None
    """Consumable, amount as typed, total, as far as they limit slots; None where the rule has to be asked."""
    most: int = NO_LIMIT
    """The slots with nothing in use."""


_ASK = Gist((), frozenset(), frozenset())
"""Stands for a check that has no gist, so that the rule is asked."""


@dataclass(frozen=True, slots=True)
class GistChecker(Checker):
    """A checker that remembers the gist of its checks for the time of one run."""

    _shapes: dict[int, object] = field(default_factory=dict)
    """Level, by id -> what is equal for levels that are alike."""
    _gists: dict[tuple[int, object], Gist | None] = field(default_factory=dict)
    """Demand, by id, and shape -> gist; None where it was asked for once: many a demand is that of one job."""
    _kept: list[object] = field(default_factory=list)
    """What must stay alive for its id to mean it."""

    def check(self, level: Level, demand: Demand, accepted: set[str]) -> Failure | None:
        """As in `Checker`."""
        gist = self.known(level, demand)
        if gist is not None:
            used = level.used
            for name, amount, total in gist.needs:
                if not amount <= total - used[name]:
                    break
            else:
                if gist.elsewhere <= accepted:
                    accepted |= gist.accepts
                    return None
        return Checker.check(self, level, demand, accepted)

    def known(self, level: Level, demand: Demand) -> Gist | None:
        """The gist of a check, where it has been asked for before."""
        if level.layer not in _LAYERS:
            return None
        shape = self._shapes.get(id(level)) or self._shape(level)
        loads = level.loads
        if loads:
            shape = (shape, *[(name, loads[name].text) for name in demand.names if name in loads])
        key = (id(demand), shape)
        gist = self._gists.get(key)
        if gist is None and key in self._gists:
            gist = self._gists[key] = self.gist(level, demand) or _ASK
        elif gist is None:
            self._gists[key] = None
            self._kept.append(demand)
        return None if gist is _ASK else gist

    def _shape(self, level: Level) -> object:
        """Configured values are shared between hosts, and between queue instances, that have the same."""
        own_load = any(name in level.loads for name in (SLOTS, *level.used))
        shape = (level.layer, id(level.configured), id(level) if own_load else 0)
        self._shapes[id(level)] = shape
        self._kept.append(level)
        return shape

    def gist(self, level: Level, demand: Demand) -> Gist | None:
        """The gist of a check, for this level and all that are like it; None where more than it can change."""
        if not demand.names.isdisjoint(_OF_THE_INSTANCE):
            return None
        wanted: list[tuple[Attribute, float, str]] = []
        if SLOTS in level.configured and self.slots is not None:
            wanted.append((self.slots, 1.0, "1"))
        for name in level.used:
            attribute = self.attributes.by_name[name]
            if name != SLOTS and name not in demand.names and (attribute.default_amount or attribute.exclusive):
                wanted.append((attribute, attribute.default_amount, attribute.default))
        needs: list[tuple[str, float, float]] = []
        typed: list[float] = []
        for attribute, amount, text in wanted:
            if not self._fits(level, attribute, amount, text, needs):
                return None
            typed += [amount] * (len(needs) - len(typed))
        elsewhere: set[str] = set()
        accepts: set[str] = set()
        for one in demand.hard:
            name = one.attribute.name
            if offer_of(level, one.attribute, self.adjustments) is None:
                if level.layer == QUEUE:
                    elsewhere.add(name)
            elif one.attribute.requestable == "NO" or not self._fits(level, one.attribute, one.amount, one.text, needs):
                return None
            else:
                accepts.add(name)
                typed += [one.typed_amount] * (len(needs) - len(typed))
        divided = tuple(
            (name, amount, total)
            for (name, _, total), amount in zip(needs, typed, strict=True)
            if amount and total < INFINITY
        )
        by_slot = not any(self.attributes.by_name[name].per_job for name, _, _ in needs)
        # Of a parallel job even a default request of what nobody may request is refused.
        by_slot = by_slot and all(attribute.requestable != "NO" for attribute, _, _ in wanted)
        most = min((whole_slots(total / amount) for _, amount, total in divided), default=NO_LIMIT)
        return Gist(
            tuple(needs),
            frozenset(elsewhere - accepts),
            frozenset(accepts),
            divided if by_slot else None,
            min(most, NO_LIMIT),
        )

    def _fits(
        self, level: Level, attribute: Attribute, amount: float, text: str, needs: list[tuple[str, float, float]]
    ) -> bool:
        """Tell whether a request fits apart from what is in use, which is added to `needs`."""
        name = attribute.name
        offer = offer_of(level, attribute, self.adjustments)
        if attribute.exclusive or (name in level.loads and name in self.adjustments.amounts):
            return False
        if offer is None:
            return True
        if attribute.is_consumable and name in level.configured:
            if attribute.relop != "<=" or name in level.loads:
                return False
            needs.append((name, amount, level.configured[name].number))
            offer = replace(offer, per_job=None)
        return shortfall(level.layer, offer, attribute, amount, text, 1) is None


@dataclass(frozen=True, slots=True)
class GistCounter(Counter):
    """A counter that uses the gist of checks."""

    gists: GistChecker

    def count(self, level: Level, demand: Demand, accepted: set[str], say: Say | None) -> Room:
        """As in `Counter`."""
        gist = self.gists.known(level, demand) if say is None else None
        if gist is None or gist.divided is None or not gist.elsewhere <= accepted:
            return Counter.count(self, level, demand, accepted, say)
        used = level.used
        for name, amount, total in gist.needs:
            if not amount <= total - used[name]:
                return Counter.count(self, level, demand, accepted, say)
        now = NO_LIMIT
        for name, amount, total in gist.divided:
            slots = whole_slots((total - used[name]) / amount)
            if slots < now:
                now = slots
        accepted |= gist.accepts
        return Room(FITS, now, gist.most)
