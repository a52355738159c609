"""Hosts and queue instances that a task can tell apart by their names only, and the hosts that a task requests by name.

It is found once for all tasks that are asked about, so that each of them is matched with one place of each sort.
"""

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence, Set
from functools import cached_property

from qmon_tui.qmaster import Run
from qmon_tui.scheduler.configuration import QuotaSubject, Rules
from qmon_tui.scheduler.jobs import Demand
from qmon_tui.scheduler.matching import Level, holds_for_strings
from qmon_tui.scheduler.quotas import QuotaUsage, RuleUsage, counter_key

ClassNumbers = Sequence[int]
"""For each place the number of the first one that is like it."""


def class_numbers(traits: Iterable[Hashable]) -> ClassNumbers:
    """The classes of places by all that matters of each."""
    first: dict[Hashable, int] = {}
    return [first.setdefault(trait, number) for number, trait in enumerate(traits)]


class EquivalentPlaces:
    """The classes of one run."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._counted: dict[Hashable, ClassNumbers] = {}
        self._of_rules: dict[Rules, ClassNumbers] = {}

    def hosts(self, asked: Set[str]) -> ClassNumbers:
        """Of hosts, for somebody who asks for some attributes; what they report of others does not matter."""
        return self._by_loads if asked & self._reported else self._by_configured_and_used

    @cached_property
    def _reported(self) -> frozenset[str]:
        return frozenset().union(*(level.loads for level in self._run.resources.hosts))

    @cached_property
    def _by_configured_and_used(self) -> ClassNumbers:
        known, levels = self._run.compiled.hosts, self._run.resources.hosts
        return class_numbers(
            # What is booked and reported as well is compared with what the host reports.
            number
            if level.loads and not level.loads.keys().isdisjoint(level.used)
            else (bool(level.loads), known[level.name].access, _amounts(level, id(level.configured)))
            for number, level in enumerate(levels)
        )

    @cached_property
    def _by_loads(self) -> ClassNumbers:
        levels = self._run.resources.hosts
        return [number if levels[number].loads else sort for number, sort in enumerate(self._by_configured_and_used)]

    @cached_property
    def instances(self) -> ClassNumbers:
        """Of queue instances, whatever their hosts are like."""
        resources, causes = self._run.resources, self._run.availability.causes
        places = zip(resources.instances, resources.queues, strict=True)
        return class_numbers(
            (causes.get(number), _amounts(level, id(instance.profile)))
            for number, (instance, level) in enumerate(places)
        )

    def counted(self, subject: QuotaSubject) -> ClassNumbers:
        """Of queue instances, by the quota rules that count there for a subject, and what those have counted."""
        quota_usage = self._run.quota_usage
        by_set = quota_usage.subject_usage(subject).rules if quota_usage is not None else ()
        if quota_usage is None or not by_set:
            return [0] * len(self._run.resources.instances)
        key = (by_set, *(counter_key(rule, subject, "", "") for rules in by_set for rule in rules))
        known = self._counted.get(key)
        if known is None:
            columns = [self._column(quota_usage, rules, subject) for rules in by_set]
            known = self._counted[key] = class_numbers(zip(*columns, strict=True))
        return known

    def _column(self, quota_usage: QuotaUsage, rules: Rules, subject: QuotaSubject) -> Iterable[Hashable]:
        """What the rules of one set have counted for a subject, by queue instance."""
        counters, table = self._counters(quota_usage, rules), quota_usage.rule_matcher.table(rules)
        counted: dict[int, Hashable] = {}
        for number in dict.fromkeys(counters):
            rule, instance = table[number], self._run.resources.instances[number]
            if rule is not None:
                key = counter_key(rule, subject, instance.queue, instance.host)
                counted[number] = _counted(
                    quota_usage, quota_usage.known(rule, key) or quota_usage.new_rule_usage(rule, key, number)
                )
        return map(counted.get, counters)

    def _counters(self, quota_usage: QuotaUsage, rules: Rules) -> ClassNumbers:
        """Of queue instances, by the rule of one set that is for them, and whether that counts them together."""
        classes = self._of_rules.get(rules)
        if classes is None:
            places = zip(quota_usage.rule_matcher.table(rules), self._run.resources.instances, strict=True)
            classes = self._of_rules[rules] = class_numbers(
                rule
                and (rule, "queues" in rule.separated and instance.queue, "hosts" in rule.separated and instance.host)
                for rule, instance in places
            )
        return classes


def _amounts(level: Level, configured: int) -> Hashable:
    """What is configured on a level that reports nothing, by its identity, and what is used of it."""
    return configured, tuple(level.shared.items()) if level.shared else (), *level.used.values()


def _counted(quota_usage: QuotaUsage, rule_usage: RuleUsage) -> Hashable:
    rule = rule_usage.rule
    limits = [quota_usage.total(rule_usage, limit) for limit in rule.limits if limit.formula is not None]
    return (rule, *rule_usage.used, *rule_usage.shared, *limits)


_HOSTNAME = "hostname"


def hosts_by_request(
    demand: Demand, hosts: Sequence[str], groups: Mapping[str, Collection[str]], unclean: Collection[str]
) -> Sequence[Hashable] | None:
    """The same for hosts that the demand calls alike and that are unclean alike; None where it calls no host."""
    patterns = [
        pattern
        for pattern in (*demand.queues, *demand.master_queues)
        if pattern.host is not None or pattern.group is not None
    ]
    requests = [request for request in demand.hard if request.attribute.name == _HOSTNAME]
    if not patterns and not requests and not unclean:
        return None
    return [
        (
            *(pattern.matches_host(host, groups) for pattern in patterns),
            *(holds_for_strings(request.attribute, request.text, host) for request in requests),
            host in unclean,
        )
        for host in hosts
    ]
