"""Advance reservations as qrstat lists them, the details of one, its form, and the result of a trial."""

from collections.abc import Hashable, Iterator, Sequence
from typing import Final

from qmon_tui.model import AdvanceReservation, Cluster, Kind, State
from qmon_tui.report.jobtable import FormField, Input, resource_fields
from qmon_tui.report.row_filter import FilterField, FilterFields, address_test, host_test
from qmon_tui.report.spans import Line, Span, TextRole, fit, wrap
from qmon_tui.report.table_rows import Column, ListRows, titles
from qmon_tui.report.words import count, moment
from qmon_tui.values import format_qsub_date, time_text
from qmon_tui.workspace import ReservationTrial

STATES: Final = {
    "w": ("waits for its start", TextRole.WAITING),
    "r": ("runs", TextRole.RUNNING),
    "E": ("runs, in error", TextRole.FAILED),
    "W": ("waits, in error", TextRole.FAILED),
    "X": ("is over", TextRole.DIM),
    "d": ("is being deleted", TextRole.REMOVED),
}
_COLUMNS: Final = (
    Column("id", "ar-id", 6, right=True), Column("name", "name", 10), Column("owner", "owner", 10),
    Column("state", "state", 5), Column("start", "start at", 19), Column("end", "end at", 19),
    Column("duration", "duration", 9, right=True),
)  # fmt: skip


_ROOM: Final = 110
_SHORT: Final = 11


class ReservationRows(ListRows[AdvanceReservation]):
    """One row for each advance reservation."""

    def __init__(self, reservations: Sequence[AdvanceReservation] = (), marked: frozenset[int] = frozenset()) -> None:
        super().__init__(reservations)
        self._marked = marked

    def key(self, index: int) -> Hashable:
        return self.items[index].id

    def head(self, cells: int) -> Line | None:
        return fit((Span(" "), *titles(_columns(cells)), Span("granted", TextRole.DIM)), cells)

    def line(self, index: int, cells: int) -> Line:
        reservation = self.items[index]
        role = STATES.get(reservation.state, ("", TextRole.PLAIN))[1]
        spans = [Span("✓" if reservation.id in self._marked else " ", TextRole.ACCENT)]
        texts = _texts(reservation)
        for column in _columns(cells):
            text = texts[column.key]
            # A narrow column leaves out the year and the seconds; the lines below the table have them.
            text = text[5:16] if column.cells == _SHORT and column.key in ("start", "end") else text
            spans += [column.cell(text, role if column.key == "state" else TextRole.PLAIN), Span(" ")]
        return fit((*spans, Span(_places(reservation), TextRole.DIM)), cells)

    def text(self, index: int) -> str:
        return _text(self.items[index])


def _text(reservation: AdvanceReservation) -> str:
    return " ".join((*filter(None, _texts(reservation).values()), _places(reservation)))


RESERVATION_FILTER_FIELDS: Final[FilterFields[AdvanceReservation]] = FilterFields(
    {
        "id": FilterField(lambda reservation: (str(reservation.id),), "its number", exact=True),
        "name": FilterField(lambda reservation: (reservation.name,), "its name"),
        "owner": FilterField(lambda reservation: (reservation.owner,), "who has it"),
        "state": FilterField(lambda reservation: (reservation.state,), "the letter of qrstat", exact=True),
        "pe": FilterField(lambda reservation: (reservation.environment or "",), "its parallel environment"),
        "queue": FilterField(lambda reservation: (part for place in reservation.granted
                                                  for part in (place, place.partition("@")[0])),
                             "where slots are kept", special=address_test),
        "host": FilterField(lambda reservation: (place.partition("@")[2] for place in reservation.granted),
                            "where slots are kept", special=host_test),
        "slots": FilterField(lambda reservation: (str(sum(reservation.granted.values())),), "slots that are kept",
                             number=lambda reservation: float(sum(reservation.granted.values())), is_numeric=True),
    },
    _text,
    {"user": "owner", "u": "owner", "q": "queue"},
    {"-u": "owner=={}".format},
    hosts="host",
)  # fmt: skip
"""The names that a filter of advance reservations knows."""


def _columns(cells: int) -> tuple[Column, ...]:
    if cells >= _ROOM:
        return _COLUMNS
    return tuple(column._replace(cells=_SHORT) if column.cells > _SHORT else column for column in _COLUMNS)


def _texts(reservation: AdvanceReservation) -> dict[str, str]:
    return {
        "id": str(reservation.id), "name": reservation.name, "owner": reservation.owner, "state": reservation.state,
        "start": moment(reservation.start),
        "end": moment(reservation.end), "duration": time_text(reservation.end - reservation.start),
    }  # fmt: skip


def _places(reservation: AdvanceReservation) -> str:
    return ",".join(f"{name}={slots}" for name, slots in reservation.granted.items())


def detail(reservation: AdvanceReservation, state: State) -> Iterator[tuple[str, str]]:
    """Yield (name, text) of the fields of qrstat -ar, and the jobs of the reservation."""
    words = STATES.get(reservation.state, ("", TextRole.PLAIN))[0]
    slots = sum(reservation.granted.values())
    jobs = [job for job in state.jobs if job.request.advance_reservation == str(reservation.id)]
    yield "id", str(reservation.id)
    yield "name", reservation.name
    yield "owner", reservation.owner
    yield "state", f"{reservation.state}  {words}"
    yield "start_time", moment(reservation.start)
    yield "end_time", moment(reservation.end)
    yield "duration", time_text(reservation.end - reservation.start)
    yield "submission_time", moment(reservation.submitted) if reservation.submitted is not None else "not known"
    yield "account", reservation.account or "sge"
    yield "resource_list", ",".join(name if text is None else f"{name}={text}" for name, text in reservation.requests)
    yield "error_handling", "true: its jobs do not start while it is in error" if reservation.strict else ""
    yield "granted_slots_list", _places(reservation)
    yield "granted_parallel_environment", f"{reservation.environment} slots {slots}" if reservation.environment else ""
    yield "acl_list", ",".join(reservation.users)
    yield "jobs", ", ".join(f"{job.id} {job.name}" for job in jobs) or "none"


def detail_lines(reservation: AdvanceReservation, state: State, cells: int) -> tuple[Line, ...]:
    """Return the fields of `detail` that are not empty."""
    lines: list[Line] = []
    for name, text in detail(reservation, state):
        if text:
            lines += wrap(text, cells, first=f"{name:<29}", rest=" " * 29)
    return tuple(lines)


def options_of(reservation: AdvanceReservation) -> str:
    """Return the options of qrsub that request the same reservation."""
    resources = ",".join(name if text is None else f"{name}={text}" for name, text in reservation.requests)
    parts = [
        f"-N {reservation.name}" if reservation.name else "",
        f"-a {format_qsub_date(reservation.start)}",
        f"-d {reservation.end - reservation.start}",
        f"-pe {reservation.environment} {sum(reservation.granted.values())}" if reservation.environment else "",
        f"-u {','.join(reservation.users)}" if reservation.users else "",
        f"-A {reservation.account}" if reservation.account else "",
        "-he y" if reservation.strict else "", f"-l {resources}" if resources else "",
    ]  # fmt: skip
    return " ".join(filter(None, parts))


def reservation_fields(cluster: Cluster) -> tuple[FormField, ...]:
    """Return the options of qrsub, with the requestable attributes before those of mail."""

    def names(kind: Kind) -> tuple[str, ...]:
        return tuple(cluster.objects(kind))

    queues = names(Kind.QUEUE)
    return (
        FormField("-N", "name", "the name of the reservation"),
        FormField("-a", "from", "a date CCYYMMDDhhmm.SS; without it from now on"),
        FormField("-d", "duration", "seconds, or hours:minutes:seconds"),
        FormField("-e", "until", "a date, instead of the duration"),
        FormField("-pe", "parallel env.", "parallel environment and slots: mpi 4-8", Input.PICK, names(Kind.PE)),
        FormField("-q", "queue", "cluster queues or instances that it may use", Input.PICK, queues),
        FormField("-masterq", "master queue", "where the master task is to be", Input.PICK, queues),
        FormField("-u", "users", "who may use it: anna,@userset; without it everybody", Input.PICK,
                  tuple(f"@{name}" for name in names(Kind.USERSET))),
        FormField("-he", "hard errors", "y: its jobs do not start while it is in error", Input.CHOICE, ("", "y", "n")),
        FormField("-ckpt", "checkpointing", "a checkpointing environment", Input.PICK, names(Kind.CKPT)),
        FormField("-A", "account", "the account string in accounting records"),
        *resource_fields(cluster),
        FormField("-m", "mail at", "b begin, e end, a abort"),
        FormField("-M", "mail to", "addresses"),
    )  # fmt: skip


def reservation_trial_lines(trial: ReservationTrial, cells: int) -> tuple[Line, ...]:
    """Return the slots that would be granted, or the refusal."""
    reservation = trial.granted
    if reservation is None:
        lines: list[Line] = list(wrap(trial.printed[-1], cells, TextRole.ERROR, first="✗ ", rest="  "))
        return (*lines, *(line for text in trial.printed[:-1] for line in wrap(text, cells, first="  ", rest="    ")))
    lines = list(wrap(f"would be granted {_places(reservation)}", cells, TextRole.RUNNING, first="✓ ", rest="  "))
    lines += wrap(f"from {moment(reservation.start)} until {moment(reservation.end)}", cells, first="  ", rest="  ")
    if reservation.state in "EW":
        stopped = "It would be in error as long as one of these queue instances is disabled or stopped."
        lines += wrap(stopped, cells, TextRole.WARNING, first="! ", rest="  ")
    if trial.others:
        numbers = ", ".join(map(str, trial.others[:6]))
        lines += wrap(
            f"{count(len(trial.others), 'job')} would not start now for it: {numbers}", cells, TextRole.WARNING
        )
    return tuple(lines)
