"""Texts that can be copied; a long line continues in the next one, and nothing is left out."""

from collections.abc import Sequence

from rich.cells import chop_cells

from qmon_tui.report.spans import Line, Span, TextRole
from qmon_tui.workspace import Copy


def copy_lines(copies: Sequence[Copy], cells: int) -> tuple[Line, ...]:
    """Return letter and title of each choice, with its text below."""
    lines: list[Line] = []
    for copy in copies:
        if lines:
            lines.append(())
        lines.append((Span(f"{copy.letter}  ", TextRole.ACCENT), Span(copy.title, TextRole.TITLE)))
        for text in copy.text.rstrip("\n").split("\n"):
            lines += [
                (Span(f"   {part}"),) for part in chop_cells(text.replace("\t", "    "), max(8, cells - 3)) or [""]
            ]
    return tuple(lines)


def copied_words(copy: Copy) -> str:
    """Return the notification of a copy: the text if it is short, else its number of lines."""
    text = copy.text.strip()
    lines = text.count("\n") + 1
    return f"Copied {copy.title}: {text}" if lines == 1 and len(text) <= 60 else f"Copied {copy.title}, {lines} lines"
