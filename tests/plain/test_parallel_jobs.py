"""Small clusters full of parallel jobs: the fast paths of visits to hosts decide as the plain rule does."""

from random import Random

import pytest

from qmon_tui.model import Cluster, Kind, State, config_object
from tests.plain.test_plain import assert_same
from tests.unit.scheduler.building import (
    attribute,
    cluster,
    environment,
    host,
    job,
    queue,
    running,
    scheduler,
    state,
)

RULES = {"fill": "$fill_up", "robin": "$round_robin", "one": "$pe_slots", "two": "2"}
LIMITS = (
    "hosts {*} to slots=2",
    "users anna to slots=5",
    "queues a.q to slots=4",
    "hosts h1,h2 to slots=3",
    "to lic=6",
)
REQUESTS = (
    "",
    "",
    "",
    "-l lic=1",
    "-l lic=2",
    "-l disk=1",
    "-l np_load_avg=0.5",
    "-q a.q",
    "-masterq b.q",
    "-soft -l lic=2",
)


def drawn(seed: int) -> tuple[Cluster, State]:
    """Few hosts that are alike, and few kinds of jobs of which there are several."""
    random = Random(seed)
    names = [f"h{number}" for number in range(1, random.choice((3, 8)) + 1)]
    usual = [random.choice(("lic=2,disk=1", "lic=3,disk=2"))] * random.choice((2, 9))
    thresholds = random.choice(("NONE", "NONE", "np_load_avg=1.75"))
    pe_list = " ".join(RULES)
    objects = [
        attribute("lic lic INT <= YES YES 0"), attribute("disk disk INT <= YES JOB 0"),
        attribute("fast fast INT <= YES NO 0"),
        *(host(name, random.choice((*usual, "lic=4,fast=2", "NONE"))) for name in names),
        *(environment(name, rule, slots=random.choice((4, 99))) for name, rule in RULES.items()),
        queue("a.q", " ".join(names), random.choice((1, 2, 4)), pe_list=pe_list, load_thresholds=thresholds,
              seq_no=random.choice(("0", "1", "1,[h1=5]"))),
        queue("b.q", " ".join(names[random.choice((0, 1)):]), 2, pe_list=random.choice((pe_list, "fill robin")),
              complex_values=random.choice(("NONE", "lic=1"))),
        scheduler(schedd_job_info=random.choice(("true", "false")), max_reservation=random.choice((0, 0, 0, 2)),
                  job_load_adjustments=random.choice(("NONE", "np_load_avg=0.50"))),
    ]  # fmt: skip
    if seed % 2:
        limit = "\n".join(random.sample(LIMITS, random.choice((1, 2))))
        objects.append(config_object(Kind.QUOTA, "few", {"name": "few", "enabled": "TRUE", "limit": limit}))
    kinds = [
        f"-pe {random.choice((*RULES, 'fill', '*'))} {random.choice(('1', '2', '3', '4', '1-4', '2-6', '5'))} "
        f"{random.choice(REQUESTS)}"
        for _ in range(4)
    ]
    jobs = [running(number, f"a.q@{random.choice(names)}") for number in range(1, random.choice((1, 2, 3)))]
    for number in range(len(jobs) + 1, 22):
        options = random.choice(kinds) if random.random() < 0.9 else "-l lic=1"
        jobs.append(job(number, f"{options} -R y", owner=random.choice(("anna", "bob"))))
    loads = {name: {"np_load_avg": random.choice(("0.1", "0.1", "1.2")), "num_proc": "4"} for name in names}
    return cluster(*objects), state(jobs, loads=random.choice(({}, loads)))


@pytest.mark.parametrize("seed", range(40))
def test_parallel_jobs(seed: int) -> None:
    assert_same(*drawn(seed), f"seed {seed}")
