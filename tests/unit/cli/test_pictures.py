"""Charts as data: their series, ticks and labels."""

import sys
from dataclasses import replace
from datetime import datetime
from itertools import pairwise
from random import Random

import pytest

from qmon_tui.cli.answer import InputError
from qmon_tui.cli.pictures import CHARTS, chart, chart_svg, heat_map
from qmon_tui.simulation import Comparison, Policy, Scenario, compared, read_edit
from qmon_tui.sources import read_folder

FOLDER = """
hosts: {h1: {}}
queues: {all.q: {hostlist: h1, slots: 2, load_thresholds: NONE}}
users: {heavy: {fshare: 100}, li$ght: {fshare: 100}}
scheduler: {weight_urgency: 0, weight_ticket: 0, weight_tickets_functional: 1000, schedule_interval: 0:1:0}
now: 2026-11-02T00:00:00
jobs:
- {id: 1, owner: heavy, submitted: +0s, qsub: -t 1-30 sleep 14400}
- {id: 2, owner: "li$ght", submitted: +3600s, qsub: sleep 3600}
- {id: 3, owner: "li$ght", submitted: +90000s, qsub: sleep 3600}
"""


@pytest.fixture(scope="module")
def comparison(tmp_path_factory: pytest.TempPathFactory) -> Comparison:
    folder = tmp_path_factory.mktemp("week")
    (folder / "c.yaml").write_text(FOLDER)
    reading = read_folder(str(folder))
    scenario = Scenario(reading.cluster, reading.state, length=4 * 86400)
    shares = replace(scenario, edits=(read_edit(reading.cluster, "scheduler.weight_ticket=1"),))
    return compared([Policy("/somewhere/week", scenario), Policy("week@scheduler.weight_ticket=1", shares)])


def labels(axes: object) -> list[str]:
    axes.figure.canvas.draw()  # type: ignore[attr-defined]
    return [label.get_text() for label in axes.get_xticklabels()]  # type: ignore[attr-defined]


def test_changes_of_waits_are_bars_users_first(comparison: Comparison) -> None:
    (axes,) = chart(comparison, "waits").axes
    assert [label.get_text() for label in axes.get_yticklabels()] == ["user li$ght", "user heavy", "queue all.q"]
    by_name = comparison.by_name
    means = [by_name[f"by.{name}.wait.mean"].differences[0] for name in ("owner.li$ght", "owner.heavy", "queue.all.q")]
    assert [bar.get_width() * 3600 for bar in axes.patches] == pytest.approx([mean.mean for mean in means if mean])
    assert axes.patches[0].get_width() < 0 < axes.patches[1].get_width()
    assert "hours" in axes.get_xlabel()


def test_the_queue_has_dates_round_ticks_and_the_difference_shaded(comparison: Comparison) -> None:
    (axes,) = chart(comparison, "queue", dark=True).axes
    assert {"Tue 03 Nov", "Wed 04 Nov", "Thu 05 Nov"} <= set(labels(axes))
    ticks = list(axes.get_yticks())
    assert len({after - before for before, after in pairwise(ticks)}) == 1
    assert all(tick == int(tick) for tick in ticks)
    first, other = axes.lines
    assert [list(line.get_ydata()) for line in (first, other)] == [day.charts["waiting"] for day in comparison.days]
    step = (comparison.days[0].end - comparison.days[0].start) / 120
    assert first.get_xdata()[0] == datetime.fromtimestamp(comparison.days[0].start + step / 2)
    (shade,) = axes.collections
    assert len(shade.get_paths()[0].vertices) > 120


def test_slots_have_whole_ticks(comparison: Comparison) -> None:
    (axes,) = chart(comparison, "slots").axes
    assert all(tick == int(tick) for tick in axes.get_yticks())


def test_slots_end_with_those_of_the_tasks_that_still_run(comparison: Comparison) -> None:
    """At the end of the other day two tasks run."""
    from matplotlib.dates import num2date  # an extra

    over = comparison.days[0]
    begun = tuple(replace(task, ended=None) if task.task in (29, 30) else task for task in over.records)
    drawn = chart(replace(comparison, days=(over, replace(over, records=begun))), "slots")
    ends = [(line.get_xdata()[-1], line.get_ydata()[-1]) for line in drawn.axes[0].get_lines()]
    end = datetime.fromtimestamp(over.end)
    assert ends == [(end, 0), (end, 2)]
    assert num2date(drawn.axes[0].get_xlim()[1]).replace(tzinfo=None) == end


def with_period(comparison: Comparison, start: str, seconds: int) -> Comparison:
    begin = int(datetime.fromisoformat(start).timestamp())
    return replace(comparison, days=tuple(replace(day, start=begin, end=begin + seconds) for day in comparison.days))


@pytest.mark.parametrize(
    ("start", "seconds", "below"),
    [
        ("2026-11-03T08:00:00", 8 * 3600, "Tue 03 Nov 2026"),
        ("2026-11-03T08:00:00", 90, "Tue 03 Nov 2026"),
        ("2026-11-03T23:50:00", 1800, "Tue 03 Nov 2026 to Wed 04 Nov 2026"),
        ("2026-11-03T20:00:00", 8 * 3600, ""),
        ("2026-11-03T00:00:00", 7 * 86400, ""),
    ],
)
def test_each_period_has_its_date(comparison: Comparison, start: str, seconds: int, below: str) -> None:
    for name in ("queue", "slots", "shares"):
        axes = chart(with_period(comparison, start, seconds), name).axes[-1]
        assert axes.get_xlabel() == below
        assert below or any("Nov" in label for label in labels(axes))


def test_drawn_periods_have_a_date_and_few_ticks(comparison: Comparison) -> None:
    random = Random(20)
    for _ in range(60):
        start = datetime.fromtimestamp(random.randrange(1_600_000_000, 1_900_000_000)).isoformat()
        seconds = int(10 ** random.uniform(1, 8))
        axes = chart(with_period(comparison, start, seconds), "queue").axes[-1]
        shown = [label for label in labels(axes) if label]
        assert any(sign.isalpha() for label in (*shown, axes.get_xlabel()) for sign in label) or seconds > 1e7
        assert 2 <= len(shown) <= 8


def test_shares_have_a_panel_for_each_policy(comparison: Comparison) -> None:
    figure = chart(comparison, "shares")
    assert [axes.get_title() for axes in figure.axes] == ["A: week", "B: week@scheduler.weight_ticket=1"]
    for axes, day in zip(figure.axes, comparison.days, strict=True):
        received = [100 * part for part in day.charts["owner heavy received"]]
        assert list(axes.lines[0].get_ydata()) == received
        assert axes.get_ylim() == (0, 100)
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["heavy", "li$ght", "entitled"]


@pytest.mark.parametrize("name", CHARTS)
def test_charts_are_the_same_again_and_keep_to_svg(comparison: Comparison, name: str) -> None:
    lines = list(chart_svg(comparison, name))
    assert lines == list(chart_svg(comparison, name))
    assert lines[0].startswith("<svg")
    assert "scheduler.weight_ticket=1" in "".join(lines)


def test_a_heat_map_has_its_cells(comparison: Comparison) -> None:
    cells = {("0", "a<b"): (0.0, "0:01"), ("1", "a<b"): (None, "cannot"), ("$1$", "a<b"): (1.0, "0:03")}
    text = "\n".join(heat_map("mean wait", "weight", "host", cells, "all are < chance"))
    for words in ("0:01", "cannot", "0:03", "a&lt;b", "$1$", "mean wait", "all are &lt; chance"):
        assert words in text


def test_without_the_library_a_sentence_says_what_to_install(
    comparison: Comparison, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("matplotlib", "matplotlib.figure"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(InputError, match="qmon-tui\\[charts\\]"):
        list(chart_svg(comparison, "queue"))
