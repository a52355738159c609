"""The points of a sweep as rows and as a heat map."""

from random import Random

import pytest

from qmon_tui.report import plain
from qmon_tui.report.sweeping import PointRows, SweepHead, best_settings, heat_map_lines, shades_of, sweep_head_lines
from qmon_tui.simulation import Axis
from qmon_tui.simulation.sweep import DailyMeasures

AXES = (Axis("queues.all.q.slots", ("1", "2")), Axis("hosts", ("+0", "+2")))
TRIED = (
    ((("queues.all.q.slots", "1"), ("hosts", "+0")), {"wait.mean": 600.0, "utilisation": 0.9}),
    ((("queues.all.q.slots", "1"), ("hosts", "+2")), {"wait.mean": 300.0, "utilisation": 0.5}),
    ((("queues.all.q.slots", "2"), ("hosts", "+0")), {"wait.mean": 60.0, "utilisation": 0.7}),
    ((("queues.all.q.slots", "2"), ("hosts", "+2")), "hosts=+2: there is no host to be like"),
)
MEASURES = ("wait.mean", "utilisation")


def test_the_best_in_two_measures_are_those_to_which_none_is_better_in_both() -> None:
    assert best_settings(TRIED, MEASURES) == {TRIED[0][0], TRIED[2][0]}
    assert best_settings(TRIED, ("wait.mean",)) == frozenset()


def test_rows_are_ordered_by_the_chosen_measure_and_what_cannot_be_comes_last() -> None:
    for chosen, order in ((0, [2, 1, 0, 3]), (1, [0, 2, 1, 3])):
        rows = PointRows(TRIED, MEASURES, chosen)
        assert [rows.key(index) for index in range(4)] == [TRIED[number][0] for number in order]
        assert rows.find(TRIED[1][0]) == order.index(1)
    assert plain(rows.line(0, 90)).startswith("◆slots=1 hosts=+0")
    assert "✗ hosts=+2: there is no host to be like" in rows.text(3)
    assert all(len(plain(rows.line(index, 60))) <= 60 for index in range(4))
    printed = [plain(line) for line in PointRows(TRIED, MEASURES).printed(1000, {TRIED[1][0]: "goal"})]
    assert printed[1:3] == [
        "slots=2 hosts=+0    0:01:00       70.0 %  best of two",
        "slots=1 hosts=+2    0:05:00       50.0 %  goal",
    ]
    assert printed[4] == "slots=2 hosts=+2                          hosts=+2: there is no host to be like"


def test_a_heat_map_has_a_block_for_each_number() -> None:
    lines = [plain(line).rstrip() for line in heat_map_lines(AXES, TRIED, "wait.mean", 79)]
    assert lines[0] == " mean wait by queues.all.q.slots and hosts"
    assert lines[1].split() == ["+0", "+2"]
    assert lines[2].split() == ["1", "0:10:00", "██", "0:05:00", "▒▒"]
    assert lines[3].split() == ["2", "0:01:00", "-"]
    assert heat_map_lines((), TRIED, "wait.mean", 79) == ()


def test_the_head_says_what_is_varied_and_how_far_it_is() -> None:
    lines = [plain(line) for line in sweep_head_lines(SweepHead(AXES, 4, 1, 7200, 3, True), 79)]
    assert lines[0] == " queues.all.q.slots  1, 2"
    assert lines[2] == " 4 points, 3 like days of 2 h each   ↻ tried 1 of 4"


def test_where_names_have_no_room_the_values_tell_points_apart() -> None:
    """All measures keep their columns in 80 cells."""
    numbers = {"wait.mean": 60.0, "wait.p95": 90.0, "bounded_slowdown.mean": 1.5, "utilisation": 0.5, "jain.owner": 1.0}
    points = [((("scheduler.weight_waiting_time", value), ("hosts", "+2")), numbers) for value in ("0", "0.1")]
    rows = PointRows(points, tuple(numbers))
    head = rows.head(78)
    assert head is not None
    assert plain(head).split()[:3] == ["values", "as", "above"]
    assert plain(head).endswith("jain owner")
    assert [plain(rows.line(index, 78))[1:8].strip() for index in (0, 1)] == ["0, +2", "0.1, +2"]
    assert "weight_waiting_time=0.1 hosts=+2" in plain(rows.line(1, 120))
    # On a wide screen they stand beside the points, not at its other side.
    assert plain(rows.line(1, 200)).rstrip() == plain(rows.line(1, 110)).rstrip()


def over_days(rows: list[list[float]], measure: str) -> list[tuple[tuple[tuple[str, str], ...], DailyMeasures]]:
    """Points with the numbers of each day."""
    points: list[tuple[tuple[tuple[str, str], ...], DailyMeasures]] = []
    for number, row in enumerate(rows):
        point = DailyMeasures({measure: sum(row) / len(row)})
        point.by_day = {measure: row}
        points.append(((("queues.all.q.slots", str(number)),), point))
    return points


@pytest.mark.parametrize("measure", ["wait.mean", "utilisation", "bounded_slowdown.mean", "jain.owner"])
def test_shades_are_of_differences_that_are_not_chance(measure: str) -> None:
    """Days differ by 30 %, which all points have in common; what is drawn is a policy that changes 10 % or nothing."""
    random = Random(7)
    flat = full = 0
    for _ in range(100):
        days = [random.uniform(0.7, 1.3) for _ in range(5)]
        for effect in (0.0, 0.1):
            rows = [[(1 + effect * step) * day + random.gauss(0, 0.01) for day in days] for step in range(4)]
            shades = shades_of(over_days(rows, measure), measure)
            assert shades is not None
            parts = [shades.part(sum(row) / 5) for row in rows]
            if effect:
                full += parts == sorted(parts) and parts[-1] > 0.9 and shades.note.startswith("Differences below")
            else:
                flat += parts == [0.0] * 4 and shades.note.startswith("No difference: all lie within what is chance")
    assert full == 100
    assert flat >= 90


def test_a_difference_as_large_as_chance_has_a_quarter_of_the_shades() -> None:
    rows = [[0.0, 10.0], [1.0, 9.0], [5.0, 5.0], [105.0, 105.0]]
    shades = shades_of(over_days(rows, "wait.mean"), "wait.mean")
    assert shades is not None
    assert shades.part(5.0) == 0.0
    assert shades.part(105.0) == pytest.approx(1.0)
    assert shades.note == "Differences below 0:00:23 are chance."  # 6.232 (Bonferroni, 6 pairs, 3 degrees) x 3.719


def test_without_days_a_small_spread_is_pale_and_says_that_nothing_is_known() -> None:
    points = [((("hosts", str(number)),), {"wait.mean": 100.0 + number}) for number in range(3)]
    shades = shades_of(points, "wait.mean")
    assert shades is not None
    assert shades.part(102.0) == pytest.approx(2 / (0.05 * 102))
    assert shades.note == "How much of a difference is chance, more days tell."
    lines = [
        plain(line).rstrip() for line in heat_map_lines((Axis("hosts", ("0", "1", "2")),), points, "wait.mean", 79)
    ]
    assert lines[-1] == " How much of a difference is chance, more days tell."
    assert shades_of((), "wait.mean") is None
