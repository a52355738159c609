"""Find where pairs of a YAML mapping begin and end in the text, and add or remove pairs."""

import re
from collections.abc import Sequence as Sequence_, Set
from dataclasses import dataclass
from typing import Final

from qmon_tui.formats.text_changes import TextChange, line_end, line_start
from qmon_tui.formats.yaml.nodes import Mapping, Node, Scalar, Sequence


def content_end(text: str, node: Node) -> int:
    """Return the position after the last character of a node, without blanks and line ends after a block."""
    if isinstance(node, Mapping) and not node.flow and node.pairs:
        key, value = node.pairs[-1]
        return content_end(text, value) if not is_null(value) else after_colon(text, key)
    if isinstance(node, Sequence) and not node.flow and node.items:
        return content_end(text, node.items[-1])
    return node.start + len(text[node.start : node.end].rstrip())


def is_null(node: Node) -> bool:
    """True if the text of a value is empty."""
    return isinstance(node, Scalar) and node.start == node.end


def after_colon(text: str, key: Node) -> int:
    """Return the position after the colon of a key."""
    return text.index(":", key.end) + 1


def pair_end(text: str, key: Node, value: Node) -> int:
    """Return the position after the last character of a pair."""
    return after_colon(text, key) if is_null(value) else content_end(text, value)


def rewritten(text: str, key: Node, value: Node, new: str) -> TextChange:
    """Return the change that puts `new` (with its leading blank or line end) after a key; a comment there stays."""
    start = after_colon(text, key)
    end = pair_end(text, key, value)
    first, line_break, rest = new.partition("\r\n" if "\r\n" in new else "\n")
    is_below = "\n" in text[start:end]
    match = _BEHIND_HEADER.match(text, start) if is_below else None
    behind = match[1].rstrip() if match else ""
    if line_break and (not is_below or first.endswith("|")):  # below a block scalar it would be text
        comment = text[end : line_end(text, end)].rstrip()
        behind += comment
        end += len(comment)
    return TextChange(start, end, first + behind + line_break + rest)


_BEHIND_HEADER: Final = re.compile(r"(?: *(?:[|>][-+0-9]*|&\S+))?([ \t]+#.*)")
"""Comment on the line of a key whose value is below it, after a block header or an anchor."""


_COMMA: Final = re.compile(r"(?:\s|#[^\n]*)*,")
"""The comma after a part of a flow list or mapping, with the comments before it."""


def behind_comma(text: str, end: int) -> int:
    """Return the position after the comma, if any, that follows a part of a flow list or mapping ending at `end`."""
    comma = _COMMA.match(text, end)
    return comma.end() if comma else end


def column(text: str, position: int) -> str:
    """Return as many blanks as there are characters before a position in its line."""
    return " " * (position - line_start(text, position))


@dataclass(frozen=True, slots=True)
class MappingEdit:
    """A mapping in a text, the value of `key` (None for the root of a document)."""

    text: str
    node: Mapping
    key: Node | None

    def indent(self, default: str) -> str:
        """Return the indentation of the keys of a block mapping; `default` for an empty or flow mapping."""
        pairs = self.node.pairs
        return column(self.text, pairs[0][0].start) if pairs and not self.node.flow else default

    def update(self, removed: Set[int], added: Sequence_[tuple[int | None, str]], newline: str) -> list[TextChange]:
        """Remove pairs by index, and add (index, text) pairs after that index (None: at the end), without line end.

        A comment after a removed pair on its last line is removed too. An emptied mapping stays as `{}`.
        """
        pairs = self.node.pairs
        everything = len(removed) == len(pairs)
        if everything and pairs and not added:
            return [self._emptied()]
        added = [(self._kept(behind, removed), pair) for behind, pair in added]
        if self.node.flow:
            spans = [(key.start, pair_end(self.text, key, value)) for key, value in pairs]
            return [*removals_in_line(self.text, spans, removed), *self._flow_insertions(everything, added)]
        ends = [pair_end(self.text, *pair) for pair in pairs]
        changes = [
            TextChange(line_start(self.text, pairs[index][0].start), line_end(self.text, ends[index]), "")
            for index in sorted(removed)
        ]
        for behind, pair in added:
            at = line_end(self.text, ends[-1 if behind is None else behind])
            changes.append(insertion_of_lines(self.text, at, pair, newline))
        return changes

    def _kept(self, behind: int | None, removed: Set[int]) -> int | None:
        """Return the index itself, or the nearest before it that stays; None (the end) if none stays."""
        while behind is not None and behind in removed:
            behind = behind - 1 if behind else None
        return behind

    def _flow_insertions(self, empty: bool, added: Sequence_[tuple[int | None, str]]) -> list[TextChange]:
        pairs = self.node.pairs
        changes = []
        for number, (behind, pair) in enumerate(added):
            lead = "" if empty and number == 0 else ", "
            if pairs:
                at = pair_end(self.text, *pairs[-1 if behind is None else behind])
            else:
                at = self.node.start + self.text[self.node.start : self.node.end].index("{") + 1
            changes.append(TextChange(at, at, lead + pair))
        return changes

    def _emptied(self) -> TextChange:
        """Return the change that removes all pairs; text before the first one, such as a comment, stays."""
        first, last = self.node.pairs[0][0], self.node.pairs[-1]
        end = pair_end(self.text, *last)
        if self.node.flow:
            return TextChange(first.start, behind_comma(self.text, end), "")
        if self.key is None:
            return TextChange(line_start(self.text, first.start), line_end(self.text, end), "")
        start = after_colon(self.text, self.key)
        between = self.text[start : line_start(self.text, first.start)].rstrip()
        return TextChange(start, end, " {}" + (between if "#" in between else ""))


def insertion_of_lines(text: str, at: int, lines: str, newline: str) -> TextChange:
    """Add whole lines at the beginning of a line or at the end of the text."""
    lead = newline if at and text[at - 1] != "\n" else ""
    return TextChange(at, at, lead + lines + (newline if not lead else ""))


def removals_in_line(text: str, spans: Sequence_[tuple[int, int]], removed: Set[int]) -> list[TextChange]:
    """Remove parts of a flow list or mapping by index, given their start and end positions.

    Adjacent parts are removed together, with the comma after them (at the end: before them). If each part has its own
    line, the comments of the others stay.
    """
    changes = []
    for first in sorted(removed):
        if first - 1 in removed:
            continue
        stop = first
        while stop in removed:
            stop += 1
        if stop < len(spans):
            start, end = spans[first][0], _next_start(text, spans[stop - 1][1], spans[stop][0])
            changes.append(TextChange(start, end, " " if text[end] == "#" and not text[start - 1].isspace() else ""))
            continue
        start = spans[first - 1][1] if first else spans[0][0]
        comma = _COMMA.match(text, start)
        if comma and "#" in text[start : spans[first][0]]:
            changes.append(TextChange(comma.end() - 1, comma.end(), ""))
            start = spans[first][0]
        changes.append(TextChange(start, spans[-1][1], ""))
    return changes


def _next_start(text: str, end: int, start: int) -> int:
    """Return where the part at `start` begins with the comment lines above it; the part before ends at `end`."""
    above = text[end:start].partition("\n")[2]
    return start - len(above.lstrip(" ")) if "#" in above else start
