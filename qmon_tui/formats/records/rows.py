"""`job_list` rows of `qstat -xml` with any of -f, -t, -r, -ext, -pri and -urg (validation/clients.md section 2)."""

import re
from collections.abc import Callable
from typing import Any, Final

from qmon_tui.formats.records.drafts import PLACED, Drafts, JobDraft, TaskDraft, instance_name, task_numbers
from qmon_tui.formats.records.moments import moment
from qmon_tui.formats.records.xmltree import Element
from qmon_tui.model.state import PeRequest
from qmon_tui.values.ranges import parse_ranges

Say = Callable[[Element, str], None]

_KEPT: Final = {"JAT_prio": "prior", "JAT_ntix": "ntckts"}
_DECIMAL: Final = re.compile(r"[0-9]+(?:\.[0-9]+)?")
_TICKETS: Final = {"tickets": "tckts", "otickets": "otckt", "ftickets": "ftckt", "stickets": "stckt"}
"""Element -> column of qstat -ext."""


def take_row(drafts: Drafts, row: Element, instance: str, file: str, say: Say) -> None:
    """Add one row of a file; `instance` is the queue instance below which it stands, if any."""
    try:
        number = int(row.word("JB_job_number"))
        tasks = task_numbers(row.word("tasks"))
        started = moment(row.word("JAT_start_time"))
        submitted = moment(row.word("JB_submission_time"))
    except ValueError as error:
        say(row, str(error))
        return
    draft = drafts.of(number)
    draft.owner = draft.owner or row.word("JB_owner")
    draft.name = row.word("full_job_name") or draft.name or row.word("JB_name")
    draft.is_array = draft.is_array or row.child("tasks") is not None
    if submitted is not None:
        draft.submitted = submitted
    if not draft.is_detailed:
        _take_request(draft, row, say)
    state = row.word("state") or ("r" if row.attributes.get("state", "").lower() == "running" else "qw")
    place = instance_name(instance or row.word("queue_name"))
    if "q" in state and row.word("slots").isdigit():
        draft.slots = int(row.word("slots"))
    if state == "qw":
        draft.pending.update(tasks)
        return
    for task in tasks:
        one = draft.task(task, state)
        one.started = started
        one.tickets = _tickets(row) or one.tickets
        if place and PLACED & set(state):
            one.begin(file)
            _take_slots(one, row, place)


def _tickets(row: Element) -> dict[str, float]:
    """The ticket columns of a task in a parallel environment, where -ext shows them; prior and ntckts of a held one.

    Of large numbers qstat prints the lowest 32 bits, with a sign; no policy gives more tickets than they hold.
    """
    if "h" in row.word("state") and "R" in row.word("state"):
        texts = {column: row.word(tag) for tag, column in _KEPT.items()}
        return {column: float(text) for column, text in texts.items() if _DECIMAL.fullmatch(text)}
    if row.child("granted_pe") is None:
        return {}
    texts = {column: row.word(tag) for tag, column in _TICKETS.items()}
    return {column: float(int(text) % 2**32) for column, text in texts.items() if text.removeprefix("-").isdigit()}


def _take_slots(task: TaskDraft, row: Element, place: str) -> None:
    slots = row.word("slots")
    count = int(slots) if slots.isdigit() else 1
    total = row.word("granted_pe")
    task.total = int(total) if total.isdigit() else task.total
    master = row.word("master")
    if master == "SLAVE":
        task.slaves[place] = task.slaves.get(place, 0) + 1
    elif master == "MASTER":
        task.master = place
    else:
        task.whole[place] = task.whole.get(place, 0) + count


def _take_request(draft: JobDraft, row: Element, say: Say) -> None:
    request = draft.request
    for tag, key in (("hard_request", "hard"), ("soft_request", "soft")):
        found = tuple((one.attributes.get("name", ""), one.text.strip() or None) for one in row.all(tag))
        if found:
            request[key] = found
    for tag, key in (
        ("hard_req_queue", "hard_queues"),
        ("soft_req_queue", "soft_queues"),
        ("master_hard_req_queue", "master_queues"),
    ):
        names = tuple(one.text.strip() for one in row.all(tag) if one.text.strip())
        if names:
            request[key] = names
    parallel = row.child("requested_pe")
    if parallel is not None:
        _take_environment(request, parallel, say)
    predecessors = [one.text.strip() for one in row.all("predecessor_jobs")]
    if predecessors:
        request["hold_jid"] = tuple(predecessors)
    if row.word("JB_project") not in ("", "NONE"):
        request["project"] = row.word("JB_project")
    for tag, key in (
        ("JB_priority", "priority"),
        ("JB_override_tickets", "override_tickets"),
        ("JB_jobshare", "job_share"),
    ):
        if row.word(tag).lstrip("-").isdigit():
            request[key] = int(row.word(tag))
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
