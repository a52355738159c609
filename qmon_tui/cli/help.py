"""Explain a field, a rule of check, a column of the jobs or a heading of the reference, by its name or words in it."""

import argparse
from collections.abc import Iterator, Sequence

from qmon_tui.cli.answer import Answer, InputError, table
from qmon_tui.report import Line, count, help_topics, markdown_lines, picked

_TOPIC = ("name", "about", "place")


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "topic",
        nargs="*",
        help="a field (slots, queue.slots), rule (queue.hosts), column (ftckt), page (queue.md#slots), or words of a "
        "heading; without it the pages are listed",
    )


def answer(options: argparse.Namespace) -> Answer:
    """Print the topics with this name, else list those that contain the words. Raises InputError."""
    word = " ".join(options.topic).strip()
    if not word:
        pages = [topic for topic in help_topics.heading_topics() if topic.about.startswith("page ")]
        return _listed(pages, ())
    topics = help_topics.find_topics(word, columns())
    if topics.exact:
        return _printed(topics.exact)
    if len(topics.similar) == 1:
        return _printed(topics.similar)
    if topics.similar:
        note = f"Nothing has the name {word!r}; {count(len(topics.similar), 'topic is', 'topics are')} about it:"
        return _listed(topics.similar, (note,))
    advice = (
        f"did you mean {' or '.join(topics.nearest)}?" if topics.nearest else "without a topic the pages are listed."
    )
    raise InputError(f"no help on {word!r}; {advice}")


def columns() -> Sequence[tuple[str, str]]:
    """Return (title, description) of each column of jobs."""
    from qmon_tui.report.jobtable import COLUMNS  # imported here, as only this needs the columns

    return tuple((column.title, column.help) for column in COLUMNS)


def _printed(topics: Sequence[help_topics.HelpTopic]) -> Answer:
    data = [{**picked(topic, _TOPIC), "text": help_topics.text_of(topic)} for topic in topics]

    def lines(width: int) -> Iterator[str | Line]:
        for number, topic in enumerate(topics):
            if number:
                yield ""
            yield from markdown_lines(help_topics.text_of(topic), width)
            if topic.place:
                yield f"(docs/reference/{topic.place})"

    return Answer({"topics": data}, lines)


def _listed(topics: Sequence[help_topics.HelpTopic], notes: tuple[str, ...]) -> Answer:
    data = [picked(topic, _TOPIC) for topic in topics]
    rows = [
        (topic.place if topic.is_heading else topic.name, topic.name if topic.is_heading else topic.about)
        for topic in topics
    ]
    return Answer({"topics": data}, lambda width: table(("topic", "about"), rows, width), notes=notes)
