"""How many slots of a parallel job fit one level in a stretch of time, and how many in the end (dispatch.md 9.2)."""

from dataclasses import dataclass

from qmon_tui.scheduler import messages
from qmon_tui.scheduler.compiled.attributes import Attribute
from qmon_tui.scheduler.matching.check import in_use
from qmon_tui.scheduler.matching.level import Level, Offer, offer_of
from qmon_tui.scheduler.matching.room import FITS, LATER, NO_LIMIT, Counter, Single
from qmon_tui.scheduler.timeline.diagrams import Diagrams
from qmon_tui.scheduler.timeline.window import Window


@dataclass(frozen=True, slots=True)
class TimedCounter(Counter):
    """The count by diagrams; `later` is the room when all that ends has ended."""

    diagrams: Diagrams
    window: Window

    def _offer(self, level: Level, attribute: Attribute) -> Offer | None:
        return offer_of(level, attribute, self.checker.adjustments, unused=self.diagrams.schedules)

    def _use(self, level: Level, name: str) -> tuple[float, float]:
        steps = self.diagrams.of(level, name)
        if not self.diagrams.schedules and not steps:
            return Counter._use(self, level, name)
        return steps.peak(self.window.start, self.window.end), steps.in_the_end()

    def _exclusive(self, level: Level, attribute: Attribute, amount: float) -> Single:
        diagrams = [self.diagrams.of(level, attribute.name)]
        if amount:
            diagrams.append(self.diagrams.shared(level, attribute.name))
        is_taken = any(steps.peak(self.window.start, self.window.end) for steps in diagrams)
        if not self.diagrams.schedules:
            is_taken = in_use(level, attribute, amount) is not None
        is_taken_later = any(steps.in_the_end() for steps in diagrams)
        return Single(
            LATER if is_taken or is_taken_later else FITS,
            0 if is_taken else NO_LIMIT,
            0 if is_taken_later else NO_LIMIT,
            messages.EXCLUSIVE_IN_USE.format(attribute.name) if is_taken or is_taken_later else "",
        )
