"""A job's requests, with shortcuts resolved and values as the qmaster stores them.

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
    """The value as stored: times in seconds, memory as typed."""
    amount: float
    """The number in the stored text, used to match and to book; 0.0 if the attribute is not numeric."""
    typed_amount: float
    """The number as typed, used for urgency and to divide free amounts into slots."""


@dataclass(frozen=True, slots=True)
class Demand:
    """The requests that decide where a job may run: -l, -q, -masterq, hard and soft."""

    hard: tuple[ResourceRequest, ...]
    """Hard -l requests, sorted by name: the order in which they are checked."""
    soft: tuple[ResourceRequest, ...]
    names: frozenset[str]
    """Full names of the hard requests."""
    amounts: Mapping[str, float]
    """Attribute -> requested amount, per slot or per job; hard requests override soft ones."""
    printed: str
    """The hard -l requests as messages print them, such as `h_vmem=2G,num_proc=4`; NONE without any."""
    queues: tuple[QueuePattern, ...]
    soft_queues: tuple[QueuePattern, ...]
    master_queues: tuple[QueuePattern, ...]
    shape: tuple[tuple[str, str | None], ...] = ()
    """(attribute, value) of the hard -l requests; value None for a plain consumable (`is_plain_consumable`)."""

    @property
    def is_soft(self) -> bool:
        return bool(self.soft or self.soft_queues)


def compile_demand(request: Request, attributes: AttributeTable) -> Demand:
    """Return the compiled requests of a job, without unknown attributes (qsub rejects a job that requests any)."""
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
    """Return the demand with the hard -l requests in the order in which they were typed."""
    typed = {
        attribute.name: position
        for position, (name, _) in enumerate(request.hard)
        if (attribute := attributes.find(name))
    }
    return replace(demand, hard=tuple(sorted(demand.hard, key=lambda request: typed[request.attribute.name])))


def _wanted(requests: Iterable[tuple[str, str | None]], attributes: AttributeTable) -> tuple[ResourceRequest, ...]:
    """Return the requests sorted by name; the last one for an attribute counts."""
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
    """Return the number that the PE's urgency_slots selects from a slot range (sge_pe(5)); 1 without a PE."""
    if request is None:
        return 1
    first, last, _ = request.ranges[0]
    if len(request.ranges) == 1 and first == last:
        return first
    environment = next(matching_environments(request.name, environments), None)
    return 1 if environment is None else environment.urgent_slots(request.ranges)
