"""The fast path of matching: what a check comes down to on all levels that are alike, worked out once.

The rule itself is `Checker.check`. Most of what it compares cannot change while jobs are placed; what can are the
consumables in use. So for one demand and all levels with equal values the comparison with what is left of each
consumable remains. Wherever more can change, or a comparison fails, the rule is asked.
"""

from dataclasses import dataclass, field, replace

from qmon_tui.scheduler.compiled.attributes import Attribute
from qmon_tui.scheduler.matching.check import SLOTS, Checker, Failure
from qmon_tui.scheduler.matching.level import GLOBAL, HOST, QUEUE, Level, offer_of, shortfall
from qmon_tui.scheduler.requests import Demand

_LAYERS = frozenset({GLOBAL, HOST, QUEUE})
_OF_THE_INSTANCE = frozenset({"qname", "hostname"})
"""Built-in attributes in which queue instances with one profile differ."""


@dataclass(frozen=True, slots=True)
class Gist:
    """What is left of a check, which succeeds if all this holds."""

    demand: Demand
    needs: tuple[tuple[str, float, float], ...]
    """Consumable, amount wanted, configured total."""
    elsewhere: frozenset[str]
    """Requests that a queue instance does not know: an outer level has to."""
    accepts: frozenset[str]
    """Requests that the level has."""


@dataclass(frozen=True, slots=True)
class GistChecker(Checker):
    """A checker that remembers the gist of its checks for the time of one run."""

    _shapes: dict[int, object] = field(default_factory=dict)
    """Level, by id -> what is equal for levels that are alike."""
    _gists: dict[tuple[int, object], Gist | None] = field(default_factory=dict)
    """Demand, by id, and shape -> gist; None where there is none, or nobody asked twice."""
    _kept: list[object] = field(default_factory=list)
    """What must stay alive for its id to mean it."""

    def check(self, level: Level, demand: Demand, accepted: set[str]) -> Failure | None:
        """As in `Checker`."""
        if level.layer not in _LAYERS:
            return Checker.check(self, level, demand, accepted)
        shape = self._shapes.get(id(level)) or self._shape(level)
        loads = level.loads
        if loads:
            shape = (shape, *[(name, loads[name].text) for name in demand.names if name in loads])
        key = (id(demand), shape)
        gist = self._gists.get(key)
        if gist is not None:
            used = level.used
            for name, amount, total in gist.needs:
                if not amount <= total - used[name]:
                    break
            else:
                if gist.elsewhere <= accepted:
                    accepted |= gist.accepts
                    return None
        elif key in self._gists:
            self._gists[key] = self.gist(level, demand)
        else:
            self._gists[key] = None
            self._kept.append(demand)
        return Checker.check(self, level, demand, accepted)

    def _shape(self, level: Level) -> object:
        """Configured values are shared between hosts, and between queue instances, that have the same."""
        own_load = any(name in level.loads for name in (SLOTS, *level.used))
        shape = (level.layer, id(level.configured), id(level) if own_load else 0)
        self._shapes[id(level)] = shape
        self._kept.append(level)
        return shape

    def gist(self, level: Level, demand: Demand) -> Gist | None:
        """The gist of a check, for this level and all that are like it; None where more than it can change."""
        if demand.names & _OF_THE_INSTANCE:
            return None
        wanted: list[tuple[Attribute, float, str]] = []
        if SLOTS in level.configured and self.slots is not None:
            wanted.append((self.slots, 1.0, "1"))
        for name in level.used:
            attribute = self.attributes.by_name[name]
            if name != SLOTS and name not in demand.names and (attribute.default_amount or attribute.exclusive):
                wanted.append((attribute, attribute.default_amount, attribute.default))
        needs: list[tuple[str, float, float]] = []
        for attribute, amount, text in wanted:
            if not self._fits(level, attribute, amount, text, needs):
                return None
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
        return Gist(demand, tuple(needs), frozenset(elsewhere - accepts), frozenset(accepts))

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
