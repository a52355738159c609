"""Queue instances of the live pane with used slots and state; below them the used limits of quotas."""

from collections.abc import Hashable, Iterator, Sequence
from typing import Final, NamedTuple

from qmon_tui.model import NO_DRAINS, Drains, InstanceOutcome, QuotaUse, drains_at
from qmon_tui.report.bars import usage_bar
from qmon_tui.report.drains import drains_words
from qmon_tui.report.grid_rows import Column, table_lines
from qmon_tui.report.quotas import quota_key
from qmon_tui.report.reason_text import closing_words
from qmon_tui.report.spans import Line, Span, TextRole, fit, left, right, wrap
from qmon_tui.report.table_rows import longest
from qmon_tui.report.words import day_and_time, shown_figure, without_domains
from qmon_tui.values import decimal_number
from qmon_tui.workspace import Figures

_BAR = 8
_TROUBLE = frozenset("auEcoACDdsS")
_PRINTED = (
    Column("name", "queue instance", minimum=12), Column("slots", "used/total", "right"), Column("state", "state"),
    Column("values", "values"),
)  # fmt: skip
_PRINTED_QUOTAS = (
    Column("rule", "resource quota rule", minimum=12), Column("limit", "limit", minimum=8), Column("filter", "filter"),
)  # fmt: skip
"""Columns of qquota."""
_LETTERS = {
    "a": "load alarm", "A": "suspend alarm", "u": "unreachable", "E": "error", "c": "ambiguous", "o": "orphaned",
    "C": "suspended by calendar", "D": "off by calendar", "d": "disabled", "s": "suspended", "S": "subordinated",
}  # fmt: skip
"""State letter of a queue instance -> words (qstat(1))."""


def slots_words(instance: InstanceOutcome) -> str:
    """Return used, reserved (if any) and total slots: `3/4`, `2+1/4`."""
    reserved = f"+{instance.reserved}" if instance.reserved else ""
    return f"{instance.used}{reserved}/{instance.total}"


def state_letter_words(letters: str) -> str:
    """Return the state letters of a queue instance in words; empty without any."""
    return ", ".join(_LETTERS[letter] for letter in letters if letter in _LETTERS)


def _state_words(instance: InstanceOutcome, drains: Drains) -> str:
    """Return the state in words, with reasons of drains and the end of a calendar's closing."""
    words = state_letter_words(instance.state)
    if drain := drains_words(drains_at(drains, instance.name)):
        words = words.replace("disabled", f"disabled: {drain}", 1) if "d" in instance.state else f"{words} {drain}"
    closing = instance.closing
    if closing is None:
        return words
    until = "for good" if closing.until is None else f"until {day_and_time(closing.until)}"
    return words.replace("by calendar", f"{until} ({closing.calendar})", 1)


def _is_shown(key: str) -> bool:
    """Return True for consumables of host and queue except slots, which have a column."""
    return key[:3] in ("hc:", "qc:") and key[3:] != "slots"


class Before(NamedTuple):
    """Queue instances and quotas before the run."""

    instances: Sequence[InstanceOutcome] = ()
    quotas: Sequence[QuotaUse] = ()


NOTHING_BEFORE: Final = Before()


class InstanceRows:
    """Rows of queue instances, followed by rows of quota limits."""

    def __init__(
        self,
        instances: Sequence[InstanceOutcome] = (),
        quotas: Sequence[QuotaUse] = (),
        drains: Drains = NO_DRAINS,
        others: Before = NOTHING_BEFORE,
        figures: Figures = Figures.NEXT,
    ) -> None:
        """`others` are the values before the run; `figures` selects before, after or changes."""
        self._all, self._others, self._figures = (instances, quotas, drains), others, figures
        self._before = {instance.name: instance for instance in others.instances}
        self._quotas_before = {quota_key(use): use for use in others.quotas}
        if figures is Figures.NOW:
            instances = [self._before.get(instance.name, instance) for instance in instances]
            quotas = others.quotas
        self._instances = instances
        self._drains = drains
        self._quotas = quotas
        names = [*(instance.name for instance in instances), *(quota_key(use) for use in quotas)]
        self._at = {name: index for index, name in enumerate(names)}
        self._short = without_domains(instance.name for instance in instances)
        self._name = longest([*self._short.values(), *(use.rule for use in quotas)], 14, 40)
        self._slots = longest([self._slots_text(instance) for instance in instances], 5, 16)

    def with_figures(self, figures: Figures) -> "InstanceRows":
        return InstanceRows(*self._all, self._others, figures)

    def _slots_text(self, after: InstanceOutcome) -> str:
        """Return used, reserved and total slots: `2 → 3/4`."""
        now, then = (slots_words(instance).rpartition("/") for instance in (self._before_of(after), after))
        return f"{shown_figure(self._figures, now[0], then[0])}/{then[2]}"

    def _before_of(self, after: InstanceOutcome) -> InstanceOutcome:
        return self._before.get(after.name, after)

    def _values(self, after: InstanceOutcome) -> str:
        """Return the free consumables: `hc:gpu=2 → 1`."""
        before = self._before_of(after).values
        return " ".join(
            f"{key}={shown_figure(self._figures, before.get(key, value), value)}"
            for key, value in after.values.items()
            if _is_shown(key)
        )

    def _quota_text(self, use: QuotaUse) -> str:
        """Return the second column of qquota; a limit missing before the run counts as unused then."""
        before = self._quotas_before.get(quota_key(use))
        if self._figures is not Figures.CHANGES or use.used is None:
            return use.text
        used = (before.used if before is not None else None) or "0"
        return f"{use.attribute}={shown_figure(self._figures, used, use.used)}/{use.limit}"

    def __len__(self) -> int:
        return len(self._instances) + len(self._quotas)

    def key(self, index: int) -> Hashable:
        """Return the name of the queue instance, or rule, attribute and filter of the quota."""
        quota = self._quota(index)
        return quota_key(quota) if quota else self._instances[index].name

    def find(self, key: Hashable) -> int | None:
        return self._at.get(str(key))

    def head(self, cells: int) -> Line | None:
        slots, name = self._widths(cells)
        return (
            Span(f" {left('queue instance', name)} "[: name + 2], TextRole.DIM),
            Span(left("used/total", _BAR + 1 + slots) + "  state", TextRole.DIM),
        )

    def line(self, index: int, cells: int) -> Line:
        slots, name = self._widths(cells)
        quota = self._quota(index)
        if quota is not None:
            return fit(_quota_spans(quota, self._quota_text(quota), name), cells)
        instance = self._instances[index]
        shown = instance if self._figures is Figures.NEXT else self._before_of(instance)
        full = shown.total and shown.used >= shown.total
        state = shown_figure(self._figures, self._before_of(instance).state, instance.state)
        spans = [
            Span(f" {left(self._short[instance.name], name)} "),
            *usage_bar(shown.used, shown.total, _BAR, TextRole.WAITING if full else TextRole.RUNNING),
            Span(" " + right(self._slots_text(instance), slots)),
            Span("  "),
            Span(state, TextRole.FAILED if set(state) & _TROUBLE else TextRole.PLAIN),
            Span(f" {words}" if (words := _state_words(shown, self._drains)) else "", TextRole.DIM),
            Span("  " if state or words else ""),
            Span(self._values(instance), TextRole.DIM),
        ]
        return fit(spans, cells)

    def text(self, index: int) -> str:
        quota = self._quota(index)
        if quota is not None:
            return f"{quota.rule} {self._quota_text(quota)} {quota.filter}"
        instance = self._instances[index]
        values = (f"{key}={value}" for key, value in instance.values.items())
        drain = drains_words(drains_at(self._drains, instance.name))
        return " ".join((instance.name, self._slots_text(instance), instance.state, *filter(None, (drain,)), *values))

    def printed(self, width: int) -> Iterator[Line]:
        """Yield the lines of both tables as commands print them; free global consumables follow the first."""
        rows = []
        for instance in self._instances:
            values = (f"{key}={value}" for key, value in instance.values.items() if _is_shown(key))
            closing = () if instance.closing is None else (f"{closing_words(instance.closing)};",)
            drain = drains_words(drains_at(self._drains, instance.name))
            words = (*closing, *((f"{drain};",) if drain else ()), *values)
            rows.append((instance.name, slots_words(instance), instance.state, " ".join(words)))
        yield from table_lines(_PRINTED, rows, width)
        first = self._instances[0].values if self._instances else {}
        if everywhere := " ".join(f"{key}={value}" for key, value in first.items() if key.startswith("gc:")):
            yield from wrap(everywhere, width, first="global: ", rest="        ")
        if self._quotas:
            yield ()
            yield from table_lines(_PRINTED_QUOTAS, [(use.rule, use.text, use.filter) for use in self._quotas], width)

    def _quota(self, index: int) -> QuotaUse | None:
        """Return the quota limit of a row; None for a queue instance."""
        first = len(self._instances)
        return self._quotas[index - first] if index >= first else None

    def _widths(self, cells: int) -> tuple[int, int]:
        return self._slots, max(8, min(self._name, cells - self._slots - _BAR - 8))


def _quota_spans(use: QuotaUse, text: str, name: int) -> Line:
    """Return the rule, a bar (if both numbers have no unit), the second column of qquota, and the filter."""
    used, limit = _plain_number(use.used), _plain_number(use.limit)
    bar: Line = (Span(" " * _BAR),)
    if used is not None and limit is not None:
        bar = usage_bar(used, limit, _BAR, TextRole.WAITING if used >= limit else TextRole.RUNNING)
    return (
        Span(f" {left(use.rule, name)} "),
        *bar,
        Span(f" {text}  "),
        Span(use.filter, TextRole.DIM),
    )


def _plain_number(text: str | None) -> float | None:
    """Return the number of a text; None if it is None, has a unit or is no number."""
    return None if text is None else decimal_number(text)
