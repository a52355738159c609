"""Usersets, and the user and project lists of queues, hosts and PEs (matching.md#access-lists)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from qmon_tui.model import ConfigObject
from qmon_tui.values import BLANK_OR_COMMA, COMMA, split_names

ANYBODY: Final = "*"
"""User and group for which qrsub checks places if -u lists users; every userset that is not empty contains it."""


@dataclass(frozen=True, slots=True)
class Userset:
    """The members of a userset: user names, and unix groups without their `@`."""

    name: str
    users: frozenset[str]
    groups: frozenset[str]
    is_list: bool
    """True if the type includes ACL.

    The scheduler ignores other usersets in access lists; the qmaster does not (`as_qmaster`).
    """
    is_department: bool
    """True if the type includes DEPT."""

    def contains(self, user: str, group: str) -> bool:
        """True if the user, or the user's primary group, is listed."""
        if user == ANYBODY:
            return bool(self.users or self.groups)
        return user in self.users or group in self.groups


def compile_userset(obj: ConfigObject) -> Userset:
    """Parse one userset; only commas separate its entries."""
    entries = split_names(obj.text("entries"), COMMA)
    types = {word.upper() for word in split_names(obj.text("type"), BLANK_OR_COMMA)}
    return Userset(
        name=obj.name,
        users=frozenset(entry for entry in entries if not entry.startswith("@")),
        groups=frozenset(entry[1:] for entry in entries if entry.startswith("@")),
        is_list="ACL" in types,
        is_department="DEPT" in types,
    )


@dataclass(frozen=True, slots=True)
class Access:
    """The user and project lists of a queue, host or PE (a PE has no project lists)."""

    user_lists: tuple[str, ...] = ()
    xuser_lists: tuple[str, ...] = ()
    projects: tuple[str, ...] = ()
    xprojects: tuple[str, ...] = ()

    @property
    def is_open(self) -> bool:
        """True if all lists are empty."""
        return not (self.user_lists or self.xuser_lists or self.projects or self.xprojects)

    def permits(self, user: str, group: str, usersets: Mapping[str, Userset]) -> bool:
        """True if user_lists and xuser_lists admit the user. A user_lists of unknown usersets denies every user."""
        if listed(self.xuser_lists, user, group, usersets):
            return False
        return not self.user_lists or listed(self.user_lists, user, group, usersets)


def listed(names: Iterable[str], user: str, group: str, usersets: Mapping[str, Userset]) -> bool:
    """True if one of these usersets, if of type ACL, contains the user or the group."""
    for name in names:
        userset = usersets.get(name)
        if userset is not None and userset.is_list and userset.contains(user, group):
            return True
    return False


def access_of(texts: Mapping[str, str], separator: str) -> Access:
    """Parse the four list fields of an object; the separator depends on the kind of object."""
    return Access(
        user_lists=split_names(texts["user_lists"], separator),
        xuser_lists=split_names(texts["xuser_lists"], separator),
        projects=split_names(texts["projects"], separator),
        xprojects=split_names(texts["xprojects"], separator),
    )


ACCESS_FIELDS = ("user_lists", "xuser_lists", "projects", "xprojects")
