"""What is said of objects because of the dialect of their cluster, and what is not."""

from dataclasses import replace

import pytest

from qmon_tui.checks.dialects import dialect_findings
from qmon_tui.model.cluster import ConfigObject, config_object
from qmon_tui.model.dialects import OCS
from qmon_tui.model.kinds import Kind
from tests.unit.scheduler.building import attribute, cluster, queue

ON = replace(cluster(attribute("gpu gpu INT <= YES HOST 0"), attribute("lic lic INT <= YES YES 0")), dialect=OCS)


@pytest.mark.parametrize(
    ("obj", "rules"),
    [
        (queue("a.q", "n1", complex_values="gpu=1"), ["queue.complex_values.per_host"]),
        (queue("a.q", "n1", complex_values="lic=1"), []),
        (config_object(Kind.QUEUE, "a.q", {"hostlist": "n1", "load_thresholds": "gpu=1"}), []),
        (queue("a.q", "n1"), []),
        (config_object(Kind.PROJECT, "a*", {}), ["project.name.successor"]),
        (config_object(Kind.USERSET, "manager", {}), ["userset.name.successor"]),
        (config_object(Kind.USERSET, "managers", {}), []),
    ],
)
def test_what_the_successor_minds(obj: ConfigObject, rules: list[str]) -> None:
    assert [finding.rule for finding in dialect_findings(ON, obj)] == rules
    assert not list(dialect_findings(cluster(), obj))


def test_a_cluster_of_the_successor_keeps_its_reserved_lists() -> None:
    successor = ON.with_objects([config_object(Kind.CONFIGURATION, "global", {"finished_jobs_max": "1000"})])
    assert not list(dialect_findings(successor, config_object(Kind.USERSET, "manager", {})))
    assert not list(dialect_findings(successor, config_object(Kind.HOSTGROUP, "@exec_hosts", {})))
