"""What a job asks for, with names resolved and values as the qmaster stores them.

Source: matching.md#requests-as-they-are-stored.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from qmon_tui.model import PeRequest, Request
from qmon_tui.scheduler.configuration import (
    Attribute,
    AttributeTable,
    ParallelEnvironment,
    matching_environments,
    number,
    stored_value,
)
from qmon_tui.values import QueuePattern


@dataclass(frozen=True, slots=True)
class ResourceRequest:
    """One -l request."""

    attribute: Attribute
    text: str
    """The value as it is stored: times in seconds, memory as typed."""
    amount: float
    """The number that matching and debiting read from the stored text."""
    typed_amount: float
    """The number as typed, which only the urgency uses."""


@dataclass(frozen=True, slots=True)
class Demand:
    """Everything in a request that decides where a job may run."""

    hard: tuple[ResourceRequest, ...]
    """Sorted by name, the order in which they are examined."""
    soft: tuple[ResourceRequest, ...]
    names: frozenset[str]
    """Full names of the hard requests."""
    amounts: Mapping[str, float]
    """How much is booked of each requested attribute, per slot or per job; hard requests go before soft ones."""
    printed: str
    """The hard requests as messages print them."""
    queues: tuple[QueuePattern, ...]
    soft_queues: tuple[QueuePattern, ...]
    master_queues: tuple[QueuePattern, ...]
    shape: tuple[tuple[str, str | None], ...] = ()
    """The hard requests, without the amounts of consumables that there only need to be enough of."""

    @property
    def is_soft(self) -> bool:
        """True if something is asked for softly."""
        return bool(self.soft or self.soft_queues)


def compile_demand(request: Request, attributes: AttributeTable) -> Demand:
    """Resolve a request; requests of unknown attributes are left out (the job is rejected for them at submission)."""
    hard, soft = _wanted(request.hard, attributes), _wanted(request.soft, attributes)
    return Demand(
        hard=hard,
        soft=soft,
        names=frozenset(request.attribute.name for request in hard),
        amounts={request.attribute.name: request.amount for request in (*soft, *hard)},
        printed=",".join(f"{request.attribute.name}={request.text}" for request in hard)
        or ("" if request.has_empty_list else "NONE"),
        queues=tuple(QueuePattern.parse(text) for text in request.hard_queues),
        soft_queues=tuple(QueuePattern.parse(text) for text in request.soft_queues),
        master_queues=tuple(QueuePattern.parse(text) for text in request.master_queues),
        shape=tuple(
            (request.attribute.name, None if request.attribute.is_plain_consumable else request.text)
            for request in hard
        ),
    )


def as_typed(request: Request, demand: Demand, attributes: AttributeTable) -> Demand:
    """The demand of a request with the hard requests in the order in which they were typed."""
    typed = {
        attribute.name: position
        for position, (name, _) in enumerate(request.hard)
        if (attribute := attributes.find(name))
    }
    return replace(demand, hard=tuple(sorted(demand.hard, key=lambda request: typed[request.attribute.name])))


def _wanted(requests: Iterable[tuple[str, str | None]], attributes: AttributeTable) -> tuple[ResourceRequest, ...]:
    """The requests sorted by name; of several for one attribute the last wins."""
    by_name: dict[str, ResourceRequest] = {}
    for name, text in requests:
        attribute = attributes.find(name)
        if attribute is None:
            continue
        value = stored_value(attribute, "TRUE" if text is None else text)
        amount = number(value.text) if attribute.numeric else 0.0
        by_name[attribute.name] = ResourceRequest(attribute, value.text, amount, value.number)
    return tuple(by_name[name] for name in sorted(by_name))


def requested_slots(request: PeRequest | None, environments: Mapping[str, ParallelEnvironment]) -> int:
    """The slot number that stands for a range of slots: the PE's urgency_slots decides (sge_pe(5))."""
    if request is None:
        return 1
    first, last, _ = request.ranges[0]
    if len(request.ranges) == 1 and first == last:
        return first
    environment = next(matching_environments(request.name, environments), None)
    return 1 if environment is None else environment.urgent_slots(request.ranges)
