"""Load values of hosts, states of queue instances and their latest changes in a YAML file; names may be node sets."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Final

from qmon_tui.formats import nodeset
from qmon_tui.formats.state.job_times import JobTimes
from qmon_tui.formats.state.jobs import SEEN, SUSPENDED
from qmon_tui.formats.state.node_reader import NodeReader
from qmon_tui.formats.yaml.nodes import Node, Scalar
from qmon_tui.model.state import CHANGED_AT, SEEN_AT, PeAlg
from qmon_tui.values.hosts import canonical

QUEUE_STATES: Final = "aACDduESsco"
_PE_ALG: Final = re.compile(r"(0|-\d{1,9})/(0|-\d{1,9})/(0|-\d{1,9})", re.ASCII)


def read_loads(notes: NodeReader, node: Node) -> dict[str, dict[str, str]]:
    """Host -> load value name -> text."""
    loads: dict[str, dict[str, str]] = {}
    for name, value in notes.pairs("loads", "sim1: {np_load_avg: 0.3}", node):
        values = {key.text: scalar.text for key, scalar in notes.scalars(name.text, "np_load_avg: 0.3", value)}
        for host in hosts_named(notes, name.text, name):
            if host in loads:
                notes.say("format.duplicate", f"the load values of {host} are written twice", name)
            else:
                loads[host] = values
                notes.place(host, name)
    return loads


def read_queue_states(notes: NodeReader, node: Node) -> dict[str, str]:
    """Queue instance -> state letters; "" in quotes is one that was enabled though its queue starts disabled."""

    def objection(value: Scalar) -> str | None:
        unknown = set(value.text) - set(QUEUE_STATES)
        return f"is no state, write letters of {QUEUE_STATES}" if unknown or not (value.text or value.style) else None

    return _of_instances(notes, node, "states", "d", objection, "the state of {} is written twice")


def read_seen(notes: NodeReader, node: Node) -> dict[str, str]:
    """The queue instances that the scheduler takes for suspended, each with this word."""

    def objection(value: Scalar) -> str | None:
        wrong = f"is not what the scheduler can take a queue instance for: write {SUSPENDED}, or leave it out"
        return wrong if value.text != SUSPENDED else None

    return _of_instances(notes, node, SEEN, SUSPENDED, objection, "as what {} is seen is written twice", SEEN_AT)


def _of_instances(
    notes: NodeReader,
    node: Node,
    key: str,
    example: str,
    objection: Callable[[Scalar], str | None],
    twice: str,
    place: str = "",
) -> dict[str, str]:
    """Queue instance -> text, which must give no objection; `place` leads its name where its place is noted."""
    texts: dict[str, str] = {}
    for name, value in notes.scalars(key, f"all.q@sim1: {example}", node):
        queue, _, host = name.text.partition("@")
        wrong = objection(value)
        if not queue or not host:
            notes.say("format.load", f'"{name.text}" is no queue instance, write all.q@sim1', name)
        elif wrong is not None:
            notes.say("format.load", f'"{value.text}" {wrong}', value)
        else:
            for instance in (f"{queue}@{host}" for host in hosts_named(notes, host, name)):
                if instance in texts:
                    notes.say("format.duplicate", twice.format(instance), name)
                texts.setdefault(instance, value.text)
                notes.place(f"{place}{instance}", name)
    return texts


def read_pe_alg(notes: NodeReader, node: Node) -> dict[str, PeAlg]:
    """The scores of least, bin and highest, as the scheduler logs them: -34/-68/-136; nothing where they are none."""
    text = notes.word(node)
    match = _PE_ALG.fullmatch(text)
    if match is None:
        message = f'"{text}" is not what the scheduler remembers of searches, write it as it logs it: -34/-68/-136'
        notes.say("format.load", message, node)
        return {}
    least, binary, highest = map(int, match.groups())
    return {"pe_alg": (least, binary, highest)}


def read_simulation(notes: NodeReader, node: Node) -> dict[str, str]:
    """Name -> text of what only a simulation needs; what is no single value is left to the simulation."""
    pairs = notes.pairs("simulation", "start_delay: 5", node)
    return {name.text: value.text for name, value in pairs if isinstance(value, Scalar)}


def hosts_named(notes: NodeReader, text: str, node: Node) -> Iterable[str]:
    """The hosts that a host name or node set means; none where it cannot be read."""
    try:
        return [canonical(host) for host in nodeset.expand(text)]
    except ValueError as error:
        notes.say("format.nodeset", str(error), node)
        return ()


class ChangeTimesReader:
    """Reads the key in all files; offsets count from the first job, so they are read when all jobs are known."""

    def __init__(self, notes: NodeReader) -> None:
        self._notes = notes
        self._sections: list[tuple[str, Node]] = []

    def take(self, node: Node) -> None:
        """The value of the key in one file."""
        self._sections.append((self._notes.file, node))

    def finish(self, clock: JobTimes) -> Mapping[str, float]:
        """Queue, queue instance or host -> seconds since the epoch; the fraction tells the order within a second."""
        notes = self._notes
        times: dict[str, float] = {}
        for file, node in self._sections:
            notes.file = file
            for name, when in notes.scalars("changed", "all.q@sim1: 2026-11-21T09:00:00", node):
                time = clock.read_start(notes, when.text, when, None, 0)
                for place in self._meant(name.text, name):
                    if place in times:
                        notes.say("format.duplicate", f"when {place} changed is written twice", name)
                    times.setdefault(place, time)
                    notes.place(f"{CHANGED_AT}{place}", name)
        return MappingProxyType(times)

    def _meant(self, text: str, node: Node) -> Iterator[str]:
        queue, at, host = text.partition("@")
        if not queue or (at and not host):
            self._notes.say("format.load", f'"{text}" is no queue, write all.q or all.q@sim1', node)
        elif not at:
            yield queue
        else:
            yield from (f"{queue}@{named_host}" for named_host in hosts_named(self._notes, host, node))
