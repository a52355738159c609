"""What is used of each limit, as `qquota -u '*'` shows it (rqs.md section 10)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import overload

from qmon_tui.scheduler.outcome import QuotaUse
from qmon_tui.scheduler.quotas.filters import EVERYTHING
from qmon_tui.scheduler.quotas.ledger import KEYWORDS, Key, Ledger, Tally
from qmon_tui.scheduler.quotas.rules import Rule
from qmon_tui.values.printing import format_qstat

_NOTHING = "-"


@dataclass(eq=False, repr=False, slots=True)
class QuotaUses(Sequence[QuotaUse]):
    """All lines, made when somebody reads them: there may be one for each user on each host."""

    ledger: Ledger
    _lines: tuple[QuotaUse, ...] | None = field(default=None)

    @overload
    def __getitem__(self, index: int) -> QuotaUse: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[QuotaUse]: ...

    def __getitem__(self, index: int | slice) -> QuotaUse | Sequence[QuotaUse]:
        return self._all()[index]

    def __len__(self) -> int:
        return len(self._all())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and self._all() == tuple(other)

    def __hash__(self) -> int:
        return hash(self._all())

    def __repr__(self) -> str:
        return repr(self._all())

    def _all(self) -> tuple[QuotaUse, ...]:
        if self._lines is None:
            self._lines = tuple(quota_uses(self.ledger))
        return self._lines


def quota_uses(ledger: Ledger) -> Iterator[QuotaUse]:
    """One line for each counter that is not 0, and one for each limit that is not counted."""
    tallies: dict[Rule, list[Tally]] = {}
    for tally in ledger:
        tallies.setdefault(tally.rule, []).append(tally)
    for one in ledger.territory.sets:
        for rule in one.rules:
            if not _is_hidden(rule):
                yield from _uses_of(ledger, rule, tallies.get(rule, []))


def _uses_of(ledger: Ledger, rule: Rule, tallies: list[Tally]) -> Iterator[QuotaUse]:
    for index, limit in enumerate(rule.limits):
        attribute = limit.attribute
        if not attribute.is_consumable:
            yield QuotaUse(rule.label, attribute.name, None, limit.value.text, shown_filters(rule))
            continue
        for tally in tallies:
            if tally.used[index] or tally.shared[index]:
                used = format_qstat(tally.used[index], attribute.type)
                total = format_qstat(ledger.total(tally, limit), attribute.type)
                yield QuotaUse(rule.label, attribute.name, used, total, shown_filters(rule, tally.parts))


def shown_filters(rule: Rule, key: Key | None = None) -> str:
    """The filters of a rule; those in braces with their part of a counter's key, where one is given."""
    words: list[str] = []
    for place, keyword in enumerate(KEYWORDS):
        clause = rule.filters.get(keyword)
        if clause is not None:
            words += [keyword, clause.text() if key is None or not clause.expanded else key[place] or _NOTHING]
    return " ".join(words) or _NOTHING


def _is_hidden(rule: Rule) -> bool:
    """Tell whether qquota takes the `*` that it asks with for one that the rule excludes."""
    return any(EVERYTHING in clause.excluded for clause in rule.filters.values())
