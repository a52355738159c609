"""One value of an attribute over all levels: for display, load formula and thresholds, not for matching (4.1)."""

from dataclasses import dataclass

from qmon_tui.scheduler.compiled.attributes import Attribute
from qmon_tui.scheduler.matching.level import Adjustments, Level, Offer, offer_of
from qmon_tui.scheduler.matching.relops import tighter


@dataclass(frozen=True, slots=True)
class Merged:
    """The winning offer and the layer that it comes from."""

    layer: str
    offer: Offer

    @property
    def amount(self) -> float:
        """The amount per job where there is one, else per slot; 0 for texts."""
        if self.offer.per_job is not None:
            return self.offer.per_job
        return self.offer.per_slot or 0.0

    @property
    def kind(self) -> str:
        """Layer and kind of the amount, as qstat -F writes them: hc, gl, qf."""
        if self.offer.per_job is not None:
            return self.layer + self.offer.per_job_kind
        return self.layer + self.offer.per_slot_kind


def merged(attribute: Attribute, adjustments: Adjustments, *levels: Level) -> Merged | None:
    """The value that counts among levels given from the outermost in: the first, unless a later one is tighter."""
    best: Merged | None = None
    for level in levels:
        offer = offer_of(level, attribute, adjustments)
        if offer is None:
            continue
        candidate = Merged(level.layer, offer)
        if best is None or not tighter(attribute.relop, best.amount, candidate.amount):
            best = candidate
    return best
