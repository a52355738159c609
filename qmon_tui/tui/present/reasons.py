"""Reasons of many queue instances, said once: grouped by what is alike, ordered by how near the job is to running."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum

from qmon_tui.scheduler.outcome import InstanceReason


class Nearness(IntEnum):
    """How far a queue instance is from taking the job."""

    TOO_LITTLE = 0
    UNAVAILABLE = 1
    UNFIT = 2


HEADINGS = {
    Nearness.TOO_LITTLE: "Offers too little now",
    Nearness.UNAVAILABLE: "Not available now",
    Nearness.UNFIT: "Does not fit",
}


@dataclass(frozen=True, slots=True)
class ReasonGroup:
    """One reason and the queue instances that gave it; none where the reason is the whole cluster's."""

    message: str
    instances: tuple[str, ...]
    nearness: Nearness


# Consumables (c) and load values (l) may change by themselves; fixed values (f) do not.
_TOO_LITTLE = re.compile(r"offers only ([a-z][cl]:|\d)")
_UNAVAILABLE = re.compile(r"dropped because|suspend alarm")


def nearness(message: str) -> Nearness:
    """What kind of reason a message of qstat -j is."""
    if _TOO_LITTLE.search(message):
        return Nearness.TOO_LITTLE
    return Nearness.UNAVAILABLE if _UNAVAILABLE.search(message) else Nearness.UNFIT


def group_reasons(reasons: Iterable[InstanceReason]) -> tuple[ReasonGroup, ...]:
    """Reasons that differ only in the host or queue that they name, together; the nearest first."""
    found: dict[str, list[InstanceReason]] = {}
    for reason in reasons:
        found.setdefault(_without_place(reason), []).append(reason)
    groups = [
        ReasonGroup(
            same[0].message if len(same) == 1 else message,
            tuple(dict.fromkeys(reason.instance for reason in same if reason.level != "global")),
            nearness(message),
        )
        for message, same in found.items()
    ]
    return tuple(sorted(groups, key=lambda group: (group.nearness, -len(group.instances))))


def _without_place(reason: InstanceReason) -> str:
    """The message with its own queue instance, queue or host left out."""
    queue, _, host = reason.instance.partition("@")
    message = reason.message
    for place in filter(None, (reason.instance, queue, host)):
        message = message.replace(f'"{place}"', "…")
        if message.endswith(f" {place}"):
            message = message[: -len(place)] + "…"
    return message


_PLACE = re.compile(r'"[^"]*"|(?<=of host )\S+$|(?<=of queue instance )\S+$')


def not_said(reasons: Iterable[str], instances: Iterable[InstanceReason]) -> list[str]:
    """The reasons that are not just those of single queue instances over again, whatever place they name."""
    said = {_PLACE.sub("…", reason.message) for reason in instances}
    return [reason for reason in reasons if _PLACE.sub("…", reason) not in said]


_NUMBERED = re.compile(r"(.*?)(\d+)$")


def folded(names: Sequence[str]) -> str:
    """Names in short: runs of numbered names become `short.q@node01–06`."""
    parts: list[str] = []
    first = last = ""
    for name in names:
        if last and _follows(last, name):
            last = name
            continue
        parts.extend(_run(first, last))
        first = last = name
    parts.extend(_run(first, last))
    return ", ".join(parts)


def _follows(before: str, after: str) -> bool:
    one, two = _NUMBERED.match(before), _NUMBERED.match(after)
    if one is None or two is None or one[1] != two[1] or len(one[2]) != len(two[2]):
        return False
    return int(two[2]) == int(one[2]) + 1


def _run(first: str, last: str) -> list[str]:
    if not first:
        return []
    if first == last:
        return [first]
    number = _NUMBERED.match(last)
    return [f"{first}–{number[2]}" if number else first]
