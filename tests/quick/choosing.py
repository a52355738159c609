"""Which tests guard changed lines, the most telling first, within a budget of time."""

import ast
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from tests.quick.coverage_map import BY_CASE, CoverageMap

SLOWED_BY_RECORDING = 3.5
"""How many times as long tests take while the map is made."""


@dataclass
class Place:
    """Something that has changed, and the tests that run it or read it, the first of them to be chosen first."""

    ranking: list[int]
    position: int = 0

    def next_choice(self, chosen: set[int], affordable: float, costs: Sequence[float]) -> int | None:
        while self.position < len(self.ranking):
            number = self.ranking[self.position]
            self.position += 1
            if number not in chosen and costs[number] <= affordable:
                return number
        return None


def choose_tests(coverage_map: CoverageMap, present: Mapping[str, str | None], seconds: float) -> list[str]:
    """The tests for files that have changed, as `present` has them (None: deleted), that take `seconds` on one core.

    Each place that has changed gets the same number of tests, as far as there are any.
    """
    costs = [recorded / SLOWED_BY_RECORDING for recorded in coverage_map.seconds]
    places = [Place(_ranking(coverage_map, bits)) for bits in _places(coverage_map, present)]
    order: list[int] = []
    chosen: set[int] = set()
    left = seconds
    while places:
        for place in tuple(places):
            number = place.next_choice(chosen, left, costs)
            if number is None:
                places.remove(place)
            else:
                order.append(number)
                chosen.add(number)
                left -= costs[number]
    return [coverage_map.tests[number] for number in order]


def _ranking(coverage_map: CoverageMap, bits: int) -> list[int]:
    """Tests that run little besides come first: they are about the place.

    With them, in turn, go whole clusters: those that compare the fast paths with the plain rules, the ones that run
    most first, and recorded runs of the real system, those that run least and those that run most.
    """
    numbers = sorted(coverage_map.numbers(bits), key=lambda number: coverage_map.extents[number])
    of_kind: dict[str, list[int]] = {"": [], **{path: [] for path in BY_CASE}}
    for number in numbers:
        name = coverage_map.tests[number]
        of_kind[next((path for path in BY_CASE if name.startswith(path)), "")].append(number)
    others, drawn, *recorded = of_kind.values()
    drawn.reverse()
    mixed: list[int] = []
    while others or drawn or any(recorded):
        mixed += [*others[:2], *drawn[:1]]
        del others[:2], drawn[:1]
        for numbers in recorded:
            mixed += [*numbers[:1], *numbers[-1:]]
            del numbers[:1], numbers[-1:]
    return list(dict.fromkeys(mixed))


def _places(coverage_map: CoverageMap, present: Mapping[str, str | None]) -> set[int]:
    """What has changed, each place as the set of the tests that are concerned."""
    places: set[int] = set()
    for path, text in present.items():
        if path in coverage_map.read_files:
            places.add(coverage_map.read_files[path])
        source = coverage_map.sources.get(path)
        if source is not None:
            lines = changed_lines(source, text or "")
            places.update(_tests_of_lines(coverage_map, path, source, lines))
    return places - {0}


def changed_lines(before: str, after: str) -> list[int]:
    """The line numbers of `before` that `after` lacks; around what is new, the lines beside it."""
    first, second = before.splitlines(), after.splitlines()
    numbers: set[int] = set()
    for operation, start, end, _, _ in SequenceMatcher(None, first, second, autojunk=False).get_opcodes():
        if operation == "insert":
            numbers.update(number for number in (start, start + 1) if 1 <= number <= len(first))
        elif operation != "equal":
            numbers.update(range(start + 1, end + 1))
    return sorted(numbers)


def _tests_of_lines(coverage_map: CoverageMap, path: str, source: str, lines: Iterable[int]) -> Iterator[int]:
    """For lines that no test runs, as they run at import: the tests that use what they define."""
    covered = coverage_map.lines.get(path, {})
    tree = ast.parse(source)
    for line in lines:
        bits = covered.get(line, 0)
        if not bits:
            statement = _innermost(tree, line)
            if statement is None:
                continue
            for number in range(statement.lineno, (statement.end_lineno or statement.lineno) + 1):
                bits |= covered.get(number, 0)
            for name in _defined(statement):
                bits |= _tests_that_mention(coverage_map, name)
        yield bits or coverage_map.all_of(path)


def _innermost(tree: ast.Module, line: int) -> ast.stmt | None:
    innermost = None
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt) and node.lineno <= line <= (node.end_lineno or node.lineno):
            innermost = node
    return innermost


def _defined(statement: ast.stmt) -> Iterator[str]:
    if isinstance(statement, ast.Assign):
        yield from (target.id for target in statement.targets if isinstance(target, ast.Name))
    elif isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
        yield statement.target.id
    elif isinstance(statement, (ast.ClassDef, ast.FunctionDef)):
        yield statement.name


def _tests_that_mention(coverage_map: CoverageMap, name: str) -> int:
    """The tests that run a line with this name in it, in whatever module."""
    word = re.compile(rf"\b{re.escape(name)}\b")
    bits = 0
    for path, source in coverage_map.sources.items():
        if name in source:
            covered = coverage_map.lines.get(path, {})
            for number, text in enumerate(source.splitlines(), 1):
                if word.search(text):
                    bits |= covered.get(number, 0)
    return bits
