"""Quota sets, rules and filters as the scheduler uses them (quotas.md#rules-and-sets, sge_resource_quota(5))."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from qmon_tui.model import ConfigObject, QuotaFilter, QuotaRule, is_dynamic, parse_rule, rules_of
from qmon_tui.scheduler.configuration.access_lists import Userset
from qmon_tui.scheduler.configuration.attribute_values import Value, stored_value
from qmon_tui.scheduler.configuration.complex_attributes import Attribute, AttributeTable
from qmon_tui.scheduler.configuration.lenient_parsing import boolean
from qmon_tui.scheduler.configuration.load_formula import LoadFormula
from qmon_tui.values import QueuePattern, compile_pattern, is_group, is_pattern

EVERYTHING = "*"


def is_open(clause: QuotaFilter | None) -> bool:
    """True if a filter restricts nothing: it is missing, or has `*` (with or without braces) and excludes no name."""
    return clause is None or (EVERYTHING in clause.names and not clause.excluded)


def user_passes(clause: QuotaFilter | None, user: str, group: str, usersets: Mapping[str, Userset]) -> bool:
    """True if the user passes, by name or (for names with @) by a userset; all names may be patterns."""
    if clause is None:
        return True
    if any(_means_user(name, user, group, usersets) for name in clause.excluded):
        return False
    return not clause.names or any(_means_user(name, user, group, usersets) for name in clause.names)


def name_passes(clause: QuotaFilter | None, name: str | None) -> bool:
    """True if a project, PE or cluster queue passes; None (a job without a project or PE) matches no name."""
    if clause is None:
        return True
    if _is_listed(clause.excluded, name):
        return False
    return not clause.names or _is_listed(clause.names, name)


def host_passes(clause: QuotaFilter | None, host: str, groups: Mapping[str, Collection[str]]) -> bool:
    """True if a host passes; each name is an expression for hosts or, with @, for hostgroups."""
    if clause is None:
        return True
    if any(_means_host(name, host, groups) for name in clause.excluded):
        return False
    return not clause.names or any(_means_host(name, host, groups) for name in clause.names)


def matching_names(pattern: str, names: Iterable[str]) -> tuple[str, ...]:
    """Return the names that a pattern matches; a plain name is returned even if it is not in `names`."""
    return tuple(name for name in names if matches_pattern(pattern, name)) if is_pattern(pattern) else (pattern,)


def matches_pattern(pattern: str, name: str) -> bool:
    """True if the pattern matches the name, as fnmatch(3) does."""
    return compile_pattern(pattern).fullmatch(name) is not None


def _means_user(pattern: str, user: str, group: str, usersets: Mapping[str, Userset]) -> bool:
    if pattern == user or matches_pattern(pattern, user):
        return True
    if not is_group(pattern):
        return False
    return any(
        name in usersets and usersets[name].contains(user, group) for name in matching_names(pattern[1:], usersets)
    )


def _is_listed(patterns: Iterable[str], name: str | None) -> bool:
    """True if a pattern matches the name or, as 8.1.9 compares both ways, the name as a pattern matches it."""
    if name is None:
        return False
    return any(
        pattern in (EVERYTHING, name) or matches_pattern(pattern, name) or matches_pattern(name, pattern)
        for pattern in patterns
    )


def _means_host(pattern: str, host: str, groups: Mapping[str, Collection[str]]) -> bool:
    if pattern == EVERYTHING:
        return True
    host_pattern = QueuePattern("*", group=pattern[1:]) if is_group(pattern) else QueuePattern("*", host=pattern)
    return host_pattern.matches_host(host, groups)


@dataclass(frozen=True, slots=True)
class Limit:
    """One `attribute=value` of a rule."""

    attribute: Attribute
    value: Value
    """The value as stored; with a formula its number is meaningless."""
    formula: LoadFormula | None
    """Calculates the limit of each host (dynamic limit); None for a fixed limit."""

    @property
    def is_plain(self) -> bool:
        """True if request + usage <= limit is the whole check."""
        attribute = self.attribute
        return attribute.is_consumable and attribute.relop == "<=" and attribute.requestable != "NO"


@dataclass(frozen=True, slots=True, eq=False)
class Rule:
    """One rule of a quota set."""

    quota_set: str
    """Name of the set."""
    label: str
    """SET/RULE, or SET/n for the nth rule if it has no name."""
    place: int
    """Index of the rule in the set."""
    filters: Mapping[str, QuotaFilter]
    limits: tuple[Limit, ...]
    separated: frozenset[str]
    """Keywords of the filters in braces: each user, project, PE, queue or host that passes has its own counter."""

    def is_open(self, keyword: str) -> bool:
        """True if the rule's filter of this keyword restricts nothing."""
        return is_open(self.filters.get(keyword))

    @property
    def overreaches(self) -> bool:
        """True if an exceeded limit rules out more hosts or queues than those that are full.

        8.1.9 treats `hosts {*}` as no restriction when it marks what a rule covers, but counts each host separately:
        with a queues filter beside it, one full host rules out all hosts (and the other way round).
        """
        queues, hosts = self.is_open("queues"), self.is_open("hosts")
        return (hosts and not queues and "hosts" in self.separated) or (
            queues and not hosts and "queues" in self.separated
        )


@dataclass(frozen=True, slots=True)
class QuotaSet:
    """One quota set; it limits nothing unless it is enabled."""

    name: str
    enabled: bool
    rules: tuple[Rule, ...]


def compile_quotas(objects: Iterable[ConfigObject], attributes: AttributeTable) -> tuple[QuotaSet, ...]:
    """Parse all sets in order, without sets that have a syntax error (no qmaster accepts them)."""
    sets = (_compile_set(obj, attributes) for obj in objects)
    return tuple(quota_set for quota_set in sets if quota_set is not None)


def _compile_set(obj: ConfigObject, attributes: AttributeTable) -> QuotaSet | None:
    try:
        parsed = [parse_rule(line) for line in rules_of(obj.text("limit"))]
    except ValueError:
        return None
    rules = tuple(_compile_rule(obj.name, index, rule, attributes) for index, rule in enumerate(parsed))
    return QuotaSet(obj.name, boolean(obj.text("enabled")), rules)


def _compile_rule(quota_set: str, index: int, rule: QuotaRule, attributes: AttributeTable) -> Rule:
    label = f"{quota_set}/{rule.name if rule.name is not None else index + 1}"
    limited = ((attributes.find(name), text) for name, text in rule.limits)
    limits = tuple(_compile_limit(attribute, text) for attribute, text in limited if attribute is not None)
    separated = frozenset(keyword for keyword, clause in rule.filters.items() if clause.expanded)
    return Rule(quota_set, label, index, rule.filters, limits, separated)


def _compile_limit(attribute: Attribute, text: str) -> Limit:
    if is_dynamic(text):
        return Limit(attribute, Value(text), LoadFormula.parse("".join(text.split())))
    return Limit(attribute, stored_value(attribute, text), None)
