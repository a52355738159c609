"""The check whether a request fits one level: slots, default requests, explicit requests, in this order.

Source: matching.md#one-level-at-a-time.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from qmon_tui.model import messages
from qmon_tui.scheduler.configuration import Attribute, AttributeTable
from qmon_tui.scheduler.jobs import Demand, ResourceRequest
from qmon_tui.scheduler.matching.level import QUEUE, SLOTS, Adjustments, Level, Offer, Shortfall, offer_of, shortfall
from qmon_tui.values import format_number


@dataclass(frozen=True, slots=True)
class Failure:
    """The reason why a request does not fit a level; the message is built only when `reason` is read."""

    attribute: str
    """Name of the attribute that does not fit."""
    shortfall: Shortfall | None = None
    prefix: str = ""
    text: str = ""
    later: bool = False
    """True if the shortage is temporary: the request fits once other jobs release resources."""

    @property
    def reason(self) -> str:
        """The end of the message in qstat -j, such as `it offers only hc:mem=1.000G`."""
        if self.shortfall is None:
            return self.text
        missing = self.shortfall
        attribute = missing.attribute
        value = missing.text if missing.amount is None else format_number(missing.amount, attribute.type)
        return f"{self.prefix}{messages.OFFERS_ONLY}{missing.kind}:{attribute.name}={value}"


@dataclass(frozen=True, slots=True)
class Checker:
    """The checks of one run, the same for all levels."""

    attributes: AttributeTable
    adjustments: Adjustments
    slots: Attribute | None
    plans_ahead: ClassVar[bool] = False
    """True if bookings at later times count, too (reservation scheduling)."""

    def check(self, level: Level, demand: Demand, accepted: set[str]) -> Failure | None:
        """Return why one slot of a job does not fit; None if it fits.

        `accepted`: requested attributes that an outer level has; those that this level has are added.
        """
        if SLOTS in level.configured and self.slots is not None:
            offer = offer_of(level, self.slots, self.adjustments)
            missing = offer and shortfall(level.layer, offer, self.slots, 1.0, "1", 1)
            if missing:
                return Failure(SLOTS, missing)
        failure = self._defaults(level, demand)
        if failure is not None:
            return failure
        for wanted in demand.hard:
            offer = offer_of(level, wanted.attribute, self.adjustments)
            if offer is None:
                if level.layer == QUEUE and wanted.attribute.name not in accepted:
                    name = wanted.attribute.name
                    return Failure(name, text=messages.UNKNOWN_RESOURCE.format(name))
                continue
            failure = _compare(level, wanted, offer)
            if failure is None and wanted.attribute.exclusive:
                failure = in_use(level, wanted.attribute, wanted.amount)
            if failure is not None:
                return failure
            accepted.add(wanted.attribute.name)
        return None

    def quota_shortfall(self, level: Level, wanted: ResourceRequest) -> tuple[Failure | None, int]:
        """Return why one slot exceeds a quota's limit (None if it fits), and the time from which it fits; here 0."""
        offer = offer_of(level, wanted.attribute, self.adjustments)
        failure = _compare(level, wanted, offer) if offer is not None else None
        if failure is None and wanted.attribute.exclusive:
            failure = in_use(level, wanted.attribute, wanted.amount)
        return failure, 0

    def _defaults(self, level: Level, demand: Demand) -> Failure | None:
        """Check the default requests: consumables of the level that the job does not request explicitly."""
        for name in level.used:
            if name == SLOTS or name in demand.names:
                continue
            attribute = self.attributes.by_name[name]
            if attribute.default_amount == 0.0 and not attribute.exclusive:
                continue
            offer = offer_of(level, attribute, self.adjustments)
            missing = offer and shortfall(level.layer, offer, attribute, attribute.default_amount, attribute.default, 1)
            if missing:
                return Failure(name, missing, messages.FOR_DEFAULT_REQUEST)
            if attribute.exclusive:
                failure = in_use(level, attribute, attribute.default_amount)
                if failure is not None:
                    return Failure(name, text=messages.FOR_DEFAULT_REQUEST + failure.text)
        return None

    def soft_violations(self, level: Level, wanted: Sequence[ResourceRequest], accepted: set[str]) -> int:
        """Count the soft requests that the level does not fulfil, or that no level has if this is a queue instance.

        `accepted` is as in `check`. Source: matching.md#soft-requests.
        """
        violations = 0
        for request in wanted:
            offer = offer_of(level, request.attribute, self.adjustments, corrected=False)
            if offer is None:
                if level.layer == QUEUE and request.attribute.name not in accepted:
                    violations += 1
            elif _compare(level, request, offer) is not None:
                violations += 1
            else:
                accepted.add(request.attribute.name)
        return violations


def _compare(level: Level, wanted: ResourceRequest, offer: Offer) -> Failure | None:
    attribute = wanted.attribute
    if attribute.requestable == "NO":
        return Failure(attribute.name, text=messages.NOT_REQUESTABLE.format(attribute.name))
    missing = shortfall(level.layer, offer, attribute, wanted.amount, wanted.text, 1)
    return Failure(attribute.name, missing) if missing is not None else None


def in_use(level: Level, attribute: Attribute, amount: float) -> Failure | None:
    """Return the failure if another job uses the level exclusively, or if this job (`amount`) needs it unused.

    Source: matching.md#exclusive-use.
    """
    used = level.used.get(attribute.name, 0.0)
    if amount:
        used = max(used, level.shared.get(attribute.name, 0.0))
    if used > 0:
        return Failure(attribute.name, text=messages.EXCLUSIVE_IN_USE.format(attribute.name))
    return None
