"""Advance reservations in `qrstat -ar N -xml` (clients.md#qrstat--xml); without -ar it says no places."""

from types import MappingProxyType

from qmon_tui.formats.records.job_builders import MOST_SLOTS, instance_name, one_line
from qmon_tui.formats.records.timestamps import moment
from qmon_tui.formats.records.xmltree import Element, Say
from qmon_tui.model import HIGHEST_NUMBER, AdvanceReservation
from qmon_tui.values import need_whole_number


def read_reservations(root: Element, say: Say) -> list[AdvanceReservation]:
    """Return the reservations; one that cannot be read costs no other."""
    reservations = []
    for entry in root.all("ar_summary"):
        try:
            reservations.append(_reservation(entry))
        except ValueError as error:
            say(entry, f"{error}: the advance reservation is left out")
    return reservations


def _reservation(entry: Element) -> AdvanceReservation:
    number = need_whole_number("id", entry.word("id"), 1, HIGHEST_NUMBER)
    start, end = moment(entry.word("start_time")), moment(entry.word("end_time"))
    if start is None or end is None:
        raise ValueError(f"advance reservation {number} has no start or end")
    granted = {
        instance_name(place.attributes.get("queue_instance", "")): need_whole_number(
            "slots", place.attributes.get("slots", ""), 0, MOST_SLOTS
        )
        for place in _within(entry, "granted_slots_list", "granted_slots")
    }
    # 8.1.9 writes the value into the attribute `type`.
    requests = tuple(
        (resource.attributes.get("name", ""), resource.attributes.get("value") or resource.attributes.get("type"))
        for resource in _within(entry, "resource_list", "resource")
    )
    environment = next(
        (granted_pe.word("parallel_environment") for granted_pe in entry.all("granted_parallel_environment")), ""
    )
    users = tuple(user.attributes.get("user", "") for user in _within(entry, "acl_list", "acl"))
    return AdvanceReservation(
        id=number,
        owner=entry.word("owner"),
        start=start,
        end=end,
        granted=MappingProxyType(granted),
        state=entry.word("state") or "w",
        requests=requests,
        users=tuple(filter(None, users)),
        environment=environment or None,
        submitted=moment(entry.word("submission_time")),
        strict=entry.word("error_handling") == "true",
        name=one_line(entry.word("name")),
        account=entry.word("account") if entry.word("account") != "sge" else "",
    )


def _within(entry: Element, tag: str, inner: str) -> list[Element]:
    return [element for container in entry.all(tag) for element in container.all(inner)]
