"""The Gantt chart: lanes, what has run, what may run, what is reserved."""

from qmon_tui.report import plain
from qmon_tui.report.day import GanttRows, GanttWindow, following, gantt_content
from qmon_tui.simulation import FeedKind, Plan, SlotInterval, SlotIntervalEnd

START = 1_000_000 // 3600 * 3600


def stretch(job: int, start: int, limit: int | None, host: str = "h1", slots: int = 1, **more: object) -> SlotInterval:
    return SlotInterval(1, job, 1, f"job{job}", "anna", None, None, START + start, limit, ((f"all.q@{host}", slots),),
                   **more)  # type: ignore[arg-type]  # fmt: skip


def over(at: int) -> SlotIntervalEnd:
    return SlotIntervalEnd(2, START + at, FeedKind.ENDED)


def rows(
    *shown: tuple[SlotInterval, SlotIntervalEnd | None], plans: tuple[Plan, ...] = (), now: int = 1200
) -> GanttRows:
    content = gantt_content(shown, plans, START + now, {"h1": 4, "h2": 4})
    return GanttRows(content, GanttWindow(START, 60), 73)


def drawn(chart: GanttRows, row: int) -> str:
    return plain(chart.line(row, 73)).rstrip()


def test_what_has_ended_runs_and_may_run() -> None:
    chart = rows((stretch(1, 0, 600), over(600)), (stretch(2, 600, 1200, slots=3), None))
    assert len(chart) == 2
    assert drawn(chart, 0) == "h1    3/4    ▄ 1 job1 ▄▐ 2 job2 ▇▇░░░░░░░░░"
    assert drawn(chart, 1).startswith("h2")


def test_a_bar_of_a_task_without_limit_goes_on_to_the_edge() -> None:
    chart = rows((stretch(1, 0, None), None))
    assert plain(chart.line(0, 73)).endswith("░")
    assert len(plain(chart.line(0, 73))) == 73


def test_a_reservation_comes_behind_what_may_run_until_then() -> None:
    plan = Plan(9, 1, "big", START + 1800, START + 3000, (("all.q@h1", 4), ("all.q@h2", 4)))
    chart = rows((stretch(1, 0, 1800), None), (stretch(2, 0, 2400), None), plans=(plan,))
    first, second = drawn(chart, 0), drawn(chart, 1)
    assert "9 reserved ×4" in first
    assert first.index("░") < first.index("▒")
    assert "▒" not in second
    assert "▒" in drawn(chart, 2)


def test_lanes_are_used_again() -> None:
    chart = rows((stretch(1, 0, 60), over(60)), (stretch(2, 0, 600), over(300)), (stretch(3, 60, 600), None))
    assert len(chart) == 3
    assert chart.text(0) == "h1 1 job1 3 job3"


def test_a_backfilled_start_is_marked() -> None:
    chart = rows((stretch(1, 300, 1200, backfilled=True), None))
    assert drawn(chart, 0)[chart.side + 5] == "◆"


def test_hours_and_now_stand_above() -> None:
    head = plain(rows().head(73) or ())
    assert "now│" in head
    assert head.rstrip().count(":") >= 3


def test_the_job_of_a_row_and_of_a_click() -> None:
    chart = rows((stretch(1, 0, 600), over(300)), (stretch(2, 1200, 600), None))
    assert chart.job_at(("h1", 0)) == (2, 1)
    assert chart.job_at(("h1", 0), START + 100) == (1, 1)
    assert chart.job_at(("h1", 0), START + 900) is None
    assert chart.time_at(chart.side + 3) == START + 180


def test_rows_are_found_again() -> None:
    chart = rows((stretch(1, 0, None), None), (stretch(2, 0, None), None))
    assert [chart.key(number) for number in range(3)] == [("h1", 0), ("h1", 1), ("h2", 0)]
    assert chart.find(("h1", 7)) == 0
    assert chart.find("h2") == 2


def test_the_window_follows_the_time_and_zooms_about_a_time() -> None:
    window = following(START + 86400, START, 90)
    assert window.start <= START + 86400 <= window.start + 90 * window.step
    near = window.zoomed(-1, 90, START + 86400)
    assert near.step < window.step
    assert abs(near.cell(START + 86400) - window.cell(START + 86400)) <= 1
    assert following(START, START, 90).start <= START
