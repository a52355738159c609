"""Items of a YAML list of mappings taken out and added."""

from collections.abc import Sequence as SequenceType
from collections.abc import Set

from qmon_tui.formats.text_changes import TextChange, line_end, line_start
from qmon_tui.formats.yaml import Mapping, Sequence, column, content_end, insertion_of_lines, removals_in_line, resolve

ItemTexts = tuple[str, list[str]]
"""An item in curly braces, and on lines of its own that begin at the left."""


def without_items(text: str, node: Sequence, removed: Set[int]) -> list[TextChange]:
    """Take items out by index; a block list of which nothing is left has only its key, a flow list its brackets.

    The item behind one that is taken away must not depend on it: a number that it does not say is written out.
    """
    if node.flow:
        return removals_in_line([(item.start, content_end(text, item)) for item in node.items], removed)
    return [
        TextChange(line_start(text, item.start), line_end(text, content_end(text, item)), "")
        for index, item in enumerate(node.items)
        if index in removed
    ]


def insert_items(
    text: str, node: Sequence, added: SequenceType[ItemTexts], newline: str, *, in_place_of_all: bool = False
) -> list[TextChange]:
    """Put items at the end of a list, written as its last one is; `in_place_of_all` where none of them stays."""
    flow_texts = [flow for flow, _ in added]
    if not node.items:
        at = node.start + text[node.start : node.end].index("[") + 1
        return [TextChange(at, at, ", ".join(flow_texts))]
    first, last = node.items[0], node.items[-1]
    end = content_end(text, last)
    if node.flow:
        at = first.start if in_place_of_all else end
        return [TextChange(at, at, ("" if in_place_of_all else ", ") + ", ".join(flow_texts))]
    dash = column(text, text.rindex("-", 0, last.start))
    body = resolve(last)
    if isinstance(body, Mapping) and body.flow:
        lines = [f"{dash}- {flow}" for flow in flow_texts]
    else:
        lines = [dash + line for _, item in added for line in item]
    at = line_start(text, first.start) if in_place_of_all else line_end(text, end)
    return [insertion_of_lines(text, at, newline.join(lines), newline)]
