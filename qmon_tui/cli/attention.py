"""Print what is broken now: queue instances, jobs, hosts, reservations and full consumables; exit code 1 if any is."""

import argparse

from qmon_tui.cli.answer import Answer, InputError
from qmon_tui.cli.cluster_folder import exit_code, forecast_notes, read_cluster
from qmon_tui.cli.parser import length_option
from qmon_tui.qmaster import schedule
from qmon_tui.report import attention, count
from qmon_tui.values import decimal_number


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    limits = attention.USUAL_LIMITS
    parser.add_argument("path", metavar="PATH", help="the cluster folder, or qmaster:")
    parser.add_argument(
        "--stuck", metavar="LENGTH", default=f"{limits.stuck // 60}m",
        help=f"how long a task may be in t or dr; {limits.stuck // 60}m by default",
    )  # fmt: skip
    parser.add_argument(
        "--full", metavar="PERCENT", default=f"{limits.full:g}",
        help=f"how much of a consumable of the cluster may be in use; {limits.full:g} by default",
    )  # fmt: skip


def answer(options: argparse.Namespace) -> Answer:
    """Read the cluster, do a run, and return what needs attention."""
    limits = attention.Limits(length_option("--stuck", options.stuck), _percent(options.full))
    reading, notes = read_cluster(options.path)
    state = reading.state
    entries = attention.concerns(reading.cluster, state, schedule(reading.cluster, state), limits)
    return Answer(
        attention.concerns_json(entries, limits, state.now),
        lambda width: attention.concern_lines(entries, limits, width),
        1 if entries else exit_code(notes),
        notes=(*notes, *forecast_notes(reading.cluster)),
        closing=f"{options.path.rstrip(':')}: {count(len(entries), 'thing needs', 'things need')} attention.",
    )


def _percent(text: str) -> float:
    number = decimal_number(text)
    if number is None or not 0 < number <= 100:
        raise InputError("--full: write a percentage, more than 0 and at most 100.")
    return number
