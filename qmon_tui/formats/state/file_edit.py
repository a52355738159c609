"""Edit jobs, load values, queue states and reservations in the text of one YAML file."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Final, TypeVar

from qmon_tui.formats import nodeset
from qmon_tui.formats.state.drains import drains_line, drains_token
from qmon_tui.formats.state.entries import TASK_LEAD, flow_item, item_lines, loads_text, rendered
from qmon_tui.formats.state.item_edit import edit_fields, edit_keyed, insert_items, pairs_of, replaced, without_items
from qmon_tui.formats.state.keyed_edit import new_usage, task_changes, usage_changes
from qmon_tui.formats.text_changes import TextChange, apply_changes, line_end, line_start
from qmon_tui.formats.yaml import (
    INDENT,
    Mapping as MappingNode,
    MappingEdit,
    Node,
    Scalar,
    Sequence,
    SharedKey,
    column,
    read_file,
    resolve,
    rewritten,
    scalar,
    scalar_pairs,
)
from qmon_tui.model import LAST_NUMBERS, StateEntry
from qmon_tui.model.catalogue.state import INSTANCE
from qmon_tui.values import canonical, whole_number

Token = TypeVar("Token")


@dataclass(frozen=True, slots=True)
class EntryEdit:
    """One item before (None if added) and after (None if removed)."""

    key: str
    """Top-level key of the file that contains the item."""
    before: StateEntry | None
    after: StateEntry | None

    @property
    def some(self) -> StateEntry:
        """The item before the edit; after it, if it is added."""
        some = self.before or self.after
        assert some is not None
        return some

    @property
    def name(self) -> str:
        return self.some.name


def reservation_ids(text: str) -> frozenset[str]:
    """Return the numbers of the advance reservations in a file."""
    lists = (resolve(value) for key, _, value in read_file(text, "").state if key == "reservations")
    return frozenset(_id(item) or "" for node in lists if isinstance(node, Sequence) for item in node.items)


class StateFileEdit:
    """Writes changes of a state into one text. Raises ValueError if the text has no place for one."""

    def __init__(self, text: str, numbers: Mapping[int, str]) -> None:
        """`numbers`: line -> number of the job that begins there, even if the text does not have the number."""
        self._text = text
        self._numbers = numbers
        self._newline = "\r\n" if "\r\n" in text else "\n"
        self._state = read_file(text, "").state
        self._changes: list[TextChange] = []
        self._tail: list[str] = []

    def apply(self, edits: Iterable[EntryEdit]) -> str:
        by_key: dict[str, list[EntryEdit]] = {}
        for edit in edits:
            by_key.setdefault(edit.key, []).append(edit)
        for key, of_key in by_key.items():
            _WRITERS[key](self, of_key)
        text = apply_changes(self._text, self._changes)
        if self._tail:
            lead = "" if not text or text.endswith("\n") else self._newline
            text += lead + "".join(line + self._newline for line in self._tail)
        return text

    def _section(self, key: str) -> tuple[Scalar, Node] | None:
        """Return the last use of a top-level key: the nodes of key and value; None if there is none."""
        sections = [(node, value) for name, node, value in self._state if name == key]
        return sections[-1] if sections else None

    # -- the time, and last numbers

    def single(self, edits: list[EntryEdit]) -> None:
        """Write `now` or a last number; a new key is placed before all other keys of the state."""
        ((key, after),) = ((edit.key, edit.after) for edit in edits)
        section = self._section(key)
        if after is None and section and line_start(self._text, section[0].start) == section[0].start:
            self._changes.append(TextChange(section[0].start, line_end(self._text, section[1].end), ""))
            return
        text = scalar(after.values[key]) if after else "0"
        if section is not None:
            self._changes.append(replaced(self._text, *section, text))
        elif self._state:
            at = line_start(self._text, min(node.start for _, node, _ in self._state))
            self._changes.append(TextChange(at, at, f"{key}: {text}{self._newline}"))
        else:
            self._tail.append(f"{key}: {text}")

    # -- names with values

    def instances(self, edits: list[EntryEdit]) -> None:
        """Write a section of queue instances (`states:`, `changed:` ...); its keys may be node sets."""
        wanted = {edit.name: next(iter(edit.after.values.values())) if edit.after else None for edit in edits}

        def change(pair: SharedKey, text: str) -> list[TextChange]:
            style = pair.value.style if isinstance(pair.value, Scalar) else ""
            return [replaced(self._text, pair.key, pair.value, scalar(text, style=style))]

        def token(value: Node) -> str:
            return value.text if isinstance(value, Scalar) else ""

        self._keyed(edits[0].key, wanted, _instances, _folded_instances, token, change, scalar)

    def loads(self, edits: list[EntryEdit]) -> None:
        """Write `loads:`; its keys may be node sets."""
        wanted = {edit.name: tuple(edit.after.values.items()) if edit.after else None for edit in edits}

        def token(value: Node) -> tuple[tuple[str, str], ...]:
            body = resolve(value)
            pairs = scalar_pairs(body) if isinstance(body, MappingNode) else ()
            return tuple(
                (key.text, scalar_value.text) for key, scalar_value in pairs if isinstance(scalar_value, Scalar)
            )

        def write(_: str, text: str, flow: bool, style: str) -> str:
            return scalar(text, flow=flow, style=style)

        def change(pair: SharedKey, values: tuple[tuple[str, str], ...]) -> list[TextChange]:
            before, after = dict(token(pair.value)), dict(values)
            return edit_fields(self._text, pair.key, pair.value, before, after, write, self._newline)

        self._keyed("loads", wanted, _hosts, nodeset.fold_hosts, token, change, lambda values: loads_text(dict(values)))

    def drains(self, edits: list[EntryEdit]) -> None:
        """Write `drains:`, whose keys may be node sets or queue instances on them, or `exceptions:`."""
        wanted = {edit.name: tuple(edit.after.values.values()) if edit.after else None for edit in edits}

        def change(pair: SharedKey, drains: tuple[str, ...]) -> list[TextChange]:
            return [replaced(self._text, pair.key, pair.value, drains_line(drains))]

        if edits[0].key == "drains":
            self._keyed("drains", wanted, _places, _folded_places, drains_token, change, drains_line)
        else:
            self._keyed("exceptions", wanted, lambda name: (name,), tuple, drains_token, change, drains_line)

    def usage(self, edits: list[EntryEdit]) -> None:
        """Write `usage:`, which has a section for users and one for projects."""
        section = self._section("usage")
        pairs = {edit.name: (edit.before, edit.after) for edit in edits}
        body = resolve(section[1]) if section else None
        if section is None or not isinstance(body, MappingNode):
            self._fill("usage", section, new_usage(pairs))
        else:
            self._changes += usage_changes(MappingEdit(self._text, body, section[0]), pairs, self._newline)

    def _keyed(
        self,
        key: str,
        wanted: Mapping[str, Token | None],
        names: Callable[[str], tuple[str, ...]],
        fold: Callable[[Iterable[str]], tuple[str, ...]],
        token: Callable[[Node], Token],
        change: Callable[[SharedKey, Token], list[TextChange]],
        render: Callable[[Token], str],
    ) -> None:
        """Change a section of names and values: `wanted` has the new values of some names; None removes a name."""
        section = self._section(key)
        body = resolve(section[1]) if section else None
        if section is None or not isinstance(body, MappingNode):
            lines = [
                f"{INDENT}{scalar(n)}: {render(wanted_text)}"
                for n, wanted_text in wanted.items()
                if wanted_text is not None
            ]
            self._fill(key, section, lines)
            return
        pairs = [SharedKey(names(name.text), name, value) for name, value in pairs_of(body)]
        container = MappingEdit(self._text, body, section[0])
        self._changes += edit_keyed(container, pairs, wanted, fold, token, change, render,
                                    self._newline)  # fmt: skip

    def _fill(self, key: str, section: tuple[Scalar, Node] | None, lines: list[str]) -> None:
        """Write the lines of a section that is missing or empty."""
        if not lines:
            raise ValueError(f"{key} holds nothing")
        if section is None:
            self._tail += [f"{key}:", *lines]
        else:
            written = self._newline + self._newline.join(lines)
            self._changes.append(rewritten(self._text, *section, written))

    # -- lists

    def listed(self, key: str, edits: list[EntryEdit]) -> None:
        """Write `jobs:` or `reservations:`, item by item."""
        sections = [(node, resolve(value)) for name, node, value in self._state if name == key]
        lists = [body for _, body in sections if isinstance(body, Sequence)]
        removed: dict[int, set[int]] = {}
        added: list[StateEntry] = []
        for edit in edits:
            if edit.before is None:
                assert edit.after is not None
                added.append(edit.after)
                continue
            number, index = self._place(lists, edit.before)
            if edit.after is None:
                removed.setdefault(number, set()).add(index)
            else:
                self._item(lists[number].items[index], edit.before, edit.after)
        for number, indices in removed.items():
            self._changes += without_items(self._text, lists[number], indices)
            self._write_next_numbers(lists[number], indices)
        if added and lists:
            emptied = len(removed.get(len(lists) - 1, ())) == len(lists[-1].items)
            texts = [(flow_item(entry), list(item_lines(entry))) for entry in added]
            self._changes += insert_items(self._text, lists[-1], texts, self._newline, in_place_of_all=emptied)
        elif added:
            section = self._section(key)
            self._fill(key, section, [line for entry in added for line in item_lines(entry)])

    def _place(self, lists: list[Sequence], entry: StateEntry) -> tuple[int, int]:
        """Return list and index of an item, found by its number or, if that is not written, by its line."""
        line = entry.origin.line if entry.origin else None
        for number, sequence in enumerate(lists):
            for index, item in enumerate(sequence.items):
                written = _id(item)
                if written == entry.name or (written is None and item.line == line):
                    return number, index
        raise ValueError(f"{entry.kind} {entry.name} has no place in this file")

    def _write_next_numbers(self, sequence: Sequence, indices: set[int]) -> None:
        """Write the number of a job that had none (the previous number plus 1) if the job before it is removed."""
        for index in indices:
            item = sequence.items[index + 1] if index + 1 < len(sequence.items) and index + 1 not in indices else None
            number = self._numbers.get(item.line) if item else None
            if item is None or number is None or _id(item) is not None:
                continue
            others = (other for other in sequence.items if other is not item)
            if not isinstance(item, MappingNode) or any(resolve(other) is item for other in others):
                raise ValueError("an item that is an alias, or has one, cannot be given a number of its own")
            at = item.pairs[0][0].start
            behind = ", " if item.flow else self._newline + column(self._text, at)
            self._changes.append(TextChange(at, at, f"id: {number}{behind}"))

    def _item(self, item: Node, before: StateEntry, after: StateEntry) -> None:
        if not isinstance(item, MappingNode):
            raise ValueError("an item that is an alias cannot be changed")
        plain = [
            {name: text for name, text in entry.values.items() if not name.startswith(TASK_LEAD)}
            for entry in (before, after)
        ]
        tasks = task_changes(self._text, item, before, after, self._newline)

        def write(name: str, text: str, flow: bool, style: str) -> str:
            return rendered(after.kind, name, text, flow=flow, style=style)

        wanted = {**plain[1], **tasks.given}
        self._changes += edit_fields(self._text, None, item, plain[0], wanted, write, self._newline, tasks.gone)
        self._changes += tasks.inner


def _id(item: Node) -> str | None:
    """Return the number that is written for an item; None if there is none."""
    body = resolve(item)
    if not isinstance(body, MappingNode):
        return None
    texts = (value.text for key, value in body.pairs if isinstance(key, Scalar) and key.text == "id"
             and isinstance(value, Scalar))  # fmt: skip
    text = next(texts, None)
    number = whole_number(text.strip()) if text is not None else None
    return None if number is None else str(number)


def _hosts(text: str) -> tuple[str, ...]:
    return tuple(canonical(host) for host in nodeset.expand_nodeset(text))


def _instances(text: str) -> tuple[str, ...]:
    queue, _, hosts = text.partition("@")
    return tuple(f"{queue}@{host}" for host in _hosts(hosts)) if hosts else (queue,)


def _folded_instances(names: Iterable[str]) -> tuple[str, ...]:
    by_queue: dict[str, list[str]] = {}
    for name in names:
        queue, _, host = name.partition("@")
        by_queue.setdefault(queue, []).append(host)
    folded = ((queue, hosts) for queue, queue_hosts in by_queue.items() for hosts in _folded(queue_hosts))
    return tuple(f"{queue}@{hosts}" if hosts else queue for queue, hosts in folded)


def _places(text: str) -> tuple[str, ...]:
    return _instances(text) if "@" in text else _hosts(text)


def _folded_places(names: Iterable[str]) -> tuple[str, ...]:
    """Return queue instances and hosts as node sets, the hosts first."""
    names = tuple(names)
    hosts = [name for name in names if "@" not in name]
    instances = [name for name in names if "@" in name]
    return (*(nodeset.fold_hosts(hosts) if hosts else ()), *(_folded_instances(instances) if instances else ()))


def _folded(hosts: list[str]) -> tuple[str, ...]:
    """Return hosts as node sets; "" stands for a cluster queue."""
    return (*(("",) if "" in hosts else ()), *nodeset.fold_hosts(host for host in hosts if host))


_WRITERS: Final[Mapping[str, Callable[[StateFileEdit, list[EntryEdit]], None]]] = {
    "now": StateFileEdit.single,
    **dict.fromkeys(LAST_NUMBERS, StateFileEdit.single),
    "loads": StateFileEdit.loads,
    **dict.fromkeys(("drains", "exceptions"), StateFileEdit.drains),
    **{field.key: StateFileEdit.instances for field in INSTANCE.fields},
    "usage": StateFileEdit.usage,
    "reservations": lambda edit, edits: edit.listed("reservations", edits),
    "jobs": lambda edit, edits: edit.listed("jobs", edits),
}
