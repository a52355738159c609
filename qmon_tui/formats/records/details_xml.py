"""The details of jobs in `qstat -j -xml` (clients.md#qstat--j)."""

from collections.abc import Iterator
from itertools import chain
from typing import Any, Final

from qmon_tui.formats.qsub_options import PRIORITIES
from qmon_tui.formats.records.job_builders import (
    MOST_SLOTS,
    MOST_TASKS,
    JobBuilder,
    JobBuilders,
    instance_name,
    one_line,
    too_many_tasks,
)
from qmon_tui.formats.records.record import moment
from qmon_tui.formats.records.xmltree import Element, Say, whole_of
from qmon_tui.model import HIGHEST_NUMBER, PeRequest, TaskRange
from qmon_tui.values import OPEN_END, need_whole_number

_PRIORITY_OFFSET: Final = 1024
"""JB_priority is the priority plus this, so that it is never negative."""
_MOST: Final = 2**32 - 1
_NUMBER: Final = "JB_job_number"
_RERUN: Final = {"1": "y", "2": "n"}

IDLE, MIGRATING, FINISHED, TRANSFERRING = 0, 0x20, 0x10000, 0x200
_LETTERS: Final = (
    (0x400, "d"), (0x8000, "E"), (0x6000, "S"), (0x10000, "T"), (0x10, "h"), (0x20, "R"), (0x40, "q"), (0x80, "r"),
    (0x100, "s"), (0x200, "t"), (0x800, "w"), (0x1000, "x"),
)  # fmt: skip
"""The bits of JAT_state in the order of printing (lifecycle.md#letters-of-tasks)."""


def state_letters(status: int, state: int) -> str:
    """Return the letters of qstat for JAT_status and JAT_state."""
    if status == FINISHED:
        return "z"
    if status == TRANSFERRING:
        state = (state | TRANSFERRING) & ~0x80
    letters = "".join(letter for bit, letter in _LETTERS if state & bit)
    return letters or ("qw" if status == IDLE else "r")


def take_details(drafts: JobBuilders, root: Element, file: str, say: Say) -> None:
    """Add all jobs of a detailed_job_info; report jobs and fields that cannot be read, and read the others."""
    for job in _entries(root, "djob_info", _NUMBER):
        take_job(drafts, job, file, say)


def take_job(drafts: JobBuilders, job: Element, file: str, say: Say) -> None:
    """Add one job of a detailed_job_info."""
    try:
        number = need_whole_number(_NUMBER, job.word(_NUMBER), 1, HIGHEST_NUMBER)
    except ValueError as error:
        say(job, f"{error}: the job is left out")
    else:
        _take_job(drafts.of(number, file, job.line), job, file, say)


def messages_of(root: Element, say: Say) -> dict[int, tuple[str, ...]]:
    """Return job -> scheduling info; key 0 has the messages about all jobs."""
    texts_by_job: dict[int, list[str]] = {}
    for block in root.walk("SME_global_message_list"):
        texts_by_job.setdefault(0, []).extend(child.word("MES_message") for child in block.children)
    for block in root.walk("SME_message_list"):
        for element in block.children:
            for entry in chain.from_iterable(part.children for part in element.walk("MES_job_number_list")):
                text = next((leaf.text.strip() for leaf in (entry, *entry.children) if leaf.text.strip()), "")
                try:
                    job = need_whole_number("the job of a message", text, 1, HIGHEST_NUMBER)
                except ValueError as error:
                    say(entry, str(error))
                else:
                    texts_by_job.setdefault(job, []).append(element.word("MES_message"))
    return {job: tuple(texts) for job, texts in texts_by_job.items()}


def _take_job(draft: JobBuilder, job: Element, file: str, say: Say) -> None:
    draft.owner = job.word("JB_owner")
    draft.group = job.word("JB_group") or draft.group
    draft.name = job.word("JB_job_name")
    draft.submitted = _moment(job, "JB_submission_time", say)
    draft.request, draft.is_detailed = dict(_request(job, say)), True
    draft.array = _array(job, say)
    for task in _entries(job, "JB_ja_tasks", "JAT_task_number"):
        _take_task(draft, task, file, say)
    if draft.array is not None:
        draft.assumed = draft.array.ids


def _array(job: Element, say: Say) -> TaskRange | None:
    """Return the task range; None for a job that is no array; also None, with a finding, if it cannot be read."""
    for element in _entries(job, "JB_ja_structure", "RN_min"):
        try:
            first, last = (need_whole_number(tag, element.word(tag), 1, _MOST) for tag in ("RN_min", "RN_max"))
            array = TaskRange(first, last, max(1, whole_of(element, "RN_step", say, 0, _MOST, 1)))
            if len(array.ids) > MOST_TASKS:
                raise too_many_tasks(f"{first}-{last}:{array.step}")
        except ValueError as error:
            say(element, f"{error}: the tasks of job {job.word(_NUMBER)} are left out")
            return None
        return array if (first, last) != (1, 1) or job.word("JB_is_array") == "true" else None
    return None


def _take_task(draft: JobBuilder, task: Element, file: str, say: Say) -> None:
    try:
        number = need_whole_number("JAT_task_number", task.word("JAT_task_number"), 1, MOST_TASKS)
    except ValueError as error:
        say(task, f"{error}: the task is left out")
        return
    status, state = (whole_of(task, tag, say, 0, _MOST, 0) for tag in ("JAT_status", "JAT_state"))
    letters = state_letters(status, state)
    if letters == "qw":
        return
    places = _entries(task, "JAT_granted_destin_identifier_list", "JG_qname")
    if draft.is_listed and not places and draft.listed_waiting(number):
        return  # it has started since the listing; without a place, it stays pending
    builder = draft.task(number, letters)
    builder.started = _moment(task, "JAT_start_time", say)
    messages = (entry.word("QIM_message") for entry in _entries(task, "JAT_message_list", "QIM_message"))
    builder.reason = next(filter(None, map(one_line, messages)), builder.reason)
    if places:
        builder.begin(file)
    for granted in places:
        builder.whole[instance_name(granted.word("JG_qname"))] = whole_of(granted, "JG_slots", say, 0, MOST_SLOTS, 1)


def _moment(element: Element, tag: str, say: Say) -> int | None:
    """Return seconds since the epoch; None for no time; also None, with a finding, if it cannot be read."""
    try:
        return moment(element.word(tag))
    except ValueError as error:
        say(element, f"{tag}: {error}")
        return None


def _entries(parent: Element, tag: str, key: str) -> list[Element]:
    """Return the entries of a list. Some tools drop the element around each entry: then `key` begins a new one."""
    entries: list[Element] = []
    for container in parent.all(tag):
        bare: Element | None = None
        for child in container.children:
            if child.children and container.child(key) is None:
                entries.append(child)
            elif child.tag == key or bare is None:
                bare = Element(tag, {}, child.line, [child])
                entries.append(bare)
            else:
                bare.children.append(child)
    return entries


def _request(job: Element, say: Say) -> Iterator[tuple[str, Any]]:
    sets = _entries(job, "JB_request_set_list", "JRS_scope")
    scope = next((element for element in sets if element.word("JRS_scope") in ("", "0")), job)
    prefix = "JRS" if scope is not job else "JB"
    yield "hard", _resources(scope, f"{prefix}_hard_resource_list")
    yield "soft", _resources(scope, f"{prefix}_soft_resource_list")
    yield "hard_queues", _names(scope, f"{prefix}_hard_queue_list", "QR_name")
    yield "soft_queues", _names(scope, f"{prefix}_soft_queue_list", "QR_name")
    yield "master_queues", _names(job, "JB_master_hard_queue_list", "QR_name")
    yield "hold_jid", _names(job, "JB_jid_predecessor_list", "JRE_job_number")
    yield "hold_jid_ad", _names(job, "JB_ja_ad_predecessor_list", "JRE_job_number")
    yield "checkpoint_when", _checkpoint_when(job, say)
    if job.word("JB_pe"):
        yield "pe", PeRequest(job.word("JB_pe"), tuple(_slot_ranges(job, say)) or ((1, 1, 1),))
    least, most = (end + _PRIORITY_OFFSET for end in (PRIORITIES[0], PRIORITIES[-1]))
    yield "priority", whole_of(job, "JB_priority", say, least, most, _PRIORITY_OFFSET) - _PRIORITY_OFFSET
    for tag, key in (("JB_project", "project"), ("JB_account", "account"), ("JB_checkpoint_name", "checkpoint")):
        word = job.word(tag)
        if word and not (key == "account" and word == "sge"):
            yield key, word
    for tag, key in (
        ("JB_jobshare", "job_share"),
        ("JB_override_tickets", "override_tickets"),
        ("JB_ja_task_concurrency", "max_running_tasks"),
    ):
        yield key, whole_of(job, tag, say, 0, _MOST, 0)
    if job.word("JB_ar") not in ("", "0"):
        yield "advance_reservation", job.word("JB_ar")
    yield "deadline", _moment(job, "JB_deadline", say)
    yield "start_time", _moment(job, "JB_execution_time", say)
    yield "reserve", job.word("JB_reserve") == "true"
    yield "rerun", _RERUN.get(job.word("JB_restart"), "")
    if whole_of(job, "JB_type", say, 0, _MOST, 0) & _BINARY:
        yield "kept", (("-b", "y"),)
    script = job.word("JB_script_file")
    if script:
        arguments = [element.word("ST_name") for element in _entries(job, "JB_job_args", "ST_name")]
        yield "command", (script, *arguments)


_CHECKPOINTS: Final = {"n": 8, "s": 2, "m": 1, "x": 4}
"""Letter of -c -> its bit in JB_checkpoint_attr (clients.md#qstat--j)."""
_USUAL_CHECKPOINTS: Final = 2 + 4
"""The bits of a job with -ckpt and without -c."""


def _checkpoint_when(job: Element, say: Say) -> str:
    """Return the argument of -c; empty if it was not given."""
    if seconds := whole_of(job, "JB_checkpoint_interval", say, 0, _MOST, 0):
        return f"{seconds // 3600}:{seconds // 60 % 60}:{seconds % 60}"
    bits = whole_of(job, "JB_checkpoint_attr", say, 0, _MOST, 0)
    if job.word("JB_checkpoint_name") and bits == _USUAL_CHECKPOINTS:
        return ""
    return "".join(letter for letter, bit in _CHECKPOINTS.items() if bits & bit)


def _slot_ranges(job: Element, say: Say) -> Iterator[tuple[int, int, int]]:
    for element in _entries(job, "JB_pe_range", "RN_min"):
        try:
            first, last = (need_whole_number(tag, element.word(tag), 1, OPEN_END) for tag in ("RN_min", "RN_max"))
        except ValueError as error:
            say(element, f"{error}: the slots of job {job.word(_NUMBER)} are left out")
        else:
            step = max(1, whole_of(element, "RN_step", say, 0, _MOST, 1))
            yield min(first, last), max(first, last), step if first != last else 1


_BINARY: Final = 64
"""Bit of JB_type for a job whose command is a program, not a script (clients.md#qstat--j)."""


def _resources(element: Element, tag: str) -> tuple[tuple[str, str | None], ...]:
    return tuple(
        (child.word("CE_name"), child.word("CE_stringval") or None) for child in _entries(element, tag, "CE_name")
    )


def _names(element: Element, tag: str, inner: str) -> tuple[str, ...]:
    return tuple(child.word(inner) for child in _entries(element, tag, inner) if child.word(inner))
