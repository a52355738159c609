"""A comparison for people who were not there: charts, and a page in one file that asks for nothing from elsewhere."""

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import Final

from qmon_tui.cli.charts_svg import line_chart, stacked
from qmon_tui.cli.compare_summary import MEANINGS, left_out_words, main_measures, owner_wait, setting_words, summary
from qmon_tui.report.comparison import (
    HARDLY_ANY,
    NO_DIFFERENCE,
    changed_words,
    difference_words,
    in_run_words,
    left_out_title,
    letter,
    prior_words,
    start_words,
    task_number,
    value_words,
    wait_words,
)
from qmon_tui.simulation import (
    MAIN_CHARTS,
    Compared,
    Comparison,
    TaskChange,
    TaskReason,
    is_better,
    measure_title,
)
from qmon_tui.values import clock, format_time
from qmon_tui.workspace import ChangeKind, ObjectChange, object_words

_STYLE: Final = (
    "body{font:15px/1.45 sans-serif;max-width:60em;margin:2em auto;padding:0 1em;color:#1f2328}"
    "table{border-collapse:collapse;margin:1em 0}"
    "td,th{padding:.25em .8em;border-bottom:1px solid #d0d7de;text-align:right;vertical-align:top}"
    "td+td{white-space:nowrap}"
    "td:first-child,th:first-child{text-align:left}.better{color:#1a7f37}.worse{color:#b35900}"
    "small,.same{color:#59636e}svg{max-width:100%;height:auto}"
)
_CHARTS: Final = {"slots used": "Slots that tasks have", "waiting": "Tasks that wait"}
_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'"


def charts(comparison: Comparison) -> Iterator[str]:
    """What was used and what waited on the first day, all policies over each other."""
    yield from stacked("Comparison", [list(chart) for chart in _charts(comparison)])


def _charts(comparison: Comparison) -> Iterator[Iterator[str]]:
    begin, end = format_time(comparison.days[0].start), format_time(max(day.end for day in comparison.days))
    for name in MAIN_CHARTS:
        lines = [
            (f"{letter(number)}  {label}", day.charts[name])
            for number, (label, day) in enumerate(zip(comparison.labels, comparison.days, strict=True))
        ]
        yield line_chart(_CHARTS.get(name, name), lines, begin, end)


def page(comparison: Comparison, configuration: Sequence[Sequence[ObjectChange]]) -> Iterator[str]:
    """The whole page, line by line."""
    yield '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">'
    yield f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
    yield '<meta name="viewport" content="width=device-width"><title>Comparison of scheduling policies</title>'
    yield f"<style>{_STYLE}</style></head><body><h1>Comparison of scheduling policies</h1>"
    yield f"<p>{_safe(setting_words(comparison))}</p><h2>The policies</h2><ul>"
    yield f"<li><b>A</b> {_safe(comparison.labels[0])}: what the others are compared with</li>"
    for number, (label, changes) in enumerate(zip(comparison.labels[1:], configuration, strict=True), start=1):
        yield f"<li><b>{letter(number)}</b> {_safe(label)}, which differs from A in"
        yield from _changes(changes)
        yield "</li>"
    yield "</ul><h2>In short</h2>"
    for number in range(1, len(comparison.labels)):
        yield f"<p><b>{letter(number)}</b> against A:</p><ul>"
        yield from (f"<li>{_safe(sentence)}</li>" for sentence in summary(comparison, number))
        yield "</ul>"
    heads = [head for number in range(1, len(comparison.labels)) for head in (letter(number), f"{letter(number)} - A")]
    yield "<h2>Measures</h2><p>Times are hours:minutes:seconds.</p>"
    yield from _table(
        ("measure", "A", *heads),
        (cells for measure in main_measures(comparison) for cells in _with_left_out(comparison, measure)),
    )
    yield "<h2>Over time</h2>"
    yield f"<p>{'The period' if len(comparison.seeds) == 1 else 'The first of the periods'} under each policy.</p>"
    for chart in _charts(comparison):
        yield from chart
    for number in range(1, len(comparison.labels)):
        yield from _against(comparison, number)
    yield "<h2>All measures</h2><details><summary>Show them</summary>"
    every = (_measure_cells(measure, _safe(measure_title(measure.name))) for measure in comparison.measures)
    yield from _table(("measure", "A", *heads), every)
    runs = ", ".join(f"{letter(number)} {day.runs}" for number, day in enumerate(comparison.days))
    start = format_time(comparison.days[0].start)
    yield f"</details><p><small>Simulated by qmon-tui from {start}, scheduling runs: {runs}.</small></p>"
    yield "</body></html>"


def _changes(changes: Sequence[ObjectChange]) -> Iterator[str]:
    """What differs in the configuration; of a new object only what is set in it."""
    if not changes:
        yield " nothing of the configuration."
        return
    yield "<ul>"
    for change in changes:
        words = object_words(change.kind, change.name)
        if change.what is ChangeKind.CHANGED:
            for name, before, after in change.fields:
                values = f"{_safe(before or 'default')} → {_safe(after or 'default')}"
                yield f"<li>{_safe(name)} of {_safe(words)}: {values}</li>"
        else:
            own = [f"{name} {after}" for name, _, after in change.fields if after and after != change.name]
            yield f"<li>{_safe(words)} {change.what.value}{_safe(': ' + ', '.join(own)) if own else ''}</li>"
    yield "</ul>"


def _against(comparison: Comparison, number: int) -> Iterator[str]:
    against, own = comparison.against[number - 1], letter(number)
    yield f"<h2>{own} against A: who gains, who loses, and why</h2><p>{_safe(against.label)}</p>"
    yield f"<p>In the first period {changed_words(against)}.</p>"
    divergence = against.divergence
    if divergence is None:
        return
    yield f"<p>The first decision that differs is at {format_time(divergence.time)}:</p><ul>"
    for place, reasons in ((0, divergence.first), (number, divergence.other)):
        for reason in reasons:
            yield f"<li>{_safe(start_words(reason, place))}{_reason(reason, own)}</li>"
    yield "</ul><h3>Users</h3>"
    rows = (
        (_safe(owner.name), *map(clock, owner.values), _difference_cell("wait", owner, 1),
         _safe(left_out_words(comparison, owner_wait(owner.name), number)))
        for owner in against.owners
    )  # fmt: skip
    yield from _table(("mean wait of user", "A", own, "difference", "not started"), rows)
    for title, tasks_changed in (("gain", against.gaining), ("lose", against.losing)):
        if tasks_changed:
            yield f"<h3>Tasks that {title} most</h3><p>Their wait in the first period.</p><ul>"
            yield from (_task(change, own) for change in tasks_changed)
            yield "</ul>"


def _task(change: TaskChange, own: str) -> str:
    at = f" <small>at {format_time(change.reason.time)}:</small>{_reason(change.reason, own)}" if change.reason else ""
    task = f"{task_number(change.job, change.task)} {change.name} of {change.owner}"
    return f"<li>{_safe(task)} {wait_words(change)}{at}</li>"


def _reason(reason: TaskReason, own: str) -> str:
    rows = "".join(
        f"<li><small><b>{sign}</b> {_safe(in_run_words(in_run))}"
        + (f"<br><span class='same'>{_safe(prior_words(in_run))}</span>" if in_run is not None else "")
        + "</small></li>"
        for sign, in_run in zip(("A", own), reason.in_runs, strict=True)
    )
    return f"<ul>{rows}</ul>"


def _title(name: str) -> str:
    """The name of a measure, with what it tells."""
    title, meaning = MEANINGS[name]
    return f"{_safe(title)}<br><small>{_safe(meaning)}</small>" if meaning else _safe(title)


def _with_left_out(comparison: Comparison, measure: Compared) -> Iterator[Iterator[str]]:
    """The cells of a measure, and below a mean those of the number of tasks that it leaves out."""
    yield _measure_cells(measure, _title(measure.name))
    left_out = comparison.left_out(measure.name)
    if left_out is not None:
        yield _measure_cells(left_out, f"<small>{left_out_title(left_out.name).strip()}</small>")


def _measure_cells(measure: Compared, title: str) -> Iterator[str]:
    yield title
    yield value_words(measure.name, measure.values[0])
    for number, value in enumerate(measure.values[1:], start=1):
        yield value_words(measure.name, value)
        yield _difference_cell(measure.name, measure, number)


def _difference_cell(name: str, compared: Compared, number: int) -> str:
    difference = compared.differences[number - 1]
    text = _safe(difference_words(name, compared, number))
    if difference is None or text in (NO_DIFFERENCE, HARDLY_ANY):
        return f'<span class="same">{text}</span>'
    if not difference.is_known:
        return text
    # More hosts make these two smaller and larger whatever becomes of the jobs: nobody is to be told that it is worse.
    better = None if name in ("utilisation", "fragmentation") else is_better(name, difference.mean)
    if better is None:
        return text
    return f'<span class="{"better" if better else "worse"}">{text} {"better" if better else "worse"}</span>'


def _table(heads: Iterable[str], rows: Iterable[Iterable[str]]) -> Iterator[str]:
    """A table; the cells are HTML already."""
    yield "<table><tr>" + "".join(f"<th>{_safe(head)}</th>" for head in heads) + "</tr>"
    yield from ("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    yield "</table>"


def _safe(text: str) -> str:
    """What users have written, as text of a page."""
    return escape("".join(char if char.isprintable() else "?" for char in text))
