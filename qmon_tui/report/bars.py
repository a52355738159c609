"""Horizontal bars: the used part of an amount, and the parts of a sum."""

from collections.abc import Sequence
from math import inf, isfinite, isnan

from qmon_tui.model import JobOutcome, TaskOutcome
from qmon_tui.report.spans import Line, Span, TextRole

_STROKES = {TextRole.URGENCY: "━", TextRole.TICKETS: "╍", TextRole.POSIX: "─", TextRole.DIM: "┄"}
"""Strokes of the parts of a priority; they differ also without colours."""
_ROUNDING = 5e-5
"""Greatest difference between a priority and its parts that rounding explains."""
"""Greatest difference between a priority and its parts that rounding explains."""


def stroke(role: TextRole) -> str:
    """Return the character that draws a part of a priority with this role."""
    return _STROKES.get(role, "━")


def drawn_part(value: float, total: float = 1.0) -> float:
    """Return `value / total` limited to 0 to 1; NaN gives 0, an infinite value 1."""
    if isnan(value) or isnan(total) or total <= 0 or value <= 0:
        return 0.0
    return 1.0 if value >= total else value / total


def usage_bar(value: float, total: float, cells: int, role: TextRole) -> Line:
    """Return a bar of `cells` for `value` of `total`, in half cells; at least half a cell if `value` is above 0."""
    if total <= 0 or cells <= 0:
        return (Span(" " * max(0, cells)),)
    part = drawn_part(value, total)
    halves = max(1, round(part * cells * 2)) if part > 0 else 0
    full, half = divmod(halves, 2)
    return (Span("━" * full + "╸" * half, role), Span("─" * (cells - full - half), TextRole.FAINT))


def shares(values: Sequence[float], total: float, cells: int) -> tuple[int, ...]:
    """Return the cells of each value in a bar of `cells` for `total`: rounded down, then by largest remainder.

    Negative values get none. If the others exceed `total`, they share all cells. Infinite values
    leave nothing to finite ones.
    """
    if not all(map(isfinite, values)) or not isfinite(total):
        values, total = [float(value == inf) for value in values], 0.0
    total = max(total, sum(max(0.0, value) for value in values))
    if total <= 0 or cells <= 0:
        return tuple(0 for _ in values)
    exact = [max(0.0, value) / total * cells for value in values]
    whole = [int(part) for part in exact]
    missing = min(cells, round(sum(exact))) - sum(whole)
    by_remainder = sorted(range(len(exact)), key=lambda index: whole[index] - exact[index])
    for index in by_remainder[: max(0, missing)]:
        whole[index] += 1
    if cells >= 3 * len(whole):
        # Each value above 0 gets a cell; the largest gives one up.
        for index, value in enumerate(values):
            if value > 0 and not whole[index]:
                whole[index] += 1
                whole[whole.index(max(whole))] -= 1
    return tuple(whole)


def priority_parts(
    job: JobOutcome, task: TaskOutcome, weights: tuple[float, float, float]
) -> Sequence[tuple[float, TextRole]]:
    """Return weighted urgency, tickets and POSIX priority; only the priority if their sum differs from it.

    qstat clears nurg and npprior of a job if one of its tasks is not considered in the run.
    """
    values = (job.nurg, task.ntckts, job.npprior)
    roles = (TextRole.URGENCY, TextRole.TICKETS, TextRole.POSIX)
    parts = [(value * weight, role) for value, weight, role in zip(values, weights, roles, strict=True)]
    complete = abs(sum(value for value, _ in parts) - task.prior) < _ROUNDING
    return parts if complete else [(task.prior, TextRole.DIM)]


def stacked_bar(parts: Sequence[tuple[float, TextRole]], total: float, cells: int) -> Line:
    """Return a bar with the parts of a sum side by side, each in its own stroke, padded to `cells`."""
    counts = shares([value for value, _ in parts], total, cells)
    spans = [Span(stroke(role) * count, role) for (_, role), count in zip(parts, counts, strict=True) if count]
    return (*spans, Span(" " * (cells - sum(counts))))
