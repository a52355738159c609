"""Queues and hosts that an exceeded limit rules out (quotas.md#what-an-exceeded-limit-rules-out).

The attempt does not check their queue instances, so this decides which messages appear. 8.1.9 treats a filter `{*}`
here like no filter, although the rule counts each name separately.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from qmon_tui.scheduler.configuration import Rule, Rules
from qmon_tui.scheduler.quotas.quota_usage import SubjectUsage


@dataclass(frozen=True, slots=True)
class RuledOut:
    """Cluster queues and host numbers that are not checked again in this attempt."""

    everything: bool = False
    queues: frozenset[str] = frozenset()
    hosts: frozenset[int] = frozenset()

    def __or__(self, other: "RuledOut") -> "RuledOut":
        return RuledOut(self.everything or other.everything, self.queues | other.queues, self.hosts | other.hosts)


NOTHING = RuledOut()


@dataclass(eq=False, slots=True)
class RuledOutByRules:
    """The places that each rule rules out for a subject, calculated once."""

    subject_usage: SubjectUsage
    _known: dict[tuple[Rule, str, int], RuledOut] = field(default_factory=dict)
    _without: set[Rule] = field(default_factory=set)
    """Rules that never rule out anything."""

    def of(self, rule: Rule, number: int) -> RuledOut:
        """Return what a limit exceeded at a queue instance rules out in addition to this instance."""
        if rule in self._without:
            return NOTHING
        resources = self.subject_usage.quota_usage.resources
        queue, host = resources.instances[number].queue, resources.host_of[number]
        key = (rule, queue if "queues" in rule.separated else "", host if "hosts" in rule.separated else -1)
        out = self._known.get(key)
        if out is None:
            out = self._known[key] = self._work_out(rule, queue, host)
        return out

    def of_all_hosts(self, rule: Rule) -> frozenset[int]:
        """Return the hosts of a rule that no earlier rule covers: if everything is ruled out, PE jobs skip these."""
        return self._hosts_of(rule, self._earlier(rule))

    def _work_out(self, rule: Rule, queue: str, host: int) -> RuledOut:
        queues, hosts = rule.is_open("queues"), rule.is_open("hosts")
        if queues and hosts:
            if rule.separated.isdisjoint(("queues", "hosts")):
                return self._global(rule)
            self._without.add(rule)
            return NOTHING
        earlier = self._earlier(rule)
        if hosts:
            if not all(rule.is_open("hosts") for rule in earlier):
                return NOTHING
            return RuledOut(
                queues=frozenset((queue,)) if "queues" in rule.separated else self._queues_of(rule, earlier),
            )
        if queues and all(rule.is_open("queues") for rule in earlier):
            return RuledOut(hosts=frozenset((host,)) if "hosts" in rule.separated else self._hosts_of(rule, earlier))
        return NOTHING

    def _earlier(self, rule: Rule) -> Rules:
        """Return the earlier rules of the set that match the subject without its PE."""
        rules = self._rules_without_environment(rule)
        return tuple(earlier for earlier in rules if earlier.place < rule.place)

    def _rules_without_environment(self, rule: Rule) -> Rules:
        rule_matcher = self.subject_usage.quota_usage.rule_matcher
        for rules in rule_matcher.rules_for(self.subject_usage.subject._replace(environment=None)):
            if rules and rules[0].quota_set == rule.quota_set:
                return rules
        return ()

    def _global(self, rule: Rule) -> RuledOut:
        """Return what a rule for all places rules out: all places that no earlier rule, for any subject, covers."""
        rule_matcher = self.subject_usage.quota_usage.rule_matcher
        earlier: Rules = ()
        if rule in self._rules_without_environment(rule):
            own = next(quota_set for quota_set in rule_matcher.sets if quota_set.name == rule.quota_set)
            earlier = own.rules[: rule.place]
        by_queue = not all(rule.is_open("queues") for rule in earlier)
        by_host = not all(rule.is_open("hosts") for rule in earlier)
        if not by_queue and not by_host:
            return RuledOut(everything=True)
        queues = self._queues(lambda name: not any(rule_matcher.has_queue(rule, name) for rule in earlier))
        hosts = self._hosts(lambda name: not any(rule_matcher.has_host(rule, name) for rule in earlier))
        return RuledOut(queues=queues if by_queue else frozenset(), hosts=hosts if by_host else frozenset())

    def _queues_of(self, rule: Rule, earlier: Iterable[Rule]) -> frozenset[str]:
        has_queue = self.subject_usage.quota_usage.rule_matcher.has_queue
        return self._queues(lambda name: has_queue(rule, name) and not any(has_queue(rule, name) for rule in earlier))

    def _hosts_of(self, rule: Rule, earlier: Iterable[Rule]) -> frozenset[int]:
        has_host = self.subject_usage.quota_usage.rule_matcher.has_host
        return self._hosts(lambda name: has_host(rule, name) and not any(has_host(rule, name) for rule in earlier))

    def _queues(self, is_ruled_out: Callable[[str], bool]) -> frozenset[str]:
        names = (queue.name for queue in self.subject_usage.quota_usage.resources.compiled.queues)
        return frozenset(name for name in names if is_ruled_out(name))

    def _hosts(self, is_ruled_out: Callable[[str], bool]) -> frozenset[int]:
        names = self.subject_usage.quota_usage.resources.host_names
        return frozenset(number for number, name in enumerate(names) if is_ruled_out(name))
