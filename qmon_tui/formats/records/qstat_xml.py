"""Jobs in `qstat -xml`: `job_list` rows, and the details of `qstat -j` (clients.md#qstat--xml)."""

import re
from collections.abc import Callable, Iterator
from itertools import chain
from typing import Any, Final

from qmon_tui.formats.records.job_builders import (
    MOST_TASKS,
    PLACED,
    JobBuilder,
    JobBuilders,
    TaskBuilder,
    instance_name,
    task_numbers,
    too_many_tasks,
)
from qmon_tui.formats.records.timestamps import moment
from qmon_tui.formats.records.xmltree import Element
from qmon_tui.model import PeRequest, TaskRange
from qmon_tui.values import parse_ranges

Say = Callable[[Element, str], None]

_KEPT: Final = {"JAT_prio": "prior", "JAT_ntix": "ntckts"}
_DECIMAL: Final = re.compile(r"[0-9]+(?:\.[0-9]+)?")
_TICKETS: Final = {"tickets": "tckts", "otickets": "otckt", "ftickets": "ftckt", "stickets": "stckt"}
"""Element -> column of qstat -ext."""


def take_row(drafts: JobBuilders, row: Element, instance: str, file: str, say: Say) -> None:
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
        builder = draft.task(task, state)
        builder.started = started
        builder.tickets = _tickets(row) or builder.tickets
        if place and PLACED & set(state):
            builder.begin(file)
            _take_slots(builder, row, place)


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


def _take_slots(task: TaskBuilder, row: Element, place: str) -> None:
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


PRIORITY_OFFSET: Final = 1024
"""What is added to a priority, so that it is never negative."""
_RERUN: Final = {"1": "y", "2": "n"}

IDLE, MIGRATING, FINISHED, TRANSFERRING = 0, 0x20, 0x10000, 0x200
_LETTERS: Final = (
    (0x400, "d"), (0x8000, "E"), (0x6000, "S"), (0x10000, "T"), (0x10, "h"), (0x20, "R"), (0x40, "q"), (0x80, "r"),
    (0x100, "s"), (0x200, "t"), (0x800, "w"), (0x1000, "x"),
)  # fmt: skip
"""The bits of JAT_state in the order of printing (lifecycle.md#letters-of-tasks)."""


def state_letters(status: int, state: int) -> str:
    """The letters of qstat for JAT_status and JAT_state."""
    if status == FINISHED:
        return "z"
    if status == TRANSFERRING:
        state = (state | TRANSFERRING) & ~0x80
    letters = "".join(letter for bit, letter in _LETTERS if state & bit)
    return letters or ("qw" if status == IDLE else "r")


def take_details(drafts: JobBuilders, root: Element, file: str, say: Say) -> None:
    """Add all jobs of a detailed_job_info."""
    for info in root.all("djob_info"):
        for element in info.children:
            try:
                _take_job(drafts.of(int(element.word("JB_job_number"))), element, file)
            except ValueError as error:
                say(element, str(error))


def messages_of(root: Element) -> dict[int, tuple[str, ...]]:
    """Job -> scheduling info; 0 for what is said to all jobs."""
    texts_by_job: dict[int, list[str]] = {}
    for block in root.walk("SME_global_message_list"):
        texts_by_job.setdefault(0, []).extend(child.word("MES_message") for child in block.children)
    for block in root.walk("SME_message_list"):
        for element in block.children:
            numbers = chain.from_iterable(entry.children for entry in element.walk("MES_job_number_list"))
            for number in numbers:
                text = next((leaf.text for leaf in (number, *number.children) if leaf.text.strip().isdigit()), "")
                if text:
                    texts_by_job.setdefault(int(text), []).append(element.word("MES_message"))
    return {job: tuple(texts) for job, texts in texts_by_job.items()}


def _take_job(draft: JobBuilder, job: Element, file: str) -> None:
    draft.owner = job.word("JB_owner")
    draft.group = job.word("JB_group") or draft.group
    draft.name = job.word("JB_job_name")
    draft.submitted = moment(job.word("JB_submission_time"))
    draft.request, draft.is_detailed = dict(_request(job)), True
    ranges = [
        tuple(int(element.word(tag)) for tag in ("RN_min", "RN_max", "RN_step"))
        for element in _children(job, "JB_ja_structure")
    ]
    if ranges:
        first, last, step = ranges[0]
        is_array = (first, last) != (1, 1) or job.word("JB_is_array") == "true"
        draft.array = TaskRange(first, last, max(1, step)) if is_array else None
        if draft.array is not None and len(draft.array.ids) > MOST_TASKS:
            draft.array = None
            raise too_many_tasks(f"{first}-{last}:{step}")
    own = {int(task.word("JAT_task_number")): task for task in _children(job, "JB_ja_tasks")}
    for number, task in own.items():
        letters = state_letters(_number(task, "JAT_status"), _number(task, "JAT_state"))
        if letters == "qw":
            continue
        builder = draft.task(number, letters)
        builder.started = moment(task.word("JAT_start_time"))
        places = _children(task, "JAT_granted_destin_identifier_list")
        if places:
            builder.begin(file)
        for granted in places:
            builder.whole[instance_name(granted.word("JG_qname"))] = int(granted.word("JG_slots") or 1)
    if draft.array is not None:
        draft.pending.update(number for number in draft.array.ids if number not in draft.tasks)


def _number(element: Element, tag: str) -> int:
    text = element.word(tag)
    return int(text) if text.isdigit() else 0


def _children(element: Element, tag: str) -> list[Element]:
    child = element.child(tag)
    return child.children if child is not None else []


def _request(job: Element) -> Iterator[tuple[str, Any]]:
    sets = _children(job, "JB_request_set_list")
    scope = next((element for element in sets if element.word("JRS_scope") in ("", "0")), job)
    prefix = "JRS" if scope is not job else "JB"
    yield "hard", _resources(scope, f"{prefix}_hard_resource_list")
    yield "soft", _resources(scope, f"{prefix}_soft_resource_list")
    yield "hard_queues", _names(scope, f"{prefix}_hard_queue_list", "QR_name")
    yield "soft_queues", _names(scope, f"{prefix}_soft_queue_list", "QR_name")
    yield "master_queues", _names(job, "JB_master_hard_queue_list", "QR_name")
    yield "hold_jid", _names(job, "JB_jid_predecessor_list", "JRE_job_number")
    if job.word("JB_pe"):
        ranges = [
            (int(element.word("RN_min")), int(element.word("RN_max")), 1) for element in _children(job, "JB_pe_range")
        ]
        yield "pe", PeRequest(job.word("JB_pe"), tuple(ranges) or ((1, 1, 1),))
    if job.word("JB_priority"):
        yield "priority", int(job.word("JB_priority")) - PRIORITY_OFFSET
    for tag, key in (("JB_project", "project"), ("JB_account", "account"), ("JB_checkpoint_name", "checkpoint")):
        word = job.word(tag)
        if word and not (key == "account" and word == "sge"):
            yield key, word
    for tag, key in (
        ("JB_jobshare", "job_share"),
        ("JB_override_tickets", "override_tickets"),
        ("JB_ja_task_concurrency", "max_running_tasks"),
    ):
        yield key, int(job.word(tag) or 0)
    if job.word("JB_ar") not in ("", "0"):
        yield "advance_reservation", job.word("JB_ar")
    yield "deadline", moment(job.word("JB_deadline"))
    yield "start_time", moment(job.word("JB_execution_time"))
    yield "reserve", job.word("JB_reserve") == "true"
    yield "rerun", _RERUN.get(job.word("JB_restart"), "")
    script = job.word("JB_script_file")
    if script:
        arguments = [element.word("ST_name") for element in _children(job, "JB_job_args")]
        yield "command", (script, *arguments)


def _resources(element: Element, tag: str) -> tuple[tuple[str, str | None], ...]:
    return tuple((child.word("CE_name"), child.word("CE_stringval") or None) for child in _children(element, tag))


def _names(element: Element, tag: str, inner: str) -> tuple[str, ...]:
    return tuple(child.word(inner) for child in _children(element, tag) if child.word(inner))
