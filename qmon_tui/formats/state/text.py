"""Jobs, load values and queue states as the text of a YAML file."""

from qmon_tui.formats.yaml.render import scalar
from qmon_tui.model.state import Job, State, Task
from qmon_tui.values.ranges import format_ranges
from qmon_tui.values.times import format_time


def state_text(state: State) -> str:
    """A file that reads back as the same state; empty for a state without jobs, load values and queue states."""
    if not (state.jobs or state.loads or state.queue_states):
        return ""
    lines = [f"now: {format_time(state.now)}"]
    if state.loads:
        lines.append("loads:")
        for host, values in state.loads.items():
            inner = ", ".join(f"{_flow(name)}: {_flow(text)}" for name, text in values.items())
            lines.append(f"  {scalar(host)}: {{{inner}}}")
    if state.queue_states:
        lines.append("states:")
        lines += [f"  {scalar(instance)}: {scalar(letters)}" for instance, letters in state.queue_states.items()]
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
    if job.tasks:
        lines.append("  tasks:")
        by_task: dict[tuple[str, tuple[tuple[str, int], ...], float | None], list[int]] = {}
        for number, task in job.tasks.items():
            by_task.setdefault((task.state, tuple(task.granted.items()), task.started), []).append(number)
        for numbers in by_task.values():
            lines.append(f"    {scalar(format_ranges(numbers))}: {_task(job.tasks[numbers[0]])}")
    return lines


def _task(task: Task) -> str:
    parts = [f"state: {_flow(task.state)}"]
    if task.granted:
        places = ", ".join(f"{_flow(instance)}: {slots}" for instance, slots in task.granted.items())
        parts.append(f"granted: {{{places}}}")
    if task.started is not None:
        parts.append(f"started: {format_time(task.started)}")
    return "{" + ", ".join(parts) + "}"


def _flow(text: str) -> str:
    return scalar(text, flow=True)
