"""The filter of the job table: `owner=bela state=qw slots>4 blast` - what it means, what can be typed next."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import eq, ge, gt, le, lt, ne
from types import MappingProxyType
from typing import Any, Final

from qmon_tui.model import PendingKind
from qmon_tui.report.jobtable.job_columns import BY_KEY, COLUMNS, value_of, words_of
from qmon_tui.report.jobtable.job_rows import JobTableRow
from qmon_tui.report.words import REFUSED
from qmon_tui.values import compile_pattern, decimal_number, meant
from qmon_tui.workspace import Figures

Test = Callable[[JobTableRow], bool]

_TERM: Final = re.compile(r"([A-Za-z_][\w.-]*)(!=|>=|<=|==|=|>|<)(.*)")
_NUMBERS: Final[Mapping[str, Callable[[Any, Any], bool]]] = MappingProxyType(
    {">": gt, "<": lt, ">=": ge, "<=": le, "=": eq, "==": eq, "!=": ne}
)
_ALIASES: Final = MappingProxyType(
    {"user": "owner", "u": "owner", "l": "request", "q": "queue", "id": "job", "task": "tasks"}
)
_MORE_KEYS: Final = MappingProxyType({"host": "the host of the queue instance that it holds"})
STATES: Final[Mapping[str, Callable[[str], bool]]] = MappingProxyType(
    {
        "running": lambda state: any(letter in state for letter in "rt") and "q" not in state,
        "pending": lambda state: "q" in state,
        "suspended": lambda state: any(letter in state for letter in "sST"),
        "error": lambda state: "E" in state,
        "starting": lambda state: state == "t",
        "refused": lambda state: state == REFUSED,
    }
)
"""Words for states, besides qstat's letters."""
KINDS: Final = tuple(str(kind) for kind in PendingKind if " " not in kind)
"""Words for why a task is pending."""
_EXACT: Final = frozenset({"job", "state", "hold"})
_WILD: Final = frozenset("*?[")


@dataclass(frozen=True, slots=True)
class JobFilter:
    """A typed filter: its text, its tests, and the problem if it has one."""

    text: str = ""
    tests: tuple[Test, ...] = ()
    problem: str = ""

    def __bool__(self) -> bool:
        return bool(self.tests)

    def accepts(self, row: JobTableRow) -> bool:
        """True if a row passes all tests."""
        return all(test(row) for test in self.tests)


def parse_filter(text: str) -> JobFilter:
    """The filter that a line means; a term that means nothing is left out and said."""
    tests: list[Test] = []
    problem = ""
    for word in text.split():
        try:
            tests.append(_test(word))
        except ValueError as error:
            problem = problem or str(error)
    return JobFilter(text.strip(), tuple(tests), problem)


def _test(word: str) -> Test:
    match = _TERM.fullmatch(word)
    if match is None:
        return _contains(word.casefold())
    name, operator, wanted = match.groups()
    key = _ALIASES.get(name, name)
    if key not in BY_KEY and key not in _MORE_KEYS:
        hint = meant(key, (*BY_KEY, *_MORE_KEYS, *_ALIASES))
        raise ValueError(f"there is no column {name}" + (f", {hint}" if hint else ""))
    if not wanted:
        raise ValueError(f"{name}{operator} needs a value")
    return _compared(key, operator, wanted)


def _contains(text: str) -> Test:
    def test(row: JobTableRow) -> bool:
        job, places = row.job, " ".join(words_of("queue", row))
        words = f"{job.id} {job.name} {job.owner} {row.state} {job.project or ''} {places}"
        return text in words.casefold() or (row.known is not None and text in row.known.qsub.casefold())

    return test


def _compared(key: str, operator: str, wanted: str) -> Test:
    column = BY_KEY.get(key)
    number = decimal_number(wanted)
    if operator in (">", "<", ">=", "<=") or (
        number is not None and column is not None and column.right and column.order is not None and key != "job"
    ):
        if number is None or column is None or column.order is None:
            raise ValueError(f"{key}{operator} needs a number, and a column of numbers")
        compare, limit = _NUMBERS[operator], number
        return lambda row: compare(float(value_of(column, row)), limit)
    return _matching(key, wanted, negated=operator == "!=", exactly=operator == "==" or key in _EXACT)


def _matching(key: str, wanted: str, *, negated: bool, exactly: bool) -> Test:
    """Patterns, several with commas, the beginning of a value is enough; states also in words."""
    alternatives = [wanted] if key == "request" and "=" in wanted else wanted.split(",")
    named = [STATES[alternative] for alternative in alternatives if key == "state" and alternative in STATES]
    kinds = {alternative for alternative in alternatives if key == "state" and alternative in KINDS}
    others = [word for word in alternatives if key != "state" or not (word in STATES or word in KINDS)]
    patterns = [
        compile_pattern(alternative if exactly or _WILD & set(alternative) else f"{alternative}*")
        for alternative in others
    ]

    def test(row: JobTableRow) -> bool:
        words = list(words_of(key, row))
        hit = any(pattern.fullmatch(word) for word in words for pattern in patterns)
        hit = hit or any(matches(word) for word in words for matches in named)
        return (hit or bool(kinds and kinds & _conditions(row))) is not negated

    return test


def _conditions(row: JobTableRow) -> set[str]:
    """The conditions of the tasks of a row that it shows."""
    sides = {Figures.NOW: (False,), Figures.NEXT: (True,)}.get(row.figures, (False, True))
    return {row.condition(task, after=after) for task in row.tasks for after in sides}


def keys_help() -> tuple[tuple[str, str], ...]:
    """Every name that a filter knows, with what it is."""
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
