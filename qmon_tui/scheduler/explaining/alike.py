"""What a finished run leaves alike: hosts and queue instances that a task can tell apart by their names only.

It is found once for all tasks that are asked about, so that each of them is matched with one place of each sort.
"""

from collections.abc import Hashable, Iterable, Sequence, Set
from functools import cached_property

from qmon_tui.qmaster.run import Run
from qmon_tui.scheduler.matching.level import Level
from qmon_tui.scheduler.quotas.ledger import Ledger, Tally, key_of
from qmon_tui.scheduler.quotas.territory import Party, Rules

Sorts = Sequence[int]
"""For each place the number of the first one that is like it."""


def sorts_of(traits: Iterable[Hashable]) -> Sorts:
    """The sorts of places by all that matters of each."""
    first: dict[Hashable, int] = {}
    return [first.setdefault(one, number) for number, one in enumerate(traits)]


class Alike:
    """The sorts of one run."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._counted: dict[Hashable, Sorts] = {}
        self._of_rules: dict[Rules, Sorts] = {}

    def hosts(self, asked: Set[str]) -> Sorts:
        """Of hosts, for somebody who asks for some attributes; what they report of others does not matter."""
        return self._unlike_by_loads if asked & self._reported else self._alike_but_for_loads

    @cached_property
    def _reported(self) -> frozenset[str]:
        return frozenset().union(*(level.loads for level in self._run.resources.hosts))

    @cached_property
    def _alike_but_for_loads(self) -> Sorts:
        known, levels = self._run.compiled.hosts, self._run.resources.hosts
        return sorts_of(
            # What is booked and reported as well is compared with what the host reports.
            number
            if level.loads and not level.loads.keys().isdisjoint(level.used)
            else (bool(level.loads), known[level.name].access, _amounts(level, id(level.configured)))
            for number, level in enumerate(levels)
        )

    @cached_property
    def _unlike_by_loads(self) -> Sorts:
        levels = self._run.resources.hosts
        return [number if levels[number].loads else sort for number, sort in enumerate(self._alike_but_for_loads)]

    @cached_property
    def instances(self) -> Sorts:
        """Of queue instances, whatever their hosts are like."""
        resources, causes = self._run.resources, self._run.availability.causes
        places = zip(resources.instances, resources.queues, strict=True)
        return sorts_of(
            (causes.get(number), _amounts(level, id(instance.profile)))
            for number, (instance, level) in enumerate(places)
        )

    def counted(self, party: Party) -> Sorts:
        """Of queue instances, by the quota rules that count there for a party, and what those have counted."""
        ledger = self._run.ledger
        by_set = ledger.account(party).rules if ledger is not None else ()
        if ledger is None or not by_set:
            return [0] * len(self._run.resources.instances)
        key = (by_set, *(key_of(rule, party, "", "") for rules in by_set for rule in rules))
        known = self._counted.get(key)
        if known is None:
            columns = [self._column(ledger, rules, party) for rules in by_set]
            known = self._counted[key] = sorts_of(zip(*columns, strict=True))
        return known

    def _column(self, ledger: Ledger, rules: Rules, party: Party) -> Iterable[Hashable]:
        """What the rules of one set have counted for a party, by queue instance."""
        counters, table = self._counters(ledger, rules), ledger.territory.table(rules)
        counted: dict[int, Hashable] = {}
        for number in dict.fromkeys(counters):
            rule, instance = table[number], self._run.resources.instances[number]
            if rule is not None:
                key = key_of(rule, party, instance.queue, instance.host)
                counted[number] = _counted(ledger, ledger.known(rule, key) or ledger.new_tally(rule, key, number))
        return map(counted.get, counters)

    def _counters(self, ledger: Ledger, rules: Rules) -> Sorts:
        """Of queue instances, by the rule of one set that is for them, and whether that counts them together."""
        found = self._of_rules.get(rules)
        if found is None:
            places = zip(ledger.territory.table(rules), self._run.resources.instances, strict=True)
            found = self._of_rules[rules] = sorts_of(
                rule and (rule, "queues" in rule.separated and one.queue, "hosts" in rule.separated and one.host)
                for rule, one in places
            )
        return found


def _amounts(level: Level, configured: int) -> Hashable:
    """What is configured on a level that reports nothing, by its identity, and what is used of it."""
    return configured, tuple(level.shared.items()) if level.shared else (), *level.used.values()


def _counted(ledger: Ledger, tally: Tally) -> Hashable:
    rule = tally.rule
    limits = [ledger.total(tally, limit) for limit in rule.limits if limit.formula is not None]
    return (rule, *tally.used, *tally.shared, *limits)
