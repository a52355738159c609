"""Ways out where an amount or a value does not fit: no further than needed, and nothing that misleads."""

from shlex import quote

import pytest

from qmon_tui.explain import Explanation
from qmon_tui.explain.explainer import explain
from qmon_tui.model.cluster import config_object
from qmon_tui.model.kinds import Kind
from tests.unit.scheduler.building import attribute, cluster, host, job, queue, running, state


def offers(explanation: Explanation) -> list[str]:
    return [" + ".join(one.description for one in (change, *change.also)) for change in explanation.changes]


def test_more_than_the_limit_of_a_queue_is_told_with_both_amounts() -> None:
    on = cluster(queue("all.q", "h1", 2, h_rt="2:0:0"), queue("gpu.q", "h2", 2))
    explanation = explain(on, state([job(1, "-q all.q -l h_rt=3:0:0")]), 1)
    assert explanation.nearest is not None
    assert [missing.words for missing in explanation.nearest.missing] == ["h_rt: 03:00:00 wanted, 02:00:00 offered"]
    assert explanation.groups[0].message.endswith("because it offers only qf:h_rt=02:00:00")
    assert offers(explanation) == [
        "let job 1 ask for h_rt=02:00:00 instead of 10800",
        "let job 1 run in queue gpu.q, too",
        "change h_rt of queue instance all.q@h1 from 2:0:0 to 03:00:00",
    ]


def test_more_of_a_consumable_goes_by_what_jobs_ahead_may_take_of_it() -> None:
    mem = attribute("mem mem MEMORY <= YES YES 0")
    on = cluster(mem, queue("all.q", "h1", 8), host("h1", "mem=32G"))
    jobs = running(1, "all.q@h1", "-l mem=20G"), job(2, "-l mem=13G"), job(3, "-l mem=20G")
    assert "raise mem of host h1 from 32G to 53G" in offers(explain(on, state(jobs), 3))


@pytest.mark.parametrize("asked", ["h=h1", "q=other.q"])
def test_no_queue_instance_is_called_otherwise(asked: str) -> None:
    explanation = explain(
        cluster(queue("all.q", "h1 h2", 1)), state([running(1, "all.q@h1"), job(2, f"-l {asked}")]), 2
    )
    assert not [change for change in explanation.changes if "complex_values" in change.command]


def test_an_idle_host_gets_what_is_asked_for_to_be_used_alone() -> None:
    alone = attribute("alone al BOOL EXCL YES YES 0")
    explanation = explain(cluster(alone, queue("all.q", "h1", 2)), state([job(1, "-l alone=1")]), 1)
    assert offers(explanation) == ["give host h1 alone=TRUE", "drop the request alone=1 of job 1"]


@pytest.mark.parametrize(
    ("limit", "after"),
    [("$num_proc", "$num_proc*1.5"), ("$num_proc*0.5", "$num_proc*1"), ("2", "3"), ("$num_proc-1", "")],
)
def test_a_dynamic_limit_gets_another_factor(limit: str, after: str) -> None:
    rule = {"name": "q", "enabled": "TRUE", "limit": f"hosts {{*}} to slots={limit}"}
    on = cluster(queue("all.q", "h1", 8), config_object(Kind.QUOTA, "q", rule))
    busy = [running(number, "all.q@h1") for number in (1, 2)][: 1 if "0.5" in limit or "-1" in limit else 2]
    explanation = explain(on, state([*busy, job(3)], loads={"h1": {"num_proc": "2", "np_load_avg": "0"}}), 3)
    raised = [change for change in explanation.changes if change.description.startswith("raise slots")]
    assert [change.command for change in raised] == (
        [f"qconf -mattr resource_quota limit {quote(f'slots={after}')} q/1"] if after else []
    )
