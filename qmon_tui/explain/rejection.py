"""The reason why queue instances do not take a task, as found by the scheduler.

Source of crossed thresholds: parallel.md#one-attempt.
"""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass

from qmon_tui.explain.explanation import ReasonKind
from qmon_tui.model import CalendarClosing, messages
from qmon_tui.scheduler.configuration import Attribute, number_or_none
from qmon_tui.scheduler.jobs import Demand
from qmon_tui.scheduler.matching import (
    Failure,
    Level,
    Refusal,
    Resources,
    Shortfall,
    alarm_subject,
    merged,
    threshold_cap,
)
from qmon_tui.scheduler.placement import GLOBAL_SCOPE, HOST_SCOPE, INSTANCE_SCOPE, QUOTA_SCOPE
from qmon_tui.scheduler.quotas import MatchedRule
from qmon_tui.values import INFINITY, time_text

_UNITS = (("T", 1024.0**4), ("G", 1024.0**3), ("M", 1024.0**2), ("K", 1024.0))
_SMALLER = {"T": "G", "G": "M", "M": "K", "K": ""}


def amount_text(attribute: Attribute, amount: float) -> str:
    """Return an amount as users type it, rounded up."""
    if not amount < INFINITY:
        return "INFINITY"
    if attribute.type == "BOOL":
        return "TRUE" if amount else "FALSE"
    if attribute.type == "TIME" and amount == int(amount) >= 0:
        return time_text(amount)
    if attribute.type == "MEMORY":
        for unit, size in _UNITS:
            if amount >= size and amount % (size / 1024) == 0:
                whole = amount % size == 0
                return f"{amount / size:g}{unit}" if whole else f"{amount * 1024 / size:.0f}{_SMALLER[unit]}"
    if amount == int(amount):
        return str(int(amount))
    return f"{amount:f}".rstrip("0")


_AT_MOST = ("<=", "<")


@dataclass(frozen=True, slots=True)
class CrossedThreshold:
    """A load threshold on a consumable that slots of a task would cross; `bound` is its number, `limit` its text."""

    attribute: Attribute
    limit: str
    bound: float
    left: float
    """The rest of the consumable now."""
    each: float
    """The amount that each slot takes."""
    total: float
    """The rest with nothing in use."""
    slots: int
    """The number of slots that must fit together."""

    @property
    def after(self) -> float:
        """The rest after taking the slots."""
        return self.left - self.slots * self.each

    @property
    def is_lasting(self) -> bool:
        """True if the slots would cross it with nothing else in use."""
        return (self.total - self.bound) / self.each < self.slots


def crossed_thresholds(
    resources: Resources, members: Sequence[int], number: int, demand: Demand, slots: int
) -> Iterator[CrossedThreshold]:
    """Yield the thresholds of a queue instance that rule out the slots on its host.

    `members`: the usable queue instances of the host in the scheduler's order. The scheduler counts the slots of the
    member with most, so nothing is yielded if the slots cross no threshold of some member.
    """
    host = resources.host_of[number]
    if not members or threshold_cap(resources, host, members, demand, adjusts=False) >= slots:
        return
    levels = resources.levels_of(number)
    for name, limit in resources.instances[number].profile.load_thresholds:
        attribute, bound = resources.compiled.attributes.find(name), number_or_none(limit)
        if attribute is None or not attribute.is_consumable or bound is None:
            continue
        value = merged(attribute, resources.adjustments, *levels)
        each = demand.amounts.get(attribute.name, attribute.default_amount)
        if value is None or not attribute.numeric or each <= 0 or attribute.relop not in _AT_MOST:
            continue
        used = sum(level.used.get(attribute.name, 0.0) for level in levels if level.layer == value.layer)
        crossed = CrossedThreshold(attribute, limit, bound, value.amount, each, value.amount + used, slots)
        if int((crossed.left - bound) / each) < slots:
            yield crossed


_FAILED_AT = {GLOBAL_SCOPE: messages.GLOBALLY, HOST_SCOPE: messages.AT_HOST, INSTANCE_SCOPE: messages.IN_QUEUE}
CROSSED_THRESHOLD = 0
"""A pseudo message number: slots of a parallel job would cross a load threshold, for which there is no message."""
_ALARMS = (messages.OVERLOADED, messages.SUSPEND_ALARM)


@dataclass(frozen=True, slots=True, eq=False)
class PlaceRejection:
    """The reason why queue instances do not take the task; `scope` (see `sequential_search`) is what it rules out."""

    why: ReasonKind
    scope: str
    number: int
    """Number of the message."""
    inserts: tuple[str, ...]
    """Inserts of the message; the place among them is one of those for which it holds."""
    attribute: str | None = None
    """Name of the attribute that decides, if any."""
    failure: Failure | None = None
    """The failed comparison; None if no amount or value decides."""
    quota: MatchedRule | None = None
    """The quota rule that denies the job."""
    closing: CalendarClosing | None = None
    """The calendar that closes the queue instances."""
    state: str = ""
    """The reason why the queue instances are not available, in words."""
    crossed: CrossedThreshold | None = None
    """The load threshold that the job would cross."""

    @classmethod
    def of_crossed(cls, crossed: CrossedThreshold) -> "PlaceRejection":
        """Return the rejection by a load threshold on a consumable that the slots would cross."""
        why = ReasonKind.NEVER if crossed.is_lasting else ReasonKind.BUSY
        return cls(why, INSTANCE_SCOPE, CROSSED_THRESHOLD, (), crossed.attribute.name, crossed=crossed)

    @classmethod
    def of_refusal(cls, refusal: Refusal, scope: str) -> "PlaceRejection":
        """Return the rejection by the configuration, or by hosts not cleaned up."""
        why = ReasonKind.STATE if refusal.number == messages.NOT_CLEAN else ReasonKind.NEVER
        return cls(why, scope, refusal.number, refusal.inserts, refusal.attribute)

    @classmethod
    def of_failure(cls, failure: Failure, scope: str, why: ReasonKind, printed: str) -> "PlaceRejection":
        """Return the rejection of a request that does not fit a level; `printed`: all hard requests."""
        inserts = (printed, failure.reason) if scope == GLOBAL_SCOPE else (printed, "", failure.reason)
        return cls(why, scope, _FAILED_AT[scope], inserts, failure.attribute, failure)

    @classmethod
    def of_quota(cls, matched_rule: MatchedRule) -> "PlaceRejection":
        """Return the rejection by an exceeded quota rule."""
        return cls(
            ReasonKind.QUOTA,
            QUOTA_SCOPE,
            messages.QUOTA,
            (matched_rule.key, matched_rule.rule),
            matched_rule.limits[0].attribute,
            quota=matched_rule,
        )

    @property
    def shortfall(self) -> Shortfall | None:
        """The offer that a request does not fit; None if no amount or value decides."""
        return self.failure.shortfall if self.failure is not None else None

    @property
    def is_alarm(self) -> bool:
        """True if a threshold is reached; the last insert has the threshold and the load."""
        return self.number in _ALARMS

    def message(self, place: str, offered: str = "") -> str:
        """Return the message for one place; `offered` overrides the offered amount."""
        if self.crossed is not None:
            return _crossing_words(self.crossed, place)
        index = messages.PLACE.get(self.number)
        inserts = self.inserts
        if index is not None:
            inserts = (*inserts[:index], place, *inserts[index + 1 :])
        missing = self.shortfall
        if offered and missing is not None and self.failure is not None:
            reason = f"{self.failure.prefix}{messages.OFFERS_ONLY}{missing.kind}:{missing.attribute.name}={offered}"
            inserts = (*inserts[:-1], reason)
        return messages.message(self.number, *inserts)

    @property
    def group_key(self) -> Hashable:
        """A key that is equal for rejections that differ only in place and amount."""
        if self.crossed is not None:
            return (self.why, self.crossed)
        index = messages.PLACE.get(self.number)
        inserts = tuple(text for place, text in enumerate(self.inserts) if place != index)
        if self.quota is not None:
            inserts = (*self.quota.key.split("/")[:3], self.quota.rule)
        if self.shortfall is not None:
            inserts = inserts[:-1]
        if self.is_alarm:
            inserts = (*inserts[:-1], alarm_subject(inserts[-1]))
        kind = self.shortfall.kind if self.shortfall is not None else ""
        return (self.why, self.scope, self.number, self.attribute, kind, inserts, self.closing, self.state)


def _crossing_words(crossed: CrossedThreshold, place: str) -> str:
    attribute, slots = crossed.attribute, crossed.slots
    left, after = amount_text(attribute, crossed.left), amount_text(attribute, max(0.0, crossed.after))
    what = "a slot" if slots == 1 else f"{slots} slots together"
    name = attribute.name
    if crossed.after < 0:
        return f"{what} would take more of {name} than the {left} left before load threshold {name}={crossed.limit}"
    return (
        f"{what} would bring {name} of {place} from {left} to {after}, below its load threshold {name}={crossed.limit}"
    )


@dataclass(frozen=True, slots=True)
class UnmetRequirement:
    """One requirement that a queue instance does not meet; `wanted` and `offered` are None without amounts."""

    number: int
    """The number of the queue instance; -1 for the global host."""
    rejection: PlaceRejection
    place: str
    """The cluster queue, host or queue instance."""
    level: Level | None = None
    wanted: float | None = None
    offered: float | None = None
    slots: int = 1
    """The number of slots that share both amounts."""

    @property
    def attribute(self) -> Attribute | None:
        """The attribute whose amount or value does not fit."""
        missing = self.rejection.shortfall
        return missing.attribute if missing is not None else None

    @property
    def size(self) -> float:
        """The missing fraction of the requested amount; 1 without amounts."""
        if self.wanted is None or self.offered is None or not self.wanted:
            return 1.0
        return min(1.0, abs(self.wanted - self.offered) / abs(self.wanted))
