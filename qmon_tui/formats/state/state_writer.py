"""Jobs, load values, queue states, usage and advance reservations as the text of a YAML file."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace

from qmon_tui.formats.state.drains import DRAINS, EXCEPTIONS, drain_lines
from qmon_tui.formats.state.entries import task_text, usage_text, usage_texts
from qmon_tui.formats.state.field_values import field_texts, rendered
from qmon_tui.formats.state.simulation import simulation_lines
from qmon_tui.formats.state.workload import workload_lines
from qmon_tui.formats.yaml import scalar
from qmon_tui.model import (
    LAST_NUMBERS,
    AdvanceReservation,
    Job,
    LaterNumbers,
    PastUsage,
    PeAlg,
    State,
    StateSpec,
    Usage,
)
from qmon_tui.model.catalogue.state import JOB, RESERVATION, SEEN, SUSPENDED
from qmon_tui.values import format_ranges, format_time, pe_alg_text


def state_text(state: State) -> str:
    """A file that reads back as the same state; empty for a state that has only a time."""
    seen = (state.jobs, state.loads, state.queue_states, state.drains, state.exceptions, state.reservations)
    remembered = (state.usage, state.changed, state.seen_suspended, *state.pe_alg)
    numbers = [f"{name}: {number}" for name in LAST_NUMBERS if (number := getattr(state, name))]
    simulation = [*simulation_lines(state.simulation), *workload_lines(state.simulation.workload)]
    if not (any(seen) or any(remembered) or numbers or simulation):
        return ""
    lines = [*([f"now: {format_time(state.now)}"] if state.beginning is None else []), *numbers]
    if state.loads:
        lines.append("loads:")
        for host, values in state.loads.items():
            inner = ", ".join(f"{_flow(name)}: {_flow(text)}" for name, text in values.items())
            lines.append(f"  {scalar(host)}: {{{inner}}}")
    if state.queue_states:
        lines.append("states:")
        lines += [f"  {scalar(instance)}: {scalar(letters)}" for instance, letters in state.queue_states.items()]
    if state.error_reasons:
        lines.append("reasons:")
        lines += [f"  {scalar(instance)}: {scalar(reason)}" for instance, reason in state.error_reasons.items()]
    lines += drain_lines(DRAINS, state.drains)
    lines += drain_lines(EXCEPTIONS, state.exceptions)
    lines += simulation
    lines += pe_alg_lines(state.pe_alg)
    lines += changed_lines(state.changed)
    lines += seen_lines(state.seen_suspended)
    lines += usage_lines(state.usage)
    lines += reservation_lines(state.reservations)
    if state.jobs:
        lines.append("jobs:")
        for job in state.jobs:
            lines += _job(job, state)
    return "\n".join(lines) + "\n"


def _job(job: Job, state: State) -> list[str]:
    texts = field_texts(JOB, replace(job, columns=state.columns_of(job) or None))
    if not job.qsub:
        del texts["qsub"]
    lines = [f"- id: {job.id}", *_field_lines(JOB, texts)]
    if job.tasks:
        lines.append("  tasks:")
        by_task: dict[str, list[int]] = {}
        for number, task in job.tasks.items():
            if isinstance(task.tickets, LaterNumbers):
                task = replace(task, tickets=state.numbers_of(job.id, number, task))
            by_task.setdefault(task_text(task), []).append(number)
        lines += [f"    {scalar(format_ranges(numbers))}: {task}" for task, numbers in by_task.items()]
    return lines


def _field_lines(spec: StateSpec, texts: Mapping[str, str]) -> Iterator[str]:
    yield from (f"  {name}: {rendered(spec, name, text)}" for name, text in texts.items())


def pe_alg_lines(scores: PeAlg) -> Iterator[str]:
    """Yield the line of the key `pe_alg`; none if all scores are 0."""
    if any(scores):
        yield f"pe_alg: {pe_alg_text(scores)}"


def changed_lines(changed: Mapping[str, float]) -> Iterator[str]:
    """Yield the lines of the key `changed`; none if no time of change is known."""
    if changed:
        yield "changed:"
    yield from (f"  {scalar(name)}: {format_time(when)}" for name, when in changed.items())


def seen_lines(suspended: Collection[str]) -> Iterator[str]:
    """Yield the lines of the key `seen`; none if the scheduler counts no queue instance as suspended."""
    if suspended:
        yield f"{SEEN}:"
    yield from (f"  {scalar(name)}: {SUSPENDED}" for name in sorted(suspended))


def usage_lines(book: PastUsage) -> Iterator[str]:
    """Yield the lines of the key `usage`; none if there is no usage."""
    if book:
        yield "usage:"
        yield from _usages("users", book.users)
        yield from _usages("projects", book.projects)


def reservation_lines(reservations: Iterable[AdvanceReservation]) -> Iterator[str]:
    """The lines of the key `reservations`; none without any."""
    for place, reservation in enumerate(reservations):
        if not place:
            yield "reservations:"
        yield f"- id: {reservation.id}"
        yield from _field_lines(RESERVATION, field_texts(RESERVATION, reservation))


def _usages(key: str, usages: Mapping[str, Usage]) -> Iterator[str]:
    if usages:
        yield f"  {key}:"
    for name, usage in usages.items():
        yield f"    {scalar(name)}: {usage_text(usage_texts(usage))}"


def _flow(text: str) -> str:
    return scalar(text, flow=True)
