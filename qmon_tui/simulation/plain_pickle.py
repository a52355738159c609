"""What a pickle is made of, looked at before it is read: values, and objects of some classes; nothing is called.

A pickle is a program, which may call whatever it names, change the classes that it finds, or nest tuples so deep that
Python dies of looking at them. One that says anything but what the pickler writes of plain data is refused.
"""

import pickletools
from collections.abc import Callable
from enum import Enum
from typing import Any, Final

DEEPEST: Final = 200
"""Tuples within each other."""
_VALUES: Final = frozenset(
    ("NONE", "NEWTRUE", "NEWFALSE", "BININT", "BININT1", "BININT2", "LONG1", "LONG4", "BINFLOAT",
     "SHORT_BINBYTES", "BINBYTES", "BINBYTES8")
)  # fmt: skip
_TEXTS: Final = frozenset(("SHORT_BINUNICODE", "BINUNICODE", "BINUNICODE8"))
_TUPLES: Final = {"TUPLE1": 1, "TUPLE2": 2, "TUPLE3": 3}
_SILENT: Final = frozenset(("PROTO", "FRAME"))


class NotPlain(ValueError):
    """The pickle does something that plain data does not need; the text says what."""


class _Thing:
    """Stands for what is no value: a list, a dictionary, a set, an object."""

    __slots__ = ()


class _Named:
    """Stands for what is named: a class, or a function that may be called."""

    __slots__ = ("named",)

    def __init__(self, named: Any) -> None:
        self.named = named


_LIST, _DICT, _SET, _OBJECT = _Thing(), _Thing(), _Thing(), _Thing()


def check_plain(data: bytes, find: Callable[[str, str], Any], callables: frozenset[Any]) -> None:
    """Look at all that a pickle does. Raises NotPlain, and ValueError or IndexError where it is none.

    `find` answers what a name stands for, or raises; classes may be made, `callables` and enumerations called.
    """
    _Look(find, callables).follow(data)


class _Look:
    """Follows a pickle with stand-ins: a tuple is how deep it is, a text is itself, as it may be a name."""

    def __init__(self, find: Callable[[str, str], Any], callables: frozenset[Any]) -> None:
        self._find = find
        self._callables = callables
        self._stack: list[Any] = []
        self._marks: list[int] = []
        self._memo: list[Any] = []

    def follow(self, data: bytes) -> None:
        """All of it; one object is left."""
        stack = self._stack
        steps: dict[str, Callable[[], None]] = {
            "MARK": lambda: self._marks.append(len(stack)),
            "MEMOIZE": lambda: self._memo.append(stack[-1]),
            "EMPTY_LIST": lambda: stack.append(_LIST),
            "EMPTY_DICT": lambda: stack.append(_DICT),
            "EMPTY_SET": lambda: stack.append(_SET),
            "EMPTY_TUPLE": lambda: stack.append(1),
            "TUPLE": lambda: self._nest(self._since_mark()),
            "FROZENSET": lambda: self._nest(self._since_mark()),
            "APPEND": lambda: self._fill(self._last(1), _LIST),
            "APPENDS": lambda: self._fill(self._since_mark(), _LIST),
            "ADDITEMS": lambda: self._fill(self._since_mark(), _SET),
            "SETITEM": lambda: self._fill(self._last(2), _DICT, _OBJECT),
            "SETITEMS": lambda: self._fill(self._since_mark(), _DICT, _OBJECT),
            "STACK_GLOBAL": self._name,
            "NEWOBJ": self._make,
            "REDUCE": self._call,
            "BUILD": self._build,
        }
        for code, argument, _ in pickletools.genops(data):
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
        if stack != [_OBJECT]:
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
        depth = 1 + max((item for item in items if type(item) is int), default=0)
        if depth > DEEPEST:
            raise NotPlain(f"more than {DEEPEST} tuples are within each other")
        self._stack.append(depth)

    def _fill(self, items: list[Any], *kinds: _Thing) -> None:
        if self._stack[-1] not in kinds:
            raise NotPlain("it puts something into what is no list, set or dictionary")
        del items

    def _name(self) -> None:
        module, name = self._last(2)
        if not (isinstance(module, str) and isinstance(name, str)):
            raise NotPlain("it makes up a name")
        self._stack.append(_Named(self._find(module, name)))

    def _make(self) -> None:
        kind, arguments = self._last(2)
        if not (isinstance(kind, _Named) and isinstance(kind.named, type) and type(arguments) is int):
            raise NotPlain("it makes an object of what is no class")
        self._stack.append(_OBJECT)

    def _call(self) -> None:
        called, arguments = self._last(2)
        if not isinstance(called, _Named) or type(arguments) is not int:
            raise NotPlain("it calls what is not named")
        function = called.named
        is_enum = isinstance(function, type) and issubclass(function, Enum)
        if not is_enum and function not in self._callables:
            raise NotPlain(f"it calls {getattr(function, '__name__', function)}")
        self._stack.append(_DICT if function is dict else 0)

    def _build(self) -> None:
        self._last(1)
        if self._stack[-1] is not _OBJECT:
            raise NotPlain("it changes what it has not made")
