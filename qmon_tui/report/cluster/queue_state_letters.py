"""Meaning of the state letters of a queue instance, and their causes: configuration and loads."""

from collections.abc import Iterator
from typing import Final

from qmon_tui.model import Cluster, ConfigObject, InstanceOutcome, Kind, State, drains_at, effective_value
from qmon_tui.report.drains import drain_words
from qmon_tui.report.live_instances import state_letter_words
from qmon_tui.report.spans import Line, Span, TextRole, wrap
from qmon_tui.values import is_none

MEANINGS: Final = {
    "a": "a load threshold is reached, or its load value is missing: no job starts here, running jobs continue",
    "A": "a suspend threshold is reached: no job starts here, and running jobs are suspended one by one",
    "c": "its configuration is ambiguous: the host is in several hostgroups that set a field differently",
    "C": "its calendar suspends it now: no job starts here, running jobs are suspended",
    "D": "its calendar closes it now: no job starts here, running jobs continue",
    "d": "it was disabled (qmod -d): no job starts here, running jobs continue",
    "s": "it was suspended (qmod -sq): no job starts here, running jobs are suspended",
    "S": "a queue on its host to which it is subordinate has reached its threshold: its jobs are suspended",
    "E": "a job could not be started here because of the queue or the host: fix that, then clear it (qmod -cq)",
    "u": "its host has not reported for too long: no job starts here, and what runs there is not known",
    "o": "it is no longer configured, and disappears with its last job or reservation",
}
"""State letter -> its meaning (qstat(1), lifecycle.md#states-of-queue-instances)."""


def state_lines(cluster: Cluster, state: State, instance: InstanceOutcome, cells: int) -> tuple[Line, ...]:
    """Return a paragraph for each letter with its causes; one line if the instance has no letters."""
    if not instance.state:
        return ((Span("no state letters: jobs may start here", TextRole.RUNNING),),)
    lines: list[Line] = []
    for letter in instance.state:
        if letter not in MEANINGS:
            continue
        lines += wrap(
            f"{state_letter_words(letter)}: {MEANINGS[letter]}", cells, TextRole.FAILED, first=f"{letter}  ", rest="   "
        )
        for fact in _facts(letter, cluster, state, instance):
            lines += wrap(fact, cells, TextRole.PLAIN, first="   ", rest="   ")
    return tuple(lines)


def legend_lines(cells: int) -> tuple[Line, ...]:
    """Return the meaning of every state letter."""
    lines: list[Line] = [(Span("All state letters", TextRole.TITLE),)]
    for letter, meaning in MEANINGS.items():
        lines += wrap(f"{state_letter_words(letter)}: {meaning}", cells, TextRole.DIM, first=f"{letter}  ", rest="   ")
    return tuple(lines)


def _facts(letter: str, cluster: Cluster, state: State, instance: InstanceOutcome) -> Iterator[str]:
    """Yield the facts of this cluster that cause the letter."""
    queue_name, _, host = instance.name.rpartition("@")
    queue = cluster.get(Kind.QUEUE, queue_name)
    if queue is None:
        return
    if letter in "aA":
        field = "load_thresholds" if letter == "a" else "suspend_thresholds"
        yield from _thresholds(cluster, state, queue, host, field)
    elif letter in "CD":
        yield f"calendar {effective_value(cluster, queue, 'calendar', host).text}"
    elif letter == "c":
        yield from _ambiguous(cluster, queue, host)
    elif letter == "E" and (reason := state.error_reasons.get(instance.name)):
        yield reason
    elif letter == "d":
        yield from map(drain_words, drains_at(state.drains, instance.name))
    elif letter == "S":
        yield from _superordinates(cluster, queue_name, host)


def _thresholds(cluster: Cluster, state: State, queue: ConfigObject, host: str, field: str) -> Iterator[str]:
    text = effective_value(cluster, queue, field, host).text
    loads = state.loads.get(host, {})
    for part in text.split(",") if not is_none(text) else ():
        name, _, limit = part.strip().partition("=")
        now = loads.get(name)
        yield f"{name} is {now}, limit {limit}" if now is not None else f"{name} is not reported, limit {limit}"


def _ambiguous(cluster: Cluster, queue: ConfigObject, host: str) -> Iterator[str]:
    for field in queue.values:
        value = effective_value(cluster, queue, field, host)
        if value.ambiguous:
            yield f"{field} is set by {' and '.join(value.candidates)}"


def _superordinates(cluster: Cluster, name: str, host: str) -> Iterator[str]:
    for other in cluster.objects(Kind.QUEUE).values():
        text = effective_value(cluster, other, "subordinate_list", host).text
        if not is_none(text) and any(part.strip().partition("=")[0] == name for part in text.split(",")):
            yield f"{other.name} has {text} in its subordinate_list"
