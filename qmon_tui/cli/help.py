"""Explain a field, a rule of check, a column of the jobs or a heading of the reference, by its name or words in it."""

import argparse
import re
from collections.abc import Iterable, Iterator, Sequence

from qmon_tui.cli.answer import Answer, InputError
from qmon_tui.cli.text import paragraph, table
from qmon_tui.report import HelpTopic, count, find_topics, heading_topics, text_of

_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "topic",
        nargs="*",
        help="a field (slots, queue.slots), rule (queue.hosts), column (ftckt), page (queue.md#slots), or words of a "
        "heading; without it the pages are listed",
    )


def answer(options: argparse.Namespace) -> Answer:
    """Look the words up: what is named so is printed, what only contains them is listed."""
    word = " ".join(options.topic).strip()
    if not word:
        pages = [topic for topic in heading_topics() if topic.about.startswith("page ")]
        return _listed(pages, ())
    topics = find_topics(word, columns())
    if topics.exact:
        return _told(topics.exact)
    if len(topics.similar) == 1:
        return _told(topics.similar)
    if topics.similar:
        note = f"Nothing has the name {word!r}; {count(len(topics.similar), 'topic contains', 'topics contain')} it:"
        return _listed(topics.similar, (note,))
    advice = (
        f"did you mean {' or '.join(topics.nearest)}?" if topics.nearest else "without a topic the pages are listed."
    )
    raise InputError(f"no help on {word!r}; {advice}")


def columns() -> Sequence[tuple[str, str]]:
    """The columns of the jobs with what they show."""
    from qmon_tui.report.jobtable import COLUMNS  # late: the columns are the screen's

    return tuple((column.title, column.help) for column in COLUMNS)


def _told(topics: Sequence[HelpTopic]) -> Answer:
    data = [
        {"name": topic.name, "about": topic.about, "place": topic.place, "text": text_of(topic)} for topic in topics
    ]

    def lines(width: int) -> Iterator[str]:
        for number, topic in enumerate(topics):
            if number:
                yield ""
            yield from printed(text_of(topic), width)
            if topic.place:
                yield f"(docs/reference/{topic.place})"

    return Answer({"topics": data}, lines)


def _listed(topics: Sequence[HelpTopic], notes: tuple[str, ...]) -> Answer:
    data = [{"name": topic.name, "about": topic.about, "place": topic.place} for topic in topics]
    rows = [
        (topic.place if topic.is_heading else topic.name, topic.name if topic.is_heading else topic.about)
        for topic in topics
    ]
    return Answer({"topics": data}, lambda width: table(("topic", "about"), rows, width), notes=notes)


def printed(markdown: str, width: int) -> Iterator[str]:
    """Markdown for a terminal: paragraphs wrapped, tables aligned, links as their words, code as it is."""
    is_blank = True
    for line in _lines(markdown.rstrip("\n"), width):
        if line.strip() or not is_blank:
            yield line
        is_blank = not line.strip()


def _lines(markdown: str, width: int) -> Iterator[str]:
    block: list[str] = []
    is_code = False
    for line in (*markdown.splitlines(), ""):
        is_code ^= line.startswith("```")
        if is_code or line.startswith("```"):
            yield from _block(block, width)
            block = []
            if not line.startswith("```"):
                yield f"    {line}"
        elif (
            not line.strip()
            or line.startswith("#")
            or _begins_item(line)
            or (block and _is_row(line) != _is_row(block[0]))
        ):
            yield from _block(block, width)
            block = [line] if line.strip() else []
            if not line.strip():
                yield ""
        else:
            block.append(line)


def _begins_item(line: str) -> bool:
    return re.match(r"\s*([-*]|\d+\.) ", line) is not None


def _is_row(line: str) -> bool:
    return line.startswith("|")


def _block(block: Sequence[str], width: int) -> Iterable[str]:
    if not block:
        return
    if _is_row(block[0]):
        rows = [[_plain(cell.strip()) for cell in re.split(r"(?<!\\)\|", line.strip().strip("|"))] for line in block]
        most = max(map(len, rows))
        rows = [row + [""] * (most - len(row)) for row in rows if not all(set(cell) <= set("-: ") for cell in row)]
        head = [cell or " " for cell in rows[0]]
        yield from table(head, rows[1:], width)
    elif block[0].startswith("#"):
        yield _plain(block[0].lstrip("# ")).upper() if block[0].startswith("# ") else _plain(block[0].lstrip("# "))
    else:
        text = _plain(" ".join(line.strip() for line in block))
        yield from paragraph(text, width, rest="  " if _begins_item(block[0]) else "")


def _plain(text: str) -> str:
    return re.sub(
        r"(?<![\w*])\*([^*\s][^*]*)\*(?![\w*])", r"\1", _LINK.sub(r"\1", text).replace("**", "").replace("`", "")
    )
