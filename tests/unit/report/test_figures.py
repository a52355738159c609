"""Figures of the current state beside those after the next run."""

import pytest

from qmon_tui.formats.folder_reader import read_texts
from qmon_tui.formats.layout import Layout
from qmon_tui.model import PendingKind
from qmon_tui.qmaster.scheduling import schedule
from qmon_tui.report.cluster import (
    INSTANCE_FIELDS,
    QUEUE_FIELDS,
    ClusterMap,
    InstanceLine,
    ListingTable,
    instance_lines,
    queue_lines,
)
from qmon_tui.report.jobtable import BY_KEY, JobTable, JobTableSettings, parse_filter, table_rows, totals
from qmon_tui.report.live_instances import Before, InstanceRows
from qmon_tui.report.live_jobs import LiveJobRows, job_rows
from qmon_tui.report.spans import Span, plain
from qmon_tui.report.task_counts import TaskCounts
from qmon_tui.report.words import figure_cell, shown_figure, without_domains
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


EVERY_KIND = """
queues:
  all.q: {hostlist: sim1, slots: 2}
hosts:
  sim1: {complex_values: "h_vmem=4G"}
complexes:
  h_vmem: {consumable: YES}
now: 2026-03-02T09:00:00
loads:
  sim1: {mem_free: 3G, np_load_avg: 0.1}
jobs:
- {id: 1, owner: anna, qsub: sleep 9, tasks: {1: {state: r, granted: {all.q@sim1: 1}}}}
- {id: 2, owner: anna, qsub: sleep 9}
- {id: 3, owner: anna, qsub: sleep 9}
- {id: 4, owner: anna, qsub: -h sleep 9}
- {id: 5, owner: anna, qsub: -hold_jid 4 sleep 9}
- {id: 6, owner: anna, qsub: -a 203001010000 sleep 9}
- {id: 7, owner: anna, qsub: -l h_vmem=5G sleep 9}
- {id: 8, owner: anna, qsub: sleep 9, tasks: {1: {state: Eqw}}}
- {id: 9, owner: anna, qsub: -l mem_free=2G sleep 9}
- {id: 10, owner: anna, qsub: -t 1-3 -tc 1 sleep 9}
- {id: 11, owner: anna, qsub: -t 1-2 -h sleep 9}
- {id: 12, owner: anna, qsub: -t 1-2 -hold_jid_ad 11 sleep 9}
- {id: 13, owner: anna, qsub: -h -a 203001010000 -hold_jid 4 -l h_vmem=5G sleep 9}
"""
NOW_COUNTS = {
    "running": 1, "waiting": 6, "held": 4, "dependent": 3, "future": 1, "impossible": 1, "in error": 1,
}  # fmt: skip


def test_waiting_has_one_definition_and_all_other_pending_tasks_are_named() -> None:
    contents = read_texts(Layout.YAML, "kinds", {"all.yaml": EVERY_KIND})
    outcome = schedule(contents.cluster, contents.state)
    counts = TaskCounts.of(outcome)
    assert counts.now == NOW_COUNTS
    assert counts.after == NOW_COUNTS | {"running": 2, "waiting": 5}
    kinds = {job.id: outcome.pending_kind(job, job.tasks[0]) for job in outcome.jobs}
    assert kinds[9] is PendingKind.WAITING, "a load value that is reported now does not make a job impossible"
    assert kinds[7] is PendingKind.IMPOSSIBLE
    assert kinds[12] is PendingKind.DEPENDENT
    for figures in Figures:
        rows = table_rows(outcome, contents.state, frozenset(), figures)
        assert totals(rows).counts == counts
        kept = JobTable(rows, JobTableSettings(filter=parse_filter("state=dependent,future"))).rows
        assert sorted(row.job.id for row in kept) == [5, 6, 12]


def test_a_pending_job_keeps_its_letters_and_the_change_is_beside_them() -> None:
    rows = {
        figures: {row.job.id: row for row in table_rows(OUTCOME, SITE.state, frozenset(), figures)}
        for figures in Figures
    }
    texts = {
        figures: [(of[number].state, BY_KEY["queue"].text(of[number])) for number in (115, 101, 104)]
        for figures, of in rows.items()
    }
    running = [("r", "gpu.q@gpu01"), ("3r 3qw", "long.q@node01 +1")]
    assert texts[Figures.NOW] == [("qw", ""), *running]
    assert texts[Figures.CHANGES] == [("qw → t", "→ big.q@big01"), *running]
    assert texts[Figures.NEXT] == [("t", "big.q@big01"), *running]
    assert rows[Figures.CHANGES][126].state == "40qw → 40t"
    assert rows[Figures.NOW][126].state == "qw"
    live = LiveJobRows(job_rows(OUTCOME)).with_figures(Figures.CHANGES)
    row = live.find((115, 1))
    assert row is not None
    assert "qw → t → big.q@big01" in plain(live.line(row, 90))


def test_slots_of_a_parallel_job_are_those_that_it_asks_for_until_it_starts() -> None:
    campus = read_folder(CONFIGS / "campus")
    outcome = schedule(campus.cluster, campus.state)
    rows = {row.job.id: row for row in table_rows(outcome, campus.state, frozenset(), Figures.CHANGES)}
    assert BY_KEY["slots"].text(rows[507]) == "4 → 12"
    used = totals(list(rows.values()))
    assert (used.slots, used.wanted) == ((62, 131), (116, 55))


def test_queue_instances_and_quotas_of_the_live_pane_show_both() -> None:
    campus = read_folder(CONFIGS / "campus")
    outcome = schedule(campus.cluster, campus.state)
    before = Before(outcome.instances_before, outcome.quotas_before or ())
    rows = InstanceRows(outcome.queue_instances, outcome.quotas or (), others=before)
    texts = {
        figures: [rows.with_figures(figures).text(index) for index in range(len(rows.with_figures(figures)))]
        for figures in Figures
    }
    assert any(text.startswith("night.q@node06 6 → 12/12") for text in texts[Figures.CHANGES])
    assert any(text.startswith("night.q@node06 6/12") for text in texts[Figures.NOW])
    assert any(text.startswith("night.q@node06 12/12") for text in texts[Figures.NEXT])
    assert "people/students slots=6 → 12/12 users uma" in texts[Figures.CHANGES]
    assert "people/students slots=0 → 9/12 users vito" in texts[Figures.CHANGES]
    assert "people/students slots=6/12 users uma" in texts[Figures.NOW]


def test_domains_give_way_before_slots_do() -> None:
    names = [f"long.q@node0{number}.cluster.example.org" for number in (1, 2)]
    lines = [InstanceLine("long.q", name.rpartition("@")[2], "BIP", 0, 1, 12, 0.5, "lx-amd64", "d") for name in names]
    listing = ListingTable("queuename", lines, INSTANCE_FIELDS)
    assert "long.q@node01" in plain(listing.line(0, 57))
    assert "example" not in plain(listing.line(0, 57))
    assert "0/1/12" in plain(listing.line(0, 57))
    assert listing.key(0) == names[0]
    drawn = ClusterMap([line.host for line in lines], ["long.q"], {line.name: line for line in lines})
    assert plain(drawn.line(0, 57)).startswith(" node01 ")


@pytest.mark.parametrize(
    ("names", "short"),
    [
        (["n1.a.org", "n2.a.org"], ["n1", "n2"]),
        (["q@n1.a.org", "q@n1.b.org", "q@n2.b.org"], ["q@n1.a.org", "q@n1.b.org", "q@n2"]),
        (["10.0.0.1", "q.x@n1", "n1"], ["10.0.0.1", "q.x@n1", "n1"]),
    ],
)
def test_names_without_domains_stay_different(names: list[str], short: list[str]) -> None:
    assert list(without_domains(names).values()) == short
