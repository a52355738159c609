"""Which tests `make quick` chooses for a change."""

from tests.quick.choosing import choose_tests
from tests.quick.coverage_map import CoverageMap

SOURCE = """\
def sign(number):
    if number < 0:
        return -1
    return 1


LIMIT = sign(-3)
"""
NAMES = ("tests/unit/test_a.py::test_small", "tests/unit/test_b.py::test_also", "tests/unit/test_c.py::test_other_way")


def bits(*numbers: int) -> int:
    return sum(1 << number for number in numbers)


def a_map(*seconds: float) -> CoverageMap:
    # The first two tests go one way through the function, the third goes the other.
    lines = {"a.py": {2: bits(0, 1, 2), 3: bits(0, 1), 4: bits(2)}}
    return CoverageMap(NAMES, [3.5 * second for second in seconds], [10, 20, 30], {"a.py": SOURCE}, lines, {})


def test_of_each_way_through_a_function_one_test_comes_before_the_second_of_any() -> None:
    changed = SOURCE.replace("number < 0", "number <= 0")
    assert choose_tests(a_map(1, 1, 1), {"a.py": changed}, 10) == [NAMES[0], NAMES[2], NAMES[1]]


def test_what_costs_too_much_is_left_out_and_others_take_its_place() -> None:
    changed = SOURCE.replace("number < 0", "number <= 0")
    assert choose_tests(a_map(1, 1, 5), {"a.py": changed}, 3) == [NAMES[0], NAMES[1]]
    assert choose_tests(a_map(1, 1, 5), {"a.py": SOURCE.replace("return 1", "return 2")}, 3) == []


def test_a_line_that_only_runs_at_import_is_guarded_by_all_tests_of_its_module() -> None:
    assert choose_tests(a_map(1, 1, 1), {"a.py": SOURCE.replace("-3", "3")}, 10) == list(NAMES)


def test_nothing_that_has_changed_needs_no_test() -> None:
    assert choose_tests(a_map(1, 1, 1), {"a.py": SOURCE}, 10) == []
