"""The queue instances of the live pane: state, a small bar, used of total slots."""

from collections.abc import Hashable, Sequence

from qmon_tui.scheduler.outcome import InstanceOutcome
from qmon_tui.tui.present.bars import level
from qmon_tui.tui.present.rows import longest
from qmon_tui.tui.present.spans import Idea, Line, Span, fit, left, right

_BAR = 8
_TROUBLE = frozenset("auEcoACDdsS")


def slots_words(instance: InstanceOutcome) -> str:
    """Used and total slots, reserved ones if there are any: `3/4`, `2+1/4`."""
    reserved = f"+{instance.reserved}" if instance.reserved else ""
    return f"{instance.used}{reserved}/{instance.total}"


def _telling(key: str) -> bool:
    """Consumables of host and queue; slots stand in the row already, load and global values are not its own."""
    return key[:3] in ("hc:", "qc:") and key[3:] != "slots"


class InstanceRows:
    """Rows of the queue instance table."""

    def __init__(self, instances: Sequence[InstanceOutcome] = ()) -> None:
        self._instances = instances
        self._at = {instance.name: index for index, instance in enumerate(instances)}
        self._name = longest([instance.name for instance in instances], 14, 40)
        self._slots = longest([slots_words(instance) for instance in instances], 5, 12)

    def __len__(self) -> int:
        return len(self._instances)

    def key(self, index: int) -> Hashable:
        """The name of the queue instance."""
        return self._instances[index].name

    def find(self, key: Hashable) -> int | None:
        """Where an instance is now."""
        return self._at.get(str(key))

    def head(self, cells: int) -> Line | None:
        """The column titles."""
        slots, name = self._widths(cells)
        return (
            Span(f" {left('queue instance', name)} "[: name + 2], Idea.DIM),
            Span(left("used/total", _BAR + 1 + slots) + "  state", Idea.DIM),
        )

    def line(self, index: int, cells: int) -> Line:
        """One queue instance."""
        instance = self._instances[index]
        slots, name = self._widths(cells)
        full = instance.total and instance.used >= instance.total
        spans = [
            Span(f" {left(instance.name, name)} "),
            *level(instance.used, instance.total, _BAR, Idea.WAITING if full else Idea.RUNNING),
            Span(" " + right(slots_words(instance), slots)),
            Span("  "),
            Span(instance.state, Idea.FAILED if set(instance.state) & _TROUBLE else Idea.PLAIN),
            Span("  " if instance.state else ""),
            Span(" ".join(f"{key}={value}" for key, value in instance.values.items() if _telling(key)), Idea.DIM),
        ]
        return fit(spans, cells)

    def text(self, index: int) -> str:
        """The plain values of a row."""
        instance = self._instances[index]
        values = (f"{key}={value}" for key, value in instance.values.items())
        return " ".join((instance.name, slots_words(instance), instance.state, *values))

    def containing(self, words: str) -> "InstanceRows":
        """Only the rows whose text contains all of the words."""
        wanted = words.casefold().split()
        kept = [inst for i, inst in enumerate(self._instances) if all(w in self.text(i).casefold() for w in wanted)]
        return self if not wanted else InstanceRows(kept)

    def _widths(self, cells: int) -> tuple[int, int]:
        return self._slots, max(8, min(self._name, cells - self._slots - _BAR - 8))
