"""subordinate_list of a queue: queue-wise entries or one slot-wise tree (queue.md#subordinate_list)."""

import re
from typing import Final, NamedTuple

from qmon_tui.values.c_library import integer_prefix
from qmon_tui.values.lists import is_none

_BETWEEN_QUEUES: Final = re.compile(r"[, \t]+")
_BETWEEN_SLOTWISE: Final = re.compile(r"[,) \t]+")
_SUSPEND_ORDERS: Final = ("sr", "lr")


class Subordinate(NamedTuple):
    """One subordinated cluster queue."""

    queue: str
    threshold: int = 0
    """Used slots of the superordinate that suspend the queue; 0: when it is full. Not used slot-wise."""
    seq_no: int = 0
    """Slot-wise: the higher, the earlier a task of the queue is suspended."""
    action: str = "sr"
    """Slot-wise: suspend the task that has run shortest (`sr`) or longest (`lr`)."""


class Subordinates(NamedTuple):
    """A whole subordinate_list; `slots` is the total of slots that a slot-wise list shares, None for queue-wise."""

    queues: tuple[Subordinate, ...] = ()
    slots: int | None = None

    def text(self) -> str:
        """Return the value as the qmaster prints it; NONE if there are no queues."""
        if not self.queues:
            return "NONE"
        if self.slots is None:
            return self._queue_wise()
        entries = ", ".join(f"{queue.queue}:{queue.seq_no}:{queue.action}" for queue in self.queues)
        return f"slots={self.slots}({entries})"

    def _queue_wise(self) -> str:
        """Return the queue-wise text; only an entry with a threshold is followed by a comma."""
        *others, last = [f"{q.queue}={q.threshold}" if q.threshold else q.queue for q in self.queues]
        return " ".join([*(f"{entry}," if "=" in entry else entry for entry in others), last])


def parse_subordinates(text: str) -> Subordinates:
    """Read a subordinate_list; numbers wrap to 32 bits. Raises ValueError in the qmaster's words."""
    head, _, rest = text.lstrip("=").partition("=")
    try:
        return _slot_wise(rest) if head.lower().startswith("slots") else _queue_wise(text)
    except ValueError:
        raise ValueError(f'error: error parsing value "{text}"') from None


def _slot_wise(text: str) -> Subordinates:
    number, _, rest = text.lstrip("(").partition("(")
    slots = _integer(number)
    entries = _words(_BETWEEN_SLOTWISE, rest.lstrip(")").partition(")")[0])
    if entries and slots == 0:
        raise ValueError(text)
    return Subordinates(tuple(map(_slot_wise_entry, entries)), slots) if entries else Subordinates()


def _slot_wise_entry(text: str) -> Subordinate:
    queue, *others = _fields(text, ":")
    seq_no = _integer(others[0]) if others else 0
    action = others[1] if len(others) > 1 else "sr"
    if action not in _SUSPEND_ORDERS:
        raise ValueError(text)
    return Subordinate(queue, seq_no=seq_no, action=action)


def _queue_wise(text: str) -> Subordinates:
    entries = _words(_BETWEEN_QUEUES, text)
    if not entries or is_none(entries[0]):
        return Subordinates()
    return Subordinates(tuple(map(_queue_wise_entry, entries)))


def _queue_wise_entry(text: str) -> Subordinate:
    queue, *others = _fields(text, ":=")
    return Subordinate(queue, threshold=_integer(others[0]) if others else 0)


def _words(separator: re.Pattern[str], text: str) -> list[str]:
    """Return the elements of a list; exact repetitions count once."""
    return list(dict.fromkeys(word for word in separator.split(text) if word))


def _fields(text: str, separators: str) -> list[str]:
    fields = [field for field in re.split(f"[{separators}]+", text) if field]
    if not fields:
        raise ValueError(text)
    return fields


def _integer(text: str) -> int:
    prefix = integer_prefix(text)
    if prefix is None or prefix[1] != len(text):
        raise ValueError(text)
    return (prefix[0] + 2**31) % 2**32 - 2**31
