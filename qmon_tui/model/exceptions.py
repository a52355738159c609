"""Reasons and end dates of drained hosts and of exceptions, which Grid Engine does not keep.

Exceptions have the end in their name, such as `bela_until_2026-12-01`; the ends of userset members and of override
tickets, which have no name of their own, are in `State.exceptions`.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from types import MappingProxyType
from typing import Final, NamedTuple

from qmon_tui.model.cluster import Cluster, ConfigObject
from qmon_tui.model.fields import Separator
from qmon_tui.model.kinds import Kind
from qmon_tui.model.quota_rules import QuotaFilter, parse_rule, rules_of
from qmon_tui.values import split_names


@dataclass(frozen=True, slots=True)
class Drain:
    """One reason for which a host or a queue instance was disabled, or an exception was made."""

    reason: str
    who: str = ""
    """The administrator; empty if a file names none."""
    since: int | None = None
    """Time when it was disabled or the exception was made, seconds since the epoch; None if unknown."""
    until: int | None = None
    """Expected end of the drain, or end of the exception, seconds since the epoch; None for an open end."""

    @property
    def key(self) -> str:
        """The administrator and the reason; unique among the reasons of a place."""
        return f"{self.who}: {self.reason}" if self.who else self.reason


Drains = Mapping[str, tuple[Drain, ...]]
"""Host, queue instance, or place of an exception -> its reasons in the order in which they were given."""

NO_DRAINS: Drains = MappingProxyType({})


def drains_at(drains: Drains, instance: str) -> tuple[Drain, ...]:
    """Return the reasons for a queue instance: those of its host, then its own."""
    return (*drains.get(instance.rpartition("@")[2], ()), *drains.get(instance, ())) if drains else ()


_ENDED: Final = re.compile(r"_until_(\d{4}-\d{2}-\d{2})$")
_USER: Final = re.compile(r"@?[A-Za-z_][A-Za-z0-9_.-]*")
_KINDS: Final = (Kind.USERSET, Kind.PROJECT, Kind.QUOTA)
"""Kinds whose whole objects may be exceptions."""
_HOLDERS: Final = (Kind.USERSET, Kind.USER, Kind.PROJECT)
"""Kinds with override tickets."""


class ExceptionWithEnd(NamedTuple):
    """An exception with an end: a quota rule, a whole object, a userset member, or override tickets."""

    obj: ConfigObject
    rule: str
    """The name of the rule; empty for the whole object."""
    end: int
    """The first second after its last day, local time, in seconds since the epoch."""
    place: "DatedPlace | None" = None
    """The member or the override tickets; None if the end is in the name."""
    given: Drain | None = None
    """Reason and end of `place`; None without one."""


class DatedPlace(NamedTuple):
    """A member of a userset, or an object with override tickets: `userset/guests/bela`, `user/bela`."""

    kind: Kind
    name: str
    member: str = ""
    """Member of the userset; empty for the override tickets of the object."""

    @property
    def text(self) -> str:
        """Its name in `State.exceptions`."""
        return "/".join(filter(None, (self.kind.value, self.name, self.member)))

    @property
    def words(self) -> str:
        """A noun phrase: `member bela of userset guests`."""
        whole = f"{self.kind.value} {self.name}"
        return f"member {self.member} of {whole}" if self.member else f"override tickets of {whole}"

    @property
    def field(self) -> str:
        """The field of the object that holds the member or the override tickets."""
        return "entries" if self.member else "oticket"

    def found_in(self, cluster: Cluster) -> ConfigObject | None:
        """Return the object if it has this member, or override tickets; else None."""
        obj = cluster.get(self.kind, self.name)
        if obj is None:
            return None
        text = obj.text(self.field)
        has_it = self.member in split_names(text, Separator.COMMA) if self.member else text.strip().strip("0") != ""
        return obj if has_it else None


def exception_rule(rule: str, user: str, day: str, now: int) -> str:
    """Return a rule with this user in place of its users, and a name that ends with the day.

    Raises ValueError with a sentence for an invalid or past day, or a user's name that a rule's name cannot contain.
    """
    if not _USER.fullmatch(user):
        raise ValueError(f'"{user}" is not the name of a user or an access list: write bela or @staff')
    end_of_day(day, now)
    known = parse_rule(rule)
    filters = {**known.filters, "users": QuotaFilter((user,), (), expanded=False)}
    return replace(known, name=f"{user.lstrip('@')}_until_{day}", filters=MappingProxyType(filters)).text()


def end_of(name: str) -> int | None:
    """Return the first second after the last day of an exception; None if the name has no end date."""
    match = _ENDED.search(name)
    if match is None:
        return None
    try:
        return int((datetime.fromisoformat(match[1]) + timedelta(days=1)).timestamp())
    except (ValueError, OverflowError, OSError):
        return None


def dated_place(text: str) -> DatedPlace | None:
    """Return the place that a name in `State.exceptions` means; None for another text."""
    kind, *names = text.split("/")
    if kind not in _HOLDERS or not all(names) or not 1 <= len(names) <= (2 if kind == Kind.USERSET else 1):
        return None
    return DatedPlace(Kind(kind), *names)


def end_of_day(day: str, now: int) -> int:
    """Return the last second of a day, as `last_second`. Raises ValueError with a sentence; also if before `now`."""
    until = last_second(day)
    if until < now:
        raise ValueError(f"{day} is over already.")
    return until


def last_second(text: str) -> int:
    """Return the last second of a day such as 2026-12-01, local time, in seconds since the epoch.

    Raises ValueError with a sentence for another text.
    """
    try:
        return (
            int((datetime.combine(date.fromisoformat(text), datetime.min.time()) + timedelta(days=1)).timestamp()) - 1
        )
    except (ValueError, OverflowError, OSError):
        raise ValueError(f'"{text}" is not a day: write 2026-12-01') from None


def last_day(given: Drain) -> str:
    """Return the last day of an exception, such as 2026-12-01; empty for an open end."""
    return "" if given.until is None else datetime.fromtimestamp(given.until).date().isoformat()


def vanished(clusters: Collection[Cluster], exceptions: Drains, now: int) -> tuple[str, ...]:
    """Return the places whose exceptions have ended and that none of the clusters has any more."""
    places = {name: dated_place(name) for name, given in exceptions.items() if _end(given) <= now}
    return tuple(name for name, place in places.items() if place is None or not any(map(place.found_in, clusters)))


def _end(given: tuple[Drain, ...]) -> int:
    """Return the first second after the last end of the reasons of a place."""
    return max((reason.until for reason in given if reason.until is not None), default=0) + 1


def exceptions_in(cluster: Cluster, dated: Drains = NO_DRAINS) -> Iterator[ExceptionWithEnd]:
    """Yield the exceptions with an end date: usersets, projects, quota sets and rules of quota sets.

    `dated`: exceptions of a state; those that the cluster does not have any more are left out.
    """
    for kind in _KINDS:
        for obj in cluster.objects(kind).values():
            if (end := end_of(obj.name)) is not None:
                yield ExceptionWithEnd(obj, "", end)
            for text in rules_of(obj.text("limit")) if kind is Kind.QUOTA else ():
                try:
                    name = parse_rule(text).name
                except ValueError:
                    continue
                if name is not None and (end := end_of(name)) is not None:
                    yield ExceptionWithEnd(obj, name, end)
    for text, given in dated.items():
        place = dated_place(text)
        holder = place.found_in(cluster) if place is not None else None
        if holder is not None:
            last = max(given, key=lambda reason: reason.until or 0)
            yield ExceptionWithEnd(holder, "", _end(given), place, last)
