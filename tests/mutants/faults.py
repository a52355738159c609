"""Faults that are put into a source one by one: a comparison, a number, a condition or a call that is another.

The draw depends on what stands there, not on where: code that moves keeps its faults, and so does the rest of the tree.
"""

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from hashlib import sha256
from itertools import accumulate, islice
from pathlib import Path

_COMPARED: Mapping[type[ast.cmpop], str] = {
    ast.Eq: "!=",
    ast.NotEq: "==",
    ast.Lt: "<=",
    ast.LtE: "<",
    ast.Gt: ">=",
    ast.GtE: ">",
    ast.Is: "is not",
    ast.IsNot: "is",
    ast.In: "not in",
    ast.NotIn: "in",
}
_COMPUTED: Mapping[type[ast.operator], str] = {
    ast.Add: "-",
    ast.Sub: "+",
    ast.Mult: "+",
    ast.Div: "*",
    ast.FloorDiv: "*",
}
_UNTOUCHED_CALLS = ("cast", "TypeVar", "field", "dataclass", "NewType", "super")


@dataclass(frozen=True)
class Fault:
    """A piece of one source replaced by another; offsets count bytes."""

    path: str
    function: str
    line: int
    start: int
    end: int
    before: str
    after: str
    statement: str
    """The first line of the statement that it is in."""

    @property
    def key(self) -> str:
        """What the fault is called in the list of those that change nothing: it does not tell where it stands."""
        return " ".join(f"{self.function}: {self.statement}: {self.before} -> {self.after}".split())

    def applied(self, source: str) -> str:
        raw = source.encode()
        return (raw[: self.start] + self.after.encode() + raw[self.end :]).decode()


def drawn_faults(root: Path, rooms: Sequence[str], count: int, seed: int, left_out: Set[str]) -> list[Fault]:
    """`count` faults over the modules of some packages, without those whose key is left out.

    Each function is as likely as it is long.
    """
    faults = _faults(root, rooms, left_out)
    faults.sort(key=lambda fault: sha256(f"{seed} {fault.key}".encode()).digest())
    return list(islice(_sound(root, faults), count))


def every_fault(root: Path, paths: Sequence[str], left_out: Set[str]) -> list[Fault]:
    """All faults of modules, or of the modules of packages, without those whose key is left out."""
    return list(_sound(root, _faults(root, paths, left_out)))


def _faults(root: Path, paths: Sequence[str], left_out: Set[str]) -> list[Fault]:
    modules = [path for name in paths for path in (sorted((root / name).rglob("*.py")) or [root / name])]
    return [
        fault
        for path in modules
        for fault in faults_of(str(path.relative_to(root)), path.read_text())
        if fault.key not in left_out
    ]


def _sound(root: Path, faults: Iterable[Fault]) -> Iterator[Fault]:
    return (fault for fault in faults if _is_python(fault.applied((root / fault.path).read_text())))


def faults_of(path: str, source: str) -> Iterator[Fault]:
    """All faults of one source; of some of them no Python may be left."""
    text = _Text(source)
    for function, statement, node, after in _replacements(ast.parse(source), text):
        start, end = text.extent(node)
        if after != text.of(node):
            line = text.lines[statement.lineno - 1].decode().strip()
            yield Fault(path, function, node.lineno, start, end, text.of(node), after, line)


class _Text:
    """A source in bytes, as the columns of Python's syntax tree count them."""

    def __init__(self, source: str) -> None:
        self.raw = source.encode()
        self.lines = self.raw.splitlines(keepends=True)
        self._starts = [0, *accumulate(map(len, self.lines))]

    def extent(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return self._starts[node.lineno - 1] + node.col_offset, self._starts[node.end_lineno - 1] + node.end_col_offset

    def of(self, node: ast.expr | ast.stmt) -> str:
        start, end = self.extent(node)
        return self.raw[start:end].decode()


def _is_python(source: str) -> bool:
    try:
        ast.parse(source)
    except SyntaxError:
        return False
    return True


def _replacements(tree: ast.Module, text: _Text) -> Iterator[tuple[str, ast.stmt, ast.expr | ast.stmt, str]]:
    """Function, statement, the node that is replaced and what stands there instead."""
    for function in ast.walk(tree):
        if isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)) and not _is_special(function):
            for statement in _statements(function.body):
                yield from ((function.name, statement, *change) for change in _of_statement(statement))
                for node in _own_expressions(statement):
                    yield from ((function.name, statement, node, after) for after in _of_expression(node, text))


def _is_special(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """What is only declared or shown to programmers is left alone."""
    declared = any(
        "overload" in ast.unparse(mark) or "abstract" in ast.unparse(mark) for mark in function.decorator_list
    )
    return declared or function.name in ("__repr__", "__hash__")


def _statements(body: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    for statement in body:
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)):
            continue
        if isinstance(statement, ast.Assert) or (
            isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
        ):
            continue
        yield statement
        for name in ("body", "orelse", "finalbody"):
            yield from _statements(getattr(statement, name, []))
        for part in (*getattr(statement, "handlers", []), *getattr(statement, "cases", [])):
            yield from _statements(part.body)


def _own_expressions(statement: ast.stmt) -> Iterator[ast.expr]:
    """The expressions of a statement, without annotations and without those of statements inside it."""
    for name, value in ast.iter_fields(statement):
        if name not in ("annotation", "body", "orelse", "finalbody", "handlers", "cases"):
            for part in value if isinstance(value, list) else [value]:
                if isinstance(part, ast.AST):
                    yield from (node for node in ast.walk(part) if isinstance(node, ast.expr))


def _of_statement(statement: ast.stmt) -> Iterator[tuple[ast.expr | ast.stmt, str]]:
    match statement:
        case ast.Expr(value=ast.Call(func=called)) if not ast.unparse(called).endswith(_UNTOUCHED_CALLS):
            yield statement, "pass"
        case ast.AugAssign() | ast.Delete():
            yield statement, "pass"
        case ast.Continue():
            yield statement, "break"
        case ast.Break():
            yield statement, "continue"
        case ast.If(test=test) | ast.While(test=test) if not isinstance(test, ast.Compare):
            yield test, f"not ({ast.unparse(test)})"
        case ast.Return(value=ast.Constant(value=bool() as value)) as returned if returned.value is not None:
            yield returned.value, str(not value)


def _of_expression(node: ast.expr, text: _Text) -> Iterator[str]:
    match node:
        case ast.Compare(left=left, ops=[operator], comparators=[right]):
            yield f"{text.of(left)} {_COMPARED[type(operator)]} {text.of(right)}"
        case ast.BoolOp(op=operator, values=values):
            other = " or " if isinstance(operator, ast.And) else " and "
            yield f"({other.join(f'({text.of(value)})' for value in values)})"
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield f"bool({text.of(operand)})"
        case ast.BinOp(left=left, op=operator, right=right) if type(operator) in _COMPUTED and not _is_text(node):
            yield f"({text.of(left)}) {_COMPUTED[type(operator)]} ({text.of(right)})"
        case ast.Constant(value=int() as number) if not isinstance(number, bool):
            yield str(number + 1)
        case ast.IfExp(test=test, body=body, orelse=orelse):
            yield f"({text.of(orelse)} if {text.of(test)} else {text.of(body)})"


def _is_text(node: ast.BinOp) -> bool:
    return any(
        isinstance(part, ast.JoinedStr) or isinstance(getattr(part, "value", None), str) for part in ast.walk(node)
    )
