"""Jobs in `qstat -xml` and reservations in `qrstat -ar N -xml` (clients.md#qstat--xml, clients.md#qrstat--xml)."""

from collections.abc import Mapping
from sys import intern
from types import MappingProxyType
from typing import Any, Final

from qmon_tui.formats.qsub_options import PRIORITIES
from qmon_tui.formats.records.job_builders import (
    FIRST_TASK,
    MOST_SLOTS,
    PLACED,
    JobBuilder,
    JobBuilders,
    TaskBuilder,
    instance_name,
    one_line,
    read_task_state,
    task_numbers,
)
from qmon_tui.formats.records.record import moment
from qmon_tui.formats.records.xmltree import Element, Say, whole_of
from qmon_tui.model import HIGHEST_NUMBER, AdvanceReservation, PeRequest
from qmon_tui.values import decimal_number, need_whole_number, parse_ranges, whole_number

_PRIOR: Final = {"JAT_prio": "prior"}
_KEPT: Final = {**_PRIOR, "JAT_ntix": "ntckts"}
_TICKETS: Final = {"tickets": "tckts", "otickets": "otckt", "ftickets": "ftckt", "stickets": "stckt"}
"""Element -> column of qstat -ext."""
_STATES: Final = {"running": "r", "zombie": "z", "finished": "z"}
"""Attribute `state` of a row without state letters -> letters."""
_STARTED: Final = frozenset(("t", "r", "Rt", "Rr"))
"""States of tasks with a start time; prior gives the order of tasks that started in the same second."""
_MOST_SHARES: Final = 2**32 - 1
_OF_REQUEST: Final = frozenset({
    "hard_request", "soft_request", "hard_req_queue", "soft_req_queue", "master_hard_req_queue", "requested_pe",
    "predecessor_jobs", "JB_project", "JB_priority", "JB_override_tickets", "JB_deadline",
})  # fmt: skip
"""Elements that are part of a job's request."""


def take_row(drafts: JobBuilders, row: Element, instance: str, file: str, say: Say) -> None:
    """Add one row of a file; `instance` is the queue instance around it, or empty."""
    word, tags = row.word, row.tags
    try:
        number = need_whole_number("JB_job_number", word("JB_job_number"), 1, HIGHEST_NUMBER)
        tasks = task_numbers(word("tasks")) if "tasks" in tags else FIRST_TASK
        started = moment(word("JAT_start_time"))
        submitted = moment(word("JB_submission_time"))
        state = read_task_state(word("state") or _STATES.get(row.attributes.get("state", "").lower(), "qw"))
    except ValueError as error:
        say(row, str(error))
        return
    draft = drafts.of(number, file, row.line)
    draft.owner = draft.owner or intern(word("JB_owner"))
    draft.name = word("full_job_name") or draft.name or word("JB_name")
    draft.is_array = draft.is_array or "tasks" in tags
    draft.is_listed = True
    if submitted is not None:
        draft.submitted = submitted
    if not (draft.is_detailed or tags.isdisjoint(_OF_REQUEST)):
        _take_request(draft, row, say)
    if "q" in state:
        draft.slots = 1 if word("slots") == "1" else whole_of(row, "slots", say, 0, MOST_SLOTS, draft.slots)
    if state == "qw":
        draft.waits(tasks)
        return
    place = instance_name(instance or word("queue_name"))
    for task in tasks:
        builder = draft.task(task, state)
        builder.started = started
        builder.tickets = {**(builder.tickets or {}), **_tickets(row, state)}
        if place and PLACED & set(state):
            builder.begin(file)
            _take_slots(builder, row, place, say)


def _tickets(row: Element, state: str) -> dict[str, float]:
    """Return column -> number to keep: prior of a running task; prior and ntckts of a rescheduled and held one.

    With -ext, also the tickets of a task in a parallel environment. qstat prints the lowest 32 bits of large numbers,
    with a sign; no policy gives more tickets than fit into 32 bits.
    """
    if {"h", "R"} <= set(state):
        return _numbers(row, _KEPT)
    numbers = _numbers(row, _PRIOR) if state in _STARTED else {}
    if row.child("granted_pe") is None:
        return numbers
    texts = {column: row.word(tag) for tag, column in _TICKETS.items()}
    tickets = {column: whole_number(text, -(2**63)) for column, text in texts.items()}
    return numbers | {column: float(number % 2**32) for column, number in tickets.items() if number is not None}


def _numbers(row: Element, columns: Mapping[str, str]) -> dict[str, float]:
    numbers = {column: decimal_number(row.word(tag)) for tag, column in columns.items()}
    return {column: number for column, number in numbers.items() if number is not None and number >= 0}


def _take_slots(task: TaskBuilder, row: Element, place: str, say: Say) -> None:
    count = whole_of(row, "slots", say, 0, MOST_SLOTS, 1)
    task.total = whole_of(row, "granted_pe", say, 0, MOST_SLOTS, task.total)
    master = row.word("master")
    if master == "SLAVE":
        task.slaves[place] = task.slaves.get(place, 0) + 1
    elif master == "MASTER":
        task.master = place
    else:
        task.whole[place] = task.whole.get(place, 0) + count


def _take_request(draft: JobBuilder, row: Element, say: Say) -> None:
    request = draft.request
    for tag, key in (("hard_request", "hard"), ("soft_request", "soft")):
        requests = tuple((element.attributes.get("name", ""), element.text.strip() or None) for element in row.all(tag))
        if requests:
            request[key] = requests
    for tag, key in (
        ("hard_req_queue", "hard_queues"),
        ("soft_req_queue", "soft_queues"),
        ("master_hard_req_queue", "master_queues"),
    ):
        names = tuple(element.text.strip() for element in row.all(tag) if element.text.strip())
        if names:
            request[key] = names
    parallel = row.child("requested_pe")
    if parallel is not None:
        _take_environment(request, parallel, say)
    predecessors = [element.text.strip() for element in row.all("predecessor_jobs")]
    if predecessors:
        request["hold_jid"] = tuple(predecessors)
    if row.word("JB_project") not in ("", "NONE"):
        request["project"] = row.word("JB_project")
    for tag, key, least, most in (
        ("JB_priority", "priority", PRIORITIES[0], PRIORITIES[-1]),
        ("JB_override_tickets", "override_tickets", 0, _MOST_SHARES),
    ):
        if row.word(tag):
            request[key] = whole_of(row, tag, say, least, most, request.get(key, 0))
    try:
        request["deadline"] = moment(row.word("JB_deadline"))
    except ValueError as error:
        say(row, str(error))


def _take_environment(request: dict[str, Any], element: Element, say: Say) -> None:
    try:
        ranges = parse_ranges(element.text.strip(), steps=False)
    except ValueError as error:
        say(element, str(error))
        return
    request["pe"] = PeRequest(element.attributes.get("name", ""), ranges)


def read_reservations(root: Element, say: Say) -> list[AdvanceReservation]:
    """Return the reservations; report one that cannot be read, and read the others."""
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
