"""Jobs, load values, queue states, usage and advance reservations as the text of a YAML file."""

from collections.abc import Collection, Iterable, Iterator, Mapping

from qmon_tui.formats.state.entries import amounts_text, granted_text, task_text
from qmon_tui.formats.state.jobs import CATEGORY_AR, SEEN, SUSPENDED
from qmon_tui.formats.yaml.yaml_writer import scalar
from qmon_tui.model.state import LAST_NUMBERS, AdvanceReservation, Job, PastUsage, PeAlg, State, Usage
from qmon_tui.values.number_ranges import format_ranges
from qmon_tui.values.printing import pe_alg_text
from qmon_tui.values.times import format_time


def state_text(state: State) -> str:
    """A file that reads back as the same state; empty for a state that has only a time."""
    seen = (state.jobs, state.loads, state.queue_states, state.reservations)
    remembered = (state.usage, state.changed, state.seen_suspended, *state.pe_alg)
    numbers = [f"{name}: {number}" for name in LAST_NUMBERS if (number := getattr(state, name))]
    if not (any(seen) or any(remembered) or numbers):
        return ""
    lines = [f"now: {format_time(state.now)}", *numbers]
    if state.loads:
        lines.append("loads:")
        for host, values in state.loads.items():
            inner = ", ".join(f"{_flow(name)}: {_flow(text)}" for name, text in values.items())
            lines.append(f"  {scalar(host)}: {{{inner}}}")
    if state.queue_states:
        lines.append("states:")
        lines += [f"  {scalar(instance)}: {scalar(letters)}" for instance, letters in state.queue_states.items()]
    lines += pe_alg_lines(state.pe_alg)
    lines += changed_lines(state.changed)
    lines += seen_lines(state.seen_suspended)
    lines += usage_lines(state.usage)
    lines += reservation_lines(state.reservations)
    if state.jobs:
        lines.append("jobs:")
        for job in state.jobs:
            lines += _job(job)
    return "\n".join(lines) + "\n"


def _job(job: Job) -> list[str]:
    lines = [
        f"- id: {job.id}",
        f"  owner: {scalar(job.owner)}",
        f"  group: {scalar(job.group)}",
        f"  submitted: {format_time(job.submitted)}",
    ]
    if job.qsub:
        lines.append(f"  qsub: {scalar(job.qsub)}")
    lines.append(f"  name: {scalar(job.name)}")
    if job.runtime is not None:
        lines.append(f"  runtime: {job.runtime}")
    if job.changed is not None:
        lines.append(f"  changed: {format_time(job.changed)}")
    if job.project is not None:
        lines.append(f"  project: {scalar(job.project)}")
    if job.department is not None:
        lines.append(f"  department: {scalar(job.department)}")
    if job.category_ar is not None:
        lines.append(f"  {CATEGORY_AR}: {job.category_ar}")
    if job.reservation_rejected:
        lines.append("  reservation: rejected")
    if job.tasks:
        lines.append("  tasks:")
        by_task: dict[str, list[int]] = {}
        for number, task in job.tasks.items():
            by_task.setdefault(task_text(task), []).append(number)
        lines += [f"    {scalar(format_ranges(numbers))}: {task}" for task, numbers in by_task.items()]
    return lines


def pe_alg_lines(scores: PeAlg) -> Iterator[str]:
    """The line of the key `pe_alg`; none where nothing is remembered."""
    if any(scores):
        yield f"pe_alg: {pe_alg_text(scores)}"


def changed_lines(changed: Mapping[str, float]) -> Iterator[str]:
    """The lines of the key `changed`; none where nothing is known to have changed."""
    if changed:
        yield "changed:"
    yield from (f"  {scalar(name)}: {format_time(when)}" for name, when in changed.items())


def seen_lines(suspended: Collection[str]) -> Iterator[str]:
    """The lines of the key `seen`; none where the scheduler takes no queue instance for suspended."""
    if suspended:
        yield f"{SEEN}:"
    yield from (f"  {scalar(name)}: {SUSPENDED}" for name in sorted(suspended))


def usage_lines(book: PastUsage) -> Iterator[str]:
    """The lines of the key `usage`; none where nobody has used anything."""
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
        yield f"  owner: {scalar(reservation.owner)}"
        yield f"  start: {format_time(reservation.start)}"
        yield f"  end: {format_time(reservation.end)}"
        yield f"  state: {scalar(reservation.state)}"
        yield f"  granted: {granted_text(reservation.granted)}"
        if reservation.requests:
            words = ",".join(name if text is None else f"{name}={text}" for name, text in reservation.requests)
            yield f"  requests: {scalar(words)}"
        if reservation.users:
            yield f"  users: {scalar(' '.join(reservation.users))}"
        if reservation.environment is not None:
            yield f"  pe: {scalar(reservation.environment)}"
        if reservation.submitted is not None:
            yield f"  submitted: {format_time(reservation.submitted)}"
        if reservation.strict:
            yield "  strict: true"


def _usages(key: str, usages: Mapping[str, Usage]) -> Iterator[str]:
    if usages:
        yield f"  {key}:"
    for name, usage in usages.items():
        parts = [amounts_text(usage.amounts)[1:-1]] if usage.amounts else []
        if usage.time is not None:
            parts.append(f"time: {format_time(usage.time)}")
        if usage.by_project:
            inner = ", ".join(f"{_flow(project)}: {amounts_text(own)}" for project, own in usage.by_project.items())
            parts.append(f"projects: {{{inner}}}")
        yield f"    {scalar(name)}: {{{', '.join(parts)}}}"


def _flow(text: str) -> str:
    return scalar(text, flow=True)
