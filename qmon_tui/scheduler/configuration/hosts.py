"""Execution hosts and the pseudo host `global` (host_conf(5))."""

from collections.abc import Mapping
from dataclasses import dataclass

from qmon_tui.model import ConfigObject, memoized
from qmon_tui.scheduler.configuration.access_lists import ACCESS_FIELDS, Access, access_of
from qmon_tui.scheduler.configuration.attribute_values import Value, configured_values, entries_of
from qmon_tui.scheduler.configuration.complex_attributes import AttributeTable
from qmon_tui.scheduler.configuration.lenient_parsing import double
from qmon_tui.values import BLANK, COMMA


@dataclass(frozen=True, slots=True)
class Host:
    """The fields of an execution host that the scheduler reads."""

    name: str
    configured: Mapping[str, Value]
    """complex_values."""
    scaling: Mapping[str, float]
    """load_scaling: load value -> factor."""
    access: Access


@memoized(size=8)
def _values_by_text(_: AttributeTable) -> dict[str, Mapping[str, Value]]:
    """Return the cache text of complex_values -> values, which hosts with the same text share."""
    return {}


def compile_host(obj: ConfigObject, attributes: AttributeTable) -> Host:
    """Parse one execution host."""
    text = obj.text("complex_values")
    values_by_text = _values_by_text(attributes)
    if text not in values_by_text:
        values_by_text[text] = configured_values(text, COMMA, attributes)
    return Host(
        name=obj.name,
        configured=values_by_text[text],
        scaling={name: double(factor) for name, factor in entries_of(obj.text("load_scaling"), COMMA)},
        access=access_of({field: obj.text(field) for field in ACCESS_FIELDS}, BLANK),
    )
