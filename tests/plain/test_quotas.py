"""The fast paths under quotas: parallel jobs of many kinds on hosts of a few sorts, under rules of every form."""

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from qmon_tui.model.cluster import Cluster, config_object
from qmon_tui.model.jobs import Job, PeRequest, Request, Task
from qmon_tui.model.kinds import Kind
from tests.bench.large import NOW, Size, large_cluster, large_state
from tests.examples import one_in
from tests.plain.test_plain import assert_same

RULES = (
    "users {*} hosts {*} to slots=2",
    "users {*} hosts {*} to slots=3",
    "users {*} queues a.q to slots=12",
    "users {user00,user01,user02} to slots=9",
    "users * hosts {@rack00} to slots=5",
    "hosts {*} to slots=6",
    "hosts {@rack00,!node0002} to slots=3",
    "hosts node0003 to slots=1",
    "queues {*} hosts {*} to slots=2",
    "queues a.q hosts {*} to slots=3",
    "queues {*} to slots=20",
    "pes {*} to slots=16",
    "pes mpi queues b.q to slots=7",
    "pes !* to slots=11",
    "users {*} pes {mpi,ring} hosts {*} to slots=2",
    "users {*} to mem=5G",
    "hosts {*} to scratch=90G,slots=5",
    "users * to lic=9",
    "hosts {*} to slots=$num_proc*3",
    "users user07 hosts {*} to slots=0",
)
ENVIRONMENTS = ("$fill_up", "$pe_slots", "$round_robin", "2")
RANGES = (((2, 4, 1),), ((1, 3, 1),), ((3, 3, 1),), ((2, 8, 2),), ((2, 2, 1), (5, 6, 1)))
ASKED: tuple[dict[str, Any], ...] = (
    {},
    {},
    {},
    {"hard_queues": ("a.q",)},
    {"hard_queues": ("*@@rack00",), "master_queues": ("b.q",)},
    {"master_queues": ("a.q@node0004",)},
    {"soft_queues": ("b.q",)},
    {"soft": (("scratch", "300G"),)},
    {"hard": (("mem", "1M"), ("excl", "true"))},
    {"hard": (("hostname", "node000[1-4]"),)},
)


@pytest.mark.parametrize("number", one_in(2, range(24)))
def test_quotas_of_every_form(number: int) -> None:
    random = Random(number)
    size = Size(hosts=random.choice((5, 14, 30)), slots=random.choice((2, 4)), jobs=90, kinds=random.choice((10, 20)))
    cluster, state = _cluster(random, size), large_state(size)
    jobs = tuple(_job(random, job, f"node{position % size.hosts + 1:04d}") for position, job in enumerate(state.jobs))
    assert_same(cluster, replace(state, jobs=jobs), f"quotas {number}")


@pytest.mark.parametrize("number", range(12))
def test_parallel_jobs_on_several_hosts(number: int) -> None:
    """Where there are no quotas, the fast path places jobs on several hosts."""
    random = Random(number)
    size = Size(hosts=random.choice((30, 90)), slots=random.choice((1, 2, 3)), jobs=70, kinds=random.choice((10, 20)))
    cluster, state = _cluster(random, size, sets=0), large_state(size)
    wide = [(2, 7, 1)], [(3, 9, 3)], [(2, 2, 1), (4, 6, 1)]
    jobs = tuple(
        replace(job, request=replace(job.request, array=None, pe=PeRequest("mpi", tuple(wide[job.id % 3]))))
        if job.id % 4
        else job
        for job in state.jobs
    )
    assert_same(cluster, replace(state, jobs=jobs), f"several hosts {number}")


def _cluster(random: Random, size: Size, sets: int = 3) -> Cluster:
    """Two sorts of hosts, environments and thresholds as they come, and up to so many sets of up to three rules."""
    cluster = large_cluster(size)
    objects = []
    for name in (f"node{host:04d}" for host in random.sample(range(1, size.hosts + 1), 2)):
        values = random.choice(("mem=64G", "mem=3G,excl=1"))
        objects.append(config_object(Kind.HOST, name, {"hostname": name, "complex_values": values}))
    exclusive = {"type": "BOOL", "relop": "EXCL", "requestable": "YES", "consumable": "YES", "default": "0"}
    objects.append(config_object(Kind.COMPLEX, "excl", {"name": "excl", "shortcut": "ex", **exclusive}))
    for name in ("mpi", "smp", "ring"):
        rule = {"slots": random.choice(("99999", "23")), "allocation_rule": random.choice(ENVIRONMENTS)}
        objects.append(config_object(Kind.PE, name, {"pe_name": name, **rule}))
    if random.random() < 0.3:
        objects.append(cluster.objects(Kind.QUEUE)["a.q"].with_values({"load_thresholds": "slots=1"}))
    algorithm = random.choice(("", ",PE_RANGE_ALG=bin", ",PE_RANGE_ALG=least", ",PE_RANGE_ALG=highest"))
    told = {"schedd_job_info": "true", "params": f"PROFILE=0{algorithm}"}
    objects.append(cluster.single(Kind.SCHEDULER).with_values(told))
    for place in range(random.randint(0, sets)):
        rules = random.sample(RULES, random.choice((1, 1, 1, 2, 3)))
        limits = [f"name r{number} {rule}" if random.random() < 0.3 else rule for number, rule in enumerate(rules)]
        name = f"set{place}"
        objects.append(config_object(Kind.QUOTA, name, {"name": name, "enabled": "TRUE", "limit": "\n".join(limits)}))
    return cluster.with_objects(objects)


def _job(random: Random, job: Job, host: str) -> Job:
    """Most of them parallel; one of a few that run already."""
    if random.random() < 0.08:
        running = Task("r", {f"{random.choice('ab')}.q@{host}": 1}, NOW - 5_000)
        return replace(job, request=Request(command=("sleep", "9000")), tasks={1: running})
    if random.random() < 0.3:
        return job
    draw = Random(job.id % 12)
    environment = PeRequest(draw.choice(("mpi", "smp", "ring", "*")), draw.choice(RANGES))
    return replace(job, request=replace(job.request, array=None, pe=environment, **draw.choice(ASKED)))
