"""The items of a cluster's state as entries with texts, so that they are compared and merged like objects."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from types import MappingProxyType

from qmon_tui.model.cluster import Origin


class StateKind(StrEnum):
    """A kind of item; the value is the word used in messages and JSON."""

    TIME = "time"
    LOADS = "load values"
    INSTANCE = "queue instance"
    USAGE = "usage"
    """Of a user or project; named `user anna`, `project sea`."""
    NUMBER = "last number"
    """Of jobs or advance reservations; named `jobseqnum` or `arseqnum`."""
    RESERVATION = "advance reservation"
    JOB = "job"


@dataclass(frozen=True, slots=True)
class StateEntry:
    """One item of the state with the texts that a file gives of it.

    The fields of a job are those of a file, and `task 3` for each task that is not plainly pending; load values are
    fields of their host, the letters of a queue instance are its field `state` and its last change is `changed` (which
    a cluster queue may have, too), kinds of usage those of their owner.
    """

    kind: StateKind
    name: str
    values: Mapping[str, str]
    origin: Origin | None = field(default=None, compare=False)
    item: object = field(default=None, compare=False, repr=False)
    """What the texts say, as the state holds it; None where they were changed."""

    def given(self, field_name: str) -> str | None:
        """The text of a field, or None."""
        return self.values.get(field_name)

    def with_value(self, field_name: str, text: str | None) -> "StateEntry":
        """The same entry with one field changed, or left out when `text` is None."""
        values = {**self.values, field_name: text or ""}
        if text is None:
            del values[field_name]
        return replace(self, values=MappingProxyType(values), item=None)
