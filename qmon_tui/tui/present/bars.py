"""Bars made of block characters: fill levels and stacked contributions."""

from collections.abc import Sequence

from qmon_tui.tui.present.spans import Idea, Line, Span

_EIGHTHS = " ▏▎▍▌▋▊▉█"
_GLYPHS = {Idea.URGENCY: "█", Idea.TICKETS: "▓", Idea.POSIX: "▒"}
"""Shades differ as well as colours, so that the parts can be told apart without colour."""


def shade(idea: Idea) -> str:
    """The block with which a contribution is drawn everywhere."""
    return _GLYPHS.get(idea, "█")


def level(value: float, total: float, cells: int) -> str:
    """How much of `total` is used, `cells` wide, in steps of an eighth of a cell; never empty for a value above 0."""
    if total <= 0 or value <= 0 or cells <= 0:
        return " " * max(0, cells)
    eighths = max(1, min(cells * 8, round(value / total * cells * 8)))
    full, part = divmod(eighths, 8)
    return ("█" * full + (_EIGHTHS[part] if part else "")).ljust(cells)


def shares(values: Sequence[float], total: float, cells: int) -> tuple[int, ...]:
    """Whole cells for each value so that their sum is the rounded share of all of them (largest remainder first)."""
    if total <= 0 or cells <= 0:
        return tuple(0 for _ in values)
    exact = [max(0.0, value) / total * cells for value in values]
    whole = [int(part) for part in exact]
    missing = min(cells, round(sum(exact))) - sum(whole)
    by_remainder = sorted(range(len(exact)), key=lambda index: whole[index] - exact[index])
    for index in by_remainder[: max(0, missing)]:
        whole[index] += 1
    return tuple(whole)


def stacked(parts: Sequence[tuple[float, Idea]], total: float, cells: int) -> Line:
    """The parts of a sum after each other, each in its own shade, padded to `cells`."""
    counts = shares([value for value, _ in parts], total, cells)
    spans = [Span(shade(idea) * count, idea) for (_, idea), count in zip(parts, counts, strict=True) if count]
    return (*spans, Span(" " * (cells - sum(counts))))
