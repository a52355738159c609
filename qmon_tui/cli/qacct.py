"""Print how jobs have ended: a job, those of a user, or those of the last hour, from the end of the accounting file."""

import argparse
import time
from pathlib import Path

from qmon_tui.cli.answer import Answer, InputError
from qmon_tui.cli.cluster_folder import finding_text
from qmon_tui.cli.parser import length_option, whole
from qmon_tui.report import count, finished_json, finished_lines
from qmon_tui.sources.cells import SCHEME, find_cell
from qmon_tui.sources.record_file import finished_jobs

_HOUR = "1h"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("path", metavar="PATH", help="qmaster:, qmaster:NAME or an accounting file")
    parser.add_argument("job", metavar="JOB", nargs="?", type=whole, help="the number of a job, all of its tasks")
    parser.add_argument("--user", metavar="NAME", default="", help="only jobs of this user")
    parser.add_argument(
        "--last", metavar="LENGTH", default=_HOUR, help=f"jobs that ended in this time: 90m, 8h, 7d; {_HOUR} by default"
    )


def answer(options: argparse.Namespace) -> Answer:
    """Read the newest records. Raises InputError, SourceError."""
    path = options.path
    if path.startswith(SCHEME):
        path = find_cell(path.partition(":")[2]).accounting
    elif Path(path).is_dir():
        raise InputError(f"{path} is a folder: give the accounting file, or {SCHEME}")
    since = int(time.time()) - length_option("--last", options.last)
    recorded = finished_jobs(path, job=options.job, owner=options.user, since=since)
    return Answer(
        finished_json(recorded),
        lambda width: finished_lines(recorded, width),
        0 if recorded.finished else 1,
        notes=tuple(map(finding_text, recorded.findings)),
        closing=f"{path}: {count(len(recorded.finished), 'finished task')}.",
    )
