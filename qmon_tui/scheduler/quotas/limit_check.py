"""The check of a job's request against a quota limit, which is treated like the capacity of a level.

The limit of a consumable is compared with request plus usage, any other limit with the request alone. A consumable that
is not requested counts with its default; without a default the limit does not apply.

Source: quotas.md#check-for-one-slot and quotas.md#check-for-parallel-jobs.
"""

from dataclasses import dataclass
from typing import Final

from qmon_tui.scheduler.configuration import Rule, Value
from qmon_tui.scheduler.jobs import Demand, ResourceRequest
from qmon_tui.scheduler.matching import QUOTA, SLOTS, Checker, Level
from qmon_tui.scheduler.quotas.quota_usage import QuotaUsage, RuleUsage

LEVEL_NAME = "resource_quota"
"""The level's name in messages."""


@dataclass(frozen=True, slots=True)
class RuleResult:
    """The result of checking one more slot against a rule."""

    is_exceeded: bool = False
    not_requested: bool = False
    """True if the job does not request a FORCED attribute."""
    later: bool = False
    """True if the slot fits once others release resources."""
    time: int = 0
    """The time from which the slot fits (seconds since the epoch); 0 unless planning ahead."""

    @property
    def lets_in(self) -> bool:
        return not (self.is_exceeded or self.not_requested)


FITS: Final = RuleResult()
EXCEEDED: Final = RuleResult(is_exceeded=True)
EXCEEDED_NOW: Final = RuleResult(is_exceeded=True, later=True)
NOT_REQUESTED: Final = RuleResult(not_requested=True)


@dataclass(slots=True)
class QuotaLevel(Level):
    """A limit of a rule with the usage of one counter."""

    counter: str = ""
    """Set, rule and key."""

    @property
    def place(self) -> str:
        """The key of the counter in resource diagrams."""
        return self.counter


@dataclass(frozen=True, slots=True)
class LimitRequest:
    """The request of a job for one limit of a rule."""

    index: int
    """Index of the limit in the rule."""
    wanted: ResourceRequest
    is_plain: bool
    """True if amount + usage <= limit is the whole check."""


@dataclass(frozen=True, slots=True)
class LimitRequests:
    """The requests of a job for the limits of a rule that apply to it, in the order of the limits."""

    limit_requests: tuple[LimitRequest, ...]
    not_requested: int | None
    """Index of the first limit with a FORCED attribute that is not requested (None: none); later ones are ignored."""


def limit_requests_of(rule: Rule, demand: Demand) -> LimitRequests:
    """Return the requests of one slot of a job for the limits of a rule."""
    requests = {wanted.attribute.name: wanted for wanted in demand.hard}
    limit_requests: list[LimitRequest] = []
    for index, limit in enumerate(rule.limits):
        attribute = limit.attribute
        wanted = requests.get(attribute.name)
        if wanted is None:
            if attribute.name == SLOTS:
                wanted = ResourceRequest(attribute, "1", 1.0, 1.0)
            elif attribute.is_consumable:
                amount = attribute.default_amount
                if not amount and not attribute.exclusive:
                    continue
                wanted = ResourceRequest(attribute, attribute.default, amount, amount)
            elif attribute.requestable == "FORCED":
                return LimitRequests(tuple(limit_requests), index)
            else:
                continue
        limit_requests.append(LimitRequest(index, wanted, limit.is_plain))
    return LimitRequests(tuple(limit_requests), None)


def level_of(quota_usage: QuotaUsage, rule_usage: RuleUsage, index: int) -> QuotaLevel:
    """Return a level whose only value is the limit with this index, used as the counter says."""
    limit = rule_usage.rule.limits[index]
    name = limit.attribute.name
    total = quota_usage.total(rule_usage, limit)
    is_consumable = limit.attribute.is_consumable
    return QuotaLevel(
        layer=QUOTA,
        name=LEVEL_NAME,
        configured={name: Value(limit.value.text, total)},
        used={name: rule_usage.used[index]} if is_consumable else {},
        shared={name: rule_usage.shared[index]} if is_consumable else {},
        counter=rule_usage.place,
    )


def check_limits(
    quota_usage: QuotaUsage, rule_usage: RuleUsage, limit_requests: LimitRequests, checker: Checker
) -> RuleResult:
    """Return the result of one more slot for the limits of a rule; the first exceeded limit decides."""
    time = 0
    for limit_request in limit_requests.limit_requests:
        index = limit_request.index
        if limit_request.is_plain and not checker.plans_ahead:
            if (
                limit_request.wanted.amount
                > quota_usage.total(rule_usage, rule_usage.rule.limits[index]) - rule_usage.used[index]
            ):
                return EXCEEDED
            continue
        failure, time = checker.quota_shortfall(level_of(quota_usage, rule_usage, index), limit_request.wanted)
        if failure is not None:
            return EXCEEDED_NOW if failure.later else EXCEEDED
    if limit_requests.not_requested is not None:
        return NOT_REQUESTED
    return RuleResult(time=time) if time else FITS
