"""Lines of a block in a YAML text: those of a literal text changed one by one, those of a list put in another order."""

from collections.abc import Sequence
from difflib import SequenceMatcher

from qmon_tui.formats.text_changes import TextChange, line_end, line_start
from qmon_tui.formats.yaml.mapping_edit import content_end
from qmon_tui.formats.yaml.nodes import Node, Scalar


def literal_lines(text: str, node: Scalar, new: str, newline: str) -> list[TextChange] | None:
    """The changes that make a literal text (`|`) read as another; None where it has to be written anew.

    Lines that stay keep their place and indentation.
    """
    first = line_end(text, node.start)
    end = content_end(text, node)
    if node.style != "|" or first >= end or not new.strip("\n"):
        return None
    end = line_end(text, end)
    written = text[first:end].splitlines(keepends=True)
    indent = next((line[: len(line) - len(line.lstrip(" "))] for line in written if line.strip()), "")
    read = [line.rstrip("\r\n").removeprefix(indent) for line in written]
    wanted = new.split("\n")
    if "\n".join(read).strip("\n") != node.text.strip("\n") or read[0] == "" or wanted[0].startswith(" "):
        return None
    starts = [first]
    for line in written:
        starts.append(starts[-1] + len(line))
    changes = []
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, read, wanted, autojunk=False).get_opcodes():
        if tag != "equal":
            lines = "".join((indent + line if line else "") + newline for line in wanted[j1:j2])
            lead = newline if lines and starts[i1] == len(text) and not text.endswith("\n") else ""
            changes.append(TextChange(starts[i1], starts[i2], lead + lines))
    return changes


def reordered(text: str, items: Sequence[Node], order: Sequence[int], newline: str) -> TextChange:
    """The items of a block list in another order, each with its lines and the comments above and behind it."""
    start = _with_comments_above(text, line_start(text, items[0].start))
    pieces = []
    for item in items:
        end = line_end(text, content_end(text, item))
        pieces.append((start, end))
        start = end
    lines = [text[first:last] for first, last in pieces]
    whole = "".join(line if line.endswith("\n") else line + newline for line in (lines[place] for place in order))
    if not lines[-1].endswith("\n"):
        whole = whole.removesuffix(newline)
    return TextChange(pieces[0][0], pieces[-1][1], whole)


def _with_comments_above(text: str, start: int) -> int:
    """The beginning of the comment lines that stand right above a line."""
    while start > 0:
        above = line_start(text, start - 1)
        if not text[above:start].lstrip().startswith("#"):
            return start
        start = above
    return start
