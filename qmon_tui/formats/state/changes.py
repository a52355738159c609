"""When cluster queues, queue instances and hosts last changed: `changed: {all.q@sim1: 2026-11-21T09:00:00}` in YAML."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from qmon_tui.formats.state.clock import Clock
from qmon_tui.formats.state.loads import hosts_named
from qmon_tui.formats.state.notes import Notes
from qmon_tui.formats.yaml.nodes import Node
from qmon_tui.model.state import CHANGED_AT


class ChangesReader:
    """Reads the key in all files; offsets count from the first job, so they are read when all jobs are known."""

    def __init__(self, notes: Notes) -> None:
        self._notes = notes
        self._sections: list[tuple[str, Node]] = []

    def take(self, node: Node) -> None:
        """The value of the key in one file."""
        self._sections.append((self._notes.file, node))

    def finish(self, clock: Clock) -> Mapping[str, float]:
        """Queue, queue instance or host -> seconds since the epoch; the fraction tells the order within a second."""
        notes = self._notes
        found: dict[str, float] = {}
        for file, node in self._sections:
            notes.file = file
            for name, when in notes.scalars("changed", "all.q@sim1: 2026-11-21T09:00:00", node):
                time = clock.read_start(notes, when.text, when, None, 0)
                for one in self._meant(name.text, name):
                    if one in found:
                        notes.say("format.duplicate", f"when {one} changed is written twice", name)
                    found.setdefault(one, time)
                    notes.place(f"{CHANGED_AT}{one}", name)
        return MappingProxyType(found)

    def _meant(self, text: str, node: Node) -> Iterator[str]:
        queue, at, host = text.partition("@")
        if not queue or (at and not host):
            self._notes.say("format.load", f'"{text}" is no queue, write all.q or all.q@sim1', node)
        elif not at:
            yield queue
        else:
            yield from (f"{queue}@{one}" for one in hosts_named(self._notes, host, node))
