"""Write a cluster in the other layout, into a folder that is new or empty."""

import argparse
from collections.abc import Iterable

from qmon_tui.cli.answer import Answer, Width
from qmon_tui.cli.opening import opened
from qmon_tui.cli.text import count
from qmon_tui.formats.layout import Layout
from qmon_tui.sources.convert import convert


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("source", metavar="SRC", help="the cluster folder to read")
    parser.add_argument("destination", metavar="DST", help="the folder to write")
    parser.add_argument("--to", choices=[layout.value for layout in Layout], required=True, help="the layout to write")


def answer(options: argparse.Namespace) -> Answer:
    """Read, write, and tell which files there are now."""
    reading, talk = opened(options.source)
    written = convert(reading, options.destination, options.to)
    files = sorted(written.files)

    def lines(width: Width) -> Iterable[str]:
        return files

    data = {"path": str(written.path), "layout": str(written.layout), "files": files}
    left_out = ("What could not be read is not in the copy.",) if talk else ()
    summary = f"{options.destination}: {count(len(files), 'file')} in the {options.to} layout."
    return Answer(data, lines, talk=(*talk, *left_out), closing=summary)
