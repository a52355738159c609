"""Names of the program say what they hold: none is a mere `one` or `found`, nor a figure of speech."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MODULES = sorted((ROOT / "qmon_tui").rglob("*.py"))
EMPTY = re.compile(r"_*(one|found)\d*")
FIGURES = frozenset(
    {
        *("purse", "toll", "territory", "harvest", "basket", "tour", "errand", "likeness", "gist", "mould", "lane"),
        *(
            "glance",
            "ground",
            "voice",
            "eyes",
            "quarters",
            "tenancy",
            "lack",
            "remedy",
            "togetherness",
            "deed",
            "deeds",
        ),
        *("furnish", "lanes", "course", "courses"),
    }
)
OF_LESSONS = frozenset({"course"})
"""A lesson with its situations is one: the modules that have to do with it may say so."""


def names(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Line and name of all that a module gives a name to: variables, parameters, fields, functions, classes."""
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
                yield node.lineno, name
            case ast.arg(arg=name) | ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield node.lineno, name
            case ast.ClassDef(name=name) | ast.MatchAs(name=str(name)) | ast.ExceptHandler(name=str(name)):
                yield node.lineno, name


def refused(source: str) -> list[tuple[int, str]]:
    """Line and name of those that say nothing, or speak in figures."""
    figures = FIGURES - (OF_LESSONS if re.search(r"\bCourse\b", source) else frozenset())
    return [
        (line, name)
        for line, name in names(ast.parse(source))
        if EMPTY.fullmatch(name) or not figures.isdisjoint(map(str.lower, re.findall(r"[A-Z]?[a-z]+", name)))
    ]


def test_names_say_what_they_hold() -> None:
    told = {str(path.relative_to(ROOT)): refused(path.read_text("utf-8")) for path in MODULES}
    assert {path: places for path, places in told.items() if places} == {}


def test_modules_are_called_after_what_is_in_them() -> None:
    said = {path: set(path.stem.split("_")) for path in MODULES}
    assert [path for path, words in said.items() if words & (FIGURES - OF_LESSONS)] == []


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("found = 1", ["found"]),
        ("for one in (): pass", ["one"]),
        ("told = [one for one in ()]", ["one"]),
        ("(found := 1)", ["found"]),
        ("told = lambda one: 1", ["one"]),
        ("def say(found, *one): pass", ["found", "one"]),
        ("def _found(): pass", ["_found"]),
        ("self._found = 1", ["_found"]),
        ("match told:\n case 1 as found: pass", ["found"]),
        ("try: pass\nexcept ValueError as one: pass", ["one"]),
        ("class Told:\n found: int = 0", ["found"]),
        ("one1, (two, found) = told", ["found", "one1"]),
        ("lane = _put_in_lane = 1", ["_put_in_lane", "lane"]),
        ("class DayCourse: pass", ["DayCourse"]),
        ("def deeds_of(): pass", ["deeds_of"]),
        ("from lessons import Course\ncourse = Course()", []),
        ("is_found = one_line = found_in_use = told(one=1)", []),
        ("background = lacks_slots = planes = print(found)", []),
    ],
)
def test_each_way_to_give_a_name_is_seen(source: str, said: list[str]) -> None:
    assert sorted(name for _, name in refused(source)) == said
