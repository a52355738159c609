"""The filter of job tables, such as `owner=bela state=qw slots>4 -s r blast`: its fields and completions."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from types import MappingProxyType
from typing import Final

from qmon_tui.model import PendingKind
from qmon_tui.report.jobtable.job_columns import BY_KEY, COLUMNS, JobColumn, value_of, words_of
from qmon_tui.report.jobtable.job_rows import JobTableRow
from qmon_tui.report.row_filter import (
    QSTAT_SWITCHES,
    STATES,
    FilterField,
    FilterFields,
    Groups,
    RowFilter,
    address_test,
    host_test,
    job_state_test,
    no_groups,
    parse_filter as parse_row_filter,
)
from qmon_tui.workspace import Figures

JobFilter = RowFilter[JobTableRow]

_ALIASES: Final = MappingProxyType(
    {"user": "owner", "u": "owner", "l": "request", "q": "queue", "id": "job", "task": "tasks"}
)
_MORE_KEYS: Final = MappingProxyType({"host": "the host of the queue instance that it holds"})
KINDS: Final = tuple(str(kind) for kind in PendingKind if " " not in kind)
"""Names of conditions of pending tasks that `state=` accepts."""
_EXACT: Final = frozenset({"job", "state", "hold"})


def _states(row: JobTableRow) -> Iterator[str]:
    yield from words_of("state", row)
    yield from _conditions(row)


def _field(key: str, column: JobColumn | None) -> FilterField[JobTableRow]:
    special = {"state": job_state_test, "host": host_test, "queue": address_test}.get(key)
    words = _states if key == "state" else partial(words_of, key)
    if column is None or column.order is None:
        return FilterField(words, exact=key in _EXACT, takes_pairs=key == "request", special=special)
    return FilterField(
        words, number=lambda row: float(value_of(column, row)), is_numeric=column.right and key != "job",
        exact=key in _EXACT, special=special,
    )  # fmt: skip


def _text(row: JobTableRow) -> str:
    job = row.job
    words = f"{job.id} {job.name} {job.owner} {row.state} {job.project or ''} {' '.join(words_of('queue', row))}"
    return words if row.known is None else f"{words} {row.known.qsub}"


FIELDS: Final = FilterFields(
    {key: _field(key, BY_KEY.get(key)) for key in (*BY_KEY, *_MORE_KEYS)},
    _text,
    _ALIASES,
    {**QSTAT_SWITCHES, "-pe": "pe=={}".format, "-P": "project=={}".format, "-l": "request={}".format},
    hosts="host",
)  # fmt: skip


def parse_filter(text: str, groups: Groups = no_groups) -> JobFilter:
    """Return the filter of a line; an invalid term is left out and becomes `problem`."""
    return parse_row_filter(text, FIELDS, groups)


def _conditions(row: JobTableRow) -> set[str]:
    """Return the conditions of the row's tasks, before or after the run as the row shows."""
    sides = {Figures.NOW: (False,), Figures.NEXT: (True,)}.get(row.figures, (False, True))
    return {row.condition(task, after=after) for task in row.tasks for after in sides}


def keys_help() -> tuple[tuple[str, str], ...]:
    """Return (name, description) of every name that a filter knows."""
    return (*((column.key, column.help) for column in COLUMNS if column.key != "made"), *_MORE_KEYS.items())


def completions(text: str, rows: Sequence[JobTableRow], most: int = 8) -> tuple[str, ...]:
    """Return completions of the last word: names of columns, then existing values, the most frequent first."""
    word = text.rpartition(" ")[2]
    match = re.fullmatch(r"([A-Za-z_][\w.-]*)(!=|=)([^=]*)", word)
    if match is None:
        names = [name for name, _ in keys_help() if name.startswith(word) and word]
        return tuple(f"{name}=" for name in names[:most])
    name, operator, begun = match.groups()
    key = _ALIASES.get(name, name)
    if key not in BY_KEY and key not in _MORE_KEYS:
        return ()
    last = begun.rpartition(",")[2]
    lead = f"{name}{operator}{begun[: len(begun) - len(last)]}"
    values = [*((*STATES, *KINDS) if key == "state" else ()), *_common(key, rows)]
    return tuple(f"{lead}{value}" for value in dict.fromkeys(values) if value.startswith(last) and value)[:most]


def _common(key: str, rows: Iterable[JobTableRow]) -> list[str]:
    counts: Counter[str] = Counter()
    for row in rows:
        counts.update(words_of(key, row))
    return [value for value, _ in counts.most_common() if " " not in value]
