"""Check of a pickle before it is read: it may only hold values and objects of some classes.

A pickle is a program, which may call any function, change classes, or nest tuples so deep that Python crashes.
A pickle with any step that the pickler does not write for plain data is refused.
"""

import pickletools
from collections.abc import Callable, Iterable
from enum import Enum
from typing import Any, Final, NamedTuple

DEEPEST: Final = 200
"""Most levels of nested tuples."""
_MOST_STEPS: Final = 1_000_000
_STEPS_A_BYTE: Final = 8
"""Steps allowed for each packed byte in addition to `_MOST_STEPS`; simulations take about 1.3."""
_MOST_VALUES: Final = 10**10
"""Most values in all, with shared values counted at each place: a comparison may read each of them."""
_MOST_IN_KEYS: Final = 20_000_000
"""Most values in all keys together, with shared values counted at each place: hashing a key reads each of them."""
_VALUES: Final = frozenset(
    ("NONE", "NEWTRUE", "NEWFALSE", "BININT", "BININT1", "BININT2", "LONG1", "LONG4", "BINFLOAT",
     "SHORT_BINBYTES", "BINBYTES", "BINBYTES8")
)  # fmt: skip
_TEXTS: Final = frozenset(("SHORT_BINUNICODE", "BINUNICODE", "BINUNICODE8"))
_TUPLES: Final = {"TUPLE1": 1, "TUPLE2": 2, "TUPLE3": 3}
_SILENT: Final = frozenset(("PROTO", "FRAME"))


class NotPlain(ValueError):
    """The pickle does something that plain data does not need; the text says what."""


class _Placeholder:
    """Placeholder for a list, a dictionary, a set or an object."""

    __slots__ = ("kind", "size")

    def __init__(self, kind: str, size: int = 1) -> None:
        self.kind = kind
        self.size = size
        """Number of values in it, with shared values counted at each place."""


class _Tuple(NamedTuple):
    """Placeholder for a tuple or a frozen set."""

    depth: int
    size: int


class _Named:
    """Placeholder for a name: a class, or a function that may be called."""

    __slots__ = ("named",)

    def __init__(self, named: Any) -> None:
        self.named = named


_LIST, _DICT, _SET, _OBJECT, _VALUE = "list", "dictionary", "set", "object", "value"
_EMPTY: Final = _Tuple(1, 1)


def check_plain(data: bytes, find: Callable[[str, str], Any], callables: frozenset[Any], packed: int = 0) -> None:
    """Check all steps of a pickle. Raises NotPlain for a forbidden one, ValueError or IndexError if it is no pickle.

    `find` returns the object that a name stands for, or raises. Instances of any class that it returns may be made;
    only `callables` and enumerations may be called. `packed` is the size of the file in bytes: it allows more steps.
    """
    _Checker(find, callables).follow(data, _MOST_STEPS + _STEPS_A_BYTE * packed)


def _sum(items: Iterable[Any]) -> int:
    """Return the number of values in `items`, plus one. Raises NotPlain above `_MOST_VALUES`."""
    size = 1 + sum(map(_size, items))
    if size > _MOST_VALUES:
        raise NotPlain(f"it holds more than {_MOST_VALUES} values")
    return size


def _is(item: Any, kind: str) -> bool:
    return isinstance(item, _Placeholder) and item.kind == kind


def _size(item: Any) -> int:
    return item.size if isinstance(item, _Placeholder | _Tuple) else 1


class _Checker:
    """Follows a pickle with placeholders for all objects but texts, which may be names."""

    def __init__(self, find: Callable[[str, str], Any], callables: frozenset[Any]) -> None:
        self._find = find
        self._callables = callables
        self._stack: list[Any] = []
        self._marks: list[int] = []
        self._memo: list[Any] = []
        self._in_keys = 0

    def follow(self, data: bytes, most: int) -> None:
        """Follow all steps, `most` at most, and check that one object is left."""
        stack = self._stack
        steps: dict[str, Callable[[], None]] = {
            "MARK": lambda: self._marks.append(len(stack)),
            "MEMOIZE": lambda: self._memo.append(stack[-1]),
            "EMPTY_LIST": lambda: stack.append(_Placeholder(_LIST)),
            "EMPTY_DICT": lambda: stack.append(_Placeholder(_DICT)),
            "EMPTY_SET": lambda: stack.append(_Placeholder(_SET)),
            "EMPTY_TUPLE": lambda: stack.append(_EMPTY),
            "TUPLE": lambda: self._nest(self._since_mark()),
            "FROZENSET": lambda: self._nest(self._keys(self._since_mark())),
            "APPEND": lambda: self._fill(self._last(1), _LIST),
            "APPENDS": lambda: self._fill(self._since_mark(), _LIST),
            "ADDITEMS": lambda: self._fill(self._keys(self._since_mark()), _SET),
            "SETITEM": lambda: self._fill(self._last(2), _DICT, _OBJECT, pairs=True),
            "SETITEMS": lambda: self._fill(self._since_mark(), _DICT, _OBJECT, pairs=True),
            "STACK_GLOBAL": self._name,
            "NEWOBJ": self._make,
            "REDUCE": self._call,
            "BUILD": self._build,
        }
        for step, (code, argument, _) in enumerate(pickletools.genops(data)):
            if step > most:
                raise NotPlain(f"it takes more than {most} steps")
            name = code.name
            if name in _VALUES:
                stack.append(0)
            elif name in _TEXTS:
                stack.append(argument)
            elif name in ("BINGET", "LONG_BINGET"):
                stack.append(self._memo[int(argument or 0)])
            elif name in _TUPLES:
                self._nest(self._last(_TUPLES[name]))
            elif name in steps:
                steps[name]()
            elif name == "STOP":
                break
            elif name not in _SILENT:
                raise NotPlain(f"it does {name}")
        if len(stack) != 1 or not _is(stack[0], _OBJECT):
            raise NotPlain("it is not one object")

    def _last(self, count: int) -> list[Any]:
        items = self._stack[-count:]
        if len(items) < count:
            raise IndexError(count)
        del self._stack[-count:]
        return items

    def _since_mark(self) -> list[Any]:
        start = self._marks.pop()
        items = self._stack[start:]
        del self._stack[start:]
        return items

    def _nest(self, items: list[Any]) -> None:
        depth = 1 + max((item.depth for item in items if isinstance(item, _Tuple)), default=0)
        if depth > DEEPEST:
            raise NotPlain(f"more than {DEEPEST} tuples are within each other")
        self._stack.append(_Tuple(depth, _sum(items)))

    def _keys(self, items: list[Any]) -> list[Any]:
        """Return the items, which are hashed. Raises NotPlain above `_MOST_IN_KEYS` values in all keys so far."""
        self._in_keys += _sum(items)
        if self._in_keys > _MOST_IN_KEYS:
            raise NotPlain(f"more than {_MOST_IN_KEYS} values are in its keys")
        return items

    def _fill(self, items: list[Any], *kinds: str, pairs: bool = False) -> None:
        filled = self._stack[-1]
        if not any(_is(filled, kind) for kind in kinds):
            raise NotPlain("it puts something into what is no list, set or dictionary")
        if pairs:
            self._keys(items[::2])
        filled.size = _sum([filled, *items])

    def _name(self) -> None:
        module, name = self._last(2)
        if not (isinstance(module, str) and isinstance(name, str)):
            raise NotPlain("it makes up a name")
        self._stack.append(_Named(self._find(module, name)))

    def _make(self) -> None:
        kind, arguments = self._last(2)
        if not (isinstance(kind, _Named) and isinstance(kind.named, type) and isinstance(arguments, _Tuple)):
            raise NotPlain("it makes an object of what is no class")
        self._stack.append(_Placeholder(_OBJECT, arguments.size))

    def _call(self) -> None:
        called, arguments = self._last(2)
        if not isinstance(called, _Named) or not isinstance(arguments, _Tuple):
            raise NotPlain("it calls what is not named")
        function = called.named
        is_enum = isinstance(function, type) and issubclass(function, Enum)
        if not is_enum and function not in self._callables:
            raise NotPlain(f"it calls {getattr(function, '__name__', function)}")
        self._stack.append(_Placeholder(_DICT if function is dict else _VALUE, arguments.size))

    def _build(self) -> None:
        (state,) = self._last(1)
        if not _is(self._stack[-1], _OBJECT):
            raise NotPlain("it changes what it has not made")
        self._stack[-1].size = _sum([self._stack[-1], state])
