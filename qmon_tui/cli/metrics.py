"""Print aggregates of a cluster as node_exporter's textfile collector reads them; with --against also the drift."""

import argparse

from qmon_tui.cli.answer import Answer
from qmon_tui.cli.cluster_folder import exit_code, read_cluster
from qmon_tui.qmaster import schedule
from qmon_tui.report import metric_lines
from qmon_tui.workspace import drift


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("path", metavar="PATH", help="the cluster folder, or qmaster:")
    parser.add_argument("--against", metavar="FOLDER", help="count the objects that differ from this folder")


def answer(options: argparse.Namespace) -> Answer:
    """Read the cluster, do a run, and return the metrics."""
    reading, notes = read_cluster(options.path)
    changed = None
    if options.against is not None:
        other, more = read_cluster(options.against)
        notes, changed = (*notes, *more), len(drift(other.cluster, reading.cluster))
    cost = reading.source.cost
    facts = {"commands": cost.commands, "bytes": cost.bytes, "seconds": cost.seconds} if cost is not None else None
    lines = list(metric_lines(reading.cluster, reading.state, schedule(reading.cluster, reading.state), changed, facts))
    return Answer({"lines": lines}, lambda width: lines, exit_code(notes), notes=notes)
