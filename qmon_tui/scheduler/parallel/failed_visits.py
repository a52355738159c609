"""Fast path for hosts that give no slots: the result is reused for equivalent hosts without bookings.

The rule is `SlotCollection._visit`. A job that fits nowhere visits all hosts. Equivalent hosts give the same result as
long as the attempt takes no slots and quotas rule out nothing more between the visits.
"""

from dataclasses import replace
from typing import NamedTuple

from qmon_tui.scheduler.configuration import RuleMatcher
from qmon_tui.scheduler.matching import INSTANCE_ATTRIBUTES, InstanceClasses, Resources
from qmon_tui.scheduler.parallel.pe_attempt import PeAttempt
from qmon_tui.scheduler.placement import QueueOrder

_NO_HOST_CLASS = 0
"""The class of hosts that have no equivalents."""


class FailedVisit(NamedTuple):
    """The result of visiting a host that gave no slots."""

    is_full: bool
    """True if the host lacks resources, regardless of quotas."""
    stays_so: bool
    """True if visits keep failing until the host changes."""
    is_too_small: bool
    """True if the visit would fail even if nothing were in use."""


class EquivalentHosts:
    """Classes of hosts that are equivalent in one run."""

    def __init__(
        self,
        resources: Resources,
        order: QueueOrder,
        instance_classes: InstanceClasses,
        rule_matcher: RuleMatcher | None,
    ) -> None:
        self._resources = resources
        self._order = order
        self._instance_classes = instance_classes
        self._host_classes: dict[int, int] = {}
        self._numbers: dict[object, int] = {}
        rules = (
            [rule for quota_set in rule_matcher.sets for rule in quota_set.rules] if rule_matcher is not None else []
        )
        self._rule_matcher = rule_matcher
        self._host_rules = [rule for rule in rules if "hosts" in rule.filters]
        self._is_uniform = all(limit.formula is None for rule in rules for limit in rule.limits)
        """True if no quota limit has a formula."""

    def failed_visits(self, pe_attempt: PeAttempt) -> "FailedVisits | None":
        """Return the cache for one attempt; None if its requests give different results within a class."""
        placement_request = pe_attempt.placement_request
        demand = placement_request.demand
        if pe_attempt.soft is not None or demand.queues or demand.master_queues or placement_request.unclean:
            return None
        is_plain = demand.names.isdisjoint(INSTANCE_ATTRIBUTES) and not self._instance_classes.reads_loads(demand)
        return FailedVisits(self, pe_attempt) if is_plain else None

    def host_class(self, host: int) -> int:
        """Return the class of a host, above 0 and equal for equivalent hosts; 0 for a host without equivalents."""
        if self._resources.changes_of_host[host] or self._order.is_arranged:
            return _NO_HOST_CLASS
        host_class = self._host_classes.get(host)
        if host_class is None:
            traits = self._traits(host)
            host_class = _NO_HOST_CLASS if traits is None else self._numbers.setdefault(traits, len(self._numbers) + 1)
            self._host_classes[host] = host_class
        return host_class

    def _traits(self, host: int) -> object:
        """Return the properties that equivalent hosts share; None if the host cannot have equivalents."""
        resources = self._resources
        members = self._order.in_order(resources.instances_of[host])
        numbers = {resources.instances[number].profile.seq_no for number in members}
        if not self._is_uniform or len(numbers) < len(members):
            return None
        if not resources.with_load_thresholds.isdisjoint(members):
            return None
        name, rule_matcher = resources.host_names[host], self._rule_matcher
        rules = [rule_matcher.has_host(rule, name) for rule in self._host_rules] if rule_matcher is not None else ()
        return *map(self._instance_classes.instance_class, members), *rules


class FailedVisits:
    """Hosts that gave one attempt no slots, by host class; cleared when the attempt changes."""

    def __init__(self, equivalent_hosts: EquivalentHosts, pe_attempt: PeAttempt) -> None:
        self._equivalent_hosts = equivalent_hosts
        self._say = pe_attempt.say
        self._messages = 0
        self.pe_attempt = pe_attempt if pe_attempt.say is None else replace(pe_attempt, say=self._count_message)
        """The attempt, with a `say` that counts messages."""
        self.known: dict[int, FailedVisit] = {}
        """Host class -> failed visit."""
        self._attempt_state = self._state_of_attempt(0)

    def like(self, host: int) -> FailedVisit | None:
        """Return the known failed visit of a host equivalent to this one; None if unknown."""
        failed_visit = self.known.get(self._equivalent_hosts.host_class(host)) if self.known else None
        return failed_visit if failed_visit is None or self._is_plain(host) else None

    def learn(self, host: int, failed_visit: FailedVisit | None, collected: int) -> None:
        """Record a visit (None: it gave slots); if it changed the attempt's state, drop all known results.

        `collected`: slots that the attempt has after the visit.
        """
        host_class = self._equivalent_hosts.host_class(host)
        if host_class == _NO_HOST_CLASS and not self.known:
            return
        attempt_state = self._state_of_attempt(collected)
        if attempt_state != self._attempt_state:
            self._attempt_state = attempt_state
            self.known.clear()
        elif failed_visit is not None and host_class != _NO_HOST_CLASS and self._is_plain(host):
            self.known[host_class] = failed_visit

    def _state_of_attempt(self, collected: int) -> object:
        """Return the state of the attempt that visits depend on, with its number of messages."""
        remaining_quota, pe_cache = self.pe_attempt.remaining_quota, self.pe_attempt.pe_cache
        ruled_out = (
            (len(remaining_quota.skipped_queues), len(remaining_quota.skipped_hosts))
            if remaining_quota is not None
            else ()
        )
        return collected, self._messages, len(self.pe_attempt.masters), len(pe_cache.skipped_instances), ruled_out

    def _is_plain(self, host: int) -> bool:
        """True if no queue instance of the host was found unsuitable before."""
        skipped = self.pe_attempt.pe_cache.skipped_instances
        return not skipped or skipped.keys().isdisjoint(self.pe_attempt.context.resources.instances_of[host])

    def _count_message(self, text: str) -> None:
        self._messages += 1
        assert self._say is not None
        self._say(text)
