"""Figures of the current state beside those after the next run."""

import pytest

from qmon_tui.qmaster.scheduling import schedule
from qmon_tui.report.cluster import (
    INSTANCE_FIELDS,
    QUEUE_FIELDS,
    ClusterMap,
    ListingTable,
    instance_lines,
    queue_lines,
)
from qmon_tui.report.figures import figure_cell, shown_figure
from qmon_tui.report.spans import Span, plain
from qmon_tui.sources import read_folder
from qmon_tui.workspace import Figures
from tests.tui.screen_harness import CONFIGS

SITE = read_folder(CONFIGS / "site")
OUTCOME = schedule(SITE.cluster, SITE.state)
NOW, AFTER = (instance_lines(SITE.cluster, part) for part in (OUTCOME.instances_before, OUTCOME.queue_instances))


@pytest.mark.parametrize(
    ("now", "after", "texts"),
    [
        ("2", "17", ("2", "2 → 17", "17")),
        ("3", "3", ("3", "3", "3")),
        ("qw", "t", ("qw", "qw → t", "t")),
        ("", "S", ("", "→ S", "S")),
        ("a", "", ("a", "a →", "")),
    ],
)
def test_the_new_value_stands_beside_the_current_one(now: str, after: str, texts: tuple[str, str, str]) -> None:
    for figures, text in zip((Figures.NOW, Figures.CHANGES, Figures.NEXT), texts, strict=True):
        assert shown_figure(figures, now, after) == text
        assert plain(figure_cell(figures, Span(now), Span(after), 8)) == f"{text:<8}"
        assert plain(figure_cell(figures, Span(now), Span(after), 8, at_right=True)) == f"{text:>8}"


def test_one_key_goes_through_all_figures() -> None:
    assert Figures.CHANGES.next is Figures.NEXT
    assert Figures.NEXT.next is Figures.NOW
    assert Figures.NOW.next is Figures.CHANGES


@pytest.mark.parametrize(
    ("figures", "used", "instance", "cell"),
    [
        (Figures.NOW, "3", "0/1/24", "1/24"),
        (Figures.CHANGES, "3 → 43", "0/1/24 → 0/24/24", "1→24/24"),
        (Figures.NEXT, "43", "0/24/24", "24/24"),
    ],
)
def test_listings_and_map_show_the_same_figures(figures: Figures, used: str, instance: str, cell: str) -> None:
    now, after = (queue_lines(SITE.cluster, lines) for lines in (NOW, AFTER))
    shown = after if figures is Figures.NEXT else now
    queues = ListingTable("queue", shown, QUEUE_FIELDS, after={line.name: line for line in after}, figures=figures)
    assert f"  {used} " in plain(queues.line(1, 200))
    by_name = {line.name: line for line in AFTER}
    instances = ListingTable(
        "queuename", AFTER if figures is Figures.NEXT else NOW, INSTANCE_FIELDS, after=by_name, figures=figures
    )
    row = instances.find("gpu.q@gpu02")
    assert row is not None
    assert f" {instance} " in plain(instances.line(row, 200))
    hosts = ["gpu02"]
    drawn = ClusterMap(hosts, ["gpu.q"], {line.name: line for line in NOW}, 0, frozenset(), by_name, figures)
    assert f" {cell} " in plain(drawn.line(0, 80))


def test_nothing_runs_before_the_run_but_what_the_folder_says() -> None:
    granted = sum(
        sum(task.granted.values()) for job in SITE.state.jobs for task in job.tasks.values() if task.state == "r"
    )
    assert sum(line.used for line in NOW) == granted == 9
    assert sum(line.used for line in AFTER) == 99
