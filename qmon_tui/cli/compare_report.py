"""A comparison as one HTML page with charts; it loads nothing from elsewhere."""

from collections.abc import Iterator, Sequence
from html import escape
from typing import Final

from qmon_tui.cli.answer import InputError, plain
from qmon_tui.cli.pictures import CHARTS, chart_svg
from qmon_tui.report import Cell, GridRows, TextRole
from qmon_tui.report.comparison import (
    MEANINGS,
    changed_words,
    in_run_words,
    letter,
    measure_rows,
    prior_words,
    setting_words,
    start_words,
    story,
    task_number,
    user_rows,
    wait_words,
)
from qmon_tui.simulation import Comparison, TaskChange, TaskReason
from qmon_tui.values import format_time
from qmon_tui.workspace import ChangeKind, ObjectChange, object_words

_STYLE: Final = (
    "body{font:15px/1.45 sans-serif;max-width:60em;margin:2em auto;padding:0 1em;color:#1f2328}"
    "table{border-collapse:collapse;margin:1em 0}"
    "td,th{padding:.25em .8em;border-bottom:1px solid #d0d7de;text-align:right;vertical-align:top}"
    "td+td{white-space:nowrap}.wide td{white-space:normal;text-align:left}"
    "td:first-child,th:first-child{text-align:left}.better{color:#1a7f37}.worse{color:#b35900}"
    "small,.same{color:#59636e}figure{margin:1.5em 0}svg{max-width:100%;height:auto}"
)
_STYLES: Final = {TextRole.MOVED_UP: "better", TextRole.MOVED_DOWN: "worse", TextRole.DIM: "same"}
_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'"


def page_frame(title: str) -> tuple[str, str]:
    """Return the HTML before (with the title) and after the content of a page."""
    begin = (
        '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        f'<meta name="viewport" content="width=device-width"><title>{safe(title)}</title>'
        f"<style>{_STYLE}</style></head><body><h1>{safe(title)}</h1>"
    )
    return begin, "</body></html>"


def page(comparison: Comparison, configuration: Sequence[Sequence[ObjectChange]]) -> Iterator[str]:
    """Yield the lines of the page; `configuration` has the changes of each policy from the first."""
    begin, end = page_frame("Comparison of scheduling policies")
    yield begin
    yield f"<p>{safe(setting_words(comparison))}</p><h2>The policies</h2><ul>"
    yield f"<li><b>A</b> {safe(comparison.labels[0])}: what the others are compared with</li>"
    for number, (label, changes) in enumerate(zip(comparison.labels[1:], configuration, strict=True), start=1):
        yield f"<li><b>{letter(number)}</b> {safe(label)}, which differs from A in"
        yield from changes_html(changes)
        yield "</li>"
    yield "</ul><h2>In short</h2>"
    for number in range(1, len(comparison.labels)):
        yield f"<p><b>{letter(number)}</b> against A:</p><ul>"
        yield from (f"<li>{safe(sentence)}</li>" for sentence in story(comparison, number))
        yield "</ul>"
    yield "<h2>Measures</h2><p>Times are hours:minutes:seconds.</p>"
    yield from _grid(measure_rows(comparison))
    yield "<h2>Over time</h2>"
    yield f"<p>{'The period' if len(comparison.seeds) == 1 else 'The first of the periods'} under each policy.</p>"
    yield from _charts(comparison)
    for number in range(1, len(comparison.labels)):
        yield from _against(comparison, number)
    yield "<h2>Users</h2>"
    yield from _grid(user_rows(comparison))
    yield "<h2>All measures</h2><details><summary>Show them</summary>"
    yield from _grid(measure_rows(comparison, every=True), explains=False)
    runs = ", ".join(f"{letter(number)} {day.runs}" for number, day in enumerate(comparison.days))
    start = format_time(comparison.days[0].start)
    yield f"</details><p><small>Simulated by qmon-tui from {start}, scheduling runs: {runs}.</small></p>"
    yield end


def _charts(comparison: Comparison) -> Iterator[str]:
    """Yield the charts, or a sentence if matplotlib is missing."""
    try:
        for name in CHARTS:
            yield "<figure>"
            yield from chart_svg(comparison, name)
            yield "</figure>"
    except InputError as error:
        yield f"<p>{safe(str(error))}</p></figure>"


def changes_html(changes: Sequence[ObjectChange]) -> Iterator[str]:
    """Yield the changes of the configuration; a new object with the fields that it sets."""
    if not changes:
        yield " nothing of the configuration."
        return
    yield "<ul>"
    for change in changes:
        words = object_words(change.kind, change.name)
        if change.what is ChangeKind.CHANGED:
            for name, before, after in change.fields:
                values = f"{safe(before or 'default')} → {safe(after or 'default')}"
                yield f"<li>{safe(name)} of {safe(words)}: {values}</li>"
        else:
            own = [f"{name} {after}" for name, _, after in change.fields if after and after != change.name]
            yield f"<li>{safe(words)} {change.what.value}{safe(': ' + ', '.join(own)) if own else ''}</li>"
    yield "</ul>"


def _against(comparison: Comparison, number: int) -> Iterator[str]:
    against, own = comparison.against[number - 1], letter(number)
    yield f"<h2>{own} against A: users and tasks that gain or lose</h2><p>{safe(against.label)}</p>"
    yield f"<p>In the first period {changed_words(against)}.</p>"
    divergence = against.divergence
    if divergence is None:
        return
    yield f"<p>The first decision that differs is at {format_time(divergence.time)}:</p><ul>"
    for place, reasons in ((0, divergence.first), (number, divergence.other)):
        for reason in reasons:
            yield f"<li>{safe(start_words(reason, place))}{_reason(reason, own)}</li>"
    yield "</ul>"
    for title, tasks_changed in (("gain", against.gaining), ("lose", against.losing)):
        if tasks_changed:
            yield f"<h3>Tasks that {title} most</h3><p>Their wait in the first period.</p><ul>"
            yield from (_task(change, own) for change in tasks_changed)
            yield "</ul>"


def _task(change: TaskChange, own: str) -> str:
    at = f" <small>at {format_time(change.reason.time)}:</small>{_reason(change.reason, own)}" if change.reason else ""
    task = f"{task_number(change.job, change.task)} {change.name} of {change.owner}"
    return f"<li>{safe(task)} {wait_words(change)}{at}</li>"


def _reason(reason: TaskReason, own: str) -> str:
    rows = "".join(
        f"<li><small><b>{sign}</b> {safe(in_run_words(in_run))}"
        + (f"<br><span class='same'>{safe(prior_words(in_run))}</span>" if in_run is not None else "")
        + "</small></li>"
        for sign, in_run in zip(("A", own), reason.in_runs, strict=True)
    )
    return f"<ul>{rows}</ul>"


def _grid(rows: GridRows, *, explains: bool = True) -> Iterator[str]:
    """Yield a table; coloured differences also have words, measures (with `explains`) their meaning."""
    yield "<table><tr>" + "".join(f"<th>{safe(column.title)}</th>" for column in rows.columns) + "</tr>"
    for row in rows.rows:
        title, meaning = MEANINGS.get(row.key, ("", "")) if explains else ("", "")
        name = safe(title or row.cells[0].text) + (f"<br><small>{safe(meaning)}</small>" if meaning else "")
        yield f"<tr><td>{name}</td>" + "".join(f"<td>{_cell(cell)}</td>" for cell in row.cells[1:]) + "</tr>"
    yield "</table>"


def _cell(cell: Cell) -> str:
    style = _STYLES.get(cell.role)
    if style is None:
        return safe(cell.text)
    judged = "" if style == "same" else f" {style}"
    return f'<span class="{style}">{safe(cell.text)}{judged}</span>'


def safe(text: str) -> str:
    """Return a user's text escaped for HTML, without control characters."""
    return escape(plain(text))
