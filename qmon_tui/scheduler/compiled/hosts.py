"""Execution hosts and the pseudo host `global` (host_conf(5))."""

from collections.abc import Mapping
from dataclasses import dataclass

from qmon_tui.model.cluster import ConfigObject
from qmon_tui.scheduler.compiled.access import ACCESS_FIELDS, Access, access_of
from qmon_tui.scheduler.compiled.attributes import AttributeTable
from qmon_tui.scheduler.compiled.parsing import double
from qmon_tui.scheduler.compiled.values import Value, configured_values, entries_of
from qmon_tui.values.lists import BLANK, COMMA


@dataclass(frozen=True, slots=True)
class Host:
    """What the scheduler reads from an execution host."""

    name: str
    configured: Mapping[str, Value]
    scaling: Mapping[str, float]
    access: Access


def compile_host(obj: ConfigObject, attributes: AttributeTable) -> Host:
    """Parse one execution host."""
    return Host(
        name=obj.name,
        configured=configured_values(obj.text("complex_values"), COMMA, attributes),
        scaling={name: double(factor) for name, factor in entries_of(obj.text("load_scaling"), COMMA)},
        access=access_of({field: obj.text(field) for field in ACCESS_FIELDS}, BLANK),
    )
