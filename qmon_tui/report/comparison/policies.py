"""The policies that are compared, each with its letter, and the titles of the tables below them."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from qmon_tui.report.day import lasting
from qmon_tui.report.spans import Line, Span, TextRole, fit, wrap


class CompareTable(StrEnum):
    """The tables of a comparison."""

    MEASURES = "Measures"
    USERS = "Users"
    JOBS = "Jobs"
    DECISION = "First decision"


@dataclass(frozen=True, slots=True)
class PolicyHead:
    """The lines above the tables."""

    labels: tuple[str, ...]
    seconds: int | None
    """Length of each day; None for days that last until all jobs have ended."""
    seeds: int
    progress: tuple[int, int] | None = None
    """Simulated days, and all of them; None if no simulation is under way."""
    problem: str = ""
    """Why nothing can be compared; empty if it can be."""
    assumed: int = 0
    """Number of jobs whose run time is assumed."""
    stories: tuple[str, ...] = ()
    """The first statement about each policy but the first."""


def letter(number: int) -> str:
    """A, B, C, D."""
    return chr(ord("A") + number)


def head_lines(head: PolicyHead, cells: int) -> tuple[Line, ...]:
    """A line for each policy, then how they are compared."""
    lines = [
        fit((Span(f" {letter(number)}  ", TextRole.ACCENT), Span(label)), cells)
        for number, label in enumerate(head.labels)
    ]
    if head.problem:
        return (*lines, *wrap(f"✗ {head.problem}", cells - 1, TextRole.ERROR, first=" ", rest="   "))
    stories = (
        line
        for number, words in enumerate(head.stories, start=1)
        for line in wrap(words, cells - 1, TextRole.STRONG, first=f" {letter(number)}: ", rest="    ")
    )
    return (*lines, fit(_how(head), cells), *stories)


def _how(head: PolicyHead) -> Sequence[Span]:
    length = f"{lasting(head.seconds)} long" if head.seconds is not None else "until all is done"
    days = "one day" if head.seeds == 1 else f"{head.seeds} days of this kind"
    spans = [Span(f" {days}, {length}", TextRole.DIM)]
    if head.progress is not None:
        done, count = head.progress
        spans.append(Span(f"   ↻ simulated {done} of {count}", TextRole.CHANGED))
    if head.assumed:
        spans.append(Span(f"   run time of {head.assumed} jobs assumed", TextRole.DIM))
    if head.seeds == 1 and head.progress is None:
        spans.append(Span("   one seed, no statement about chance: + adds more", TextRole.DIM))
    return spans
