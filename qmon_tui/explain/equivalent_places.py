"""Classes of hosts and queue instances that differ only by name for a task, and hosts requested by name.

They are calculated once for all tasks, so that each task is matched with one place per class.
"""

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence, Set
from functools import cached_property

from qmon_tui.qmaster import Run
from qmon_tui.scheduler.configuration import QuotaSubject, Rules
from qmon_tui.scheduler.jobs import Demand
from qmon_tui.scheduler.matching import Level, holds_for_strings
from qmon_tui.scheduler.quotas import QuotaUsage, RuleUsage, counter_key

ClassNumbers = Sequence[int]
"""Place -> number of the first equivalent place."""


def class_numbers(traits: Iterable[Hashable]) -> ClassNumbers:
    """Return the classes of places with equal traits."""
    first: dict[Hashable, int] = {}
    return [first.setdefault(trait, number) for number, trait in enumerate(traits)]


class EquivalentPlaces:
    """The classes of the hosts and queue instances of one run."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._counted: dict[Hashable, ClassNumbers] = {}
        self._of_rules: dict[Rules, ClassNumbers] = {}

    def hosts(self, asked: Set[str]) -> ClassNumbers:
        """Return the classes of hosts for the names of requested attributes; other load values do not matter."""
        return self._by_loads if asked & self._reported else self._by_configured_and_used

    @cached_property
    def _reported(self) -> frozenset[str]:
        return frozenset().union(*(level.loads for level in self._run.resources.hosts))

    @cached_property
    def _by_configured_and_used(self) -> ClassNumbers:
        known, levels = self._run.compiled.hosts, self._run.resources.hosts
        return class_numbers(
            # A consumable that is reported, too, is compared with the host's load value.
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
        """The classes of queue instances, regardless of their hosts."""
        resources, causes = self._run.resources, self._run.availability.causes
        places = zip(resources.instances, resources.queues, strict=True)
        return class_numbers(
            (causes.get(number), _amounts(level, id(instance.profile)))
            for number, (instance, level) in enumerate(places)
        )

    def counted(self, subject: QuotaSubject) -> ClassNumbers:
        """Return the classes of queue instances by the quota rules that count for a subject, and their usage."""
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
        """Return the usage of the rules of one set for a subject, by queue instance."""
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
        """Return the classes of queue instances that share a counter of one set."""
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
    """Return a key of the configured values (by id) and the use of a level without load values."""
    return configured, tuple(level.shared.items()) if level.shared else (), *level.used.values()


def _counted(quota_usage: QuotaUsage, rule_usage: RuleUsage) -> Hashable:
    rule = rule_usage.rule
    limits = [quota_usage.total(rule_usage, limit) for limit in rule.limits if limit.formula is not None]
    return (rule, *rule_usage.used, *rule_usage.shared, *limits)


_HOSTNAME = "hostname"


def hosts_by_request(
    demand: Demand, hosts: Sequence[str], groups: Mapping[str, Collection[str]], unclean: Collection[str]
) -> Sequence[Hashable] | None:
    """Return a key per host, equal if requests by host name and `unclean` treat hosts alike; None if all are alike."""
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
