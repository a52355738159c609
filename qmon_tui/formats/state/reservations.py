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

`start` and `end` are times, or offsets from the first job's submission. `state` is that of qrstat: w waits for its
start, r runs, E is in error, W waits and is in error, X is over and d deleted; without it, the times tell whether the
reservation waits or runs. `requests` are hard ones as for qsub -l, per slot. `users` are those who may use it, with @
before a user set or a group; without it, everybody may. `pe` is the parallel environment it was granted in, and
`submitted` when that was. With
`strict` (qrsub -he y) its jobs do not start while it is in error.
"""

from collections.abc import Mapping as MappingType
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from qmon_tui.formats.qsub import parse_qsub
from qmon_tui.formats.state.job_times import JobTimes
from qmon_tui.formats.state.node_reader import NodeReader, read_granted, small_number
from qmon_tui.formats.yaml.nodes import Mapping, Node, Scalar, Sequence, resolve
from qmon_tui.model.state import AdvanceReservation
from qmon_tui.values.lists import BLANK_OR_COMMA, split_names

STATES: Final = ("w", "r", "E", "W", "X", "d")
RULE: Final = "format.reservation"

_KEYS: Final = (
    *("id", "owner", "start", "end", "granted", "state", "requests", "users", "pe", "submitted", "strict", "name"),
    "account",
)
_NEEDED: Final = ("id", "owner", "start", "end", "granted")
_TRUTHS: Final = {"": False, "false": False, "true": True}


@dataclass(frozen=True, slots=True)
class _Draft:
    """One whose times are not known yet, because they may be offsets from the first job's."""

    file: str
    id: int
    granted: MappingType[str, int]
    fields: MappingType[str, Node]


class ReservationReader:
    """Collects the advance reservations of all files; their times are known in the end."""

    def __init__(self, notes: NodeReader) -> None:
        self._notes = notes
        self._drafts: dict[int, _Draft] = {}

    def take(self, node: Node) -> None:
        """Read one list of reservations."""
        body = resolve(node)
        if isinstance(body, Sequence):
            for item in body.items:
                self._take_one(item)
        elif not (isinstance(body, Scalar) and body.text in ("", "NONE")):
            self._notes.say("format.yaml.type", "reservations is a list, each one begins with a dash", node)

    def finish(self, clock: JobTimes, now: int | None = None) -> tuple[AdvanceReservation, ...]:
        """All of them in the order of their numbers; `now` tells those that say no state whether they run."""
        reservations = (self._finished(draft, clock, now) for _, draft in sorted(self._drafts.items()))
        return tuple(reservation for reservation in reservations if reservation is not None)

    def _take_one(self, item: Node) -> None:
        notes, body = self._notes, resolve(item)
        if not isinstance(body, Mapping):
            notes.say("format.yaml.type", "a reservation is written as id: ..., owner: ..., granted: ...", item)
            return
        fields = notes.fields(body, _KEYS, "an advance reservation", RULE)
        missing = [key for key in _NEEDED if not (key in fields if key == "granted" else notes.word(fields.get(key)))]
        if missing:
            notes.say(RULE, f"an advance reservation needs {', '.join(missing)}", item)
            return
        number = small_number(notes.word(fields["id"]), 7)
        if not number:
            notes.say(RULE, f'"{notes.word(fields["id"])}" is no number of a reservation', fields["id"])
            return
        if number in self._drafts:
            notes.say("format.duplicate", f"advance reservation {number} is written twice", item)
            return
        granted = read_granted(notes, fields["granted"], RULE)
        if granted is not None:
            self._drafts[number] = _Draft(notes.file, number, MappingProxyType(granted), fields)

    def _finished(self, draft: _Draft, clock: JobTimes, now: int | None) -> AdvanceReservation | None:
        notes, fields = self._notes, draft.fields
        notes.file = draft.file
        start, end = (
            clock.read(notes, notes.word(fields[key]), fields[key], None, clock.base) for key in ("start", "end")
        )
        if end <= start:
            notes.say(RULE, f"advance reservation {draft.id} ends before it has begun", fields["end"])
            return None
        state = notes.word(fields.get("state")) or ("r" if now is not None and start <= now else "w")
        if state not in STATES:
            notes.say(RULE, f'"{state}" is no state of a reservation, write one of {" ".join(STATES)}', fields["state"])
            return None
        strict = _TRUTHS.get(notes.word(fields.get("strict")).lower())
        if strict is None:
            notes.say(RULE, "strict is true or false", fields["strict"])
        requests = notes.word(fields.get("requests"))
        parsed = parse_qsub(f"-l {requests}" if requests else "")
        for message in parsed.problems:
            notes.say("format.qsub", message, fields["requests"])
        return AdvanceReservation(
            id=draft.id,
            owner=notes.word(fields["owner"]),
            start=start,
            end=end,
            granted=draft.granted,
            state=state,
            requests=parsed.request.hard,
            users=split_names(notes.word(fields.get("users")), BLANK_OR_COMMA),
            environment=notes.word(fields.get("pe")) or None,
            submitted=self._submitted(draft, clock),
            strict=bool(strict),
            name=notes.word(fields.get("name")),
            account=notes.word(fields.get("account")),
        )

    def _submitted(self, draft: _Draft, clock: JobTimes) -> int | None:
        node = draft.fields.get("submitted")
        return None if node is None else clock.read(self._notes, self._notes.word(node), node, None, clock.base)
