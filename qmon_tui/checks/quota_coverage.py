"""Find rules that are never reached, because an earlier one matches all their jobs (quota-set.md#limit)."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from heapq import merge

from qmon_tui.model import FILTERS, QuotaFilter, QuotaRule

_ANYBODY = frozenset({"users", "hosts", "queues"})
"""Filters for which every job has a value, so that * matches all jobs."""


def covering_rules(rules: Sequence[QuotaRule]) -> Iterator[int | None]:
    """Yield for each rule the index of the first earlier rule that matches all its jobs; None if none does."""
    reached = _RulesReached(rules)
    for rule in rules:
        yield reached.first_that_covers(rule)
        reached.add(rule)


_Group = tuple[tuple[str, ...], str]
"""The filters that restrict a rule, and the first of them that excludes something."""
_Name = tuple[_Group, str, str]
"""A group, one of its filters and a name in it."""


class _RulesReached:
    """Index of the rules so far, by the names in their filters: a set may have thousands of rules."""

    def __init__(self, rules: Iterable[QuotaRule]) -> None:
        self._rules: list[QuotaRule] = []
        self._groups: dict[_Group, list[int]] = {}
        self._by_name: dict[_Name, list[int]] = {}
        self._by_excluded: dict[_Name, list[int]] = {}
        """Each rule is listed only under the rarest name that it excludes."""
        clauses = (clause for rule in rules for clause in rule.filters.values())
        self._frequency = Counter(name for clause in clauses for name in clause.excluded)

    def add(self, rule: QuotaRule) -> None:
        """Add the next rule of the set."""
        number = len(self._rules)
        self._rules.append(rule)
        keywords = tuple(keyword for keyword in FILTERS if not _is_open(keyword, rule.filters.get(keyword)))
        excluding = next((keyword for keyword in keywords if rule.filters[keyword].excluded), "")
        group = keywords, excluding
        self._groups.setdefault(group, []).append(number)
        for keyword in keywords:
            for name in dict.fromkeys(rule.filters[keyword].names):
                self._by_name.setdefault((group, keyword, name), []).append(number)
        if excluding:
            rarest = min(rule.filters[excluding].excluded, key=self._frequency.__getitem__)
            self._by_excluded.setdefault((group, excluding, rarest), []).append(number)

    def first_that_covers(self, later: QuotaRule) -> int | None:
        """Return the index of the first rule that matches all jobs that `later` matches; None if none does."""
        covering = (
            next((number for number in self._candidates(group, later) if _covers(self._rules[number], later)), None)
            for group in self._groups
        )
        return min((number for number in covering if number is not None), default=None)

    def _candidates(self, group: _Group, later: QuotaRule) -> Iterable[int]:
        """Return the rules of a group, in their order, that may cover `later`.

        A covering rule has all names of `later`, so that rules with its rarest name suffice, and excludes only names
        that `later` excludes, too.
        """
        keywords, excluding = group
        fewest: Iterable[int] = self._groups[group]
        size = len(self._groups[group])
        for keyword in keywords:
            clause = later.filters.get(keyword)
            if clause is None or not clause.names:
                return ()
            for name in clause.names:
                named = self._by_name.get((group, keyword, name), ())
                if len(named) < size:
                    fewest, size = named, len(named)
        if excluding:
            excluded = dict.fromkeys(later.filters[excluding].excluded)
            lists = [self._by_excluded.get((group, excluding, name), ()) for name in excluded]
            if sum(map(len, lists)) < size:
                return merge(*lists)
        return fewest


def _covers(earlier: QuotaRule, later: QuotaRule) -> bool:
    return all(_lets_through(keyword, earlier.filters.get(keyword), later.filters.get(keyword)) for keyword in FILTERS)


def _is_open(keyword: str, clause: QuotaFilter | None) -> bool:
    return clause is None or (clause.names == ("*",) and not clause.excluded and keyword in _ANYBODY)


def _lets_through(keyword: str, earlier: QuotaFilter | None, later: QuotaFilter | None) -> bool:
    if earlier is None or _is_open(keyword, earlier):
        return True
    if later is None:
        return False
    return set(later.names) <= set(earlier.names) and set(earlier.excluded) <= set(later.excluded) and bool(later.names)
