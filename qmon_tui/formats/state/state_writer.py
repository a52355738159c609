"""Write jobs, load values, queue states, usage and advance reservations as a YAML file."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace

from qmon_tui.formats.state.drains import DRAINS, EXCEPTIONS, drain_lines
from qmon_tui.formats.state.entries import loads_text, usage_text, usage_texts
from qmon_tui.formats.state.field_values import field_texts, flow_text, rendered
from qmon_tui.formats.state.simulation import simulation_lines, workload_lines
from qmon_tui.formats.yaml import INDENT, named_lines, scalar
from qmon_tui.model import (
    LAST_NUMBERS,
    AdvanceReservation,
    Job,
    LaterNumbers,
    PastUsage,
    PeAlg,
    State,
    StateSpec,
)
from qmon_tui.model.catalogue.state import JOB, RESERVATION, SEEN, SUSPENDED, TASK, TASKS
from qmon_tui.values import format_ranges, format_time, pe_alg_text


def state_text(state: State) -> str:
    """Return a file that reads back as the same state; empty for a state that has only a time."""
    lines = [
        *(f"{name}: {number}" for name in LAST_NUMBERS if (number := getattr(state, name))),
        *named_lines("loads", {host: loads_text(values) for host, values in state.loads.items()}),
        *named_lines("states", _scalars(state.queue_states)),
        *named_lines("reasons", _scalars(state.error_reasons)),
        *drain_lines(DRAINS, state.drains),
        *drain_lines(EXCEPTIONS, state.exceptions),
        *simulation_lines(state.simulation),
        *workload_lines(state.simulation.workload),
        *pe_alg_lines(state.pe_alg),
        *changed_lines(state.changed),
        *seen_lines(state.seen_suspended),
        *usage_lines(state.usage),
        *reservation_lines(state.reservations),
        *(["jobs:"] if state.jobs else []),
        *(line for job in state.jobs for line in _job(job, state)),
    ]
    if not lines:
        return ""
    now = [f"now: {format_time(state.now)}"] if state.beginning is None else []
    return "\n".join([*now, *lines]) + "\n"


def _scalars(texts: Mapping[str, str]) -> dict[str, str]:
    return {name: scalar(text) for name, text in texts.items()}


def _job(job: Job, state: State) -> list[str]:
    texts = field_texts(JOB, replace(job, columns=state.columns_of(job) or None))
    if not job.qsub:
        del texts["qsub"]
    by_task: dict[str, list[int]] = {}
    for number, task in job.tasks.items():
        if isinstance(task.tickets, LaterNumbers):
            task = replace(task, tickets=state.numbers_of(job.id, number, task))
        by_task.setdefault(flow_text(TASK, task), []).append(number)
    tasks = {format_ranges(numbers): task for task, numbers in by_task.items()}
    return [f"- id: {job.id}", *_field_lines(JOB, texts), *named_lines(TASKS, tasks, INDENT)]


def _field_lines(spec: StateSpec, texts: Mapping[str, str]) -> Iterator[str]:
    yield from (f"  {name}: {rendered(spec, name, text)}" for name, text in texts.items())


def pe_alg_lines(scores: PeAlg) -> Iterator[str]:
    """Yield the line of the key `pe_alg`; none if all scores are 0."""
    if any(scores):
        yield f"pe_alg: {pe_alg_text(scores)}"


def changed_lines(changed: Mapping[str, float]) -> Iterator[str]:
    """Yield the lines of the key `changed`; none if no time of change is known."""
    return named_lines("changed", {name: format_time(when) for name, when in changed.items()})


def seen_lines(suspended: Collection[str]) -> Iterator[str]:
    """Yield the lines of the key `seen`; none if the scheduler counts no queue instance as suspended."""
    return named_lines(SEEN, dict.fromkeys(sorted(suspended), SUSPENDED))


def usage_lines(book: PastUsage) -> Iterator[str]:
    """Yield the lines of the key `usage`; none if there is no usage."""
    if book:
        yield "usage:"
    for key, usages in (("users", book.users), ("projects", book.projects)):
        yield from named_lines(key, {name: usage_text(usage_texts(usage)) for name, usage in usages.items()}, INDENT)


def reservation_lines(reservations: Iterable[AdvanceReservation]) -> Iterator[str]:
    """Yield the lines of the key `reservations`; none if there are no reservations."""
    for place, reservation in enumerate(reservations):
        if not place:
            yield "reservations:"
        yield f"- id: {reservation.id}"
        yield from _field_lines(RESERVATION, field_texts(RESERVATION, reservation))
