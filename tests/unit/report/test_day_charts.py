"""Lines over time, shares beside targets, alarms, and what a chosen job has become."""

from dataclasses import replace
from xml.etree.ElementTree import fromstring

import pytest

from qmon_tui.model import State, Task
from qmon_tui.qmaster import schedule
from qmon_tui.report import Line, Span, TextRole, plain, tab_at, tab_line
from qmon_tui.report.day import (
    AlarmRows,
    Chart,
    Clock,
    ShareRow,
    alarm_lines,
    alarms_of,
    chart_lines,
    chosen_line,
    clock_line,
    heat_lines,
    landscape,
    share_groups,
    share_lines,
    svg_of,
)
from qmon_tui.report.day.charts import resampled, spark
from qmon_tui.report.day.shares import target_bar
from qmon_tui.simulation import Sample, Timeline
from qmon_tui.tui.monitor.day_view_model import thinned
from tests.unit.scheduler.building import NOW, cluster, job, project, queue, scheduler, user
from tests.unit.simulation.test_timeline import TWO_HOSTS


def sample(at: int, used: float, waiting: int = 0, oldest: int | None = None, wait: int = 0) -> Sample:
    return Sample(at, NOW + at, {"slots": (used, 8.0), "licence": (used / 2, 4.0)}, int(used), waiting, wait, oldest)


def texts(lines: tuple[Line, ...]) -> list[str]:
    return [plain(line).rstrip() for line in lines]


def test_a_spark_line_spans_0_to_the_top() -> None:
    assert spark([0, 1, 4, 8, None], 8) == "▁▂▄▇ "
    assert spark([0, 0], 0) == "▁▁"


def test_a_value_holds_until_the_next_and_peaks_are_kept() -> None:
    points = [(10, 1.0), (12, 9.0), (13, 2.0), (30, 4.0)]
    assert resampled(points, 0, 40, 4) == [1.0, 9.0, 4.0, 4.0]
    assert resampled(points, 0, 8, 2) == [None, None]
    assert resampled([], 0, 8, 2) == [None, None]


def test_each_line_says_its_scale() -> None:
    lines = texts(chart_lines([sample(0, 2, 5, 7, 60), sample(60, 8, 3, 7, 120)], NOW, NOW + 120, 80))
    assert lines[0].startswith("slots used")
    assert "8/8  100 %  0 free" in lines[0]
    assert lines[1].startswith("startable ")
    assert lines[1].endswith("3 tasks  most 5")
    two = texts(chart_lines([sample(0, 2, 5)], NOW, NOW + 120, 80, 4))
    assert two[1].endswith("5 tasks  most 5  4 waiting"), "each of the two numbers is named"
    assert lines[2].startswith("  oldest wait ")
    assert "2 m (7)  most 2 m" in lines[2]
    assert lines[3].startswith("licence")
    assert all(len(line) <= 80 for line in lines)
    assert texts(chart_lines([], NOW, NOW, 80)) == ["No scheduling run yet."]


def test_hosts_are_a_strip_with_letters_where_something_is_wrong() -> None:
    totals = {"h1": 4, "h2": 4, "h3": 4, "h4": 4}
    (line,) = texts(heat_lines({"h1": 4, "h2": 1}, totals, {"h4": "u"}, 100))
    assert line.split()[1] == "▇▃·u"
    assert "4 hosts: 1 full, 2 idle" in line
    many = {f"n{number}": 2 for number in range(150)}
    assert all(len(row) <= 80 for row in texts(heat_lines({}, many, {}, 80)))


def test_the_target_is_a_mark_in_the_bar() -> None:
    assert plain(target_bar(0.5, 0.8, 10)) == "━━━━━──┃──"
    assert plain(target_bar(0.5, None, 4)) == "━━──"
    assert plain(target_bar(0.0, 0.0, 4)) == "┃───"


@pytest.fixture
def played() -> Timeline:
    """anna has run twice as much as bela, who has all the tickets."""
    on = cluster(
        queue("all.q", "h1", 2), user("anna", fshare=0), user("bela", fshare=100), project("p"),
        scheduler(schedule_interval="0:0:10", weight_tickets_functional="1000"),
    )  # fmt: skip
    jobs = (
        job(1, owner="anna", submitted=NOW, runtime=200),
        job(2, owner="bela", submitted=NOW, runtime=100),
        job(3, owner="bela", submitted=NOW + 90, runtime=5000),
        job(4, owner="bela", submitted=NOW + 91, runtime=5),
    )
    timeline = Timeline(on, State(now=NOW, jobs=jobs))
    timeline.go_to_time(NOW + 199)
    return timeline


def test_shares_are_slot_seconds_beside_tickets(played: Timeline) -> None:
    moment = played.moment
    groups = share_groups(moment.stretches, schedule(moment.cluster, moment.state), NOW, moment.time, moment.state.jobs)
    rows = {row.name: row for row in groups["users"]}
    assert rows["anna"].received == pytest.approx(0.5, abs=0.02)
    assert rows["bela"].received == pytest.approx(0.5, abs=0.02)
    assert rows["bela"].target == pytest.approx(1.0)
    assert (rows["bela"].running, rows["bela"].waiting) == (1, 1)
    assert "projects" not in groups
    lines = texts(share_lines(groups, 60))
    assert lines[0].split() == ["users", "got", "┃", "target", "got", "%", "target", "waits"]
    assert all(len(line) <= 60 for line in lines)


def test_who_gets_less_than_he_should_is_marked() -> None:
    rows = {"users": [ShareRow("a", 0.9, 0.5, 3, 2), ShareRow("b", 0.1, 0.5, 0, 2)]}
    _, first, second = texts(share_lines(rows, 60))
    assert first.endswith("2")
    assert second.endswith("!")
    assert texts(share_lines({}, 60)) == ["No usage yet: no task has run."]


def test_alarms() -> None:
    waiting = job(2, "-pe mpi 4 -R y -l h_rt=600", submitted=NOW - 90_000, runtime=60)
    busy = job(1, "-l h_rt=600", submitted=NOW - 9, runtime=600, tasks={1: Task("r", {"all.q@h1": 1}, NOW - 5)})
    timeline = Timeline(TWO_HOSTS, State(now=NOW, jobs=(busy, waiting)))
    timeline.next_run()
    moment = timeline.moment
    alarms = alarms_of(moment, moment.samples[-1], schedule(moment.cluster, moment.state), {"h2": "u"})
    lines = "\n".join(texts(alarm_lines(alarms, 100)))
    assert "h2 has a queue instance unreachable (u)" in lines
    assert "2 sleep of anna has waited 1 d 1 h" in lines
    assert "3 slots are idle while 1 task waits, 4 of them kept for reservations" in lines
    assert texts(alarm_lines((), 80)) == ["✓ No alarms."]


def test_alarms_lead_to_their_jobs() -> None:
    """Each line of an alarm is a row; a host leads to the first job that it has."""
    busy = [
        job(number, "-l h_rt=600", submitted=NOW - 9, runtime=600, tasks={1: Task("r", {"all.q@h1": 1}, NOW - 5)})
        for number in (4, 7)
    ]
    moment = Timeline(TWO_HOSTS, State(now=NOW, jobs=tuple(busy))).moment
    alarms = alarms_of(moment, None, None, {"h1": "uE", "h2": "E"})
    assert [alarm.job for alarm in alarms] == [4, None]
    rows = AlarmRows(alarms, 30)
    text = "\n".join(texts(tuple(rows.line(index, 30) for index in range(len(rows)))))
    assert len(rows) > 2, "words that do not fit go on below"
    assert "4, 7 are there" in " ".join(text.split())
    assert rows.job(rows.key(1)) == 4
    assert rows.find(rows.key(1)) == 1
    assert rows.text(0) == "h1 has a queue instance unreachable and in error (uE): 4, 7 are there"


def test_the_chosen_task_in_a_line(played: Timeline) -> None:
    moment = played.moment
    assert "3 sleep  bela" in plain(chosen_line(moment, (3, 1), 200))
    assert "runs" in plain(chosen_line(moment, (3, 1), 200))
    ended = plain(chosen_line(moment, (2, 1), 200))
    assert "ran 1 m 40 s on h1" in ended
    assert "slowdown 1.0" in ended
    assert "not there" in plain(chosen_line(moment, (99, 1), 200))
    early = replace(moment, place=moment.place._replace(time=NOW))
    assert len(plain(chosen_line(early, (2, 1), 20))) <= 20


def test_titles_are_clicked_where_they_stand() -> None:
    line = plain(tab_line(Chart.USE, 80))
    for chart in Chart:
        assert tab_at(Chart, line.index(chart)) is chart
    assert tab_at(Chart, 79) is None


def test_a_picture_has_every_cell_where_the_terminal_has_it() -> None:
    colours = dict.fromkeys(TextRole, "#000000")
    lines: tuple[Line, ...] = ((Span("a<b "), Span("██", TextRole.RUNNING)), (), (Span("\x1b[2J"),))
    text = svg_of(lines, 20, colours, "#ffffff", 'site "a" & b')
    picture = fromstring(text)
    words = [(one.attrib["x"], one.attrib["y"], one.text) for one in picture.iter() if one.tag.endswith("text")]
    assert words == [
        ("12 20.4 28.8 37.2", "26", "a<b "), ("45.6 54", "26", "██"), ("12 20.4 28.8 37.2", "62", "␛[2J"),
    ]  # fmt: skip
    assert "&amp;" in text


def test_long_days_are_thinned_out_without_losing_peaks() -> None:
    samples = [sample(at, 1, waiting=500 if at == 7777 else at % 7) for at in range(10_000)]
    kept = thinned(samples)
    assert len(kept) <= 3100
    assert max(one.waiting for one in kept) == 500
    assert kept[-1] is samples[-1]
    assert [one.position for one in kept] == sorted(one.position for one in kept)
    assert thinned(samples[:50]) == samples[:50]


@pytest.mark.parametrize("cells", range(33, 60))
def test_no_column_of_shares_is_cut_off_on_a_narrow_screen(cells: int) -> None:
    rows = {"departments": [ShareRow("defaultdepartment", 1.0, None, 3, 7)]}
    heading, row = texts(share_lines(rows, cells))
    assert heading.endswith("waits")
    assert row.rstrip().endswith("7")


def test_the_line_of_the_time_says_how_a_long_jump_is_ended() -> None:
    clock = Clock(NOW + 60, NOW, working=True)
    assert "‖ stopped 60x  1 m in" in plain(clock_line(clock, 80))
    assert "▶ jumps, Space ends it  1 m in  run 0  ↻ …" in plain(clock_line(replace(clock, ended_by="Space"), 80))


def test_an_export_has_a_title_and_two_columns() -> None:
    lines, cells = landscape("site, 2026-11-21", [(Span("charts"),), ()], [(Span("events"),)] * 3, 20)
    assert cells == 43
    assert [plain(line) for line in lines] == [
        "site, 2026-11-21", "", f"charts{' ' * 17}events", f"{' ' * 23}events", f"{' ' * 23}events",
    ]  # fmt: skip
