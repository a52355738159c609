"""One cluster queue: all that is wrong with it, errors first and in the order in which the qmaster finds them.

Source: queue_conf(5), queue.md#order-of-checks.
"""

from collections.abc import Iterator

from qmon_tui.checks.queue_read import ReadField, read_field
from qmon_tui.checks.queue_verify import client_errors, instance_errors, scope_hint, server_errors
from qmon_tui.checks.queue_warnings import queue_warnings
from qmon_tui.checks.subordinate_loops import loop_errors, loop_warnings
from qmon_tui.model import Cluster, ConfigObject, Finding, Kind
from qmon_tui.model.catalogue import spec


def queue_findings(cluster: Cluster, obj: ConfigObject) -> Iterator[Finding]:
    """Everything about one queue: at most one error a field, then the warnings."""
    read = {field.name: read_field(field.name, obj.text(field.name)) for field in spec(Kind.QUEUE).fields[2:]}
    for name, field in read.items():
        if field.rule is not None:
            hint = f"{scope_hint(field.key)} {field.rule.summary}".strip()
            yield field.rule.finding(obj, name, field.message, hint)
    yield from client_errors(obj, read)
    wrong_names = list(server_errors(cluster, obj, read))
    yield from wrong_names
    unusable = {finding.field for finding in wrong_names}
    if _usable(read, unusable, "complex_values"):
        yield from instance_errors(cluster, obj)
    if _usable(read, unusable, "subordinate_list"):
        yield from loop_errors(cluster, obj)
    yield from queue_warnings(cluster, obj, read)
    if _usable(read, unusable, "subordinate_list"):
        yield from loop_warnings(cluster, obj)


def _usable(read: dict[str, ReadField], wrong: set[str | None], name: str) -> bool:
    return read[name].rule is None and name not in wrong
