"""Capacity correction: what others than our jobs use of a consumable, where a load value tells (matching.md section 9).

Afterwards no more remains of the consumable than the load value says is there.
"""

from collections.abc import Mapping
from typing import Final

from qmon_tui.scheduler.compiled.attributes import AttributeTable
from qmon_tui.scheduler.compiled.parsing import number_or_none
from qmon_tui.scheduler.compiled.values import Value
from qmon_tui.scheduler.matching.level import Adjustments, Level

_CORRECTABLE: Final = frozenset({"==", "<", "<=", "!="})


def corrected(
    level: Level, configured: Mapping[str, Value], attributes: AttributeTable, adjustments: Adjustments
) -> Mapping[str, Value]:
    """The configured values with smaller totals where a load value of the level asks for that."""
    smaller: dict[str, Value] = {}
    for name, load in level.loads.items():
        total = configured.get(name)
        if total is None or name not in level.used:
            continue
        amount = number_or_none(load.text)
        if attributes.by_name[name].relop not in _CORRECTABLE or amount is None:
            continue
        amount -= adjustments.amounts.get(name, 0.0) * level.correction_factor
        foreign = total.number - level.used[name] - amount
        if foreign > 0.0:
            smaller[name] = Value(total.text, total.number - foreign)
    return {**configured, **smaller} if smaller else configured
