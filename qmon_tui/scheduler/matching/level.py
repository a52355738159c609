"""The values of one level (global host, host or queue instance) in a run, and values merged over levels.

Source: matching.md#value-on-one-level and matching.md#comparison.
"""

import operator
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from qmon_tui.scheduler.configuration import Attribute, AttributeTable, Value, number_or_none
from qmon_tui.scheduler.jobs import Demand
from qmon_tui.values import evaluate

_COMPARISONS: Mapping[str, Callable[[float, float], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "EXCL": lambda request, offer: request == 0 or request <= offer,
}


def holds(relop: str, request: float, offer: float) -> bool:
    """True if `request relop offer` is true of these numbers, as in complex(5); False for an unknown operator."""
    compare = _COMPARISONS.get(relop)
    return compare is not None and compare(request, offer)


def holds_for_strings(attribute: Attribute, request: str, offer: str) -> bool:
    """True if a text fulfils a request. As != negates the match, a request with a syntax error fits."""
    matched = evaluate(attribute.type, request, offer) == 0
    return not matched if attribute.relop == "!=" else matched


def tighter(relop: str, kept: float, other: float) -> bool:
    """True if `kept` restricts requests at least as much as the value `other` of the same attribute."""
    if relop in ("==", "!="):
        return True
    return kept >= other if relop in (">=", ">") else kept <= other


SLOTS = "slots"
"""The built-in consumable that every queue instance has."""
GLOBAL, HOST, QUEUE = "g", "h", "q"
QUOTA = "?"
"""The layer of a resource quota limit; its shortages have other messages, or none."""
# The kind of a value, as in qstat -F: configured, reported, reported and corrected by load adjustments, consumable.
FIXED, LOAD, CORRECTED, CONSUMABLE = "f", "l", "L", "c"


@dataclass(slots=True)
class Level:
    """The values of one host or queue instance. `configured` and `used` change while jobs are placed."""

    layer: str
    """g, h or q, as in qstat -F."""
    name: str
    configured: Mapping[str, Value]
    used: dict[str, float]
    """Consumable -> amount used by running jobs and by those placed in this run."""
    shared: dict[str, float] = field(default_factory=dict)
    """Exclusive attribute -> slots of jobs here that do not request it."""
    loads: Mapping[str, Value] = field(default_factory=dict)
    """Load values, scaled."""
    fields: Mapping[str, Value] = field(default_factory=dict)
    """The built-in attributes of a queue instance."""
    correction: int = 0
    """Load correction in hundredths of a slot."""
    processors: int = 1

    @property
    def place(self) -> str:
        """The key of the level's resource diagrams."""
        return self.name

    @property
    def correction_factor(self) -> float:
        """The number of just started slots that the load is corrected for."""
        return self.correction / 100


@dataclass(slots=True)
class Offer:
    """The value of one attribute on a level: an amount for the whole job, an amount per slot, or a text.

    The kinds are `FIXED`, `LOAD`, `CORRECTED` or `CONSUMABLE`; "" if there is no such value.
    """

    per_job: float | None = None
    per_job_kind: str = ""
    per_slot: float | None = None
    per_slot_kind: str = ""
    text: str = ""
    load_text: str | None = None
    """The reported load value behind `per_job`."""


@dataclass(frozen=True, slots=True)
class Adjustments:
    """job_load_adjustments: load value -> amount by which one job is assumed to change it."""

    amounts: Mapping[str, float] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)
    """The amounts as configured."""

    @classmethod
    def of(cls, texts: Mapping[str, str]) -> "Adjustments":
        """Parse the amounts; texts that are not numbers adjust nothing."""
        parsed = {name: number_or_none(text) for name, text in texts.items()}
        return cls({name: amount for name, amount in parsed.items() if amount is not None}, texts)

    def corrected(self, attribute: Attribute, load: float, factor: float, processors: int) -> float | None:
        """Return the load corrected for recent starts; None if it is not corrected. `factor`: slots just started."""
        amount = self.amounts.get(attribute.name)
        if amount is None or not factor:
            return None
        if attribute.name.startswith("np_"):
            factor /= processors
        return load + amount * factor if attribute.relop in (">=", ">") else load - amount * factor


def offer_of(
    level: Level, attribute: Attribute, adjustments: Adjustments, corrected: bool = True, unused: bool = False
) -> Offer | None:
    """Return the value of an attribute on one level; None if the level does not have it.

    `corrected`: apply load adjustments; `unused`: ignore all bookings.
    """
    name = attribute.name
    configured = level.configured.get(name)
    offer: Offer | None = None
    if configured is not None:
        if attribute.is_consumable:
            used = 0.0 if unused else level.used[name]
            amount = used if attribute.relop in (">=", ">") else configured.number - used
            offer = Offer(per_job=amount, per_job_kind=CONSUMABLE)
        elif attribute.numeric:
            offer = Offer(per_slot=configured.number, per_slot_kind=FIXED, text=configured.text)
        else:
            offer = Offer(per_slot_kind=FIXED, text=configured.text)
    load = level.loads.get(name)
    # For == and != a configured value hides the load value.
    if load is not None and (offer is None or attribute.relop not in ("==", "!=")):
        offer = _with_load(offer or Offer(), level, attribute, load, adjustments if corrected else NO_ADJUSTMENTS)
    built_in = level.fields.get(name)
    if built_in is not None:
        offer = _with_field(offer or Offer(), attribute, built_in)
    return offer


def _with_load(offer: Offer, level: Level, attribute: Attribute, load: Value, adjustments: Adjustments) -> Offer:
    if not attribute.numeric:
        offer.text, offer.per_slot_kind = load.text, LOAD
        return offer
    reported = number_or_none(load.text)
    if reported is None:
        return offer
    kind = LOAD
    amount = reported
    correction = adjustments.corrected(attribute, reported, level.correction_factor, level.processors)
    if correction is not None:
        kind, amount = CORRECTED, correction
    if offer.per_slot is not None:
        # A fixed value that is also reported counts per job, like its load value.
        offer.per_job, offer.per_job_kind = offer.per_slot, FIXED
        offer.per_slot, offer.per_slot_kind = None, ""
    if offer.per_job is None or not tighter(attribute.relop, offer.per_job, amount):
        offer.per_job, offer.per_job_kind, offer.load_text = amount, kind, load.text
    return offer


def _with_field(offer: Offer, attribute: Attribute, built_in: Value) -> Offer:
    if not attribute.numeric:
        if not offer.per_slot_kind:
            offer.text, offer.per_slot_kind = built_in.text, FIXED
        return offer
    if offer.per_slot is None or not tighter(attribute.relop, offer.per_slot, built_in.number):
        offer.per_slot, offer.per_slot_kind, offer.text = built_in.number, FIXED, built_in.text
    return offer


NO_ADJUSTMENTS = Adjustments()


@dataclass(frozen=True, slots=True)
class Shortfall:
    """The value that a request does not fit."""

    kind: str
    """Layer and kind of the value, as qstat -F writes them: hc, qf."""
    attribute: Attribute
    amount: float | None
    """None if the value is a text."""
    text: str


def shortfall(layer: str, offer: Offer, attribute: Attribute, amount: float, text: str, slots: int) -> Shortfall | None:
    """Return the value that a request for `slots` slots does not fit; None if it fits (matching.md#comparison)."""
    if not attribute.numeric:
        if holds_for_strings(attribute, text, offer.text):
            return None
        return Shortfall(layer + offer.per_slot_kind, attribute, None, offer.text)
    if offer.per_job is not None and not holds(attribute.relop, amount * slots, offer.per_job):
        return Shortfall(layer + offer.per_job_kind, attribute, offer.per_job, "")
    if offer.per_slot is not None and not holds(attribute.relop, amount, offer.per_slot):
        return Shortfall(layer + offer.per_slot_kind, attribute, offer.per_slot, "")
    return None


def consumables(configured: Mapping[str, Value], attributes: AttributeTable) -> dict[str, float]:
    """Return each configured consumable -> 0.0 used."""
    by_name = attributes.by_name
    return {name: 0.0 for name in configured if by_name[name].is_consumable}


@dataclass(frozen=True, slots=True)
class MergedValue:
    """The tightest offer of several levels, and the layer (g, h or q) that it comes from."""

    layer: str
    offer: Offer

    @property
    def amount(self) -> float:
        """The amount per job, else per slot; 0 for texts."""
        if self.offer.per_job is not None:
            return self.offer.per_job
        return self.offer.per_slot or 0.0

    @property
    def kind(self) -> str:
        """Layer and kind of the amount, as qstat -F writes them: hc, gl, qf."""
        if self.offer.per_job is not None:
            return self.layer + self.offer.per_job_kind
        return self.layer + self.offer.per_slot_kind


def merged(attribute: Attribute, adjustments: Adjustments, *levels: Level) -> MergedValue | None:
    """Return the tightest value of an attribute on the levels, the outermost first; None if no level has it."""
    tightest: MergedValue | None = None
    for level in levels:
        offer = offer_of(level, attribute, adjustments)
        if offer is None:
            continue
        candidate = MergedValue(level.layer, offer)
        if tightest is None or not tighter(attribute.relop, tightest.amount, candidate.amount):
            tightest = candidate
    return tightest


def debit_level(
    level: Level, demand: Demand, slots: int, master: bool, attributes: AttributeTable, times: int = 1
) -> None:
    """Book slots on one level; `times` -1 releases them. `master`: the queue instance is the job's master queue."""
    for attribute, amount in debited_amounts(level, demand, attributes, master=master):
        name, count = attribute.name, times * (1 if attribute.per_job else slots)
        if amount:
            level.used[name] += amount * count
        else:
            level.shared[name] = level.shared.get(name, 0.0) + count


def debited_amounts(
    level: Level, demand: Demand, attributes: AttributeTable, *, master: bool
) -> Iterator[tuple[Attribute, float]]:
    """Yield each consumable of a level with the amount booked per slot or job; amount 0 if only its exclusive use
    counts.

    Consumables per job are booked with the master queue only.
    """
    for name in level.used:
        attribute = attributes.by_name[name]
        amount = demand.amounts.get(name, attribute.default_amount)
        if (amount or attribute.exclusive) and (master or not attribute.per_job):
            yield attribute, amount


_CORRECTABLE: Final = frozenset({"==", "<", "<=", "!="})


def with_capacity_correction(
    level: Level, configured: Mapping[str, Value], attributes: AttributeTable, adjustments: Adjustments
) -> Mapping[str, Value]:
    """Return the configured values; a consumable's total is reduced if its load value shows use outside Grid Engine."""
    smaller: dict[str, Value] = {}
    for name, load in level.loads.items():
        total = configured.get(name)
        if total is None or name not in level.used:
            continue
        amount = number_or_none(load.text)
        if attributes.by_name[name].relop not in _CORRECTABLE or amount is None:
            continue
        amount -= adjustments.amounts.get(name, 0.0) * level.correction_factor
        foreign = total.number - level.used[name] - amount
        if foreign > 0.0:
            smaller[name] = Value(total.text, total.number - foreign)
    return {**configured, **smaller} if smaller else configured
