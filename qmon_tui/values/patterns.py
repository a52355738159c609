"""String expressions of requests and queue patterns of `-q`.

Source: matching.md#string-expressions and matching.md#queue-patterns.
"""

import re
from collections.abc import Callable, Collection, Mapping
from functools import lru_cache
from typing import Final, NamedTuple

from qmon_tui.values.c_library import lower
from qmon_tui.values.fnmatch import compile_pattern
from qmon_tui.values.names import canonical, comparable

MATCH: Final = 0
NO_MATCH: Final = 1
ERROR: Final = -1

_TOO_LONG: Final = 2048
_PATTERN_SIGNS: Final = frozenset("*?[]")
_EXPRESSION_SIGNS: Final = _PATTERN_SIGNS | frozenset("&|!()")
_CASELESS: Final = frozenset({"CSTRING", "HOST"})
_STRING_TYPES: Final = _CASELESS | {"STRING", "RESTRING"}
_TOKEN = re.compile(r" *(?P<sign>[!|&()])| *(?P<pattern>[^!|&() ]+)")

_Predicate = Callable[[str], bool]


def is_pattern(text: str) -> bool:
    """True if the text has one of the signs `* ? [ ]`."""
    return not _PATTERN_SIGNS.isdisjoint(text)


def is_expression(text: str) -> bool:
    """True if the text is read as an expression: it has one of the signs `* ? [ ] & | ! ( )`."""
    return not _EXPRESSION_SIGNS.isdisjoint(text)


def evaluate(type_name: str, expression: str, value: str) -> int:
    """Compare a value with an expression by the rules of a complex type: 0 match, 1 no match, -1 syntax error.

    Case counts only for STRING and RESTRING. An expression or a value of 2048 characters or more is an
    error (matching.md#string-expressions).
    """
    if len(value) >= _TOO_LONG:
        return ERROR
    predicate = _compiled(type_name, expression)
    if predicate is None:
        return ERROR
    return MATCH if predicate(_folded(type_name, value)) else NO_MATCH


def matches(type_name: str, expression: str, value: str) -> bool:
    """True if the value matches the expression; an expression in error matches nothing."""
    return evaluate(type_name, expression, value) == MATCH


def syntax_error(expression: str) -> int | None:
    """Return the position (from 1) of the syntax error that qsub reports in an expression; None if it is valid."""
    program = _postfix(expression) if is_expression(expression) else []
    return min(program + 1, len(expression)) if isinstance(program, int) else None


class QueuePattern(NamedTuple):
    """One element of a `-q` list: `queue`, `queue@host` or `queue@@group`; each part is an expression."""

    queue: str
    host: str | None = None
    group: str | None = None
    """Expression on the names of hostgroups, without their @."""

    @classmethod
    def parse(cls, text: str) -> "QueuePattern":
        """Split the text at its first @."""
        queue, at, place = text.partition("@")
        if not at:
            return cls(queue)
        return cls(queue, group=place[1:]) if place.startswith("@") else cls(queue, host=place)

    def text(self) -> str:
        """Return the pattern as qsub takes it after `-q`."""
        if self.group is not None:
            return f"{self.queue}@@{self.group}"
        return self.queue if self.host is None else f"{self.queue}@{self.host}"

    def matches(self, queue: str, host: str, groups: Mapping[str, Collection[str]]) -> bool:
        """True if both parts match the queue instance; `groups`: @group -> all its hosts, canonical and resolved."""
        return self.matches_queue(queue) and self.matches_host(host, groups)

    def matches_queue(self, queue: str) -> bool:
        """True if the queue part matches the cluster queue's name; an empty queue part matches none."""
        return matches("STRING", self.queue, queue)

    def matches_host(self, host: str, groups: Mapping[str, Collection[str]]) -> bool:
        """True if the host or group part matches the host; a pattern without either matches every host."""
        if self.group is not None:
            name = canonical(host)
            # The name is compared first: looking up a group may resolve its hosts.
            return any(_group_matches(self.group, group) and name in groups[group] for group in groups)
        return self.host is None or matches("HOST", self.host, host)


@lru_cache(maxsize=65536)
def _group_matches(expression: str, group: str) -> bool:
    return matches("HOST", expression, group[1:])


@lru_cache(maxsize=4096)
def _compiled(type_name: str, expression: str) -> _Predicate | None:
    """Return a predicate on folded values; None if the expression is in error."""
    if len(expression) >= _TOO_LONG:
        return None
    if not is_expression(expression):
        return _leaf(type_name, expression)
    program = _postfix(expression)
    if isinstance(program, int):
        return None
    steps = [token if token in _OPERATORS else _leaf(type_name, token) for token in program]
    if len(steps) == 1 and not isinstance(steps[0], str):
        return steps[0]
    return lambda value: _run(steps, value)


_OPERATORS: Final = frozenset("!&|")
_BINDING: Final = {"(": 0, "|": 1, "&": 2, "!": 3}


def _postfix(expression: str) -> list[str] | int:
    """Return patterns and operators in postfix order; on a syntax error, the index of the wrong token."""
    output: list[str] = []
    waiting: list[str] = []
    want_operand = True
    for match in _TOKEN.finditer(expression):
        sign, pattern = match["sign"] or "", match["pattern"] or ""
        place = match.end() - len(sign or pattern)
        if want_operand != (bool(pattern) or sign in "!("):
            return place
        if pattern:
            output.append(pattern)
            want_operand = False
        elif sign in "!(":
            waiting.append(sign)
        elif sign == ")":
            while waiting and waiting[-1] != "(":
                output.append(waiting.pop())
            if not waiting:
                return place
            waiting.pop()
        else:
            while waiting and _BINDING[waiting[-1]] >= _BINDING[sign]:
                output.append(waiting.pop())
            waiting.append(sign)
            want_operand = True
    if want_operand or "(" in waiting:
        return len(expression)
    return output + waiting[::-1]


def _run(steps: list[str | _Predicate], value: str) -> bool:
    stack: list[bool] = []
    for step in steps:
        if not isinstance(step, str):
            stack.append(step(value))
        elif step == "!":
            stack.append(not stack.pop())
        else:
            right, left = stack.pop(), stack.pop()
            stack.append(left and right if step == "&" else left or right)
    return stack.pop()


def _leaf(type_name: str, pattern: str) -> _Predicate:
    """Return a predicate that compares a folded value with one pattern or plain text."""
    if type_name not in _STRING_TYPES:
        return lambda value: False
    text = _folded(type_name, pattern)
    if not is_pattern(pattern):
        return text.__eq__
    fullmatch = compile_pattern(text).fullmatch
    return lambda value: fullmatch(value) is not None


def _folded(type_name: str, text: str) -> str:
    """Return the text in the form in which values of the type are compared."""
    if type_name == "HOST":
        return comparable(text)
    return lower(text) if type_name == "CSTRING" else text
