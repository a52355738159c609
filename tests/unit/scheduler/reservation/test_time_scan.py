"""The times at which a parallel job is not tried, as there is enough at them anyway: all is as if it had been tried."""

from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from qmon_tui.model import Cluster, Job, State, Task
from qmon_tui.qmaster import simulate
from qmon_tui.scheduler.configuration import FILL_UP, ROUND_ROBIN
from qmon_tui.scheduler.reservation.time_scan import TimeScan, can_scan
from tests.unit.scheduler.building import NOW, attribute, cluster, environment, host, job, queue, scheduler

HOSTS = tuple(f"h{number}" for number in range(1, 7))
INSTANCES = tuple(f"{name}@{host}" for name in ("a.q", "b.q") for host in HOSTS)


def drawn_cluster(random: Random) -> Cluster:
    """Six hosts with two queues; nothing is told of jobs, so that fast paths are taken."""
    return cluster(
        attribute("mem mem MEMORY <= YES YES 0"),
        attribute("lic lic INT <= YES YES 0"),
        host("global", f"lic={random.choice((2, 6, 30))}"),
        *(host(name, f"mem={random.choice((3, 4, 8))}G") for name in HOSTS),
        queue("a.q", " ".join(HOSTS), random.choice((1, 2, 3)), pe_list="fill round two smp"),
        queue("b.q", " ".join(HOSTS[1:]), 2, pe_list="fill two smp", seq_no=random.choice("02")),
        environment("fill", slots=random.choice((6, 99))),
        environment("round", "$round_robin"),
        environment("two", "2"),
        environment("smp", "$pe_slots"),
        scheduler(max_reservation=random.choice((1, 3, 10)), schedd_job_info="false", default_duration="0:20:0"),
    )


def drawn_state(random: Random) -> State:
    """Slots that come free at many times, and parallel jobs that want reservations."""
    jobs = list[Job]()
    for instance in INSTANCES:
        for _ in range(random.choice((1, 1, 2))):
            options = f"-l h_rt={random.randrange(60, 6000)}" + random.choice(("", ",mem=1G", ",lic=1"))
            task = Task("r", {instance: 1}, NOW - random.randrange(50) - len(jobs) / 100)
            jobs.append(job(len(jobs) + 1, options, tasks={1: task}))
    for _ in range(8):
        slots = random.choice(("2", "4", "6", "8", "2-6"))
        name = random.choice(("fill", "fill", "round", "two", "smp", "*"))
        options = f"-pe {name} {slots} -l h_rt={random.randrange(60, 4000)}" + random.choice(("", ",mem=1G", ",lic=1"))
        jobs.append(
            job(len(jobs) + 1, options + random.choice((" -R y", " -R y", "")), submitted=NOW - 100 + len(jobs))
        )
    return State(now=NOW, jobs=tuple(jobs))


@pytest.mark.parametrize("seed", range(12))
def test_reservations_are_those_of_the_plain_rule(seed: int) -> None:
    random = Random(seed)
    for _ in range(4):
        on, state = drawn_cluster(random), drawn_state(random)
        fast, plain = simulate(on, state), simulate(on, state, fast=False)
        assert list(fast.started) == list(plain.started)
        assert fast.dispatch.reserved == plain.dispatch.reserved
        assert fast.dispatch.schedule_lines == plain.dispatch.schedule_lines


def test_most_times_are_not_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    random = Random(1)
    answers = list[bool]()
    ask = TimeScan.has_enough

    def has_enough(scan: TimeScan) -> bool:
        answers.append(ask(scan))
        return answers[-1]

    monkeypatch.setattr(TimeScan, "has_enough", has_enough)
    for _ in range(10):
        simulate(drawn_cluster(random), drawn_state(random))
    assert answers.count(True) > 5 * answers.count(False) > 0


def made(**fields: Any) -> Any:
    return SimpleNamespace(**fields)


PLAIN = made(attribute=made(per_job=False))


@pytest.mark.parametrize(
    ("fields", "can"),
    [
        ({}, True),
        ({"rule": ROUND_ROBIN}, True),
        # A fixed number of slots on each host has to divide all of them; $pe_slots is as many as all.
        ({"rule": 2}, True),
        ({"rule": 4}, True),
        ({"rule": 1}, True),
        ({"rule": 3}, False),
        ({"rule": 0}, False),
        ({"rule": -4}, False),
        ({"soft": made()}, False),
        ({"remaining_quota": made()}, False),
        ({"say": print}, False),
        ({"unclean": ("h1",)}, False),
        ({"hard": [PLAIN]}, True),
        ({"hard": [PLAIN, made(attribute=made(per_job=True))]}, False),
        ({"master_queues": ("a.q",)}, False),
        # Marks that other jobs have left.
        ({"left_violations": {1: 0, 2: 0}}, True),
        ({"left_violations": {1: 0, 2: 1}}, False),
        ({"has_exclusive": True}, False),
    ],
)
def test_only_where_nothing_but_free_slots_decides(fields: dict[str, Any], *, can: bool) -> None:
    def given(name: str, otherwise: Any) -> Any:
        return fields.get(name, otherwise)

    attributes = made(has_exclusive=given("has_exclusive", otherwise=False))
    resources = made(left_violations=given("left_violations", {}), compiled=made(attributes=attributes))
    demand = made(master_queues=given("master_queues", ()), hard=given("hard", []))
    attempt = made(
        **{name: given(name, None) for name in ("soft", "remaining_quota", "say")},
        rule=given("rule", FILL_UP), slots=4, placement_request=made(unclean=given("unclean", ())),
    )  # fmt: skip
    assert can_scan(resources, demand, attempt) is can
