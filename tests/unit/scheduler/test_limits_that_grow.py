"""What has exceeded a limit gets nothing more in a run, unless limits change in it (quotas.md#dynamic-limits)."""

import pytest

from qmon_tui.model import Kind, State, config_object
from qmon_tui.scheduler.configuration import QuotaSubject, compile_cluster
from qmon_tui.scheduler.matching import Adjustments, Resources
from qmon_tui.scheduler.quotas import QuotaUsage
from tests.unit.scheduler.building import NOW, attribute, cluster, host, queue


@pytest.mark.parametrize(
    ("limit", "adjusted", "stays"),
    [
        ("users {*} to slots=4", {}, True),
        ("hosts {*} to slots=$num_proc*2", {}, True),  # no run changes it
        ("hosts {*} to slots=$lic", {}, False),
        ("hosts {*} to slots=$np_load_avg", {}, True),
        ("hosts {*} to slots=$np_load_avg", {"np_load_avg": "0.5"}, False),
    ],
)
def test_a_limit_that_is_worked_out_from_what_changes_may_grow(
    limit: str, adjusted: dict[str, str], stays: bool
) -> None:
    quota = config_object(Kind.QUOTA, "q", {"name": "q", "enabled": "TRUE", "limit": limit})
    lic = attribute("lic lic INT <= YES YES 0")
    compiled = compile_cluster(cluster(lic, host("h1", "lic=4"), queue("a.q", "h1", 4), quota))
    assert compiled.rule_matcher is not None
    resources = Resources(compiled, State(now=NOW), Adjustments.of(adjusted))
    usage = QuotaUsage(compiled.rule_matcher, resources).subject_usage(QuotaSubject("anna", "staff", None))
    assert (usage.stays_exceeded, usage.stays_exceeded_for_pe) == (stays, stays)
