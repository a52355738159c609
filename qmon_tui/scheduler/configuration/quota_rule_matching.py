"""The first matching rule of each quota set, and the filters that distinguish categories (quotas.md#filters).

Results depend only on the configuration, and are cached. Of a rule's five filters, users, projects and pes decide
whether it matches a subject; queues and hosts decide where. Subjects that match the same rules share one table.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from qmon_tui.model import QuotaFilter
from qmon_tui.scheduler.configuration.access_lists import Userset
from qmon_tui.scheduler.configuration.queues import QueueInstance
from qmon_tui.scheduler.configuration.quota_rules import (
    QuotaSet,
    Rule,
    host_passes,
    matching_names,
    name_passes,
    user_passes,
)
from qmon_tui.values import is_group

Rules = tuple[Rule, ...]


class QuotaSubject(NamedTuple):
    """The parts of a job that quota filters match: owner, primary group, project (None: none), PE (None: none)."""

    user: str
    group: str
    project: str | None
    environment: str | None = None


@dataclass(eq=False, slots=True)
class RuleMatcher:
    """The match of a cluster's enabled quota sets with subjects and queue instances."""

    sets: tuple[QuotaSet, ...]
    usersets: Mapping[str, Userset]
    groups: Mapping[str, Collection[str]]
    instances: Sequence[QueueInstance]
    _rules_by_subject: dict[QuotaSubject, tuple[Rules, ...]] = field(default_factory=dict)
    _tables: dict[Rules, Sequence[Rule | None]] = field(default_factory=dict)
    _queues: dict[tuple[Rule, str], bool] = field(default_factory=dict)
    _hosts: dict[tuple[Rule, str], bool] = field(default_factory=dict)

    def rules_for(self, subject: QuotaSubject) -> tuple[Rules, ...]:
        """Return, for each set, the rules whose users, projects and pes filters match the subject."""
        rules_by_set = self._rules_by_subject.get(subject)
        if rules_by_set is None:
            rules_by_set = tuple(
                tuple(rule for rule in quota_set.rules if self._is_for(rule, subject)) for quota_set in self.sets
            )
            self._rules_by_subject[subject] = rules_by_set
        return rules_by_set

    def _is_for(self, rule: Rule, subject: QuotaSubject) -> bool:
        filters = rule.filters
        return (
            user_passes(filters.get("users"), subject.user, subject.group, self.usersets)
            and name_passes(filters.get("projects"), subject.project)
            and name_passes(filters.get("pes"), subject.environment)
        )

    def table(self, rules: Rules) -> Sequence[Rule | None]:
        """Return queue instance number -> the first of the rules that matches there; None if none matches."""
        table = self._tables.get(rules)
        if table is None:
            table = self._tables[rules] = [
                self.first(rules, instance.queue, instance.host) for instance in self.instances
            ]
        return table

    def first(self, rules: Rules, queue: str, host: str) -> Rule | None:
        """Return the first of the rules that matches a cluster queue on a host; None if none matches."""
        return next((rule for rule in rules if self.has_queue(rule, queue) and self.has_host(rule, host)), None)

    def has_queue(self, rule: Rule, queue: str) -> bool:
        known = self._queues.get((rule, queue))
        if known is None:
            known = self._queues[rule, queue] = name_passes(rule.filters.get("queues"), queue)
        return known

    def has_host(self, rule: Rule, host: str) -> bool:
        known = self._hosts.get((rule, host))
        if known is None:
            known = self._hosts[rule, host] = host_passes(rule.filters.get("hosts"), host, self.groups)
        return known


def names_user(sets: Sequence[QuotaSet], user: str, group: str, usersets: Mapping[str, Userset]) -> bool:
    """True if a users filter that distinguishes users (not a plain `*`) matches this user."""
    return any(user_passes(users, user, group, usersets) for users in filters_of_users(sets))


def filters_of_users(sets: Sequence[QuotaSet]) -> frozenset[QuotaFilter | None]:
    """Return the users filters that distinguish users: all but a plain `*`."""
    rules = (rule for rule in _rules(sets) if "users" in rule.separated or not rule.is_open("users"))
    return frozenset([rule.filters.get("users") for rule in rules])


def named_usersets(sets: Sequence[QuotaSet], usersets: Iterable[str]) -> frozenset[str]:
    """Return the usersets that some users filter lists, by name or pattern."""
    groups = (name[1:] for name in _listed(sets, "users") if is_group(name))
    known = tuple(usersets)
    return frozenset(name for pattern in groups for name in matching_names(pattern, known))


def named_projects(sets: Sequence[QuotaSet], projects: Iterable[str]) -> frozenset[str]:
    """Return the projects that some projects filter lists, by name or pattern."""
    known = tuple(projects)
    return frozenset(name for pattern in _listed(sets, "projects") for name in matching_names(pattern, known))


def _listed(sets: Sequence[QuotaSet], keyword: str) -> Iterator[str]:
    for rule in _rules(sets):
        clause = rule.filters.get(keyword)
        if clause is not None:
            yield from (*clause.names, *clause.excluded)


def _rules(sets: Sequence[QuotaSet]) -> Iterator[Rule]:
    return (rule for quota_set in sets for rule in quota_set.rules)
