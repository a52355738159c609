"""Print what differs between two clusters, object by object and field by field; exit code 1 if anything does."""

import argparse
from collections.abc import Iterable

from qmon_tui.cli.answer import Answer
from qmon_tui.cli.cluster_folder import exit_code, read_cluster
from qmon_tui.cli.text import Width, count, paragraph
from qmon_tui.workspace import ChangeKind, ObjectChange, diff_json, differences, object_words

_SIGN = {ChangeKind.ADDED: "+", ChangeKind.REMOVED: "-", ChangeKind.CHANGED: "~"}


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("a", metavar="A", help="the cluster folder to compare with")
    parser.add_argument("b", metavar="B", help="the cluster folder that may differ")


def answer(options: argparse.Namespace) -> Answer:
    """Read both folders and compare them by value: two spellings of one value are no difference."""
    (before, talk_a), (after, talk_b) = read_cluster(options.a), read_cluster(options.b)
    notes = (*talk_a, *talk_b)
    changes = differences(before.cluster, after.cluster)
    summary = count(len(changes), "object differs", "objects differ") if changes else "no difference"
    return Answer(
        data=diff_json(changes),
        table=lambda width: (line for change in changes for line in _lines(change, width)),
        code=1 if changes else exit_code(notes),
        notes=notes,
        closing=f"{options.a}, {options.b}: {summary}.",
    )


def _lines(change: ObjectChange, width: Width) -> Iterable[str]:
    yield f"{_SIGN[change.what]} {object_words(change.kind, change.name)}"
    size = max((len(name) for name, _, _ in change.fields), default=0)
    for name, before, after in change.fields:
        for sign, text in (("-", before), ("+", after)):
            for number, line in enumerate(text.splitlines() or [""] if text is not None else []):
                label = name if number == 0 else ""
                yield from paragraph(line, width, first=f"    {sign} {label:<{size}}  ", rest=" " * (size + 8))
