"""What the qmaster refuses when it makes the instances of a cluster queue.

Source: validation/queue.md sections 1 (stage E) and 6.
"""

from collections.abc import Iterator

from qmon_tui.checks.index import spread
from qmon_tui.checks.offers import value_problem
from qmon_tui.checks.queue_verify import scope_hint
from qmon_tui.checks.rules import RuleBook
from qmon_tui.model.cluster import Cluster, ConfigObject
from qmon_tui.model.complex_entry import ComplexEntry, complex_index
from qmon_tui.model.findings import Finding
from qmon_tui.model.kinds import Kind
from qmon_tui.values.lists import BLANK_OR_COMMA, is_none, split_entries

_book = RuleBook(Kind.QUEUE, "validation/queue.md section 6")

VALUE = _book.error("complex_values.value", "What an instance offers of an attribute is a value of its type.")

_ADDING = "Adding such a queue creates it all the same, but no host can be added until this is mended."


def instance_errors(cluster: Cluster, obj: ConfigObject) -> Iterator[Finding]:
    """The values in complex_values (which can be read) that an instance cannot have, one finding for each setting."""
    index = complex_index(cluster)
    for key, text in spread(cluster, obj, "complex_values").used:
        for word, value in split_entries(text, BLANK_OR_COMMA):
            entry = index.find(word)
            problem = entry and _problem(entry, value)
            if problem:
                yield VALUE.finding(obj, "complex_values", problem, f"{scope_hint(key)} {_ADDING}".strip())
                break


def _problem(entry: ComplexEntry, value: str) -> str | None:
    """NONE is no value in a queue, but a BOOL then becomes TRUE."""
    if is_none(value):
        return None if entry.type == "BOOL" else f'denied: missing value for resource "{entry.name}"'
    return value_problem(entry, value)
