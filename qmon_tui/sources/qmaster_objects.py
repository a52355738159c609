"""Reading the objects of a running cluster as qconf prints them, and the kinds that the catalogue lacks."""

import re
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from qmon_tui.formats import LISTS, file_of, is_passed_over, problem
from qmon_tui.model import Finding, Kind
from qmon_tui.sources.clients import ClientError, Clients
from qmon_tui.sources.folder_files import CATEGORIES, decoded

MOST_HOSTS: Final = 60
"""Largest number of execution hosts that the first step of a reading shows, as each takes 25 ms."""
_AT_ONCE: Final = 40
"""Largest number of objects that one call of qconf shows."""


class _Shown(NamedTuple):
    """qconf's options for one kind: list all names (`listing`), show one object (`show`)."""

    listing: str
    show: str
    first: str
    """Regex of the beginning of a printed object."""


_SHOWN: Final = {
    Kind.CONFIGURATION: _Shown("-sconfl", "-sconf", r"#\S+:$"),
    Kind.USERSET: _Shown("-sul", "-su", "name "),
    Kind.PROJECT: _Shown("-sprjl", "-sprj", "name "),
    Kind.USER: _Shown("-suserl", "-suser", "name "),
    Kind.HOST: _Shown("-sel", "-se", "hostname "),
    Kind.HOSTGROUP: _Shown("-shgrpl", "-shgrp", "group_name "),
    Kind.CALENDAR: _Shown("-scall", "-scal", "calendar_name "),
    Kind.CKPT: _Shown("-sckptl", "-sckpt", "ckpt_name "),
    Kind.PE: _Shown("-spl", "-sp", "pe_name "),
    Kind.QUEUE: _Shown("-sql", "-sq", "qname "),
    Kind.QUOTA: _Shown("-srqsl", "-srqs", r"\{$"),
}
_SINGLE: Final = {
    Kind.COMPLEX: "-sc", Kind.SCHEDULER: "-ssconf", Kind.SHARETREE: "-sstree", Kind.MANAGERS: "-sm",
    Kind.OPERATORS: "-so", Kind.ADMIN_HOSTS: "-sh", Kind.SUBMIT_HOSTS: "-ss",
}  # fmt: skip
_ALWAYS: Final = {Kind.CONFIGURATION: "global", Kind.HOST: "global"}
"""Objects that always exist, even if qconf does not list them."""
_NONE_THERE: Final = re.compile(
    r"\bno\b.*\b(?:defined|found|element)\b|^invalid option|does not exist|^\S+ is not (?:an? |known as)"
    r"|^No cluster queue|can't resolve hostname",
    re.IGNORECASE,
)


class Printed(NamedTuple):
    """Objects as qconf printed them."""

    texts: dict[str, str]
    """File of the object in a dump of save_sge_config.sh -> its text."""
    findings: tuple[Finding, ...] = ()
    later: tuple[str, ...] = ()
    """Execution hosts that were only listed, to be shown later."""


def read_all(clients: Clients, *, in_steps: bool) -> Printed:
    """Return every object; with `in_steps` more than MOST_HOSTS hosts are only listed. Raises SourceError."""
    listings = clients.ask_all(("qconf", shown.listing) for shown in _SHOWN.values())
    singles = clients.ask_all(("qconf", option) for option in _SINGLE.values())
    printed: list[tuple[Kind, str, bytes]] = []
    for (kind, option), answer in zip(_SINGLE.items(), singles, strict=True):
        data = what_is_printed(option, answer.status, answer.out, answer.complaint)
        if data or kind in LISTS:  # a dump has an empty file for an empty list
            printed.append((kind, kind.value, data))
    named: list[tuple[Kind, str]] = []
    later: tuple[str, ...] = ()
    for (kind, shown), answer in zip(_SHOWN.items(), listings, strict=True):
        text = what_is_printed(shown.listing, answer.status, answer.out, answer.complaint).decode("utf-8", "replace")
        names = [name for name in text.split() if not name.startswith("-")]
        if kind in _ALWAYS and _ALWAYS[kind] not in names:
            names.insert(0, _ALWAYS[kind])
        if kind is Kind.HOST and in_steps and len(names) > MOST_HOSTS:
            later = tuple(name for name in names if name != _ALWAYS[kind])
            names = [_ALWAYS[kind]]
        named += ((kind, name) for name in names)
    return _kept((*printed, *_shown(clients, named)))._replace(later=later)


def read_named(clients: Clients, named: Iterable[tuple[Kind, str]]) -> Printed:
    """Return the named objects; objects that no longer exist have no text. Raises SourceError."""
    singles = [kind for kind, _ in named if kind in _SINGLE]
    printed = []
    for kind, answer in zip(singles, clients.ask_all(("qconf", _SINGLE[kind]) for kind in singles), strict=True):
        data = what_is_printed(_SINGLE[kind], answer.status, answer.out, answer.complaint)
        printed += [(kind, kind.value, data)] if data else []
    return _kept((*printed, *_shown(clients, [place for place in named if place[0] not in _SINGLE])))


def _shown(clients: Clients, named: Sequence[tuple[Kind, str]]) -> list[tuple[Kind, str, bytes]]:
    """Show objects, several of a kind by one client; objects that no longer exist are left out."""
    by_kind: dict[Kind, list[str]] = {}
    for kind, name in named:
        by_kind.setdefault(kind, []).append(name)
    batches = [
        (kind, names[at : at + _AT_ONCE]) for kind, names in by_kind.items() for at in range(0, len(names), _AT_ONCE)
    ]
    printed: list[tuple[Kind, str, bytes]] = []
    answers = clients.ask_all(_show_line(kind, names) for kind, names in batches)
    for (kind, names), answer in zip(batches, answers, strict=True):
        parts = _parts(_SHOWN[kind].first, answer.out)
        if answer.status or len(parts) != len(names):  # one of them no longer exists
            singly = clients.ask_all(_show_line(kind, (name,)) for name in names)
            parts = [each.out if not each.status else b"" for each in singly]
        printed += [(kind, name, data) for name, data in zip(names, parts, strict=True) if data]
    return printed


def _kept(printed: Iterable[tuple[Kind, str, bytes]]) -> Printed:
    """Return the texts by file, and findings about objects whose name no file can have or that are no text."""
    texts: dict[str, str] = {}
    findings: list[Finding] = []
    for kind, name, data in printed:
        text, fault = decoded(data)
        try:
            file = file_of(kind, name)
        except ValueError as error:
            findings.append(problem("format.name", str(error), kind=kind, name=name))
            continue
        if text is not None:
            texts[file] = text
        else:
            message = f"what qconf prints of it cannot be read: {fault}; correct it with qconf"
            findings.append(problem("format.encoding", message, file=file, kind=kind, name=name))
    return Printed(texts, tuple(findings))


def read_others(clients: Clients) -> dict[str, str]:
    """Return the kinds that the catalogue lacks, as a successor of Grid Engine prints them: file -> text.

    Raises SourceError.
    """
    if clients.version.startswith("SGE "):
        return {}
    roles, categories = clients.ask_all((("qconf", "-srolel"), ("qconf", "-scatl")))
    printed = "" if roles.status else roles.out.decode("utf-8", "replace")
    names = (name for name in printed.split() if "/" not in name and not is_passed_over(name))
    lines = [(f"roles/{name}", ("qconf", "-srole", name)) for name in names]
    answers = [categories, *clients.ask_all(line for _, line in lines)]
    texts: dict[str, str] = {}
    for file, answer in zip((CATEGORIES, *(file for file, _ in lines)), answers, strict=True):
        text, _ = decoded(answer.out)
        if text and not answer.status:
            texts[file] = text
    return texts


def _show_line(kind: Kind, names: Iterable[str]) -> tuple[str, ...]:
    """Return the command that shows objects of a kind: qconf takes several options in one call."""
    show = _SHOWN[kind].show
    return ("qconf", *(word for name in names for word in (show, name)))


def _parts(first: str, out: bytes) -> list[bytes]:
    """Split qconf's output into objects; `first` is the regex of the beginning of each."""
    starts = [match.start() for match in re.finditer(b"^" + first.encode(), out, re.MULTILINE)]
    return [out[start:end] for start, end in zip(starts, [*starts[1:], None], strict=False)]


def what_is_printed(option: str, status: int, out: bytes, complaint: str) -> bytes:
    """Return qconf's output; empty if it reports that nothing exists. Raises ClientError for another failure."""
    if status and not out and not _NONE_THERE.search(complaint):
        reason = complaint.partition("\n")[0][:160] or f"status {status}"
        raise ClientError(f"qconf {option} is refused ({reason}): see whether this host may ask (qconf -sh, -ss)")
    return out if not status or not _NONE_THERE.search(complaint) else b""
