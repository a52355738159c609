"""Parse YAML text to a graph of nodes with their positions; scalars keep their text as written.

libyaml parses texts on which it is sure to agree with ruamel; ruamel parses all others.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final

_ODD: Final = re.compile("[\t\x85\u2028\u2029\ufeff]|^%", re.MULTILINE)
"""Characters, and the beginning of directives, that the two parsers read differently."""

_BLOCK_STYLES: Final = ("|", ">")


class NeedsReferenceParser(Exception):
    """Raised for a text that ruamel must parse."""


class YamlError(Exception):
    """Raised if the text is no YAML, or not accepted; with message, line and column (both 1-based)."""

    def __init__(self, message: str, line: int, column: int) -> None:
        super().__init__(message)
        self.message = message
        self.line = line
        self.column = column


def quick_events(text: str) -> Iterator[Any]:
    """Yield libyaml's events of a plain text; raises NeedsReferenceParser at unusual text and at every error."""
    if _ODD.search(text):
        raise NeedsReferenceParser
    import yaml  # late, as ruamel below: a folder in qconf's layout needs neither

    if not yaml.__with_libyaml__:
        raise NeedsReferenceParser
    try:
        for event in yaml.parse(text, Loader=yaml.CBaseLoader):
            if _unusual(event):
                raise NeedsReferenceParser
            yield event
    except (yaml.YAMLError, UnicodeEncodeError):
        raise NeedsReferenceParser from None


def reference_events(text: str) -> Iterator[Any]:
    """Yield ruamel's events of any text; raises YamlError."""
    from ruamel.yaml import YAML  # late: the faster parser mostly does
    from ruamel.yaml.error import MarkedYAMLError, YAMLError as AnyYAMLError

    try:
        yield from YAML(typ="safe", pure=True).parse(text)
    except MarkedYAMLError as error:
        mark: Any = error.problem_mark or error.context_mark
        message = " ".join(part for part in (error.context, error.problem) if part)
        raise YamlError(message, mark.line + 1 if mark else 1, mark.column + 1 if mark else 1) from None
    except (AnyYAMLError, ValueError) as error:
        # Characters that YAML forbids, and invalid numbers in a %YAML line.
        raise YamlError(str(error).split("\n")[0], 1, 1) from None


def _unusual(event: Any) -> bool:
    """True if the two parsers may disagree on an event or its place."""
    if getattr(event, "anchor", None) or getattr(event, "tag", None) or getattr(event, "explicit", False):
        return True
    if type(event).__name__ != "ScalarEvent":
        return False
    return event.style in _BLOCK_STYLES or (not event.style and not event.value)


DEEPEST: Final = 24
"""Maximum levels of nesting; a cluster needs six."""


_SURROGATE: Final = re.compile("[\ud800-\udfff]")


@dataclass(slots=True, eq=False)
class Node:
    """A part of a YAML text: text[start:end], beginning at `line` and `column` (both 1-based)."""

    start: int
    end: int
    line: int
    column: int


@dataclass(slots=True, eq=False)
class Scalar(Node):
    """A single value. `style` is empty for plain text, else the first character: ' or " or | or >."""

    text: str = ""
    style: str = ""


@dataclass(slots=True, eq=False)
class Sequence(Node):
    """A list; `flow` for the style in square brackets."""

    flow: bool = False
    items: list[Node] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class Mapping(Node):
    """Keys and values in their order; `flow` for the style in curly braces."""

    flow: bool = False
    pairs: list[tuple[Node, Node]] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class Alias(Node):
    """`*name`: a reference to the node with the anchor `&name`."""

    target: Node = field(default_factory=lambda: Scalar(0, 0, 1, 1))


def resolve(node: Node) -> Node:
    """Return the node itself, or the target of an alias."""
    return node.target if isinstance(node, Alias) else node


def documents(text: str) -> tuple[Node, ...]:
    """Return the root node of each document in a text (none for an empty text). Raises YamlError."""
    try:
        return composed(quick_events(text))
    except (NeedsReferenceParser, YamlError):
        return composed(reference_events(text))


def composed(events: Iterable[Any]) -> tuple[Node, ...]:
    """Build nodes from parser events; return the root of each document. Raises YamlError."""
    return tuple(_compose(events))


def _compose(events: Iterable[Any]) -> Iterator[Node]:
    """Yield one root per document, built from parser events without recursion."""
    anchors: dict[str, Node] = {}
    stack: list[tuple[Sequence | Mapping, list[Node]]] = []
    for event in events:
        kind = type(event).__name__
        if kind == "DocumentStartEvent":
            anchors = {}
            continue
        mark = event.start_mark
        if kind in ("SequenceEndEvent", "MappingEndEvent"):
            node, children = stack.pop()
            _close(node, children, event.end_mark.index)
            if stack:
                continue
            yield node
            continue
        if kind == "ScalarEvent":
            if not event.value.isascii() and _SURROGATE.search(event.value):
                raise YamlError("half of a surrogate pair is not a character", mark.line + 1, mark.column + 1)
            end = event.end_mark.index
            new_node: Node = Scalar(mark.index, end, mark.line + 1, mark.column + 1, event.value, event.style or "")
        elif kind == "AliasEvent":
            if event.anchor not in anchors:
                raise YamlError(f'the alias "*{event.anchor}" has no anchor before it', mark.line + 1, mark.column + 1)
            new_node = Alias(mark.index, event.end_mark.index, mark.line + 1, mark.column + 1, anchors[event.anchor])
        elif kind == "SequenceStartEvent":
            new_node = Sequence(mark.index, 0, mark.line + 1, mark.column + 1, bool(event.flow_style))
        elif kind == "MappingStartEvent":
            new_node = Mapping(mark.index, 0, mark.line + 1, mark.column + 1, bool(event.flow_style))
        else:
            continue
        if kind != "AliasEvent" and event.anchor:
            anchors[event.anchor] = new_node
        if stack:
            stack[-1][1].append(new_node)
        if isinstance(new_node, Sequence | Mapping):
            if len(stack) >= DEEPEST:
                raise YamlError(f"nested more than {DEEPEST} levels deep", mark.line + 1, mark.column + 1)
            stack.append((new_node, []))
        elif not stack:
            yield new_node


def _close(node: Sequence | Mapping, children: list[Node], end: int) -> None:
    """Give a finished list or mapping its contents; a block ends where its last child ends."""
    if isinstance(node, Sequence):
        node.items = children
    else:
        node.pairs = list(zip(children[::2], children[1::2], strict=True))
        for key, value in node.pairs:
            if isinstance(value, Scalar) and value.start == value.end:
                # The parser places a missing value at the next token, which may be far below.
                value.line, value.column = key.line, key.column
    node.end = end if node.flow or not children else children[-1].end
