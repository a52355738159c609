"""Quota sets and their rules as the scheduler uses them (quotas.md#rules-and-sets, sge_resource_quota(5))."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from qmon_tui.model import ConfigObject, QuotaFilter, QuotaRule, is_dynamic, parse_rule, rules_of
from qmon_tui.scheduler.configuration.attribute_values import Value, stored_value
from qmon_tui.scheduler.configuration.complex_attributes import Attribute, AttributeTable
from qmon_tui.scheduler.configuration.lenient_parsing import boolean
from qmon_tui.scheduler.configuration.load_formula import LoadFormula
from qmon_tui.scheduler.configuration.quota_filters import is_open


@dataclass(frozen=True, slots=True)
class Limit:
    """One `attribute=value` of a rule."""

    attribute: Attribute
    value: Value
    """As it is stored; its number counts for nothing where there is a formula."""
    formula: LoadFormula | None
    """Works out the limit for each host; None for a plain limit."""

    @property
    def is_plain(self) -> bool:
        """Tell whether one subtraction and one comparison decide."""
        attribute = self.attribute
        return attribute.is_consumable and attribute.relop == "<=" and attribute.requestable != "NO"


@dataclass(frozen=True, slots=True, eq=False)
class Rule:
    """One rule of a set."""

    quota_set: str
    label: str
    """SET/RULE, or SET/n for the nth rule where it has no name."""
    place: int
    """Its place in the set, from 0."""
    filters: Mapping[str, QuotaFilter]
    limits: tuple[Limit, ...]
    separated: frozenset[str]
    """The filters in braces: each user, project, environment, queue or host that passes is counted on its own."""

    def is_open(self, keyword: str) -> bool:
        """Tell whether the rule is for all of a kind."""
        return is_open(self.filters.get(keyword))

    @property
    def overreaches(self) -> bool:
        """Tell whether giving up all that it gives up when a limit is exceeded takes more than what has no room.

        8.1.9 takes `hosts {*}` for no restriction when it looks at what a rule is for, but still counts each host on
        its own: with a queue filter beside it, one full host spoils all hosts (and the other way round).
        """
        queues, hosts = self.is_open("queues"), self.is_open("hosts")
        return (hosts and not queues and "hosts" in self.separated) or (
            queues and not hosts and "queues" in self.separated
        )


@dataclass(frozen=True, slots=True)
class QuotaSet:
    """One set; only the enabled ones limit anything."""

    name: str
    enabled: bool
    rules: tuple[Rule, ...]


def compile_quotas(objects: Iterable[ConfigObject], attributes: AttributeTable) -> tuple[QuotaSet, ...]:
    """All sets in their order, without those that no qmaster would have taken: their rules cannot be read."""
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
