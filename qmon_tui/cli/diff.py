"""Print what differs between two clusters, object by object and field by field; exit code 1 if anything does."""

import argparse
import os
from collections.abc import Collection, Iterable
from dataclasses import replace
from fnmatch import fnmatchcase

from qmon_tui.cli.answer import Answer
from qmon_tui.cli.cluster_folder import exit_code, finding_text, read_cluster, scope_arguments, wanted_objects
from qmon_tui.model import Cluster
from qmon_tui.report import change_lines, count, json_report
from qmon_tui.sources.object_file import read_object_file
from qmon_tui.workspace import differences, drift

COMMANDS = "commands"
FORMATS = {COMMANDS: "a shell script of qconf that changes a qmaster from A to B"}


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("a", metavar="A", help="the cluster folder to compare with, or a file that qconf printed")
    parser.add_argument("b", metavar="B", help="the cluster folder, file or qmaster: that may differ")
    scope_arguments(parser, "compare", "compared")


def answer(options: argparse.Namespace) -> Answer:
    """Read both clusters and compare them by value: two spellings of one value are equal."""
    (before, talk_a), (after, talk_b) = _read(options.a, options.b), _read(options.b, options.a)
    notes = (*talk_a, *talk_b)
    if options.only or options.ignore:
        wanted = wanted_objects(options.only)
        before, after = (_restricted(cluster, wanted, frozenset(options.ignore)) for cluster in (before, after))
    changes = drift(before, after)
    summary = count(len(changes), "object differs", "objects differ") if changes else "no difference"
    return Answer(
        data=json_report.diff_json(changes),
        table=lambda width: (
            _script(options.a, options.b, before, after)
            if options.format == COMMANDS
            else change_lines(changes, width, is_edited=False)
        ),
        code=exit_code(notes) or (1 if changes else 0),
        notes=notes,
        closing=f"{options.a}, {options.b.rstrip(':')}: {summary}.",
    )


def _restricted(cluster: Cluster, wanted: Collection[tuple[str, str]], ignored: Collection[str]) -> Cluster:
    """Return the wanted objects without ignored fields; all objects if `wanted` is empty."""
    objects = (
        obj
        for obj in cluster
        if not wanted or any(obj.kind == kind and fnmatchcase(obj.name, name) for kind, name in wanted)
    )
    kept = (
        replace(obj, values={name: obj.values[name] for name in obj.values if name not in ignored}) for obj in objects
    )
    return Cluster(cluster.name, cluster.dialect).with_objects(kept)


def _script(a: str, b: str, before: Cluster, after: Cluster) -> Iterable[str]:
    from qmon_tui.qmaster import leading_commands  # imported here, as a table needs no commands
    from qmon_tui.report import command_script

    commands = leading_commands(before, after)
    return command_script((f"From {a} to {b}",), commands, differences(before, after)) if commands else ()


def _read(path: str, other: str) -> tuple[Cluster, tuple[str, ...]]:
    """Return a cluster and its notes; if `other` is a file, only the objects that this file has."""
    if os.path.isfile(path):
        file = read_object_file(path)
        return Cluster().with_objects(file.objects), tuple(map(finding_text, file.findings))
    reading, talk = read_cluster(path)
    if not os.path.isfile(other):
        return reading.cluster, talk
    named = (reading.cluster.get(obj.kind, obj.name) for obj in read_object_file(other).objects)
    return Cluster().with_objects(obj for obj in named if obj is not None), talk
