"""The advance reservations that qrsub(1) was granted, in a YAML file.

reservations:
- id: 1
  owner: anna
  start: 2026-11-21T09:00:00
  end: 2026-11-21T10:00:00
  granted: {all.q@sim1: 2}
  state: r
  requests: lic=1
  users: anna bert @staff
  pe: mpi
  submitted: 2026-11-21T08:59:00
  strict: true

What each field means is in the catalogue of state and in docs/cluster-folder.md.
"""

from collections.abc import Mapping as MappingType
from dataclasses import dataclass
from typing import Final

from qmon_tui.formats.state.field_values import read_values
from qmon_tui.formats.state.node_reader import ItemReading, JobTimes, NodeReader
from qmon_tui.formats.yaml import Mapping, Node, Scalar, Sequence, resolve
from qmon_tui.model import HIGHEST_NUMBER, AdvanceReservation
from qmon_tui.model.catalogue.state import RESERVATION, STATE
from qmon_tui.values import whole_number

RULE: Final = "format.reservation"
_NEEDED: Final = tuple(field.name for field in RESERVATION.fields if field.needed)


@dataclass(frozen=True, slots=True)
class _Draft:
    """One whose times are not known yet, because they may be offsets from the first job's."""

    file: str
    id: int
    fields: MappingType[str, Node]


class ReservationReader:
    """Collects the advance reservations of all files; their times are known in the end."""

    def __init__(self, notes: NodeReader) -> None:
        self._notes = notes
        self._drafts: dict[int, _Draft] = {}

    def take(self, node: Node) -> None:
        body = resolve(node)
        if isinstance(body, Sequence):
            for item in body.items:
                self._take_reservation(item)
        elif not (isinstance(body, Scalar) and body.text in ("", "NONE")):
            self._notes.say("format.yaml.type", "reservations is a list, each one begins with a dash", node)

    def finish(self, clock: JobTimes, now: int | None = None) -> tuple[AdvanceReservation, ...]:
        """All of them in the order of their numbers; `now` tells those that say no state whether they run."""
        reservations = (self._finished(draft, clock, now) for _, draft in sorted(self._drafts.items()))
        return tuple(reservation for reservation in reservations if reservation is not None)

    def _take_reservation(self, item: Node) -> None:
        notes, body = self._notes, resolve(item)
        if not isinstance(body, Mapping):
            notes.say("format.yaml.type", "a reservation is written as id: ..., owner: ..., granted: ...", item)
            return
        fields = notes.fields(body, RESERVATION.names, "an advance reservation", RULE)
        missing = [key for key in _NEEDED if not (key in fields if key == "granted" else notes.word(fields.get(key)))]
        if missing:
            notes.say(RULE, f"an advance reservation needs {', '.join(missing)}", item)
            return
        number = whole_number(notes.word(fields["id"]), 1, HIGHEST_NUMBER)
        if number is None:
            notes.say(RULE, f'"{notes.word(fields["id"])}" is not the number of a reservation', fields["id"])
            return
        if number in self._drafts:
            notes.say("format.duplicate", f"advance reservation {number} is written twice", item)
            return
        self._drafts[number] = _Draft(notes.file, number, fields)

    def _finished(self, draft: _Draft, clock: JobTimes, now: int | None) -> AdvanceReservation | None:
        notes, fields = self._notes, draft.fields
        notes.file = draft.file
        values = read_values(ItemReading(notes, clock, RULE, clock.base), RESERVATION, fields)
        if values is None:
            return None
        started = now is not None and values["start"] <= now
        reservation = AdvanceReservation(id=draft.id, **{STATE: "r" if started else "w", **values})
        if reservation.end <= reservation.start:
            notes.say(RULE, f"advance reservation {draft.id} ends before it has begun", fields["end"])
            return None
        return reservation
