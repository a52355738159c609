"""Which tests guard changed lines, the most telling first, within a budget of time."""

import ast
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import zip_longest

from tests.quick.coverage_map import BY_CASE, CoverageMap, set_bits

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
    places = [
        Place(_ranking(coverage_map, bits, around)) for bits, around in _places(coverage_map, present).items() if bits
    ]
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


def _ranking(coverage_map: CoverageMap, bits: int, around: Sequence[int]) -> list[int]:
    """Tests that run little besides come first: they are about the place; in turn those that go each way through it.

    With them, in turn, go whole clusters: those that compare the fast paths with the plain rules, the ones that run
    most first, and recorded runs of the real system, those that run least and those that run most.
    """
    numbers = sorted(set_bits(bits), key=lambda number: coverage_map.extents[number])
    of_kind: dict[str, list[int]] = {"": [], **{path: [] for path in BY_CASE}}
    for number in numbers:
        name = coverage_map.tests[number]
        of_kind[next((path for path in BY_CASE if name.startswith(path)), "")].append(number)
    others, drawn, *recorded = of_kind.values()
    others = _by_ways(others, around)
    drawn.reverse()
    mixed: list[int] = []
    while others or drawn or any(recorded):
        mixed += [*others[:2], *drawn[:1]]
        del others[:2], drawn[:1]
        for numbers in recorded:
            mixed += [*numbers[:1], *numbers[-1:]]
            del numbers[:1], numbers[-1:]
    return list(dict.fromkeys(mixed))


def _by_ways(numbers: Sequence[int], around: Sequence[int]) -> list[int]:
    """In turn one test of those that run the same of the lines around a change, the first of them first."""
    of_way: dict[tuple[bool, ...], list[int]] = {}
    for number in numbers:
        of_way.setdefault(tuple(bool(bits >> number & 1) for bits in around), []).append(number)
    turns = zip_longest(*of_way.values())
    return [number for turn in turns for number in turn if number is not None]


def _places(coverage_map: CoverageMap, present: Mapping[str, str | None]) -> dict[int, Sequence[int]]:
    """What has changed, each place as the set of the tests that are concerned, with those of each line around it."""
    places: dict[int, Sequence[int]] = {}
    for path, text in present.items():
        if path in coverage_map.read_files:
            places[coverage_map.read_files[path]] = ()
        source = coverage_map.sources.get(path)
        if source is not None:
            lines = changed_lines(source, text or "")
            places.update(_tests_of_lines(coverage_map, path, source, lines))
    return places


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


def _tests_of_lines(
    coverage_map: CoverageMap, path: str, source: str, lines: Iterable[int]
) -> Iterator[tuple[int, Sequence[int]]]:
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
        yield bits or coverage_map.all_of(path), _tests_around(covered, tree, line)


def _tests_around(covered: Mapping[int, int], tree: ast.Module, line: int) -> Sequence[int]:
    """The tests of each line of the function that a line is in."""
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    inside = [
        node for node in ast.walk(tree) if isinstance(node, functions) and node.lineno <= line <= (node.end_lineno or 0)
    ]
    if not inside:
        return ()
    innermost = inside[-1]
    within = range(innermost.lineno, (innermost.end_lineno or innermost.lineno) + 1)
    return tuple({covered[number]: None for number in within if covered.get(number)})


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
