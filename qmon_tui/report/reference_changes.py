"""Effects of renaming or deleting an object on its references, and the qmaster's refusals."""

from collections.abc import Iterator, Sequence

from qmon_tui.model import Finding, JobReference, Reference
from qmon_tui.report.spans import Line, Span, TextRole, wrap
from qmon_tui.report.unsaved_changes import change_lines
from qmon_tui.report.words import count
from qmon_tui.workspace import ReferenceUpdate


def place_words(reference: Reference) -> str:
    """Return the place of a reference: `queue all.q: complex_values for node01`."""
    owner = f"{reference.kind} {reference.name}" if reference.kind.value != reference.name else reference.name
    return f"{owner}: {reference.field}" + (f" for {reference.key}" if reference.key else "")


def deletion_lines(
    words: str,
    refusals: Sequence[Finding],
    references: Sequence[Reference],
    jobs: Sequence[JobReference],
    following: ReferenceUpdate,
    cells: int,
    *,
    is_offered: bool = True,
) -> tuple[Line, ...]:
    """Return the qmaster's refusals, the references to the object, and the changes that remove these references.

    `is_offered` is False if the qmaster would refuse the deletion even without references.
    """
    lines: list[Line] = []
    for finding in refusals:
        lines.extend(wrap(finding.message, cells, TextRole.ERROR, first="✗ ", rest="  "))
        if finding.hint:
            lines.extend(wrap(finding.hint, cells, TextRole.ADDED, first="→ ", rest="  "))
    if not references and not refusals and not jobs:
        lines.extend(wrap(f"Nothing refers to {words}. Undo brings it back.", cells))
    if references:
        lines.append((Span(f"Used by {count(len(references), 'place')}:", TextRole.TITLE),))
        for reference in references:
            lines.extend(wrap(place_words(reference), cells, first="· ", rest="  "))
    if jobs:
        lines += [*([()] if lines else []), (Span(f"Named by {count(len(jobs), 'job')}:", TextRole.TITLE), *_STAY)]
        lines.extend(_job_lines(jobs, cells))
    if following.changes and is_offered:
        lines += [(), (Span("Removing it there changes:", TextRole.TITLE),), *change_lines(following.changes, cells)]
    return (*lines, *_notes(following, cells))


def renaming_lines(
    old: str,
    new: str,
    refusals: Sequence[Finding],
    following: ReferenceUpdate,
    jobs: Sequence[JobReference],
    cells: int,
) -> tuple[Line, ...]:
    """Return the changes of references, the jobs that name the object, and the refusals of its deletion."""
    lines: list[Line] = []
    if refusals:
        lines.extend(
            wrap(f"No command renames it: {new} is added and {old} deleted, which the qmaster refuses:", cells)
        )
        for finding in refusals:
            lines.extend(wrap(finding.message, cells, TextRole.ERROR, first="✗ ", rest="  "))
        lines.append(())
    if following.changes:
        places = sum(len(change.fields) for change in following.changes)
        lines.extend(wrap(f"{old} is used in {count(places, 'place')}, which would change to {new}:", cells))
        lines += [(), *change_lines(following.changes, cells)]
    if jobs:
        lines += [
            (),
            *wrap(f"Named by {count(len(jobs), 'job')}, in requests or where they run (f changes these, too):", cells),
        ]
        lines.extend(_job_lines(jobs, cells))
    return (*lines, *_notes(following, cells))


_MOST_JOBS = 6
_STAY = (Span("  jobs are not changed", TextRole.DIM),)


def _job_lines(jobs: Sequence[JobReference], cells: int) -> Iterator[Line]:
    for use in jobs[:_MOST_JOBS]:
        yield from wrap(f"job {use.job.id} {use.job.name}: {use.where}", cells, first="· ", rest="  ")
    if len(jobs) > _MOST_JOBS:
        yield (Span(f"  and {len(jobs) - _MOST_JOBS} more", TextRole.DIM),)


def _notes(following: ReferenceUpdate, cells: int) -> tuple[Line, ...]:
    """Return the warnings, and the references that do not change with the reason."""
    lines: list[Line] = []
    for warning in following.warnings:
        lines.extend(wrap(warning, cells, TextRole.WARNING, first="! ", rest="  "))
    if following.left:
        lines += [(), (Span("Not changed:", TextRole.TITLE),)]
        for reference, why in following.left:
            lines.extend(wrap(f"{place_words(reference)} ({why})", cells, first="· ", rest="  "))
    return ((), *lines) if following.warnings else tuple(lines)
