"""Does a limit let a job's request through, as if it were the capacity of a level of its own (rqs.md sections 5 and 6).

A limit of a consumable is compared with the request and what is used already, any other with the request alone. What a
job does not ask for counts with its default; without one the limit is not about the job.
"""

from dataclasses import dataclass
from enum import Enum, auto

from qmon_tui.scheduler.compiled.values import Value
from qmon_tui.scheduler.matching.check import SLOTS, Checker, in_use
from qmon_tui.scheduler.matching.level import QUOTA, Level, offer_of, shortfall
from qmon_tui.scheduler.quotas.ledger import Ledger, Tally
from qmon_tui.scheduler.requests import Demand, Wanted

LEVEL_NAME = "resource_quota"
"""What messages call the level, where they name it."""


class Judgement(Enum):
    """What a limit says."""

    FITS = auto()
    IRRELEVANT = auto()
    """The limit is not about the job."""
    EXCEEDED = auto()
    NOT_REQUESTED = auto()
    """The attribute must be requested, and is not."""


@dataclass(frozen=True, slots=True)
class Claim:
    """What a job wants of one limit of a rule."""

    index: int
    wanted: Wanted
    is_plain: bool


@dataclass(frozen=True, slots=True)
class Claims:
    """What a job wants of the limits of a rule that are about it, in their order."""

    claims: tuple[Claim, ...]
    not_requested: int | None
    """The first limit whose attribute must be requested and is not; what comes after it does not matter."""


def claims_of(tally: Tally, demand: Demand) -> Claims:
    """What one slot of a job wants of each limit of a rule."""
    requests = {wanted.attribute.name: wanted for wanted in demand.hard}
    found: list[Claim] = []
    for index, limit in enumerate(tally.rule.limits):
        attribute = limit.attribute
        wanted = requests.get(attribute.name)
        if wanted is None:
            if attribute.name == SLOTS:
                wanted = Wanted(attribute, "1", 1.0, 1.0)
            elif attribute.is_consumable:
                amount = attribute.default_amount
                if not amount and not attribute.exclusive:
                    continue
                wanted = Wanted(attribute, attribute.default, amount, amount)
            elif attribute.requestable == "FORCED":
                return Claims(tuple(found), index)
            else:
                continue
        found.append(Claim(index, wanted, limit.is_plain))
    return Claims(tuple(found), None)


def level_of(ledger: Ledger, tally: Tally, index: int) -> Level:
    """A limit as a level with one value."""
    limit = tally.rule.limits[index]
    name = limit.attribute.name
    total = ledger.total(tally, limit)
    is_consumable = limit.attribute.is_consumable
    return Level(
        layer=QUOTA,
        name=LEVEL_NAME,
        configured={name: Value(limit.value.text, total)},
        used={name: tally.used[index]} if is_consumable else {},
        shared={name: tally.shared[index]} if is_consumable else {},
    )


def judge(ledger: Ledger, tally: Tally, claims: Claims, checker: Checker) -> Judgement:
    """What the limits of a rule say about one more slot: the first one that is exceeded decides."""
    for claim in claims.claims:
        index = claim.index
        if claim.is_plain:
            if claim.wanted.amount > ledger.total(tally, tally.rule.limits[index]) - tally.used[index]:
                return Judgement.EXCEEDED
        elif not _fits(level_of(ledger, tally, index), claim.wanted, checker):
            return Judgement.EXCEEDED
    if claims.not_requested is not None:
        return Judgement.NOT_REQUESTED
    return Judgement.FITS if claims.claims else Judgement.IRRELEVANT


def _fits(level: Level, wanted: Wanted, checker: Checker) -> bool:
    attribute = wanted.attribute
    if attribute.requestable == "NO":
        return False
    offer = offer_of(level, attribute, checker.adjustments)
    if offer is not None and shortfall(level.layer, offer, attribute, wanted.amount, wanted.text, 1) is not None:
        return False
    return not (attribute.exclusive and attribute.is_consumable) or in_use(level, attribute, wanted.amount) is None
