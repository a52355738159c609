"""Exceptions with an end date in their name, such as `bela_until_2026-12-01`: Grid Engine has no other place for it."""

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, datetime, timedelta
from types import MappingProxyType
from typing import Final, NamedTuple

from qmon_tui.model.cluster import Cluster, ConfigObject
from qmon_tui.model.kinds import Kind
from qmon_tui.model.quota_rules import QuotaFilter, parse_rule, rules_of

_ENDED: Final = re.compile(r"_until_(\d{4}-\d{2}-\d{2})$")
_USER: Final = re.compile(r"@?[A-Za-z_][A-Za-z0-9_.-]*")
_KINDS: Final = (Kind.USERSET, Kind.PROJECT, Kind.QUOTA)
"""Kinds whose objects may be exceptions as a whole."""


class ExceptionWithEnd(NamedTuple):
    """A rule of a quota set, or an object, that is an exception until a day."""

    obj: ConfigObject
    rule: str
    """The name of the rule; empty for the whole object."""
    end: int
    """The first second after its last day, local time, in seconds since the epoch."""


def exception_rule(rule: str, user: str, day: str) -> str:
    """Return a rule with this user in place of its users, and a name that ends with the day.

    Raises ValueError with a sentence for a day that is none, or a user after which no rule can be named.
    """
    if not _USER.fullmatch(user):
        raise ValueError(f'"{user}" is not the name of a user or an access list: write bela or @staff')
    try:
        date.fromisoformat(day)
    except ValueError:
        raise ValueError(f'"{day}" is not a day: write 2026-12-01') from None
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


def exceptions_in(cluster: Cluster) -> Iterator[ExceptionWithEnd]:
    """Yield the exceptions with an end date: usersets, projects, quota sets and rules of quota sets."""
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
