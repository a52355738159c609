"""`qstat -j -xml`: jobs with the qmaster's own field names, and why they wait (validation/clients.md section 2)."""

from collections.abc import Iterator
from itertools import chain
from typing import Any, Final

from qmon_tui.formats.records.drafts import Drafts, JobDraft, instance_name
from qmon_tui.formats.records.moments import moment
from qmon_tui.formats.records.rows import Say
from qmon_tui.formats.records.xmltree import Element
from qmon_tui.model.state import PeRequest, TaskRange

PRIORITY_OFFSET: Final = 1024
"""What is added to a priority, so that it is never negative."""
_RERUN: Final = {"1": "y", "2": "n"}

IDLE, MIGRATING, FINISHED, TRANSFERRING = 0, 0x20, 0x10000, 0x200
_LETTERS: Final = (
    (0x400, "d"), (0x8000, "E"), (0x6000, "S"), (0x10000, "T"), (0x10, "h"), (0x20, "R"), (0x40, "q"), (0x80, "r"),
    (0x100, "s"), (0x200, "t"), (0x800, "w"), (0x1000, "x"),
)  # fmt: skip
"""The bits of JAT_state in the order of printing (lifecycle.md section 1.1)."""


def state_letters(status: int, state: int) -> str:
    """The letters of qstat for JAT_status and JAT_state."""
    if status == FINISHED:
        return "z"
    if status == TRANSFERRING:
        state = (state | TRANSFERRING) & ~0x80
    letters = "".join(letter for bit, letter in _LETTERS if state & bit)
    return letters or ("qw" if status == IDLE else "r")


def take_details(drafts: Drafts, root: Element, file: str, say: Say) -> None:
    """Add all jobs of a detailed_job_info."""
    for info in root.all("djob_info"):
        for element in info.children:
            try:
                _take_job(drafts.of(int(element.word("JB_job_number"))), element, file)
            except ValueError as error:
                say(element, str(error))


def messages_of(root: Element) -> dict[int, tuple[str, ...]]:
    """Job -> scheduling info; 0 for what is said to all jobs."""
    found: dict[int, list[str]] = {}
    for block in root.walk("SME_global_message_list"):
        found.setdefault(0, []).extend(one.word("MES_message") for one in block.children)
    for block in root.walk("SME_message_list"):
        for one in block.children:
            numbers = chain.from_iterable(entry.children for entry in one.walk("MES_job_number_list"))
            for number in numbers:
                text = next((leaf.text for leaf in (number, *number.children) if leaf.text.strip().isdigit()), "")
                if text:
                    found.setdefault(int(text), []).append(one.word("MES_message"))
    return {job: tuple(texts) for job, texts in found.items()}


def _take_job(draft: JobDraft, job: Element, file: str) -> None:
    draft.owner = job.word("JB_owner")
    draft.group = job.word("JB_group") or draft.group
    draft.name = job.word("JB_job_name")
    draft.submitted = moment(job.word("JB_submission_time"))
    draft.request, draft.is_detailed = dict(_request(job)), True
    ranges = [
        tuple(int(one.word(tag)) for tag in ("RN_min", "RN_max", "RN_step"))
        for one in _children(job, "JB_ja_structure")
    ]
    if ranges:
        first, last, step = ranges[0]
        is_array = (first, last) != (1, 1) or job.word("JB_is_array") == "true"
        draft.array = TaskRange(first, last, max(1, step)) if is_array else None
    own = {int(task.word("JAT_task_number")): task for task in _children(job, "JB_ja_tasks")}
    for number, task in own.items():
        state = int(task.word("JAT_state") or 0) if task.word("JAT_state").isdigit() else 0
        status = task.word("JAT_status")
        letters = state_letters(int(status) if status.isdigit() else 0, state)
        if letters == "qw":
            draft.pending.add(number)
            continue
        one = draft.task(number, letters)
        one.started = moment(task.word("JAT_start_time"))
        places = _children(task, "JAT_granted_destin_identifier_list")
        if places:
            one.begin(file)
        for granted in places:
            one.whole[instance_name(granted.word("JG_qname"))] = int(granted.word("JG_slots") or 1)
    draft.pending.update(number for number in (draft.array.ids if draft.array else (1,)) if number not in draft.tasks)


def _children(element: Element, tag: str) -> list[Element]:
    found = element.child(tag)
    return found.children if found is not None else []


def _request(job: Element) -> Iterator[tuple[str, Any]]:
    sets = _children(job, "JB_request_set_list")
    scope = next((one for one in sets if one.word("JRS_scope") in ("", "0")), job)
    prefix = "JRS" if scope is not job else "JB"
    yield "hard", _resources(scope, f"{prefix}_hard_resource_list")
    yield "soft", _resources(scope, f"{prefix}_soft_resource_list")
    yield "hard_queues", _names(scope, f"{prefix}_hard_queue_list", "QR_name")
    yield "soft_queues", _names(scope, f"{prefix}_soft_queue_list", "QR_name")
    yield "master_queues", _names(job, "JB_master_hard_queue_list", "QR_name")
    yield "hold_jid", _names(job, "JB_jid_predecessor_list", "JRE_job_number")
    if job.word("JB_pe"):
        ranges = [(int(one.word("RN_min")), int(one.word("RN_max")), 1) for one in _children(job, "JB_pe_range")]
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
        arguments = [one.word("ST_name") for one in _children(job, "JB_job_args")]
        yield "command", (script, *arguments)


def _resources(element: Element, tag: str) -> tuple[tuple[str, str | None], ...]:
    return tuple((one.word("CE_name"), one.word("CE_stringval") or None) for one in _children(element, tag))


def _names(element: Element, tag: str, inner: str) -> tuple[str, ...]:
    return tuple(one.word(inner) for one in _children(element, tag) if one.word(inner))
