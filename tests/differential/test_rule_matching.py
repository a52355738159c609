"""The hit test of quotas against what the real system said: which rule refused a job, and which counts a task."""

import re
from collections.abc import Iterator

import pytest

from qmon_tui.model.cluster import Cluster
from qmon_tui.model.kinds import Kind
from qmon_tui.model.state import State
from qmon_tui.scheduler import session_of
from qmon_tui.scheduler.configuration.compiled_cluster import CompiledCluster, compile_cluster
from qmon_tui.scheduler.configuration.quota_rule_matching import QuotaSubject
from qmon_tui.scheduler.configuration.quota_rules import matches_pattern
from qmon_tui.scheduler.quotas.rule_matching import match_rules
from tests.differential.folders import contents_of
from tests.differential.recording import kept_runs
from tests.differential.runs import Run
from tests.differential.scenarios import Scenario, scenarios

EXCEEDS = re.compile(r'exceeds limit "(.*?)" in rule "(.*?)"')
RUNNING = re.compile("[rst]")
NAMES = [name for name, scenario in scenarios().items() if any("limit:" in text for text in scenario.files.values())]

Told = tuple[str, str]
"""A rule and the key under which it counts."""


def moments(scenario: Scenario) -> Iterator[tuple[Run, Cluster, State]]:
    """Each recorded run with the cluster and the jobs as they were then."""
    for run in kept_runs(scenario):
        contents = contents_of(run, scenario.files)
        yield run, contents.cluster, contents.state


def parties(cluster: Cluster, state: State, job: int, project: str, environment: str | None) -> list[QuotaSubject]:
    """Who asks: a waiting parallel job once for each environment that its request means."""
    known = next(one for one in state.jobs if one.id == job)
    wanted = known.request.pe
    if environment is not None or wanted is None:
        return [QuotaSubject(known.owner, known.group, project or None, environment)]
    return [
        QuotaSubject(known.owner, known.group, project or None, pe)
        for pe in cluster.objects(Kind.PE)
        if matches_pattern(wanted.name, pe)
    ]


def counted(compiled: CompiledCluster, subject: QuotaSubject, queue: str, host: str) -> set[Told]:
    return {
        (match.matched_rule.rule, match.matched_rule.key)
        for match in match_rules(compiled, subject, queue, host)
        if match.enabled and match.matched_rule
    }


def test_there_are_recorded_quotas() -> None:
    assert {"quota_rules", "quota_parallel"} <= set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_the_rule_that_refused_a_job_is_the_one_that_counts(name: str) -> None:
    for run, cluster, state in moments(scenarios()[name]):
        compiled = session_of(cluster).compiled(state)
        places = [(instance.queue, instance.host) for instance in compiled.instances]
        for job in run.after.jobs:
            told = {(found[2], found[1]) for message in job.messages if (found := EXCEEDS.search(message))}
            if told:
                asking = parties(cluster, state, job.id, job.project, None)
                assert told <= {
                    one for subject in asking for place in places for one in counted(compiled, subject, *place)
                }


@pytest.mark.parametrize("name", NAMES)
def test_what_qquota_lists_is_counted_by_the_rules_of_the_tasks_that_run(name: str) -> None:
    for run, cluster, state in moments(scenarios()[name]):
        compiled = compile_cluster(cluster)
        rules = {
            rule
            for job in run.after.jobs
            for row in job.rows
            if RUNNING.search(row.state)
            for instance in row.granted
            for subject in parties(cluster, state, job.id, job.project, row.environment)
            for queue, _, host in [instance.partition("@")]
            for match in match_rules(compiled, subject, queue, host)
            if match.enabled and (rule := match.booked) is not None
        }
        listed = {line.split()[0] for line in run.after.quotas if "/" in line.split()[1]}
        assert listed <= rules
