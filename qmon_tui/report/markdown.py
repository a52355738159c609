"""Markdown as styled lines: paragraphs, lists, headings, tables, code, **strong** words."""

import re
from collections.abc import Iterator
from typing import Final

from rich.cells import cell_len

from qmon_tui.report.grid_rows import Column, table_lines
from qmon_tui.report.spans import Line, Span, TextRole, fit, plain

_INLINE: Final = re.compile(r"`([^`]+)`|\*\*([^*]+)\*\*|\*([^*\s][^*]*)\*|\[([^\]]+)\]\([^)]*\)")
_ITEM: Final = re.compile(r"(\s*)([-*+]|\d+[.)])\s+(.*)")
_CELL: Final = re.compile(r"(?<!\\)\|")
_HEADING: Final = re.compile(r"#{1,6}\s+(.*)")


def markdown_lines(text: str, cells: int) -> tuple[Line, ...]:
    """Return the text in lines of at most `cells` cells; code blocks keep their lines."""
    lines: list[Line] = []
    paragraph: list[str] = []
    table: list[str] = []
    lead = rest = ""
    fenced = False

    def close() -> None:
        nonlocal lead, rest
        if paragraph:
            lines.extend(_wrapped(_spans(" ".join(paragraph)), cells, lead, rest))
            paragraph.clear()
        lines.extend(_table_lines(table, cells))
        table.clear()
        lead = rest = ""

    for row in text.splitlines():
        if row.startswith("|") and not fenced:
            if not table:
                close()
            table.append(row)
            continue
        if table:
            close()
        if row.strip().startswith("```"):
            close()
            fenced = not fenced
        elif fenced or (row.startswith("    ") and not paragraph):
            close()
            lines.append(fit((Span(f"  {row if fenced else row[4:]}", TextRole.ACCENT),), cells))
        elif not row.strip():
            close()
            if lines and lines[-1]:
                lines.append(())
        elif heading := _HEADING.fullmatch(row.strip()):
            close()
            lines.extend(_wrapped((Span(heading[1], TextRole.TITLE),), cells, "", ""))
        elif item := _ITEM.fullmatch(row):
            close()
            sign = "•" if item[2] in "-*+" else item[2]
            lead = f"{item[1]}{sign} "
            rest = " " * len(lead)
            paragraph.append(item[3])
        else:
            paragraph.append(row.strip())
    close()
    while lines and not lines[-1]:
        lines.pop()
    return tuple(lines)


def _table_lines(rows: list[str], cells: int) -> Iterator[Line]:
    table = [[plain(_spans(cell.strip())) for cell in _CELL.split(row.strip().strip("|"))] for row in rows]
    most = max(map(len, table), default=0)
    texts = [row + [""] * (most - len(row)) for row in table if not all(set(cell) <= set("-: ") for cell in row)]
    if not texts:
        return iter(())
    head, *body = texts
    columns = [Column(title, title or " ", minimum=8) for title in head]
    return table_lines(columns, body, cells)


def _spans(text: str) -> tuple[Span, ...]:
    spans: list[Span] = []
    end = 0
    for match in _INLINE.finditer(text):
        spans.append(Span(text[end : match.start()]))
        if match[1] is not None:
            spans.append(Span(match[1], TextRole.ACCENT))
        else:
            words = (match[2] or match[3] or match[4]).replace("`", "")
            spans.append(Span(words, TextRole.PLAIN if match[4] else TextRole.STRONG))
        end = match.end()
    return tuple(span for span in (*spans, Span(text[end:])) if span.text)


def _wrapped(spans: tuple[Span, ...], cells: int, lead: str, rest: str) -> list[Line]:
    """Wrap words at `cells`, each in its role; `lead` and `rest` come before the first and the other lines."""
    lines: list[Line] = []
    current: list[Span] = [Span(lead)] if lead else []
    used, fresh = len(lead), True
    for word, role, glued in _words(spans):
        room = max(8, cells)
        gap = 0 if fresh or glued else 1
        if not fresh and not glued and used + gap + cell_len(word) > room:
            lines.append(tuple(current))
            current, used, fresh, gap = ([Span(rest)] if rest else []), len(rest), True, 0
        while cell_len(word) > room - used - gap and fresh:
            head = word[: max(1, room - used)]
            lines.append((*current, Span(head, role)))
            current, used, word = ([Span(rest)] if rest else []), len(rest), word[len(head) :]
        current.append(Span(" " * gap + word, role))
        used += gap + cell_len(word)
        fresh = False
    if current and not fresh:
        lines.append(tuple(current))
    return lines


def _words(spans: tuple[Span, ...]) -> list[tuple[str, TextRole, bool]]:
    """Return each word, its role, and True if no blank separates it from the word before."""
    words: list[tuple[str, TextRole, bool]] = []
    blank = True
    for text, role, _ in spans:
        for number, part in enumerate(text.split(" ")):
            if number:
                blank = True
            if part:
                words.append((part, role, not blank))
                blank = False
    return words
