"""A comparison for people who were not there: charts, and a page in one file that asks for nothing from elsewhere."""

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import Final

from qmon_tui.cli.charts_svg import line_chart, stacked
from qmon_tui.cli.compare_words import reason_words, task_words
from qmon_tui.cli.lengths import clock
from qmon_tui.cli.measure_text import NO_DIFFERENCE, difference_text, value_text
from qmon_tui.simulation import (
    MAIN_CHARTS,
    MAIN_MEASURES,
    Against,
    Compared,
    Comparison,
    TaskChange,
    is_better,
    measure_title,
)
from qmon_tui.values import format_time
from qmon_tui.workspace import ObjectChange, object_words

_STYLE: Final = (
    "body{font:15px/1.45 sans-serif;max-width:60em;margin:2em auto;padding:0 1em;color:#1f2328}"
    "table{border-collapse:collapse;margin:1em 0}"
    "td,th{padding:.25em .8em;border-bottom:1px solid #d0d7de;text-align:right}"
    "td:first-child,th:first-child{text-align:left}.better{color:#1a7f37}.worse{color:#b35900}"
    "small,.same{color:#59636e}svg{max-width:100%;height:auto}"
)
_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'"


def charts(found: Comparison) -> Iterator[str]:
    """What was used and what waited on the first day, all policies over each other."""
    yield from stacked("Comparison", [list(chart) for chart in _charts(found)])


def _charts(found: Comparison) -> Iterator[Iterator[str]]:
    begin, end = format_time(found.days[0].start), format_time(max(day.end for day in found.days))
    for name in MAIN_CHARTS:
        lines = [
            (f"{_letter(number)}  {label}", day.charts[name])
            for number, (label, day) in enumerate(zip(found.labels, found.days, strict=True))
        ]
        yield line_chart(name, lines, begin, end)


def page(found: Comparison, configuration: Sequence[Sequence[ObjectChange]]) -> Iterator[str]:
    """The whole page, line by line."""
    yield '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">'
    yield f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
    yield '<meta name="viewport" content="width=device-width"><title>Comparison of policies</title>'
    yield f"<style>{_STYLE}</style></head><body><h1>Comparison of policies</h1><ul>"
    for number, (label, day) in enumerate(zip(found.labels, found.days, strict=True)):
        yield f"<li><b>{_letter(number)}</b> {_safe(label)} <small>{day.runs} scheduling runs, "
        yield f"{format_time(day.start)} to {format_time(day.end)}</small></li>"
    days = len(found.seeds)
    sure = "with 95 % confidence" if days > 1 else "one day cannot say how sure they are"
    yield f"</ul><p>{days} {'day' if days == 1 else 'days'} under each policy; differences to A, {sure}.</p>"
    heads = [head for number in range(1, len(found.labels)) for head in (_letter(number), f"{_letter(number)} - A")]
    main = [one for one in found.measures if one.name in MAIN_MEASURES]
    yield from _table(("measure", "A", *heads), (_measure_cells(one) for one in main))
    for chart in _charts(found):
        yield from chart
    for number, (against, changes) in enumerate(zip(found.against, configuration, strict=True), start=1):
        yield from _against(against, changes, _letter(number))
    yield "<h2>All measures</h2>"
    yield from _table(("measure", "A", *heads), (_measure_cells(one) for one in found.measures))
    yield "</body></html>"


def _against(against: Against, changes: Sequence[ObjectChange], letter: str) -> Iterator[str]:
    yield f"<h2>{letter} against A</h2><p>{_safe(against.label)}</p><ul>"
    for change in changes:
        words = object_words(change.kind, change.name)
        if not change.fields:
            yield f"<li>{_safe(words)}: {change.what.value}</li>"
        for name, before, after in change.fields:
            values = f"{_safe(before or 'default')} → {_safe(after or 'default')}"
            yield f"<li>{_safe(name)} of {_safe(words)}: {values}</li>"
    yield "</ul>"
    parting = against.parting
    if parting is None:
        yield "<p>Every task starts at the same time and place.</p>"
        return
    tasks = "task starts" if against.changed == 1 else "tasks start"
    yield f"<p>{against.changed} {tasks} at another time. They part at {format_time(parting.time)}:</p><ul>"
    for sign, reasons in (("A", parting.first), (letter, parting.other)):
        yield from (f"<li>{sign} starts {_safe(reason_words(reason, letter))}</li>" for reason in reasons)
    yield "</ul><h3>Users</h3>"
    rows = ((_safe(one.name), *map(clock, one.values), _difference_cell("wait", one, 0)) for one in against.owners)
    yield from _table(("mean wait of user", "A", letter, "difference"), rows)
    for title, tasks_changed in (("gain", against.gaining), ("lose", against.losing)):
        if tasks_changed:
            yield f"<h3>Tasks that {title} most</h3><ul>"
            yield from (_task(one, letter) for one in tasks_changed)
            yield "</ul>"


def _task(one: TaskChange, letter: str) -> str:
    before, after = ("never started" if wait is None else clock(wait) for wait in (one.before, one.after))
    reason = f"<br><small>{_safe(reason_words(one.reason, letter, names_task=False))}</small>" if one.reason else ""
    return f"<li>{_safe(task_words(one.job, one.task, one.name, one.owner))}: {before} → {after}{reason}</li>"


def _measure_cells(one: Compared) -> Iterator[str]:
    yield _safe(measure_title(one.name))
    yield value_text(one.name, one.values[0])
    for number, value in enumerate(one.values[1:]):
        yield value_text(one.name, value)
        yield _difference_cell(one.name, one, number)


def _difference_cell(name: str, one: Compared, number: int) -> str:
    difference = one.differences[number]
    text = _safe(difference_text(name, difference))
    if difference is None or text == NO_DIFFERENCE:
        return f'<span class="same">{text}</span>'
    better = is_better(name, difference.mean)
    if better is None:
        return text
    return f'<span class="{"better" if better else "worse"}">{text} {"better" if better else "worse"}</span>'


def _table(heads: Iterable[str], rows: Iterable[Iterable[str]]) -> Iterator[str]:
    """A table; the cells are HTML already."""
    yield "<table><tr>" + "".join(f"<th>{_safe(head)}</th>" for head in heads) + "</tr>"
    yield from ("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    yield "</table>"


def _letter(number: int) -> str:
    return chr(ord("A") + number)


def _safe(text: str) -> str:
    """What users have written, as text of a page."""
    return escape("".join(char if char.isprintable() else "?" for char in text))
