"""Base of all readers of a state: take YAML nodes apart, parse times, and report findings about fields."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NoReturn

from qmon_tui.formats import nodeset
from qmon_tui.formats.format_findings import problem
from qmon_tui.formats.state.state_contents import DEFAULT_START
from qmon_tui.formats.yaml import MERGE, Mapping, Node, Scalar, merge_sources, resolve, scalar_pairs
from qmon_tui.model import Finding, Origin, StateField
from qmon_tui.values import (
    canonical,
    is_offset,
    meant,
    parse_moment,
    parse_offset,
    parse_time,
    second_fraction,
    whole_number,
)


class NodeReader:
    """Collects findings of several files; `file` is the one being read."""

    def __init__(self) -> None:
        self.file = ""
        self.findings: list[Finding] = []
        self.node_sets = nodeset.NodeSetReader()
        self.places: dict[str, Origin] = {}
        """Host or queue instance -> where its load values or its state were read."""

    def say(
        self, rule: str, message: str, node: Node | None, job: int | None = None, field_name: str | None = None
    ) -> None:
        """Report a problem at a node, optionally with a job or one of its fields."""
        line, column = (node.line, node.column) if node else (1, 1)
        kind, name = ("job", str(job)) if job is not None else ("", "")
        self.findings.append(
            problem(rule, message, file=self.file, line=line, column=column, kind=kind, name=name, field=field_name)
        )

    def place(self, name: str, node: Node) -> None:
        """Remember where a host, queue instance or other name was read first."""
        self.places.setdefault(name, Origin(self.file, node.line))

    def pairs(self, what: str, example: str, node: Node) -> list[tuple[Scalar, Node]]:
        """Return the pairs of a mapping; none for an empty node or NONE, and, with a finding, for other values."""
        body = resolve(node)
        if isinstance(body, Scalar) and body.text in ("", "NONE"):
            return []
        if not isinstance(body, Mapping):
            self.say("format.yaml.type", f"{what} holds names and values, such as {example}", node)
            return []
        pairs = []
        for key, value in body.pairs:
            name = resolve(key)
            if isinstance(name, Scalar) and name.text:
                pairs.append((name, value))
            else:
                self.say("format.yaml.type", f"a name in {what} is one word", key)
        return pairs

    def scalars(self, what: str, example: str, node: Node) -> list[tuple[Scalar, Scalar]]:
        """Return the pairs of a mapping whose values are scalars; other pairs are reported."""
        pairs = ((key, self.single(f"{key.text} in {what}", value)) for key, value in self.pairs(what, example, node))
        return [(key, body) for key, body in pairs if body is not None]

    def single(self, what: str, node: Node) -> Scalar | None:
        """Return a scalar; None, with a finding, for a list or mapping."""
        body = resolve(node)
        if isinstance(body, Scalar):
            return body
        self.say("format.yaml.type", f"{what} is one value", node)
        return None

    def fields(self, body: Mapping, known: tuple[str, ...], what: str, rule: str = "format.job") -> dict[str, Node]:
        """Return key -> value of the `known` keys, with merged mappings (`<<`); report other and repeated keys."""
        fields: dict[str, Node] = {}
        merged: list[Node] = []
        for key, value in body.pairs:
            name = resolve(key)
            text = name.text if isinstance(name, Scalar) else "?"
            if text in fields:
                self.say("format.duplicate", f"{text} is written twice", key)
            elif text in known:
                fields[text] = value
            elif text == MERGE:
                merged.append(value)
            else:
                hint = f", {near}" if (near := meant(text, known)) else f"; known are {', '.join(known)}"
                self.say(rule, f'{what} has no "{text}"{hint}', key)
        for node in merged:
            for source in merge_sources(node):
                if isinstance(source, Mapping):
                    taken = {key.text: value for key, value in scalar_pairs(source) if key.text in known}
                    fields = {**taken, **fields}
                else:
                    self.say("format.yaml.type", "<<: takes over a mapping", node)
        return fields

    def word(self, node: Node | None) -> str:
        """Return the text of a single value; empty if there is none."""
        body = resolve(node) if node is not None else None
        if isinstance(body, Scalar):
            return body.text.strip()
        if body is not None:
            self.say("format.yaml.type", "this is one value, not a list or mapping", node)
        return ""


def read_granted(notes: NodeReader, node: Node | None, rule: str, job: int | None = None) -> dict[str, int] | None:
    """Return queue instance -> slots, 1 for a name alone; None, with a finding, if it cannot be read."""
    body = resolve(node) if node is not None else None
    if body is None:
        return {}
    if isinstance(body, Scalar) and "@" in body.text:
        return {_instance(body.text): 1}
    granted: dict[str, int] = {}
    for key, value in notes.scalars("granted", "all.q@sim1: 1", body):
        slots = whole_number(value.text, most=9_999_999)
        if "@" in key.text and slots:
            granted[_instance(key.text)] = slots
        else:
            message = "granted is a queue instance and its slots: all.q@sim1: 1"
            notes.say(rule, message, key, job, "tasks" if job is not None else None)
            return None
    return granted


def _instance(text: str) -> str:
    """Return a queue instance with its host in canonical spelling."""
    queue, _, host = text.partition("@")
    return f"{queue}@{canonical(host)}"


class JobTimes:
    """Parses times; `base` (seconds since the epoch) is the time from which offsets count."""

    def __init__(self, now: str | None, submissions: Sequence[str | None]) -> None:
        self.base = _base(now, submissions)

    def read(self, notes: NodeReader, text: str | None, node: Node | None, job: int | None, otherwise: int) -> int:
        """Parse a time (seconds since the epoch); `otherwise` if there is none or, with a finding, a wrong one."""
        if text is None:
            return otherwise
        try:
            return parse_moment(text, self.base)
        except ValueError as error:
            notes.say("format.time", str(error), node, job)
            return otherwise

    def read_start(
        self, notes: NodeReader, text: str | None, node: Node | None, job: int | None, otherwise: int
    ) -> float:
        """Read a time with fractions of a second, which order starts in the same second."""
        fraction = second_fraction(text) if text is not None else 0
        return self.read(notes, text, node, job, otherwise) + fraction


def _base(now: str | None, submissions: Sequence[str | None]) -> int:
    """Return the first job's time; else the latest at which no job's offset is after `now`; else a fixed time."""
    if submissions and submissions[0] and (first := _absolute(submissions[0])) is not None:
        return first
    moment = _absolute(now) if now else None
    if moment is None:
        return parse_time(DEFAULT_START)
    return moment - max((_offset(text) for text in submissions if text), default=0)


def _absolute(text: str) -> int | None:
    try:
        return None if is_offset(text) else parse_time(text)
    except ValueError:
        return None


def _offset(text: str) -> int:
    try:
        return parse_offset(text) if is_offset(text) else 0
    except ValueError:
        return 0


MOST_TASKS_LISTED: Final = 1_000_000


class Left(Exception):
    """Raised for an empty text: the field keeps its default."""


class Unreadable(Exception):
    """Raised after a finding about a text: the field keeps its default, or the item is left out."""


@dataclass(frozen=True, slots=True)
class ItemReading:
    """Context for reading the fields of an item: times and findings."""

    notes: NodeReader
    clock: JobTimes
    rule: str
    base: int
    """Time (seconds since the epoch) of a field whose own time cannot be read."""
    job: int | None = None
    part: str | None = None
    """Field of the job that findings name; None for the field being read."""

    def say(self, field: StateField, text: str, node: Node) -> None:
        """Report that the text of a field cannot be read."""
        name = None if self.job is None else self.part or field.name
        self.notes.say(self.rule, field.wrong.format(text=text), node, self.job, name)

    def refuse(self, field: StateField, text: str, node: Node) -> NoReturn:
        """Report that the text of a field cannot be read, and raise Unreadable, so that the field is left out."""
        self.say(field, text, node)
        raise Unreadable

    def word(self, node: Node) -> str:
        """Return the text of a scalar; raises Left if it is empty."""
        text = self.notes.word(node)
        if not text:
            raise Left
        return text
