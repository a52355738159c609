"""Without the package `incremental` each day is the same to the byte, and so is the live re-run after each edit."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random

import pytest

from qmon_tui import incremental
from qmon_tui.incremental import lazy_run
from qmon_tui.model import Cluster, Kind, State, config_object
from qmon_tui.qmaster import Run, simulate
from qmon_tui.simulation import FeedKind, Settings, Timeline, simulator
from qmon_tui.workspace.document import Document
from qmon_tui.workspace.evaluation import Snapshot, evaluate
from qmon_tui.workspace.events import ChangeOrigin
from tests.plain.test_edits import edits
from tests.plain.test_plain import drawn_site
from tests.unit.incremental.plain_chain import PlainChain
from tests.unit.scheduler.building import NOW, attribute, cluster, environment, job, queue, scheduler
from tests.unit.simulation.test_conservation import drawn_values, told


@pytest.mark.parametrize("seeds", [range(first, first + 8) for first in range(0, 40, 8)])
def test_a_day_is_the_same_by_plain_runs(seeds: range, monkeypatch: pytest.MonkeyPatch) -> None:
    days = [told(seed) for seed in seeds]
    monkeypatch.setattr(simulator, "RunChain", PlainChain)
    assert days == [told(seed) for seed in seeds]


RESERVING = cluster(
    attribute("lic lic INT <= YES YES 0"),
    config_object(Kind.HOST, "global", {"hostname": "global", "complex_values": "lic=3"}),
    environment("mpi"),
    queue("all.q", "h1 h2 h3", 2, pe_list="mpi"),
    scheduler(
        schedule_interval="0:0:10", flush_submit_sec=1, flush_finish_sec=1, max_reservation=5, default_duration="0:10:0"
    ),
)
RESERVING_OPTIONS = (
    "-pe mpi 5 -R y -l h_rt=300",
    "-pe mpi 2-6 -R y -l h_rt=100",
    "-l h_rt=60",
    "-l h_rt=60,lic=1",
    "-l h_rt=400,lic=2 -R y",
    "-t 1-4 -l h_rt=90",
    "-t 1-3 -tc 1 -l h_rt=200",
    "",
)


def reserving_values(seed: int) -> tuple[Cluster, State, Settings]:
    """A day on which runs plan ahead."""
    random = Random(seed)
    jobs = [
        job(
            number,
            random.choice(RESERVING_OPTIONS) + random.choice(("", " -p -10")),
            owner=random.choice("abc"),
            submitted=NOW + random.randint(0, 300),
            runtime=random.randint(0, 250),
        )
        for number in range(1, random.randint(8, 24))
    ]
    return RESERVING, State(now=NOW, jobs=tuple(jobs)), Settings(until=NOW + 4000)


def noted(values: tuple[Cluster, State, Settings]) -> str:
    """All that is told of a day and of each of its runs."""
    timeline = Timeline(*values)
    timeline.play(None)
    moment = timeline.moment
    return repr((moment.entries, moment.samples, moment.stretches, moment.plans))


@pytest.mark.parametrize("values", [drawn_values, reserving_values])
@pytest.mark.parametrize("seeds", [range(first, first + 8) for first in range(0, 24, 8)])
def test_the_log_is_the_same_by_plain_runs(
    seeds: range, values: Callable[[int], tuple[Cluster, State, Settings]], monkeypatch: pytest.MonkeyPatch
) -> None:
    logs = [noted(values(seed)) for seed in seeds]
    monkeypatch.setattr(simulator, "RunChain", PlainChain)
    assert logs == [noted(values(seed)) for seed in seeds]


def test_the_log_asks_for_no_plain_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """All it tells is known of a run that has taken over what the last one has left, reservations included."""
    asked = 0

    def counted(on: Cluster, state: State) -> Run:
        nonlocal asked
        asked += 1
        return simulate(on, state)

    monkeypatch.setattr(lazy_run, "simulate", counted)
    logs = [noted(reserving_values(seed)) for seed in range(8)]
    assert FeedKind.BACKFILLED.name in logs[0]
    assert asked == 0


@pytest.mark.parametrize("number", range(3))
def test_the_live_re_run_is_the_same_by_plain_runs(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    results = list(evaluated(number))
    monkeypatch.setattr(incremental, "RunChain", PlainChain)
    assert results == list(evaluated(number))


def evaluated(number: int) -> Iterator[str]:
    """What the live pane shows after one edit after the other, with two jobs explained and a change that helps."""
    cluster, state = drawn_site(number)
    random, last = Random(number), None
    for _, edited in edits(random, cluster):
        snapshot = Snapshot(number, edited, state, Document(cluster, state), ChangeOrigin.FORM)
        if last is not None:
            snapshot = replace(snapshot, simulate=last.run.simulate, before=last.outcome)
        result = evaluate(snapshot)
        assert result.outcome is not None
        assert result.explainer is not None
        last = result.explainer
        asked = [job.id for job in random.sample(state.jobs, 2)]
        yield repr(
            (
                tuple(result.outcome.jobs),
                result.outcome.messages,
                result.moves,
                [last.explanation(job) for job in asked],
                next(iter(last.changes(asked[0])), None),
            )
        )
