"""The options of qsub that say what a job asks for: the reverse of `qsub.parse_qsub` (qsub(1))."""

import shlex
from collections.abc import Callable, Iterator
from typing import Final

from qmon_tui.model.state import Request, TaskRange
from qmon_tui.values.ranges import slots_text
from qmon_tui.values.times import format_qsub_date

_Read = Callable[[Request], str]


def qsub_line(request: Request, name: str = "") -> str:
    """The options, in one order, and the command; `parse_qsub` reads the same request from it."""
    words = [*_kept(request), *(["-N", name] if name else []), *_lists(request), *_single(request)]
    return shlex.join([*words, *request.command])


def _kept(request: Request) -> Iterator[str]:
    for option, argument in request.kept:
        yield option
        if argument:
            yield argument


def _lists(request: Request) -> Iterator[str]:
    if request.hard or request.has_empty_list:
        yield from ("-l", _resources(request.hard))
    if request.hard_queues:
        yield from ("-q", ",".join(request.hard_queues))
    if request.soft or request.soft_queues:
        yield "-soft"
        if request.soft:
            yield from ("-l", _resources(request.soft))
        if request.soft_queues:
            yield from ("-q", ",".join(request.soft_queues))
        yield "-hard"
    for option, names in (
        ("-masterq", request.master_queues),
        ("-hold_jid", request.hold_jid),
        ("-hold_jid_ad", request.hold_jid_ad),
    ):
        if names:
            yield from (option, ",".join(names))


def _resources(requests: tuple[tuple[str, str | None], ...]) -> str:
    return ",".join(name if value is None else f"{name}={value}" for name, value in requests)


def _single(request: Request) -> Iterator[str]:
    if request.pe is not None:
        yield from ("-pe", request.pe.name, slots_text(request.pe.ranges))
    for option, read in _OPTIONS.items():
        text = read(request)
        if text:
            yield from (option, text)


def _tasks(array: TaskRange | None) -> str:
    return f"{array.first}-{array.last}:{array.step}" if array is not None else ""


def _date(seconds: int | None) -> str:
    return format_qsub_date(seconds) if seconds is not None else ""


def _number(value: int) -> str:
    return str(value) if value else ""


_OPTIONS: Final[dict[str, _Read]] = {
    "-t": lambda request: _tasks(request.array),
    "-tc": lambda request: _number(request.max_running_tasks),
    "-p": lambda request: _number(request.priority),
    "-P": lambda request: request.project or "",
    "-A": lambda request: request.account or "",
    "-a": lambda request: _date(request.start_time),
    "-dl": lambda request: _date(request.deadline),
    "-h": lambda request: request.hold,
    "-js": lambda request: _number(request.job_share),
    "-ot": lambda request: _number(request.override_tickets),
    "-R": lambda request: "y" if request.reserve else "",
    "-r": lambda request: request.rerun,
    "-now": lambda request: "y" if request.immediate else "",
    "-ckpt": lambda request: request.checkpoint or "",
    "-c": lambda request: request.checkpoint_when,
    "-ar": lambda request: request.advance_reservation or "",
    "-w": lambda request: request.verify,
}
"""Option -> its argument; empty where the option is not needed."""
