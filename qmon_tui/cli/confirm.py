"""Keep what apply --confirm-within has done: without this it is taken back."""

import argparse

from qmon_tui.applying import PlanError, confirm
from qmon_tui.cli.answer import Answer, InputError
from qmon_tui.cli.plan import source_of_cluster
from qmon_tui.report import moment
from qmon_tui.sources.cells import SCHEME


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("cluster", metavar="qmaster:", nargs="?", default=SCHEME, help="the running cluster")


def answer(options: argparse.Namespace) -> Answer:
    """Confirm the apply; this needs no answer of the qmaster."""
    try:
        change = confirm(source_of_cluster(options.cluster).cell)
    except PlanError as error:
        raise InputError(f"{error}.") from None
    words = f"kept: {change.record} of {change.who}, which was to be taken back at {moment(change.until)}"
    return Answer({"record": change.record, "who": change.who, "until": change.until}, lambda _: (words,))
