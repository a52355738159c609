"""Of any day: no task is lost or runs twice, nothing is given twice, and the same values give the same bytes."""

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from functools import cache
from random import Random

import pytest
from hypothesis import example, given, strategies as st

from qmon_tui.model import Cluster, Job, Kind, State, config_object
from qmon_tui.qmaster import RunFacts, read_command
from qmon_tui.simulation import Settings, Simulator
from qmon_tui.simulation.settings import TimedCommand
from tests.unit.scheduler.building import NOW, attribute, cluster, environment, host, job, queue, scheduler

SLOTS = {"low.q@h1": 2, "low.q@h2": 3, "high.q@h1": 1, "high.q@h2": 1, "big.q@h2": 4}
LICENCES, MEMORY, PER_USER, ENVIRONMENT, HOST_SLOTS = 3, {"h1": 4, "h2": 6}, 5, 6, {"h2": 6}
"""What there is of the consumables, for a user, in the parallel environment, and of slots on a host."""
REQUESTS = ("", "-l lic=1", "-l lic=2", "-l mem=2", "-l lic=1,mem=1", "-l h_rt=25")
SHAPES = ("", "", "-pe mpi 2", "-pe mpi 1-4 -R y", "-t 1-3", "-t 1-4 -tc 2", "-q high.q", "-q low.q", "-p -9")
COMMANDS = ("qmod -sj", "qmod -usj", "qhold", "qrls", "qdel", "qmod -rj", "qalter -p -5")
OF_QUEUES = ("qmod -d low.q", "qmod -e low.q", "qmod -sq low.q@h1", "qmod -usq low.q@h1")


def on(interval: int, flush: int, reservations: int, subordinates: str) -> Cluster:
    """Two hosts and three queues, one of which may suspend another."""
    quota = config_object(
        Kind.QUOTA, "few", {"name": "few", "enabled": "TRUE", "limit": f"users {{*}} to slots={PER_USER}"}
    )
    return cluster(
        attribute("lic lic INT <= YES YES 0"),
        attribute("mem mem INT <= YES YES 1"),
        config_object(Kind.HOST, "global", {"hostname": "global", "complex_values": f"lic={LICENCES}"}),
        host("h1", f"mem={MEMORY['h1']}"),
        host("h2", f"mem={MEMORY['h2']},slots={HOST_SLOTS['h2']}"),
        environment("mpi", slots=ENVIRONMENT),
        queue("low.q", "h1 h2", "2,[h2=3]", pe_list="mpi", rerun="TRUE"),
        queue("high.q", "h1 h2", 1, subordinate_list=subordinates, rerun="TRUE"),
        queue("big.q", "h2", 4, pe_list="mpi"),
        quota,
        scheduler(
            schedule_interval=f"0:0:{interval}",
            flush_submit_sec=flush,
            flush_finish_sec=flush,
            max_reservation=reservations,
            weight_waiting_time="0.1",
        ),
    )  # fmt: skip


def work(random: Random, count: int) -> tuple[Job, ...]:
    """Some jobs; each may wait for the one before it."""
    jobs = []
    for number in range(1, count + 1):
        waits = f"-hold_jid {number - 1} " if number > 1 and random.random() < 0.15 else ""
        options = f"{waits}{random.choice(REQUESTS)} {random.choice(SHAPES)}".strip()
        at, seconds = random.randint(0, 90), random.choice((0, 1, 7, 20, 60))
        jobs.append(job(number, options, owner=random.choice("abc"), submitted=NOW + at, runtime=seconds))
    return tuple(jobs)


def orders(random: Random, on: Cluster, count: int, jobs: int) -> tuple[TimedCommand, ...]:
    """Some commands about jobs and queues."""
    lines = [
        random.choice(OF_QUEUES) if random.random() < 0.3 else f"{random.choice(COMMANDS)} {random.randint(1, jobs)}"
        for _ in range(count)
    ]
    read = [read_command(on, line) for line in lines]
    return tuple(TimedCommand(NOW + random.randint(1, 120), one) for one in read if one is not None)


def drawn_values(seed: int, *, with_orders: bool = True) -> tuple[Cluster, State, Settings]:
    """A small cluster, its jobs, and what else happens."""
    random = Random(seed)
    subordinates = random.choice(("NONE", "low.q=1", "slots=3(low.q:0:sr)"))
    there = on(random.choice((3, 7, 15)), random.choice((0, 1, 3)), random.choice((0, 5)), subordinates)
    jobs = work(random, random.randint(3, 14))
    given = orders(random, there, random.randint(0, 6), len(jobs)) if with_orders else ()
    settings = Settings(
        until=NOW + 4000,
        start_delay=random.choice((0, 5)),
        simulated_hosts=random.random() < 0.5,
        commands=given,
    )
    return there, State(now=NOW, jobs=jobs), settings


def drawn_day(seed: int, *, with_orders: bool = True) -> Simulator:
    return Simulator(*drawn_values(seed, with_orders=with_orders))


def assert_nothing_is_given_twice(jobs: Sequence[Job]) -> None:
    """Count what all tasks that have a place hold."""
    slots: Counter[str] = Counter()
    on_hosts: Counter[str] = Counter()
    memory: Counter[str] = Counter()
    users: Counter[str] = Counter()
    licences = environment_slots = 0
    for one in jobs:
        asked = {name: int(value or 0) for name, value in one.request.hard}
        for task in one.tasks.values():
            if not task.granted or "q" in task.state:
                continue
            total = sum(task.granted.values())
            users[one.owner] += total
            licences += asked.get("lic", 0) * total
            environment_slots += total if task.environment is not None else 0
            for name, count in task.granted.items():
                slots[name] += count
                on_hosts[name.partition("@")[2]] += count
                memory[name.partition("@")[2]] += asked.get("mem", 1) * count
    assert {name: count for name, count in slots.items() if count > SLOTS[name]} == {}
    assert {name: count for name, count in memory.items() if count > MEMORY[name]} == {}
    assert on_hosts["h2"] <= HOST_SLOTS["h2"]
    assert licences <= LICENCES
    assert environment_slots <= ENVIRONMENT
    assert {name: count for name, count in users.items() if count > PER_USER} == {}


@given(st.integers(0, 10**9))
def test_at_no_moment_is_anything_given_twice(seed: int) -> None:
    simulator = drawn_day(seed)
    running: set[tuple[int, int]] = set()
    while (happened := simulator.advance()) is not None:
        assert_nothing_is_given_twice(simulator.state.jobs)
        placed = {
            (one.id, number)
            for one in simulator.state.jobs
            for number, task in one.tasks.items()
            if task.granted and "q" not in task.state
        }
        if isinstance(happened, RunFacts):
            assert running.isdisjoint(happened.started), "what runs is not started once more"
        running = placed
    states = [
        one.tasks[number].state for one in simulator.state.jobs for number in one.tasks if (one.id, number) in running
    ]
    assert all(set(state) & set("sST") for state in states), "whatever began has ended, waits or is suspended"


@given(st.integers(0, 10**9))
@example(552742)  # a job names one with a lower number that comes later
def test_each_task_runs_once_to_its_end(seed: int) -> None:
    """Without commands everything that can ever start does, and ends."""
    simulator = drawn_day(seed, with_orders=False)
    starts: Counter[tuple[int, int]] = Counter()
    while (happened := simulator.advance()) is not None:
        if isinstance(happened, RunFacts):
            starts.update(happened.started)
    assert all(count == 1 for count in starts.values())
    left = {(one.id, number) for one in simulator.state.jobs for number in one.task_ids}
    for key, record in simulator.records.items():
        assert (record.started is not None) == (key in starts)
        assert record.ended is not None or key in left, "a task that has not ended waits"
        if record.ended is not None:
            assert record.started is not None
            assert record.submitted <= record.started <= record.ended
    assert {key for key, record in simulator.records.items() if record.ended is None} == left


SCRIPT = """
import json, sys
from tests.unit.simulation.test_conservation import told
print(json.dumps([told(int(seed)) for seed in sys.argv[1:]]))
"""


@cache
def told(seed: int) -> list[object]:
    """All that came of a drawn day, as JSON values in the order in which the simulator has it."""
    simulator = drawn_day(seed)
    simulator.run()
    records = [
        (*key, one.started, one.ended, one.restarts, dict(one.granted)) for key, one in simulator.records.items()
    ]
    return [simulator.runs, simulator.events, records, simulator.replies]


@pytest.mark.parametrize("hash_seed", ["0", "1"])
def test_every_process_simulates_the_same_bytes(hash_seed: str) -> None:
    """The order of sets and of hashes, which differs from process to process, decides nothing."""
    seeds = [str(seed) for seed in range(8)]
    run = subprocess.run(
        [sys.executable, "-c", SCRIPT, *seeds],
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout.strip() == json.dumps([told(int(seed)) for seed in seeds])
