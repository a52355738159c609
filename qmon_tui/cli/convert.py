"""Write a cluster in the other layout, or the jobs of a record (qstat, qacct, accounting, SWF ...) as YAML."""

import argparse
import os
from pathlib import Path

from qmon_tui.cli.answer import Answer, InputError
from qmon_tui.cli.cluster_folder import exit_code, finding_text, read_cluster
from qmon_tui.formats import Layout, unreadable
from qmon_tui.report import count
from qmon_tui.sources import Reading
from qmon_tui.sources.conversion import convert, convert_objects, convert_records, read_object_files


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "source",
        metavar="SRC",
        nargs="+",
        help="the cluster folder, or files: what qconf -sq, -se, -sconf ... print, what qstat (also -f, -j), qhost and"
        " qacct -j print, as XML or text, an accounting or reporting file, an SWF trace",
    )
    parser.add_argument("destination", metavar="DST", help="the folder to write; of a file SRC also a new *.yaml file")
    parser.add_argument(
        "--to", choices=[Layout.YAML.value, Layout.QCONF.value], required=True, help="the layout to write"
    )


def answer(options: argparse.Namespace) -> Answer:
    """Read the source, write the copy, and return the written files."""
    first, *others = options.source
    if others and any(map(os.path.isdir, options.source)):
        raise InputError("one folder is converted at a time: give one cluster folder, or files of records only.")
    if others or Path(first).is_file():
        objects = read_object_files(options.source)
        return _of_records(options) if objects is None else _of_objects(objects, options)
    reading, notes = read_cluster(first)
    written = convert(reading, options.destination, options.to)
    files = sorted(written.files)
    data = {"path": written.source.location, "layout": str(written.layout), "files": files}
    left_out = ("The parts that could not be read are missing in the copy.",) if notes else ()
    summary = f"{options.destination}: {count(len(files), 'file')} in the {options.to} layout."
    return Answer(data, lambda _: files, exit_code(notes), notes=(*notes, *left_out), closing=summary)


def _of_objects(reading: Reading, options: argparse.Namespace) -> Answer:
    """Write objects that qconf printed, as one YAML file or a folder."""
    files = convert_objects(reading, options.destination, options.to)
    notes = tuple(map(finding_text, unreadable(reading.findings)))
    data = {"path": options.destination, "layout": options.to, "files": files}
    closing = f"{options.destination}: {count(len(files), 'file')} in the {options.to} layout."
    return Answer(data, lambda _: files, exit_code(notes), notes=notes, closing=closing)


def _of_records(options: argparse.Namespace) -> Answer:
    """Write jobs, load values and queue states, which are YAML in both layouts."""
    recorded, written = convert_records(options.source, options.destination)
    data = {"path": options.destination, "layout": options.to, "files": [written]}
    state = recorded.state
    parts = [
        count(len(items), what)
        for items, what in ((state.jobs, "job"), (state.loads, "host"), (state.queue_states, "queue instance state"))
        if items
    ]
    closing = f"{options.destination}: {', '.join(parts)}."
    return Answer(data, lambda _: [written], notes=tuple(map(finding_text, recorded.findings)), closing=closing)
