"""Edits that give members of usersets and override tickets an end date with a reason, or take them away."""

from dataclasses import dataclass, field, replace
from types import MappingProxyType

from qmon_tui.model import DatedPlace, Drain, end_of_day, last_day, vanished
from qmon_tui.workspace.document import Document
from qmon_tui.workspace.drains import administrator
from qmon_tui.workspace.edits import Edit


@dataclass(frozen=True, slots=True)
class SetException(Edit):
    """Give a place an end with a reason, or take both from it."""

    label: str = field()  # declared as a field, else the property of Edit would be its default
    place: str
    given: Drain | None
    forgotten: tuple[str, ...] = ()
    """Places that exist no more and whose end is over: they are left out."""

    def made(self, document: Document) -> Document:
        known = dict(document.state.exceptions)
        for name in (self.place, *self.forgotten):
            known.pop(name, None)
        if self.given is not None:
            known[self.place] = (self.given,)
        return document.with_state(replace(document.state, exceptions=MappingProxyType(known)))


def read_end(text: str, now: int) -> Drain | None:
    """Return the exception that `2026-12-01 cover for anna` means; None for `-`, which is none.

    Raises ValueError with a sentence.
    """
    day, _, reason = text.strip().partition(" ")
    if day == "-" and not reason.strip():
        return None
    until = end_of_day(day, now)
    if not reason.strip():
        raise ValueError("A reason is needed behind the day.")
    return Drain(reason.strip(), administrator(), now, until)


def set_exception(document: Document, base: Document, place: DatedPlace, given: Drain | None) -> Edit:
    """Return the edit for a place. `base`: the document before all edits, whose members are not forgotten."""
    forgotten = vanished((document.cluster, base.cluster), document.state.exceptions, document.state.now)
    words = f"{place.words} until {last_day(given)}: {given.reason}" if given else f"no end for {place.words}"
    return SetException(words, place.text, given, tuple(name for name in forgotten if name != place.text))
