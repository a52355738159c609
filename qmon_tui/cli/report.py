"""Write one static HTML page: what needs attention, queues, who waits and why, quotas nearly full, and drift."""

import argparse
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from qmon_tui.cli.answer import Answer
from qmon_tui.cli.cluster_folder import exit_code, read_cluster
from qmon_tui.cli.compare_report import changes_html, page_frame, safe
from qmon_tui.model import Outcome, PendingKind
from qmon_tui.qmaster import schedule
from qmon_tui.report import alike_reasons, attention
from qmon_tui.report.cluster import instance_lines, queue_lines
from qmon_tui.sources import Reading, SourceError
from qmon_tui.sources.atomic_write import replace_file
from qmon_tui.values import format_time, parse_number
from qmon_tui.workspace import ObjectChange, drift

_MOST_JOBS = 200
_NEARLY_FULL = 0.8


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("path", metavar="PATH", help="the cluster folder, or qmaster:")
    parser.add_argument("out", metavar="OUT.html", help="the page to write; one that is there is replaced")
    parser.add_argument("--against", metavar="FOLDER", help="tell what differs from this folder")


def answer(options: argparse.Namespace) -> Answer:
    """Read the cluster, do a run, write the page. Raises SourceError."""
    reading, notes = read_cluster(options.path)
    changes: tuple[ObjectChange, ...] | None = None
    if options.against is not None:
        other, more = read_cluster(options.against)
        notes, changes = (*notes, *more), drift(other.cluster, reading.cluster)
    outcome = schedule(reading.cluster, reading.state)
    text = "\n".join(_page(reading, outcome, changes, options.against)) + "\n"
    try:
        replace_file(Path(options.out), text)
    except OSError as error:
        raise SourceError(f"cannot write {options.out}: {error.strerror}") from None
    return Answer({"path": options.out}, lambda width: (options.out,), exit_code(notes), notes=notes)


def _page(
    reading: Reading, outcome: Outcome, changes: Sequence[ObjectChange] | None, against: str | None
) -> Iterator[str]:
    title = f"Cluster {reading.cluster.name}, {format_time(reading.state.now)}"
    begin, end = page_frame(title)
    yield begin
    entries = attention.concerns(reading.cluster, reading.state, outcome)
    yield "<h2>Attention</h2>"
    rows = ((concern.kind, concern.message, concern.places) for concern in entries)
    yield from _table(("what", "message", "where"), rows, "Nothing needs attention.")
    yield f"<p><small>{safe(attention.limits_words(attention.USUAL_LIMITS))}</small></p><h2>Queues</h2>"
    queues = queue_lines(
        reading.cluster, instance_lines(reading.cluster, outcome.instances_before or outcome.queue_instances)
    )
    slots = (
        (queue.name, queue.load_text, queue.used, queue.reserved, queue.available, queue.total, queue.cdsue)
        for queue in queues
    )
    yield from _table(("queue", "load", "used", "reserved", "available", "total", "cdsuE"), slots, "No queues.")
    yield "<h2>Who waits, and why</h2>"
    for need in outcome.not_simulated:
        yield f"<p>Not simulated yet: {safe(need)}</p>"
    yield from _table(("job", "name", "user", "prior", "why"), _waiting(outcome), "No job waits.")
    yield "<h2>Quotas nearly full</h2>"
    yield from _table(("rule", "filter", "use"), _quotas(outcome), "No limit is used to 80 %.")
    if changes is not None:
        yield f"<h2>What differs from {safe(against or '')}</h2>"
        yield from changes_html(changes)
    yield end


def _waiting(outcome: Outcome) -> Iterator[tuple[object, ...]]:
    """Yield a row for each of the first pending jobs, with its reasons in this run."""
    shown = 0
    for job in outcome.jobs:
        kinds = {outcome.pending_kind(job, task, after=True) for task in job.tasks}
        if PendingKind.WAITING not in kinds and PendingKind.IMPOSSIBLE not in kinds:
            continue
        if shown == _MOST_JOBS:
            yield "…", "", "", "", f"only the first {_MOST_JOBS} are listed"
            return
        shown += 1
        never = "can never run; " if PendingKind.IMPOSSIBLE in kinds else ""
        reasons = "; ".join(f"{message} {places}".strip() for message, places in alike_reasons(job.reasons))
        yield job.id, job.name, job.owner, f"{job.prior:.5f}", never + (reasons or "no reason in this run")


def _quotas(outcome: Outcome) -> Iterator[tuple[str, str, str]]:
    for use in outcome.quotas_before or outcome.quotas or ():
        if use.used is None:
            continue
        try:
            used, limit = parse_number(use.used), parse_number(use.limit)
        except ValueError:
            continue
        if limit > 0 and used / limit >= _NEARLY_FULL:
            yield use.rule, use.filter, use.text


def _table(heads: Sequence[str], rows: Iterable[Sequence[object]], otherwise: str) -> Iterator[str]:
    """Yield a table, or the sentence `otherwise` if it has no rows."""
    lines = ["<tr>" + "".join(f"<td>{safe(str(cell))}</td>" for cell in row) + "</tr>" for row in rows]
    if not lines:
        yield f"<p>{safe(otherwise)}</p>"
        return
    yield '<table class="wide"><tr>' + "".join(f"<th>{safe(head)}</th>" for head in heads) + "</tr>"
    yield from lines
    yield "</table>"
