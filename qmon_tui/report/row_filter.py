"""The filter of every list, such as `state=E queue=all.q host=@rackb load>20 -u bela !text`.

`=` compares with patterns (several with commas; the beginning of a value is enough), `==` with the whole value, `<` and
`>` with numbers as qconf writes them. Other words are searched for in the row's text; `!` negates a term;
-u, -s, -q are as in qstat. Hosts may be node sets and @hostgroups, queues may be addresses of qmod.
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from operator import eq, ge, gt, le, lt, ne
from types import MappingProxyType
from typing import Any, Final, Generic, TypeVar

from qmon_tui.formats import expand_nodeset, is_nodeset
from qmon_tui.model import Cluster, find_group, resolve_group
from qmon_tui.report.words import REFUSED
from qmon_tui.values import canonical, compile_pattern, decimal_number, is_group, is_number, meant, parse_number

Row = TypeVar("Row")
Test = Callable[[Row], bool]
WordTest = Callable[[str], bool]
Groups = Callable[[str], Collection[str]]
"""Hostgroup -> its hosts; raises ValueError with a sentence, or returns none, if there is no such group."""

_TERM: Final = re.compile(r"([A-Za-z_][\w.-]*)(!=|>=|<=|==|=|>|<)(.*)")
_VALUES: Final = re.compile(r"(?:[^,\[\]]|\[[^\]]*\]|[\[\]])+")
"""Values with commas between them; commas in brackets belong to a node set."""
_NUMBERS: Final[Mapping[str, Callable[[Any, Any], bool]]] = MappingProxyType(
    {">": gt, "<": lt, ">=": ge, "<=": le, "=": eq, "==": eq, "!=": ne}
)
_WILD: Final = frozenset("*?[")


def no_groups(_: str) -> Collection[str]:
    """Return no hosts: the resolver without a cluster."""
    return ()


def groups_of(cluster: Cluster) -> Groups:
    """Return the function that resolves hostgroups of a cluster; it raises ValueError for an unknown group."""

    def hosts(name: str) -> Collection[str]:
        if find_group(cluster, name) is None:
            raise ValueError(f"there is no hostgroup {name}")
        return resolve_group(cluster, name)

    return hosts


@dataclass(frozen=True, slots=True)
class FilterField(Generic[Row]):
    """One name of a filter, and the values of a row that it compares."""

    words: Callable[[Row], Iterable[str]]
    help: str = ""
    number: Callable[[Row], float | None] | None = None
    """Returns the number of a row or None; None for a field without numbers."""
    is_numeric: bool = False
    """True if = and != compare numbers, too."""
    exact: bool = False
    """True if = compares the whole value."""
    takes_pairs: bool = False
    """True if a value with an equal sign is not split at commas."""
    special: Callable[[str, Groups], WordTest | None] | None = None
    """Returns the test of values with a meaning of their own, such as `running`; None for any other value."""


@dataclass(frozen=True, slots=True)
class FilterFields(Generic[Row]):
    """The names that a filter knows, and the row's text that other words are searched in."""

    fields: Mapping[str, FilterField[Row]]
    text: Callable[[Row], str]
    aliases: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    switches: Mapping[str, Callable[[str], str]] = field(default_factory=lambda: MappingProxyType({}))
    """Option of qstat -> its value as a term of the filter; raises ValueError with a sentence."""
    hosts: str = ""
    """The field that a node set is compared with; empty without one."""
    is_strict: bool = True
    """False if a term with an unknown name is searched as a word, as in `gpu=4`."""

    def named(self, name: str) -> str | None:
        """Return the key of a name; None if there is none."""
        key = self.aliases.get(name, name)
        return key if key in self.fields else None


@dataclass(frozen=True, slots=True)
class RowFilter(Generic[Row]):
    """A typed filter: its text, its tests, and the first problem (empty without one)."""

    text: str = ""
    tests: tuple[Test[Row], ...] = ()
    problem: str = field(default="", compare=False)

    def __bool__(self) -> bool:
        return bool(self.tests)

    def accepts(self, row: Row) -> bool:
        """Return True if a row passes all tests."""
        return all(test(row) for test in self.tests)


def parse_filter(text: str, fields: FilterFields[Row], groups: Groups = no_groups) -> RowFilter[Row]:
    """Return the filter of a line; an invalid term is left out, and the first one becomes `problem`."""
    tests: list[Test[Row]] = []
    problem = ""
    words = iter(text.split())
    for word in words:
        try:
            if word in fields.switches:
                value = next(words, "")
                if not value:
                    raise ValueError(f"{word} needs a value")
                word = fields.switches[word](value)
            tests.append(_test(word, fields, groups))
        except ValueError as error:
            problem = problem or str(error)
    return RowFilter(text.strip(), tuple(tests), problem)


def _test(word: str, fields: FilterFields[Row], groups: Groups) -> Test[Row]:
    if word.startswith("!") and len(word) > 1:
        test = _test(word[1:], fields, groups)
        return lambda row: not test(row)
    match = _TERM.fullmatch(word)
    if match is not None:
        name, operator, wanted = match.groups()
        key = fields.named(name)
        if key is not None:
            if not wanted:
                raise ValueError(f"{name}{operator} needs a value")
            return _compared(fields.fields[key], name, operator, wanted, groups)
        hint = meant(name, (*fields.fields, *fields.aliases))
        if fields.is_strict or hint or operator not in ("=", "=="):
            raise ValueError(f"there is no column {name}" + (f", {hint}" if hint else ""))
    if fields.hosts and is_nodeset(word) and (hosts := _hosts_named(word, groups)) is not None:
        words = fields.fields[fields.hosts].words
        return lambda row: any(canonical(host) in hosts for host in words(row))
    text = word.casefold()
    return lambda row: text in fields.text(row).casefold()


def _compared(compared: FilterField[Row], name: str, operator: str, wanted: str, groups: Groups) -> Test[Row]:
    read, limit = compared.number, _number(wanted)
    if operator in (">", "<", ">=", "<=") or (limit is not None and compared.is_numeric):
        if limit is None or read is None:
            raise ValueError(f"{name}{operator} needs a number, and a column of numbers")
        compare, least = _NUMBERS[operator], limit

        def by_number(row: Row) -> bool:
            value = read(row)
            return value is not None and compare(value, least)

        return by_number
    exactly = operator == "==" or compared.exact
    values = [wanted] if compared.takes_pairs and "=" in wanted else _VALUES.findall(wanted)
    tests = [_value_test(compared, value, groups, exactly=exactly) for value in values]

    def by_words(row: Row) -> bool:
        words = list(compared.words(row))
        return any(test(word) for word in words for test in tests) is not (operator == "!=")

    return by_words


def _value_test(compared: FilterField[Row], value: str, groups: Groups, *, exactly: bool) -> WordTest:
    special = compared.special(value, groups) if compared.special is not None else None
    if special is not None:
        return special
    pattern = compile_pattern(value if exactly or _WILD & set(value) else f"{value}*")
    return lambda word: pattern.fullmatch(word) is not None


def _number(text: str) -> float | None:
    number = decimal_number(text)
    return parse_number(text) if number is None and is_number(text) else number


# Values of hosts, queue instances and states ------------------------------------------------------------------------


def _hosts_named(text: str, groups: Groups) -> frozenset[str] | None:
    """Return the hosts of a node set or hostgroup; None for any other text."""
    if is_group(text):
        return frozenset(map(canonical, groups(text)))
    if is_nodeset(text):
        try:
            return frozenset(map(canonical, expand_nodeset(text)))
        except ValueError:
            return None
    return None


def host_test(value: str, groups: Groups) -> WordTest | None:
    """Return the test of host names for a node set or hostgroup; None for any other value."""
    hosts = _hosts_named(value, groups)
    return None if hosts is None else lambda word: canonical(word) in hosts


def address_test(value: str, groups: Groups) -> WordTest | None:
    """Return the test of queue instances for an address of qmod: `all.q@node01`, `*@@rackb`, `all.q@node[01-04]`."""
    queue, at, host = value.partition("@")
    if not at:
        return None
    hosts, queues, pattern = _hosts_named(host, groups), compile_pattern(queue), compile_pattern(host)

    def test(word: str) -> bool:
        name, has_host, where = word.partition("@")
        if not has_host or queues.fullmatch(name) is None:
            return False
        return pattern.fullmatch(where) is not None if hosts is None else canonical(where) in hosts

    return test


INSTANCE_LETTERS: Final = frozenset("aACDduESsco")
INSTANCE_STATES: Final[Mapping[str, WordTest]] = MappingProxyType(
    {
        "none": lambda state: not state,
        "error": lambda state: "E" in state,
        "disabled": lambda state: "d" in state or "D" in state,
        "suspended": lambda state: any(letter in state for letter in "sSCA"),
        "alarm": lambda state: "a" in state or "A" in state,
        "unknown": lambda state: "u" in state,
    }
)
"""Word for states of queue instances -> its test of qstat's letters."""


def instance_state_test(value: str, _: Groups) -> WordTest | None:
    """Return the test of a queue instance's state: a word, or letters that must all occur; None for other values."""
    if value in INSTANCE_STATES:
        return INSTANCE_STATES[value]
    letters = frozenset(value)
    return (lambda state: letters <= frozenset(state)) if letters <= INSTANCE_LETTERS else None


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
"""Word for states of jobs -> its test of qstat's letters."""
_PARTS: Final = frozenset("EhdsSTR")
"""Letters that match every state that contains them."""
_QSTAT_STATES: Final = MappingProxyType(
    {
        **{"p": "state=pending", "r": "state=running", "s": "state=suspended", "h": "state=held"},
        **{f"h{letter}": f"hold={letter}" for letter in "uos"},
        **{"hj": "after=?*", "a": "job=*"},
    }
)
"""Values of qstat -s as terms of the filter."""


_LETTERS: Final = frozenset("hqwrtsSTRdEz")


def _is_state(word: str) -> bool:
    """Return True for letters of qstat; other words are conditions, such as `held`."""
    return word == REFUSED or _LETTERS.issuperset(word)


def job_state_test(value: str, _: Groups) -> WordTest | None:
    """Return the test of a job's state: a word, or a letter anywhere in the state; None for other values."""
    if value in _PARTS:
        return lambda word: value in word and _is_state(word)
    test = STATES.get(value)
    return None if test is None else lambda word: _is_state(word) and test(word)


def pending_state_test(value: str, groups: Groups) -> WordTest | None:
    """Return the test of states if rows have no conditions: `waiting` and `held` are derived from the letters."""
    if value == "held":
        return lambda word: "h" in word
    if value == "waiting":
        return lambda word: "q" in word and not set(word) & set("hE")
    return job_state_test(value, groups)


def _qstat_state(value: str) -> str:
    if value not in _QSTAT_STATES:
        raise ValueError(f"-s {value} is not a state of qstat that is known here: {', '.join(_QSTAT_STATES)}")
    return _QSTAT_STATES[value]


QSTAT_SWITCHES: Final[Mapping[str, Callable[[str], str]]] = MappingProxyType(
    {"-u": "owner=={}".format, "-s": _qstat_state, "-q": "queue=={}".format}
)
"""Option of qstat -> its value as a term of the filter."""
