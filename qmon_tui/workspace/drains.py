"""Edits that disable queue instances with a reason, and that give userset members and tickets an end date."""

import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from getpass import getuser
from types import MappingProxyType

from qmon_tui.model import Cluster, DatedPlace, Drain, State, drains_at, end_of_day, last_day, queue_instances, vanished
from qmon_tui.qmaster import InstanceCommand, QmodQueues
from qmon_tui.values import parse_moment
from qmon_tui.workspace.document import Document
from qmon_tui.workspace.edits import Batch, Edit
from qmon_tui.workspace.state_edits import CommandEdit


@dataclass(frozen=True, slots=True)
class SetDrains(Edit):
    """Give hosts or queue instances a reason, or take reasons away from them."""

    label: str = field()  # declared as a field, else the property of Edit would be its default
    places: tuple[str, ...]
    added: Drain | None = None
    removed: frozenset[str] = frozenset()
    """Keys of the reasons that are removed."""

    def made(self, document: Document) -> Document:
        drains = without_reasons(document.state, self.places, self.removed)
        if self.added is not None:
            for place in self.places:
                kept = (drain for drain in drains.get(place, ()) if drain.key != self.added.key)
                drains[place] = (*kept, self.added)
        return document.with_state(replace(document.state, drains=MappingProxyType(drains)))


@dataclass(frozen=True, slots=True)
class GivenReason:
    """A reason with the places for which it was given."""

    drain: Drain
    places: tuple[str, ...]


def administrator() -> str:
    """Return the login name of the user, also below sudo, to record with a reason; root if the system knows none."""
    try:
        return os.environ.get("SUDO_USER") or getuser()
    except (KeyError, OSError):  # no name for the number of the user
        return "root"


def read_until(text: str, now: int) -> int | None:
    """Parse a date, or an offset from `now`, to seconds since the epoch; None for an empty text.

    Raises ValueError with a sentence.
    """
    return parse_moment(text, now) if text.strip() else None


def drained_places(cluster: Cluster, names: Iterable[str]) -> tuple[str, ...]:
    """Return the places to which a reason for queue instances applies: a host if all its instances are named,

    else each named queue instance.
    """
    named = dict.fromkeys(names)
    left = {host for queue, host in queue_instances(cluster) if f"{queue}@{host}" not in named}
    hosts = (name.rpartition("@")[2] for name in named)
    return tuple(dict.fromkeys(name if host in left else host for name, host in zip(named, hosts, strict=True)))


def disable(document: Document, names: Sequence[str], drain: Drain, letters: Mapping[str, str]) -> Edit:
    """Return the edit that disables queue instances and records the reason; `letters`: instance -> qstat's states."""
    places = drained_places(document.cluster, names)
    parts: list[Edit] = [SetDrains(f"drain {_called(places)}: {drain.reason}", places, drain)]
    if enabled := [name for name in names if "d" not in letters.get(name, "")]:
        parts.insert(0, CommandEdit(QmodQueues(InstanceCommand.DISABLE, tuple(enabled))))
    return Batch(f"disable {_called(places)}: {drain.reason}", tuple(parts))


def reasons_for(state: State, names: Iterable[str]) -> tuple[GivenReason, ...]:
    """Return the reasons for queue instances, each once with all its places; the order is that of `names`."""
    given: dict[Drain, dict[str, None]] = {}
    for name in names:
        for place in (name.rpartition("@")[2], name):
            for drain in state.drains.get(place, ()):
                given.setdefault(drain, {})[place] = None
    return tuple(GivenReason(drain, tuple(places)) for drain, places in given.items())


def without_reasons(state: State, places: Iterable[str], keys: Collection[str]) -> dict[str, tuple[Drain, ...]]:
    """Return the drains without the reasons of these keys in these places."""
    drains = dict(state.drains)
    for place in places:
        kept = tuple(drain for drain in drains.pop(place, ()) if drain.key not in keys)
        if kept:
            drains[place] = kept
    return drains


def enable(
    document: Document, names: Sequence[str], reasons: Sequence[GivenReason], letters: Mapping[str, str]
) -> tuple[Edit, tuple[str, ...]]:
    """Return the edit that removes reasons and enables instances without any left, and the instances left disabled.

    Removing the reason of a host concerns all its queue instances. `letters`: instance -> states as in qstat.
    """
    keys = frozenset(reason.drain.key for reason in reasons)
    places = tuple(dict.fromkeys(place for reason in reasons for place in reason.places))
    drains = without_reasons(document.state, places, keys)
    hosts = frozenset(place for place in places if "@" not in place)
    on_hosts = (f"{queue}@{host}" for queue, host in queue_instances(document.cluster) if host in hosts)
    disabled = [name for name in dict.fromkeys((*names, *on_hosts)) if "d" in letters.get(name, "")]
    ready = [name for name in disabled if not drains_at(drains, name)]
    parts: list[Edit] = []
    if places:
        parts.append(SetDrains(f"end the drain of {_called(places)}", places, removed=keys))
    if ready:
        parts.append(CommandEdit(QmodQueues(InstanceCommand.ENABLE, tuple(ready))))
    label = f"enable {_called(ready)}" if ready else f"end the drain of {_called(places)}"
    return Batch(label, tuple(parts)), tuple(name for name in disabled if name not in set(ready))


def _called(names: Sequence[str]) -> str:
    noun = "queue instances" if any("@" in name for name in names) else "hosts"
    return names[0] if len(names) == 1 else f"{len(names)} {noun}"


@dataclass(frozen=True, slots=True)
class SetException(Edit):
    """Give a place an end date with a reason; `given` None removes both."""

    label: str = field()  # declared as a field, else the property of Edit would be its default
    place: str
    given: Drain | None
    forgotten: tuple[str, ...] = ()
    """Places to drop: they no longer exist and their end date has passed."""

    def made(self, document: Document) -> Document:
        known = dict(document.state.exceptions)
        for name in (self.place, *self.forgotten):
            known.pop(name, None)
        if self.given is not None:
            known[self.place] = (self.given,)
        return document.with_state(replace(document.state, exceptions=MappingProxyType(known)))


def read_end(text: str, now: int) -> Drain | None:
    """Parse an exception such as `2026-12-01 cover for anna`; None for `-`, which removes it.

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
    """Return the edit that sets a place's exception (None removes it). Places in `base`, as read, are not dropped."""
    forgotten = vanished((document.cluster, base.cluster), document.state.exceptions, document.state.now)
    words = f"{place.words} until {last_day(given)}: {given.reason}" if given else f"no end for {place.words}"
    return SetException(words, place.text, given, tuple(name for name in forgotten if name != place.text))
