"""The fast paths place what asks for consumables by job or by slot as the rules do, among jobs of other categories."""

from dataclasses import replace
from random import Random

import pytest

from qmon_tui.model.cluster import Cluster, config_object
from qmon_tui.model.jobs import Job, PeRequest, Request, Task
from qmon_tui.model.kinds import Kind
from tests.bench.large import NOW, Size, large_cluster, large_state
from tests.plain.test_plain import assert_same

HOSTS = ("mem=64G,scratch=400G", "mem=3G,lic=1", "mem=5G,scratch=40G,lic=3", "lic=2")
ASKED = (("lic", "1"), ("mem", "2G"), ("scratch", "20G"), ("num_proc", "1"))
SCHEDULER = {
    "job_load_adjustments": ("NONE", "np_load_avg=0.50", "mem=100M"),
    "maxujobs": ("0", "0", "4"),
    "max_pending_tasks_per_job": ("1", "50"),
    "queue_sort_method": ("load", "seqno"),
    "schedd_job_info": ("true", "false"),
}
QUEUE = {
    "seq_no": ("0", "10"),
    "slots": ("1", "2", "3,[node0002=1]"),
    "load_thresholds": ("NONE", "NONE", "NONE", "np_load_avg=1.75"),
    "complex_values": ("NONE", "lic=2", "mem=4G"),
}


@pytest.mark.parametrize("number", range(30))
def test_jobs_that_ask_for_consumables(number: int) -> None:
    random = Random(number)
    size = Size(hosts=random.choice((4, 9, 20)), slots=2, jobs=80, kinds=random.choice((10, 20, 80)))
    cluster, state = _cluster(random, size), large_state(size)
    jobs = tuple(_job(random, job, size.hosts) for job in state.jobs)
    assert_same(cluster, replace(state, jobs=jobs), f"consumables {number}")


def _cluster(random: Random, size: Size) -> Cluster:
    """Licences by the job or by the slot, on hosts, in queues or for all."""
    cluster = large_cluster(size)
    consumable = {"consumable": random.choice(("YES", "JOB", "JOB")), "default": random.choice(("0", "0", "1"))}
    objects = [cluster.objects(Kind.COMPLEX)["lic"].with_values(consumable)]
    objects.append(cluster.single(Kind.SCHEDULER).with_values(_drawn(random, SCHEDULER)))
    objects += [cluster.objects(Kind.QUEUE)[name].with_values(_drawn(random, QUEUE)) for name in ("a.q", "b.q")]
    for name in list(cluster.objects(Kind.HOST)):
        if random.random() < 0.6:
            values = random.choice(HOSTS) if name != "global" else "lic=12"
            objects.append(config_object(Kind.HOST, name, {"hostname": name, "complex_values": values}))
    if random.random() < 0.3:
        limit = random.choice(("users {*} to slots=3", "hosts {*} to slots=2", "users {*} queues a.q to lic=2"))
        objects.append(config_object(Kind.QUOTA, "some", {"name": "some", "enabled": "TRUE", "limit": limit}))
    return cluster.with_objects(objects)


def _drawn(random: Random, values: dict[str, tuple[str, ...]]) -> dict[str, str]:
    return {field: random.choice(texts) for field, texts in values.items()}


def _job(random: Random, job: Job, hosts: int) -> Job:
    """Arrays, parallel jobs and others, with some that run already."""
    if random.random() < 0.05:
        place = f"{random.choice('ab')}.q@node{random.randint(1, hosts):04d}"
        return replace(job, request=Request(command=("sleep", "9000")), tasks={1: Task("r", {place: 1}, NOW - 5_000)})
    draw = Random(job.id % 14)
    request = replace(job.request, hard=(draw.choice(ASKED),))
    if draw.random() < 0.35:
        ranges = draw.choice((((2, 4, 1),), ((1, 2, 1),), ((3, 3, 1),)))
        request = replace(request, array=None, pe=PeRequest(draw.choice(("mpi", "smp", "ring")), ranges))
    elif draw.random() < 0.2:
        request = replace(request, soft=(("mem", "4G"),))
    return replace(job, request=request)
