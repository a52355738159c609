"""Warn about complex entries that the qmaster accepts, but that a document forbids or that look wrong.

Source: complex.md#columns and complex.md#slots.
"""

from collections.abc import Iterator

from qmon_tui.checks.level_values import partly_offered
from qmon_tui.checks.rules import RuleBook
from qmon_tui.checks.value_problems import doubtful_number
from qmon_tui.model import (
    SLOTS,
    Cluster,
    ComplexEntry,
    ConfigObject,
    Finding,
    Kind,
    complex_entry,
    is_built_in,
    printed,
    references_to,
)
from qmon_tui.values import INFINITY, is_number, name_problem, parse_number

_book = RuleBook(Kind.COMPLEX, "complex.md#relop")

UNUSABLE = _book.warning(
    "name.unusable",
    "A name or shortcut with = , : [ ] or a blank cannot be used in -l, complex_values or thresholds.",
    "#name",
)
CHARACTERS = _book.warning(
    "name.characters", "Names of attributes are object names.", "sge_types(1) complex_name, #name"
)
RELOP_BUG = _book.warning("relop.bug", "The operator ?? is accepted by mistake and compares nothing.")
DEFAULT_UNREAD = _book.warning("default.unread", "The default of a consumable is a number.", "#default")
DEFAULT_NEGATIVE = _book.warning("default.negative", "A negative default gives back instead of using up.", "#default")
DEFAULT_INFINITE = _book.warning(
    "default.infinite", "With an unlimited default no job that requests nothing can start.", "#default"
)
DEFAULT_MEANING = _book.warning(
    "default.meaning",
    "A default is written as values of its type are.",
    "complex(5), sge_types(1), values.md#doubtful-numbers",
)
URGENCY_MEANING = _book.warning("urgency.meaning", "The urgency is a plain number.", "complex(5), #urgency")
SLOTS_STORED = _book.warning(
    "slots.stored",
    "The qmaster stores slots as INT <= YES YES 1; only shortcut and urgency can be set.",
    "#built-in-attributes",
)
HIDDEN = _book.warning(
    "name.hidden", "An attribute named min_cpu_inter can never be deleted again.", "#built-in-attributes"
)
UNOFFERED = _book.info(
    "consumable.unoffered",
    "A consumable counts only where a queue, a host or the cluster offers an amount of it.",
    "complex(5), #consumable",
)

_BREAKS_REQUESTS = frozenset("=,:[] \t")


def entry_warnings(cluster: Cluster, obj: ConfigObject) -> Iterator[Finding]:
    """Yield warnings about one entry that the qmaster accepts."""
    entry = complex_entry(obj)
    yield from _words(obj, entry)
    if entry.relop == "??":
        yield RELOP_BUG.finding(
            obj, "relop", 'the operator "??" is accepted, but it compares nothing', "Choose another."
        )
    if entry.name == "slots":
        yield from _slots(obj)
    elif entry.is_consumable:
        yield from _consumable(cluster, obj, entry)
    if entry.name == "min_cpu_inter":
        message = 'the qmaster takes "min_cpu_inter" for a built-in attribute: it can never be deleted again'
        yield HIDDEN.finding(obj, "name", message, "Choose another name.")
    if doubt := doubtful_number("DOUBLE", entry.urgency.removeprefix("-")):
        yield URGENCY_MEANING.finding(obj, "urgency", doubt)


def _words(obj: ConfigObject, entry: ComplexEntry) -> Iterator[Finding]:
    for field, text in (("name", entry.name), ("shortcut", entry.shortcut)):
        if _BREAKS_REQUESTS.intersection(text):
            message = f'the {field} "{text}" cannot be used in -l, complex_values or thresholds'
            yield UNUSABLE.finding(obj, field, message, "Leave out = , : [ ] and blanks.")
        elif problem := name_problem(text):
            hint = "sge_types(1) forbids it, the qmaster accepts it."
            yield CHARACTERS.finding(obj, field, f'{field} "{text}": {problem}', hint)


def _slots(obj: ConfigObject) -> Iterator[Finding]:
    for column, stored in SLOTS.items():
        text = obj.text(column)
        if printed(column, text) != stored:
            message = f'slots: the qmaster stores {column} {stored}, not "{text}"'
            yield SLOTS_STORED.finding(obj, column, message, "Only its shortcut and urgency can be changed.")


def _consumable(cluster: Cluster, obj: ConfigObject, entry: ComplexEntry) -> Iterator[Finding]:
    yield from _default(obj, entry)
    yield from partly_offered(cluster, obj, entry)
    offers = (ref for ref in references_to(cluster, Kind.COMPLEX, entry.name) if ref.field == "complex_values")
    if not is_built_in(entry.name) and next(offers, None) is None:
        message = f'consumable "{entry.name}": no queue and no host offers it in complex_values'
        hint = "Set an amount in complex_values of a queue, a host, or the host global."
        yield UNOFFERED.finding(obj, None, message, hint)


def _default(obj: ConfigObject, entry: ComplexEntry) -> Iterator[Finding]:
    text = entry.default
    if not is_number(text):
        message = f'default "{text}" of the consumable "{entry.name}" is not a number: it counts as 0'
        yield DEFAULT_UNREAD.finding(obj, "default", message, "Write 0 for nothing.")
        return
    value = parse_number(text)
    if value < 0:
        message = f'default "{text}": a job that does not request "{entry.name}" adds to what is left'
        yield DEFAULT_NEGATIVE.finding(obj, "default", message)
    elif value in (INFINITY, float("inf")):
        message = f'default "{text}": a job that does not request "{entry.name}" can never start where it is offered'
        yield DEFAULT_INFINITE.finding(obj, "default", message)
    elif doubt := doubtful_number(entry.type, text):
        yield DEFAULT_MEANING.finding(obj, "default", doubt)
