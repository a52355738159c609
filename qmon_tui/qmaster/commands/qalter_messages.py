"""qalter's messages for each option replaced."""

from collections.abc import Callable, Iterable, Iterator
from typing import Final

from qmon_tui.model import Job, Request
from qmon_tui.qmaster.commands.command import OPERATOR_AT_HOST

_Words = Callable[[Job, Job], Iterator[str]]


def _modified(what: str) -> _Words:
    def words(_: Job, after: Job) -> Iterator[str]:
        yield f"modified {what} of job {after.id}"

    return words


def _sets(what: str, read: Callable[[Request], object]) -> _Words:
    def words(_: Job, after: Job) -> Iterator[str]:
        yield f"{OPERATOR_AT_HOST} sets {what} of job {after.id} to {read(after.request)}"

    return words


def _project(before: Job, after: Job) -> Iterator[str]:
    if before.request.project != after.request.project:
        yield f"modified project of job {after.id}"


def _environment(_: Job, after: Job) -> Iterator[str]:
    yield f"modified parallel environment of job {after.id}"
    yield f"modified slot range of job {after.id}"


_MESSAGES: Final[dict[str, _Words]] = {
    "-p": _sets("scheduling priority", lambda request: request.priority),
    "-js": _sets("job share", lambda request: request.job_share),
    "-ot": _sets("override tickets", lambda request: request.override_tickets),
    "-ar": _sets("job advance reservation", lambda request: request.advance_reservation or 0),
    "-l": _modified("hard resource list"),
    "-soft -l": _modified("soft resource list"),
    "-q": _modified("hard queue list"),
    "-soft -q": _modified("soft queue list"),
    "-masterq": _modified("master hard queue list"),
    "-pe": _environment,
    "-N": _modified("job name"),
    "-P": _project,
    "-A": _modified("account"),
    "-tc": _modified("task concurrency"),
    "-hold_jid": _modified("job id hold list"),
    "-hold_jid_ad": _modified("job id hold array list"),
    "-ckpt": _modified("checkpointing environment"),
    "-m": _modified("mail options"),
    "-M": _modified("mail list"),
    "-e": _modified("stderr path list"),
    "-o": _modified("stdout path list"),
    "-i": _modified("stdin path list"),
    "-S": _modified("shell list"),
    "-cwd": _modified("working directory"),
    "-wd": _modified("working directory"),
    "-v": _modified("environment"),
    "-V": _modified("environment"),
    "-notify": _modified("notify behaviour"),
    "-binding": _modified("binding"),
    "-R": _modified("reservation behaviour"),
    "-r": _modified("restart behaviour"),
    "-a": _modified("start time"),
    "-j": _modified("output merge behaviour"),
    "-ac": _modified("context"),
    "-dc": _modified("context"),
    "-sc": _modified("context"),
}


_IN_ORDER: Final = (
    *("-p", "-js", "-ot", "-ar", "-dl", "-a", "-A", "-cwd", "-wd", "-ckpt", "-e", "-i", "-R", "-j", "-l", "-soft -l"),
    *("-m", "-M", "-N", "-hold_jid", "-hold_jid_ad", "-o", "-notify", "-P", "-pe", "-q", "-soft -q", "-masterq"),
    *("-S", "-v", "-V", "-r", "-ac", "-dc", "-sc", "-binding", "-tc"),
)
"""Order in which the qmaster handles the options, independent of the command line; holds come first."""


def in_order(given: Iterable[str]) -> list[str]:
    """Return the options in the qmaster's order, without those that have neither refusals nor messages."""
    known = frozenset(given)
    return [option for option in _IN_ORDER if option in known]


def entry_notes(option: str, before: Job, after: Job) -> Iterator[str]:
    """Yield the messages for a replaced option."""
    if option in _MESSAGES:
        yield from _MESSAGES[option](before, after)
