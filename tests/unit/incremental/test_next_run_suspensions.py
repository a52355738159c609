"""Runs in a row say what plain runs say where queue instances and tasks stand still because of others."""

from datetime import datetime
from random import Random

import pytest

from qmon_tui.model import Cluster, ConfigObject, Kind, State, config_object
from tests.examples import one_in
from tests.unit.incremental.runs_in_a_row import OPTIONS, STEPS, compared_runs, drawn_cluster, drawn_load
from tests.unit.scheduler.building import NOW, queue

HOSTS = "h1 h2 h3"
OPTIONS_BY_QUEUE = (
    "-q a.q", "-q b.q", "-q d.q", "-q d.q", "-q b.q,d.q", "-q a.q -pe mpi 2-4", "-q b.q -pe mpi 2", "-q d.q -pe mpi 3",
    "-q d.q -t 1-4", "-q b.q -t 1-4", "-R y -q d.q -l h_rt=100", "-R y -q a.q -pe mpi 3 -l h_rt=300",
    "-hold_jid 2,4,6,8 -q b.q", *OPTIONS,
)  # fmt: skip
QUEUE_WISE = ("b.q=1", "b.q", "b.q=1,d.q=2", "d.q=1", "b.q=2,d.q=1")
SLOT_WISE = ("slots=2(b.q:1:sr)", "slots=2(b.q:1:lr, d.q:2:sr)", "slots=1(d.q)", "slots=3(d.q:1:sr,b.q:1:sr)")
BELOW = ("NONE", "NONE", "d.q=1", "d.q", "slots=2(d.q:0:sr)", "slots=1(d.q:0:lr)")


def drawn(random: Random, *, trees: bool, thresholds: bool = False) -> Cluster:
    """Queues that suspend others, some of which a calendar suspends, too."""
    first = random.choice(SLOT_WISE if trees else QUEUE_WISE)
    below = random.choice(BELOW if trees else BELOW[:4])
    limits = {}
    if thresholds:
        limits = {
            "suspend_thresholds": random.choice(("np_load_avg=1.9", "np_load_avg=1.2")),
            "nsuspend": random.choice(("1", "2", "0")),
            "suspend_interval": random.choice(("00:00:30", "00:05:00")),
        }
    begin, end = (datetime.fromtimestamp(NOW + seconds).strftime("%H:%M") for seconds in (600, 1800))
    stop = {"calendar_name": "stop", "year": "NONE", "week": f"mon-sun={begin}-{end}=suspended"}
    more: list[ConfigObject] = [
        config_object(Kind.CALENDAR, "stop", stop),
        queue("a.q", HOSTS, random.choice((1, 2)), pe_list="mpi smp", subordinate_list=first, seq_no="5"),
        queue("b.q", HOSTS, 2, pe_list="mpi", subordinate_list=below, load_thresholds=random.choice(LOADS)),
        queue("d.q", HOSTS, 3, pe_list="mpi", calendar=random.choice(("NONE", "NONE", "stop")), **limits),
    ]
    policy = {
        "max_reservation": random.choice((0, 0, 2)),
        "default_duration": "0:10:0",
        "job_load_adjustments": random.choice(("NONE", "np_load_avg=0.50")),
    }
    return drawn_cluster(random, *more, **policy)


LOADS = ("NONE", "np_load_avg=1.75")


def drawn_start(random: Random) -> State:
    """No jobs; some queue instances are closed, some hosts report their loads."""
    names = random.choice((("np_load_avg",), ("np_load_avg", "mem")))
    loads = {
        f"h{number}": {name: text for name, text in drawn_load(random).items() if name in names}
        for number in range(1, 4)
        if random.random() < 0.8
    }
    letters = {random.choice(("b.q@h2", "d.q@h1")): random.choice(("d", "s", "S", "E", "dS"))}
    return State(
        now=NOW,
        loads=loads if random.random() < 0.6 else {},
        queue_states=letters if random.random() < 0.3 else {},
    )


@pytest.mark.parametrize("seed", one_in(3, range(16)))
def test_runs_in_a_row_with_subordinates_are_plain_runs(seed: int) -> None:
    random = Random(seed)
    on = drawn(random, trees=seed % 4 > 1)
    odd = seed % 2 == 1
    quick_runs = compared_runs(random, on, drawn_start(random), OPTIONS_BY_QUEUE, odd=odd)
    assert quick_runs == STEPS or odd


@pytest.mark.parametrize("seed", range(4))
def test_runs_in_a_row_with_suspend_thresholds_are_plain_runs(seed: int) -> None:
    random = Random(seed)
    on = drawn(random, trees=seed % 4 > 1, thresholds=True)
    compared_runs(random, on, drawn_start(random), OPTIONS_BY_QUEUE, odd=seed % 2 == 1)
