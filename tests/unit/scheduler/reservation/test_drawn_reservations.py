"""Reservations of drawn parallel jobs are those of the plain rule."""

from random import Random

import pytest

from qmon_tui.model import Cluster, Job, State, Task
from qmon_tui.qmaster import simulate
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
