"""Independent copies of a simulation: mutable objects are copied, values are shared."""

from typing import Any, Final, TypeVar

from qmon_tui.simulation.event_queue import SimulationEvent
from qmon_tui.simulation.task_record import TaskRecord

T = TypeVar("T")
_HOME = __name__.rpartition(".")[0]


def copy_of(value: T) -> T:
    """Return a deep copy of a mutable object; an immutable value is returned itself.

    Mutable are dictionaries, lists, sets and the objects of this package whose classes are not frozen.
    """
    copied: T = _copied(value, {})
    return copied


def _copied(value: Any, known: dict[int, Any]) -> Any:
    kind = type(value)
    # Records of ended tasks, the most of a long day, no longer change.
    if not _CHANGES[kind] or (kind is TaskRecord and value.ended is not None):
        return value
    if id(value) in known:
        return known[id(value)]
    made: Any
    if kind is dict:
        made = {key: _copied(item, known) if _CHANGES[type(item)] else item for key, item in value.items()}
    elif kind is list:
        made = [_copied(item, known) if _CHANGES[type(item)] else item for item in value]
    elif kind is set:
        made = set(value)
    else:
        # `copy.copy` takes ten times as long.
        made = known[id(value)] = object.__new__(kind)
        for name in (*getattr(value, "__dict__", ()), *_SLOTS[kind]):
            item = getattr(value, name)
            setattr(made, name, _copied(item, known) if _CHANGES[type(item)] else item)
    known[id(value)] = made
    return made


class _Changes(dict[type, bool]):
    """Type -> True if its objects can change."""

    def __missing__(self, kind: type) -> bool:
        frozen = getattr(kind, "__dataclass_params__", None)
        changes = kind in (dict, list, set) or (
            kind.__module__.startswith(_HOME)
            and not issubclass(kind, SimulationEvent)
            and not (frozen is not None and frozen.frozen)
        )
        self[kind] = changes
        return changes


class _Slots(dict[type, tuple[str, ...]]):
    """Type -> the names in `__slots__` of it and all its bases."""

    def __missing__(self, kind: type) -> tuple[str, ...]:
        names = tuple(name for base in kind.__mro__ for name in base.__dict__.get("__slots__", ()))
        self[kind] = names
        return names


_CHANGES: Final = _Changes()
_SLOTS: Final = _Slots()
