"""Usage after runs in a row is the one that each run would collect, for whomever and whenever somebody asks."""

import pickle
from dataclasses import replace
from random import Random
from types import MappingProxyType

import pytest

from qmon_tui.incremental.usage_of_runs import UsageOfRuns
from qmon_tui.model import FINISHED, PastUsage, State, Task, Usage
from qmon_tui.qmaster.run_jobs import collect_run_jobs
from qmon_tui.scheduler import session_of
from qmon_tui.scheduler.priority import collected
from tests.unit.incremental.runs_in_a_row import drawn_cluster
from tests.unit.scheduler.building import NOW, job


@pytest.mark.parametrize("seed", range(6))
def test_usage_is_the_one_that_each_run_collects(seed: int) -> None:
    random = Random(seed)
    session = session_of(drawn_cluster(random))
    policy = session.configured.policy.tickets.usage
    known = {"anna": Usage({"cpu": 7.3, "mem": 0.1}, {"blue": {"io": 3.1}}, NOW - 50), "dora": Usage({"cpu": 1.7})}
    expected = found = PastUsage(MappingProxyType(known), MappingProxyType({"blue": Usage({"cpu": 2.9})}))
    usage_of_runs, now, seen = UsageOfRuns(policy), NOW, list[tuple[PastUsage, PastUsage]]()
    for run in range(20):
        jobs = []
        for number in range(random.randint(0, 3)):
            used = {"cpu": random.random() * 100} if random.random() < 0.7 else None
            line = random.choice(("", "-P blue"))
            ended = job(number + 1, line, owner=random.choice(("anna", "bob", "carl")))
            jobs.append(replace(ended, tasks={1: Task(FINISHED, started=NOW, used=used)}))
        run_jobs = collect_run_jobs(session, session.configured, State(now=now, jobs=tuple(jobs)), now).jobs
        if run == 12:
            found = PastUsage(dict(found.users), found.projects)
        expected = collected(expected, run_jobs, now, policy)
        found = usage_of_runs.after(found, run_jobs, now)
        seen.append((expected, found))
        now += random.randint(0, 100)
        if random.random() < 0.3:
            assert seen[-1][1] == seen[-1][0]
    for one, other in random.sample(seen, len(seen)):
        assert list(other.users) == list(one.users)
        assert other == one
        assert one == other
        assert pickle.loads(pickle.dumps(other)) == one
        assert "nobody" not in other.users
