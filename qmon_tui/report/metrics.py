"""Aggregates of a cluster for node_exporter's textfile collector; their number does not grow with the jobs."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from qmon_tui.model import Cluster, Outcome, State
from qmon_tui.report.attention import concerns
from qmon_tui.report.cluster import instance_lines, queue_lines
from qmon_tui.report.task_counts import TaskCounts

Labels = Mapping[str, str]


def metric_lines(
    cluster: Cluster, state: State, outcome: Outcome, drift: int | None = None, cost: Mapping[str, float] | None = None
) -> Iterator[str]:
    """Yield the lines. `drift`: number of objects that differ from a folder; `cost`: name -> cost of reading."""
    counts = TaskCounts.of(outcome).now
    yield from _metric(
        "tasks", "Tasks by condition.", (({"condition": name}, number) for name, number in sorted(counts.items()))
    )
    queues = queue_lines(cluster, instance_lines(cluster, outcome.instances_before or outcome.queue_instances))
    slots = (
        ({"queue": queue.name, "state": name}, number)
        for queue in queues
        for name, number in (("used", queue.used), ("reserved", queue.reserved), ("available", queue.available),
                             ("total", queue.total))
    )  # fmt: skip
    yield from _metric("slots", "Slots of cluster queues.", slots)
    letters = Counter(
        (instance.name.partition("@")[0], letter)
        for instance in outcome.instances_before or outcome.queue_instances
        for letter in instance.state
    )
    yield from _metric(
        "queue_instances", "Queue instances by queue and state letter.",
        (({"queue": queue, "state": letter}, number) for (queue, letter), number in sorted(letters.items())),
    )  # fmt: skip
    attention = Counter[str]()
    for concern in concerns(cluster, state, outcome):
        attention[concern.kind.value] += len(concern.names)
    yield from _metric(
        "attention", "Things that need attention, by type.",
        (({"type": kind}, number) for kind, number in sorted(attention.items())),
    )  # fmt: skip
    yield from _metric("read_time_seconds", "Time of the data, since the epoch.", [({}, state.now)])
    if drift is not None:
        yield from _metric("drift_objects", "Objects that differ from the folder.", [({}, drift)])
    for name, amount in (cost or {}).items():
        yield from _metric(f"read_{name}", f"Cost of this reading: {name} of clients.", [({}, amount)])


def _metric(name: str, text: str, values: Iterable[tuple[Labels, float]]) -> Iterator[str]:
    """Yield a metric with its help, and a line for each set of labels; nothing without values."""
    lines = [f"qmon_tui_{name}{_labels(labels)} {value:.15g}" for labels, value in values]
    if lines:
        yield f"# HELP qmon_tui_{name} {text}"
        yield f"# TYPE qmon_tui_{name} gauge"
        yield from lines


def _labels(labels: Labels) -> str:
    words = (f'{name}="{_quoted(text)}"' for name, text in labels.items())
    return f"{{{','.join(words)}}}" if labels else ""


def _quoted(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
