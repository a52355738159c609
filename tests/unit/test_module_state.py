"""The scheduler and the qmaster keep nothing between calls in their modules; memos of pure values are `memoized`."""

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
MODULES = sorted(path for name in ("scheduler", "qmaster") for path in (ROOT / "qmon_tui" / name).rglob("*.py"))
CHANGING = {"append", "add", "update", "setdefault", "pop", "popitem", "clear", "extend", "insert", "remove", "discard"}
PURE = {"qmaster/option_check.py: _known", "scheduler/matching/reduced_check.py: _ASK"}
"""A memo of pure values, and a value that is never changed."""


def kept(source: str) -> set[str]:
    """Names of a module that are changed after they were bound, or hold an object of a class of the module."""
    tree = ast.parse(source)
    classes = {node.name for node in tree.body if isinstance(node, ast.ClassDef)}
    bound, made = set[str](), set[str]()
    for node in tree.body:
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        names = {target.id for target in targets if isinstance(target, ast.Name)}
        bound |= names
        value = getattr(node, "value", None)
        if isinstance(value, ast.Call) and getattr(value.func, "id", "") in classes - frozen(tree):
            made |= names
    return made | (bound & set(changed(tree)))


def frozen(tree: ast.Module) -> set[str]:
    """Classes whose objects never change: frozen dataclasses, and what is derived from named tuples or enums."""
    return {
        node.name
        for node in tree.body
        if isinstance(node, ast.ClassDef)
        and ("frozen=True" in "".join(map(ast.unparse, node.decorator_list)) or node.bases)
    }


def changed(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.Global(names=names):
                yield from names
            case ast.Subscript(value=ast.Name(id=name), ctx=ast.Store() | ast.Del()):
                yield name
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=method)) if method in CHANGING:
                yield name


def test_no_module_keeps_state() -> None:
    names = {f"{path.relative_to(ROOT / 'qmon_tui')}: {name}" for path in MODULES for name in kept(path.read_text())}
    assert names == PURE


def test_state_is_noticed() -> None:
    assert kept("a = []\nb = {}\nc = {1: 2}\ndef f():\n    a.append(1)\n    b[1] = c[1]\n") == {"a", "b"}
    assert kept("class A:\n    pass\na = A()\nb = 1\ndef f():\n    global b\n    b = 2\n") == {"a", "b"}
