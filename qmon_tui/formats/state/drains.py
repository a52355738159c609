"""Reasons and ends of drains (disabled hosts and queue instances) and exceptions (rights, tickets) in a YAML file.

drains:
  node[05-08]: {reason: new power supply, who: anna, since: 2026-11-21T09:00:00, until: 2026-11-23T12:00:00}
  all.q@node09:
  - {reason: disk, who: anna}
  - {reason: kernel, who: bert, until: +2d}
exceptions:
  userset/guests/bela: {reason: cover for anna, who: anna, until: 2026-12-01T23:59:59}
  project/sea: {reason: deadline, until: 2026-12-24T23:59:59}

The catalogue of state and docs/cluster-folder.md describe each field.
"""

from collections.abc import Iterable, Iterator, Mapping as MappingType
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, NamedTuple

from qmon_tui.formats.state.field_values import flow_text, read_values
from qmon_tui.formats.state.host_and_queue_states import hosts_named
from qmon_tui.formats.state.node_reader import ItemReading, JobTimes, NodeReader
from qmon_tui.formats.yaml import Mapping, Node, Scalar, Sequence, braces, named_lines, resolve, scalar, scalar_pairs
from qmon_tui.model import DRAIN_AT, EXCEPTION_AT, Drain, Drains, StateSpec, dated_place
from qmon_tui.model.catalogue.state import DRAIN, EXCEPTION


class ReasonKey(NamedTuple):
    """A top-level key with reasons: their fields, and the words and the rule of findings about them."""

    key: str
    spec: StateSpec
    noun: str
    place: str
    """Prefix of its names in `State.places`."""
    rule: str
    example: str


DRAINS: Final = ReasonKey(
    "drains", DRAIN, "a drain", DRAIN_AT, "format.drain", "node05: {reason: new power supply, who: anna}"
)
EXCEPTIONS: Final = ReasonKey(
    "exceptions", EXCEPTION, "an exception", EXCEPTION_AT, "format.exception",
    "userset/guests/bela: {reason: cover for anna, until: 2026-12-01T23:59:59}",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Draft:
    """A reason whose times are still unread: they may be offsets from the first job's submission."""

    file: str
    names: tuple[str, ...]
    node: Node
    fields: MappingType[str, Node]


class DrainReader:
    """Collects the reasons of all files below one key; `finish` resolves their times when all jobs are read."""

    def __init__(self, notes: NodeReader, key: ReasonKey) -> None:
        self._notes = notes
        self._key = key
        self._drafts: list[_Draft] = []

    def take(self, node: Node) -> None:
        """Read the value of the key in one file."""
        notes, key = self._notes, self._key
        for name, value in notes.pairs(key.key, key.example, node):
            names = tuple(self._names(name))
            for place in names:
                notes.place(f"{key.place}{place}", name)
            body = resolve(value)
            for item in body.items if isinstance(body, Sequence) else (value,):
                fields = resolve(item)
                if not isinstance(fields, Mapping):
                    notes.say("format.yaml.type", f"a reason is written as {key.example}", item)
                    continue
                known = notes.fields(fields, key.spec.names, key.noun, key.rule)
                needed = (field.name for field in key.spec.fields if field.needed)
                lacking = next((name for name in needed if not notes.word(known.get(name))), None)
                if lacking is not None:
                    word = "an end: until" if lacking == "until" else "a reason"
                    notes.say(key.rule, f"{key.noun} needs {word}", item)
                    continue
                self._drafts.append(_Draft(notes.file, names, item, known))

    def _names(self, name: Scalar) -> Iterator[str]:
        """Yield the hosts, queue instances or members that a key names; none, with a finding, if it is invalid."""
        if self._key is EXCEPTIONS:
            if dated_place(name.text) is not None:
                yield name.text
            else:
                ways = "userset/NAME/MEMBER, user/NAME, project/NAME or userset/NAME"
                words = f'"{name.text}" cannot have an end: write {ways}'
                self._notes.say(self._key.rule, words, name)
            return
        queue, at, hosts = name.text.rpartition("@")
        if at and not (queue and hosts):
            self._notes.say("format.load", f'"{name.text}" is neither a host nor a queue instance', name)
            return
        yield from (f"{queue}{at}{host}" for host in hosts_named(self._notes, hosts, name))

    def finish(self, clock: JobTimes) -> Drains:
        """Return host or queue instance -> its reasons; a reason given twice is reported."""
        notes = self._notes
        reasons: dict[str, dict[str, Drain]] = {}
        for draft in self._drafts:
            notes.file = draft.file
            values = read_values(ItemReading(notes, clock, self._key.rule, clock.base), self._key.spec, draft.fields)
            if values is None:
                continue
            drain = Drain(**values)
            for name in draft.names:
                if drain.key in reasons.setdefault(name, {}):
                    notes.say("format.duplicate", f"{drain.key} is written twice for {name}", draft.node)
                reasons[name].setdefault(drain.key, drain)
        return MappingProxyType({name: tuple(known.values()) for name, known in reasons.items()})


def drain_texts(drains: Iterable[Drain]) -> dict[str, str]:
    """Return `who: reason` -> the reason as YAML in curly braces."""
    return {drain.key: flow_text(DRAIN, drain) for drain in drains}


def drains_line(texts: Iterable[str]) -> str:
    """Return the reasons of a place as one YAML value: a single reason itself, several as a list."""
    given = tuple(texts)
    return given[0] if len(given) == 1 else f"[{', '.join(given)}]"


def drains_token(value: Node) -> tuple[str, ...]:
    """Return the reasons in the value of a place in a file, each in curly braces."""
    body = resolve(value)
    items = (resolve(item) for item in body.items) if isinstance(body, Sequence) else (body,)
    return tuple(braces(_texts(item)) for item in items if isinstance(item, Mapping))


def _texts(item: Mapping) -> dict[str, str]:
    pairs = ((key.text, resolve(value)) for key, value in scalar_pairs(item))
    return {name: scalar(body.text, flow=True) for name, body in pairs if isinstance(body, Scalar)}


def drain_lines(key: ReasonKey, drains: Drains) -> Iterator[str]:
    """Yield the lines of a key with all its reasons; none if there are no reasons."""
    return named_lines(key.key, {name: drains_line(drain_texts(known).values()) for name, known in drains.items()})
