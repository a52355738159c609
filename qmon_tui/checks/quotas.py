"""Resource quota sets, and rules that are never reached because an earlier one matches all their jobs.

Source: sge_resource_quota(5); quota-set.md#fields and formats.md#resource-quota-sets.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from heapq import merge

from qmon_tui.checks.field_grammar import grammar_errors
from qmon_tui.checks.rules import RuleBook
from qmon_tui.checks.value_problems import formula_problem, value_problem
from qmon_tui.model import (
    FILTERS,
    Cluster,
    ConfigObject,
    Finding,
    Kind,
    QuotaFilter,
    QuotaRule,
    clause_words,
    complex_index,
    find_group,
    is_dynamic,
    known_hosts,
    parse_rule,
    rules_of,
)
from qmon_tui.values import canonical, is_group, is_pattern, meant_host, name_problem

_CLAUSES = f"a name, the filters {', '.join(FILTERS)}, and limits after to"

_NOTHING = "resource quota set has no rules"

_book = RuleBook(Kind.QUOTA, "quota-set.md#fields")

NAME = _book.error("name", "The name of a quota set is an object name.", "sge_types(1) object_name, #name")
NO_RULES = _book.error("limit.missing", "A quota set has rules.")
RULE = _book.error(
    "limit.grammar", "A rule has filters, each at most once, and limits.", "sge_resource_quota(5), #limit"
)
ATTRIBUTE = _book.error("limit.name", "Limits are for attributes that exist.")
VALUE = _book.error("limit.value", "A limit is a value of its attribute's type.")
DYNAMIC = _book.error("limit.dynamic", "Dynamic limits are for rules with hosts {...}, computed from attributes.")
FILTER = _book.warning(
    "filter",
    "Usersets, projects, environments, queues and hosts that a rule filters exist.",
    "sge_resource_quota(5) filters, #filters",
)
NO_LIMITS = _book.warning("limit.none", "A rule limits something.", "#limit")
TWICE = _book.warning("limit.twice", "A rule limits an attribute once.", "#limit")
SAME_NAME = _book.warning(
    "limit.names", "The names of the rules of a set differ.", "sge_resource_quota(5) name, #limit"
)


def is_about(finding: Finding, rule: str) -> bool:
    """True if a finding about a quota set is about this rule, which its hint then quotes."""
    return finding.hint.endswith(f"In the rule: {rule}")


def quota_findings(cluster: Cluster, obj: ConfigObject) -> Iterator[Finding]:
    """Yield all findings about one quota set."""
    yield from grammar_errors(obj)
    lines = rules_of(obj.text("limit"))
    rules: list[tuple[str, QuotaRule]] = []
    faults: list[Finding] = []
    for line in lines:
        try:
            rules.append((line, parse_rule(line)))
        except ValueError as error:
            faults.append(RULE.finding(obj, "limit", str(error), f"{_missing(line)} In the rule: {line}"))
    if not lines:
        yield NO_RULES.finding(obj, "limit", _NOTHING)
    # If qconf cannot read the rules, the qmaster does not check names.
    yield from (fault for fault in faults if read_by_client(fault))
    if problem := name_problem(obj.name):
        yield NAME.finding(obj, "name", problem)
    yield from (fault for fault in faults if not read_by_client(fault))
    seen: set[str] = set()
    for line, rule in rules:
        if rule.name is not None and rule.name in seen:
            yield SAME_NAME.finding(obj, "limit", f'two rules are named "{rule.name}"')
        seen.add(rule.name or "")
        yield from _limits(cluster, obj, line, rule)
        yield from _filters(cluster, obj, line, rule)


def read_by_client(finding: Finding) -> bool:
    """True if qconf finds the error while it reads the file, not the qmaster."""
    if finding.rule == RULE.id:
        return finding.message not in (_NOTHING, "resource quota set contains invalid user filter")
    return finding.rule not in {
        rule.id for rule in (NAME, ATTRIBUTE, VALUE, DYNAMIC, FILTER, NO_LIMITS, TWICE, SAME_NAME)
    }


def _missing(line: str) -> str:
    """Return a hint about the missing part of a rule that cannot be read."""
    clauses = clause_words(line)
    for keyword in FILTERS:
        word = clauses.get(keyword, "")
        if word.startswith("{") and not word.endswith("}"):
            behind = line.partition(word)[2]
            if "}" in word:
                return f"A blank is missing after }} of {keyword}."
            return f"There are no blanks in {keyword} {{...}}." if "}" in behind else f"}} is missing after {keyword}."
    if "to" not in clauses:
        return f"to is missing. A rule has {_CLAUSES}."
    limits = clauses["to"].split(",")
    if empty := next((limit for limit in limits if limit and not limit.partition("=")[2]), ""):
        return f"A limit is missing: {empty.partition('=')[0]}=VALUE."
    return f"A rule has {_CLAUSES}."


def _filters(cluster: Cluster, obj: ConfigObject, line: str, rule: QuotaRule) -> Iterator[Finding]:
    """Warn about names in filters that do not exist; users need not be configured."""
    for keyword, clause in rule.filters.items():
        for name in (*clause.names, *clause.excluded):
            if not is_pattern(name) and not _exists(cluster, keyword, name):
                message = f'"{name}" of the filter {keyword} does not exist'
                meant = meant_host(name, known_hosts(cluster)) if keyword == "hosts" else ""
                yield FILTER.finding(obj, "limit", message, f"{meant} In the rule: {line}".strip())


def _exists(cluster: Cluster, keyword: str, name: str) -> bool:
    if keyword == "hosts":
        return find_group(cluster, name) is not None if is_group(name) else canonical(name) in known_hosts(cluster)
    if keyword == "users":
        return not is_group(name) or cluster.get(Kind.USERSET, name[1:]) is not None
    kinds = {"projects": Kind.PROJECT, "pes": Kind.PE, "queues": Kind.QUEUE}
    return cluster.get(kinds[keyword], name) is not None


def _limits(cluster: Cluster, obj: ConfigObject, line: str, rule: QuotaRule) -> Iterator[Finding]:
    index = complex_index(cluster)
    where = f"In the rule: {line}"
    if not rule.limits:
        lacking = "" if "to" in line.split() else "to is missing: "
        message = f"{lacking}the rule limits nothing, and jobs that match it are not limited by the rules after it"
        yield NO_LIMITS.finding(obj, "limit", message, where)
    seen: set[str] = set()
    for word, value in rule.limits:
        entry = index.find(word)
        if entry is not None and entry.name in seen:
            message = f'"{entry.name}" is limited twice: both limits apply, so the wider one has no effect'
            yield TWICE.finding(obj, "limit", message, where)
        seen.add(entry.name if entry else word)
        if entry is None:
            message = f'"resource_quota" references not existing complex attribute "{word or "(null)"}"'
            yield ATTRIBUTE.finding(obj, "limit", message, where)
        elif is_dynamic(value):
            hosts = rule.filters.get("hosts")
            if hosts is None or not hosts.expanded:
                message = "dynamic limits are only supported for per host rules"
                yield DYNAMIC.finding(obj, "limit", message, f"Write hosts {{...}}. {where}")
            elif problem := formula_problem(index, value, "dynamical_limit"):
                yield DYNAMIC.finding(obj, "limit", problem, where)
        elif problem := value_problem(entry, value):
            yield VALUE.finding(obj, "limit", problem, where)


_ANYBODY = frozenset({"users", "hosts", "queues"})
"""Filters for which every job has a value, so that * matches all jobs."""


def covering_rules(rules: Sequence[QuotaRule]) -> Iterator[int | None]:
    """Yield for each rule the index of the first earlier rule that matches all its jobs; None if none does."""
    reached = _RulesReached(rules)
    for rule in rules:
        yield reached.first_that_covers(rule)
        reached.add(rule)


_Group = tuple[tuple[str, ...], str]
"""The filters that restrict a rule, and the first of them that excludes names (or empty)."""
_Name = tuple[_Group, str, str]
"""A group, one of its filters and a name in it."""


class _RulesReached:
    """Index of the rules so far, by the names in their filters: a set may have thousands of rules."""

    def __init__(self, rules: Iterable[QuotaRule]) -> None:
        self._rules: list[QuotaRule] = []
        self._groups: dict[_Group, list[int]] = {}
        self._by_name: dict[_Name, list[int]] = {}
        self._by_excluded: dict[_Name, list[int]] = {}
        """(Group, filter, rarest name that a rule excludes) -> indices of such rules."""
        clauses = (clause for rule in rules for clause in rule.filters.values())
        self._frequency = Counter(name for clause in clauses for name in clause.excluded)

    def add(self, rule: QuotaRule) -> None:
        """Add the next rule of the set."""
        number = len(self._rules)
        self._rules.append(rule)
        keywords = tuple(keyword for keyword in FILTERS if not _matches_all(keyword, rule.filters.get(keyword)))
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

        A covering rule has all names of `later`, so that rules with the rarest of these suffice, and it excludes only
        names that `later` excludes too.
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
    return all(_clause_covers(keyword, earlier.filters.get(keyword), later.filters.get(keyword)) for keyword in FILTERS)


def _matches_all(keyword: str, clause: QuotaFilter | None) -> bool:
    return clause is None or (clause.names == ("*",) and not clause.excluded and keyword in _ANYBODY)


def _clause_covers(keyword: str, earlier: QuotaFilter | None, later: QuotaFilter | None) -> bool:
    if earlier is None or _matches_all(keyword, earlier):
        return True
    if later is None:
        return False
    return set(later.names) <= set(earlier.names) and set(earlier.excluded) <= set(later.excluded) and bool(later.names)
