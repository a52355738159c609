"""The fast path of visits that come to nothing: hosts on which nothing is booked, and which are alike otherwise.

The rule is `Harvest._visit`. A job that fits nowhere has all hosts visited, and for most of them that comes to what it
came to for one that is alike, as long as the attempt has taken nothing and quotas have ruled out no more in between.
"""

from dataclasses import replace
from typing import NamedTuple

from qmon_tui.scheduler.placement.errand import Errand
from qmon_tui.scheduler.placement.likeness import Likeness
from qmon_tui.scheduler.placement.order import QueueOrder
from qmon_tui.scheduler.quick.gist import OF_THE_INSTANCE
from qmon_tui.scheduler.quotas.territory import Territory
from qmon_tui.scheduler.resources import Resources

_NO_TWIN = 0
"""The family of hosts that are like no other."""


class Loss(NamedTuple):
    """A visit that came to nothing."""

    is_full: bool
    """Whatever quotas leave, the host has no room."""
    stays_so: bool
    """It will come to nothing again until something changes on the host."""
    is_hopeless: bool
    """It would with nothing in use, too."""


class Twins:
    """The families of hosts that are alike, in one run."""

    def __init__(
        self, resources: Resources, order: QueueOrder, likeness: Likeness, territory: Territory | None
    ) -> None:
        self._resources = resources
        self._order = order
        self._likeness = likeness
        self._families: dict[int, int] = {}
        self._numbers: dict[object, int] = {}
        rules = [rule for one in territory.sets for rule in one.rules] if territory is not None else []
        self._territory = territory
        self._host_rules = [rule for rule in rules if "hosts" in rule.filters]
        self._is_uniform = all(limit.formula is None for rule in rules for limit in rule.limits)
        """No limit is worked out for each host."""

    def losses(self, errand: Errand) -> "Losses | None":
        """For one attempt; None where something is asked for in which hosts differ that are alike otherwise."""
        applicant = errand.applicant
        demand = applicant.demand
        if errand.soft is not None or demand.queues or demand.master_queues or applicant.unclean:
            return None
        is_plain = demand.names.isdisjoint(OF_THE_INSTANCE) and not self._likeness.reads_loads(demand)
        return Losses(self, errand) if is_plain else None

    def family(self, host: int) -> int:
        """The same number, above 0, for hosts that are alike; 0 for those that are like no other."""
        if self._resources.changes_of_host[host] or self._order.is_arranged:
            return _NO_TWIN
        family = self._families.get(host)
        if family is None:
            traits = self._traits(host)
            family = _NO_TWIN if traits is None else self._numbers.setdefault(traits, len(self._numbers) + 1)
            self._families[host] = family
        return family

    def _traits(self, host: int) -> object:
        """What hosts have to have in common to be alike; None where that is not all."""
        resources = self._resources
        members = self._order.in_order(resources.instances_of[host])
        numbers = {resources.instances[number].profile.seq_no for number in members}
        if not self._is_uniform or len(numbers) < len(members):
            return None
        if not resources.with_load_thresholds.isdisjoint(members):
            return None
        name, territory = resources.host_names[host], self._territory
        rules = [territory.has_host(rule, name) for rule in self._host_rules] if territory is not None else ()
        return *map(self._likeness.sort, members), *rules


class Losses:
    """The visits of one attempt that came to nothing, as long as it stands as it did then."""

    def __init__(self, twins: Twins, errand: Errand) -> None:
        self._twins = twins
        self._say = errand.say
        self._said = 0
        self.errand = errand if errand.say is None else replace(errand, say=self._hear)
        """What the attempt has to go by."""
        self.known: dict[int, Loss] = {}
        """By family."""
        self._moment = self._moment_of(0)

    def like(self, host: int) -> Loss | None:
        """What a visit comes to; None where that is not known."""
        loss = self.known.get(self._twins.family(host)) if self.known else None
        return loss if loss is None or self._is_plain(host) else None

    def learn(self, host: int, loss: Loss | None, collected: int) -> None:
        """Take note of a visit; if it has changed more than what is known of the host, nothing else is known now."""
        family = self._twins.family(host)
        if family == _NO_TWIN and not self.known:
            return
        moment = self._moment_of(collected)
        if moment != self._moment:
            self._moment = moment
            self.known.clear()
        elif loss is not None and family != _NO_TWIN and self._is_plain(host):
            self.known[family] = loss

    def _moment_of(self, collected: int) -> object:
        """What a visit depends on besides the host, and what it says."""
        purse, memory = self.errand.purse, self.errand.memory
        ruled_out = (len(purse.skipped_queues), len(purse.skipped_hosts)) if purse is not None else ()
        return collected, self._said, len(self.errand.masters), len(memory.skipped_instances), ruled_out

    def _is_plain(self, host: int) -> bool:
        """Tell whether no queue instance of the host was found unsuitable before."""
        skipped = self.errand.memory.skipped_instances
        return not skipped or skipped.keys().isdisjoint(self.errand.site.resources.instances_of[host])

    def _hear(self, text: str) -> None:
        self._said += 1
        assert self._say is not None
        self._say(text)
