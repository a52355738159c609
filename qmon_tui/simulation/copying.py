"""A copy of a simulation that goes its own way: what can change is copied, all values are shared."""

from copy import copy
from typing import Any, TypeVar

from qmon_tui.simulation.happening import Happening
from qmon_tui.simulation.task_record import TaskRecord

T = TypeVar("T")
_HOME = __name__.rpartition(".")[0]


def copy_of(value: T) -> T:
    """The value where nothing can change it; else a copy of it, and of what it holds.

    Only dictionaries, lists, sets and the objects of this package change, those of frozen classes excepted.
    """
    copied: T = _copied(value, {})
    return copied


def _copied(value: Any, known: dict[int, Any]) -> Any:
    if isinstance(value, TaskRecord):
        # Of what has ended nothing changes any more, and that is most of a long day.
        return value if value.ended is not None else copy(value)
    kind = type(value)
    if kind not in (dict, list, set) and not _changes(kind):
        return value
    if id(value) in known:
        return known[id(value)]
    made: Any
    if kind is dict:
        made = known[id(value)] = {key: _copied(item, known) for key, item in value.items()}
    elif kind is list:
        made = known[id(value)] = [_copied(item, known) for item in value]
    elif kind is set:
        made = known[id(value)] = set(value)
    else:
        made = known[id(value)] = copy(value)
        for name in (*getattr(value, "__dict__", ()), *getattr(kind, "__slots__", ())):
            setattr(made, name, _copied(getattr(value, name), known))
    return made


def _changes(kind: type) -> bool:
    frozen = getattr(kind, "__dataclass_params__", None)
    return (
        kind.__module__.startswith(_HOME)
        and not issubclass(kind, Happening)
        and not (frozen is not None and frozen.frozen)
    )
