"""The points of a sweep as rows and as a heat map."""

from qmon_tui.report import plain
from qmon_tui.report.sweeping import PointRows, SweepHead, best_settings, heat_map_lines, sweep_head_lines
from qmon_tui.simulation import Axis

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
