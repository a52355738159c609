"""Arguments of `compare` and `sweep`: folders with edits behind an @, and the length of a day."""

import argparse
import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from qmon_tui.cli.answer import InputError, print_note
from qmon_tui.cli.cluster_folder import finding_lines, finding_text, read_cluster, work_code
from qmon_tui.cli.parser import length_option, length_seconds, whole, workload_argument
from qmon_tui.formats import unreadable
from qmon_tui.model import Cluster, Finding
from qmon_tui.model.catalogue import specs
from qmon_tui.simulation import EditError, PolicyEdit, Scenario, read_edit, usual_processes
from qmon_tui.simulation.workload import ending_at
from qmon_tui.sources import Reading
from qmon_tui.values import format_time, is_offset, parse_moment, parse_offset
from qmon_tui.workspace import WorkSource

MOST_SEEDS: Final = 10_000
_MOST_PROCESSES: Final = 16
"""Greatest number of processes on any machine; four per core are allowed if that is more."""
_WORDS: Final = "|".join(sorted({word for kind, spec in specs().items() for word in (kind.value, spec.yaml_key)}))
_EDIT: Final = re.compile(rf"@(?=(?:{_WORDS}|workload)\.|hosts=)")
"""Matches an @ before an edit; any other @ belongs to a path or to a hostgroup."""
_REVISION: Final = re.compile(r"(.*)@\{([^{}]+)\}", re.DOTALL)
"""Matches a folder at a git revision: `site@{1}`, `site@{v2}`."""


@dataclass(frozen=True, slots=True)
class Given:
    """A policy as given: a folder that was read, and its edits."""

    label: str
    reading: Reading
    edits: tuple[PolicyEdit, ...]
    notes: tuple[str, ...]

    @property
    def cluster(self) -> Cluster:
        """The cluster that was read, without the edits."""
        return self.reading.cluster


def day_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare work, length and number of days, and the options of `several_arguments`."""
    workload_argument(parser)
    end = parser.add_mutually_exclusive_group()
    end.add_argument("--until", metavar="TIME", help="end of each day: 2026-11-21T18:00:00, or +3600s")
    end.add_argument("--for", dest="length", metavar="LENGTH", help="length of each day: 90m, 8h, 7d or 1:30:0")
    parser.add_argument("--start-delay", metavar="SECONDS", type=whole, help="from dispatch to arrival at the host")
    parser.add_argument(
        "--seeds", metavar="N", type=whole, default=1,
        help="number of like days; with two or more, differences have confidence intervals",
    )  # fmt: skip
    several_arguments(parser)


def several_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare --starved-after and --processes."""
    parser.add_argument(
        "--starved-after", metavar="LENGTH", default="24h", help="a longer wait counts as starved; 24h by default"
    )
    parser.add_argument(
        "--processes", metavar="N", type=whole, help="number of days simulated in parallel; all cores by default"
    )


def seeds_of(options: argparse.Namespace) -> range:
    """Return the seeds of the days, from 0. Raises InputError."""
    if not 1 <= options.seeds <= MOST_SEEDS:
        raise InputError(f"--seeds: write a number from 1 to {MOST_SEEDS}.")
    return range(options.seeds)


def processes_of(options: argparse.Namespace) -> int:
    """Return the number of simulations that run in parallel. Raises InputError."""
    if options.processes is not None and options.processes < 1:
        raise InputError("--processes: write a number from 1 on.")
    usual = usual_processes()
    most = max(_MOST_PROCESSES, 4 * usual)
    if (options.processes or usual) > most:
        print_note(f"--processes: {most} run at a time; more would only take memory.")
    return min(options.processes or usual, most)


def read_given(text: str, known: dict[str, Given] | None = None) -> Given:
    """Read a folder with edits: `site@scheduler.weight_urgency=1@queues.all.q.slots=4`. Raises InputError, SourceError.

    A revision comes before the edits: `site@{1}@scheduler.weight_urgency=1`. `known` caches folders by path.
    """
    path, *edits = _EDIT.split(text)
    before = (known or {}).get(path)
    if before is None:
        reading, notes = _read_at(path)
    else:
        reading, notes = before.reading, ()
    given = Given(text, reading, edits_of(reading.cluster, edits), notes)
    if known is not None:
        known.setdefault(path, given)
    return given


def _read_at(text: str) -> tuple[Reading, tuple[str, ...]]:
    """Read a folder, now or at a revision; return it with notes about unreadable parts. Raises SourceError."""
    at = _REVISION.fullmatch(text)
    if at is None or os.path.isdir(text):
        return read_cluster(text)
    from qmon_tui.sources.revisions import read_revision  # imported here, as few policies have a revision

    reading = read_revision(at[1] or ".", at[2])
    return reading, tuple(f"{text}: {finding_text(finding)}" for finding in unreadable(reading.findings))


def edits_of(cluster: Cluster, texts: Iterable[str]) -> tuple[PolicyEdit, ...]:
    """Return the edits of typed texts. Raises InputError."""
    try:
        return tuple(read_edit(cluster, text) for text in texts)
    except EditError as error:
        raise InputError(sentence(error)) from error


def scenario_of(options: argparse.Namespace, given: Given, home: Given, work: WorkSource) -> Scenario:
    """Return the scenario of a policy; `work` was read with the first policy, `home`. Raises InputError."""
    state = work.state
    if options.start_delay is not None and options.start_delay < 0:
        raise InputError("--start-delay: write seconds, 0 or more.")
    until, length = day_end(options, state.now)
    return Scenario(
        given.cluster,
        state,
        until,
        length,
        options.start_delay,
        edits=given.edits,
        trace=work.trace,
        starved_after=length_option("--starved-after", options.starved_after),
        home=home.cluster,
    )


def note_work_findings(findings: Sequence[Finding]) -> int:
    """Print the findings about the work, and return their exit code."""
    for line in finding_lines(findings):
        print_note(line)
    return work_code(findings)


def work_findings(options: argparse.Namespace, home: Given, source: WorkSource) -> tuple[Finding, ...]:
    """Return the findings about the work of the requested day. Raises InputError."""
    work = source.work(home.cluster)
    until, length = day_end(options, work.state.now)
    return ending_at(work, until if length is None else work.state.now + length).findings


def sentence(error: Exception) -> str:
    """Return the message of an error as a sentence that ends with a full stop."""
    text = str(error)
    return text if text.endswith(("?", ".")) else f"{text}."


def note_progress(done: int, total: int) -> None:
    """Print the number of finished simulations at about every tenth of `total`."""
    if total > 1 and (done == total or done % max(1, total // 10) == 0):
        print_note(f"{done} of {total} simulations")


def day_end(options: argparse.Namespace, now: int) -> tuple[int | None, int | None]:
    """Return (end of a day, its length in seconds); one or both are None. Raises InputError."""
    try:
        length = None if options.length is None else length_seconds(options.length)
        if options.until is not None and is_offset(options.until):
            length = parse_offset(options.until)
        until = None if options.until is None or length is not None else parse_moment(options.until, now)
    except ValueError as error:
        raise InputError(f"--{'until' if options.until is not None else 'for'}: {error}.") from error
    if (until is not None and until < now) or (length is not None and length < 0):
        raise InputError(f"the end is before the beginning, {format_time(now)}: write a later one.")
    return until, length
