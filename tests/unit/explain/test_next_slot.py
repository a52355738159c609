"""What keeps a parallel job that could get some of its slots from the others: found, told and mended."""

import pytest

from qmon_tui.explain import Explanation, ReasonKind
from qmon_tui.explain.explainer import explain
from qmon_tui.model.cluster import Cluster, ConfigObject, config_object
from qmon_tui.model.jobs import Job
from qmon_tui.model.kinds import Kind
from tests.unit.scheduler.building import attribute, cluster, environment, host, job, queue, running, scheduler, state

MEM = attribute("mem mem MEMORY <= YES YES 0")
LIC = attribute("lic lic INT <= YES YES 0")
TWO_HOSTS = queue("all.q", "h1 h2", 8, pe_list="mp")


def quota(rule: str) -> ConfigObject:
    return config_object(Kind.QUOTA, "q", {"name": "q", "enabled": "TRUE", "limit": rule})


def why(on: Cluster, number: int, *jobs: Job) -> Explanation:
    return explain(on, state(jobs), number)


def offers(explanation: Explanation) -> list[str]:
    return [" + ".join(one.description for one in (change, *change.also)) for change in explanation.changes]


def told(explanation: Explanation) -> list[tuple[ReasonKind, str]]:
    return [(group.why, group.message) for group in explanation.groups]


def test_a_quota_for_all_slots_of_a_user_is_the_reason_and_raised_as_far_as_needed() -> None:
    explanation = why(cluster(TWO_HOSTS, environment("mp"), quota("users {*} to slots=4")), 1, job(1, "-pe mp 6"))
    assert told(explanation) == [
        (ReasonKind.IMPOSSIBLE, "together they have room for 4 of 6 slots in mp"),
        (ReasonKind.IMPOSSIBLE, "one slot more: slots: quota rule q/1 (user anna) allows 4"),
    ]
    assert explanation.groups[1].instances == ("all.q@h1", "all.q@h2")
    assert offers(explanation) == [
        "let job 1 ask for 4 instead of 6 slots",
        "raise slots from 4 to 6 in quota rule q/1",
        "disable the quota set q",
    ]


def test_what_others_of_the_user_have_counts_as_busy() -> None:
    on = cluster(TWO_HOSTS, environment("mp"), quota("users {*} to slots=4"))
    explanation = why(on, 2, running(1, "all.q@h1", owner="anna"), job(2, "-pe mp 4", owner="anna"))
    assert told(explanation)[0] == (ReasonKind.BUSY, "together they have room for 3 of 4 slots in mp")
    assert "raise slots from 4 to 5 in quota rule q/1" in offers(explanation)


def test_memory_of_the_hosts_is_what_more_slots_lack() -> None:
    on = cluster(MEM, TWO_HOSTS, environment("mp"), host("h1", "mem=3G"), host("h2", "mem=1G"))
    explanation = why(on, 1, job(1, "-pe mp 8 -l mem=1G"))
    assert told(explanation)[1:] == [
        (ReasonKind.NEVER, "one slot more: mem: 1G wanted, 0 of 3G free"),
        (ReasonKind.NEVER, "one slot more: mem: 1G wanted, 0 of 1G free"),
    ]
    assert offers(explanation)[:2] == ["let job 1 ask for 4 instead of 8 slots", "raise mem of host h1 from 3G to 7G"]


@pytest.mark.parametrize(("rule", "limit"), [("hosts {*} to lic=3", "lic"), ("hosts {*} to slots=3", "slots")])
def test_on_one_host_a_quota_leaves_fewer_slots_than_a_job_wants(rule: str, limit: str) -> None:
    on = cluster(LIC, TWO_HOSTS, environment("mp", "$pe_slots"), host("global", "lic=100"), quota(rule))
    explanation = why(on, 1, job(1, "-pe mp 4 -l lic=1"))
    assert (
        ReasonKind.IMPOSSIBLE,
        "all 4 slots have to be on one host in mp, and no host has room for more than 3",
    ) in told(explanation)
    assert offers(explanation)[:2] == [
        "let job 1 ask for 3 instead of 4 slots",
        f"raise {limit} from 3 to 4 in quota rule q/1",
    ]
    assert explanation.nearest is not None
    assert explanation.nearest.missing[0].words == "slots: 4 wanted, 3 offered"


def test_load_that_the_slots_themselves_add_is_the_reason() -> None:
    on = cluster(
        queue("all.q", "h1", 8, pe_list="mp", load_thresholds="np_load_avg=1.75"),
        environment("mp", "$pe_slots"),
        scheduler(job_load_adjustments="np_load_avg=0.50", load_adjustment_decay_time="0:7:30"),
    )
    explanation = explain(on, state([job(1, "-pe mp 4")], loads={"h1": {"np_load_avg": "1.0"}}), 1)
    assert explanation.groups[1].why is ReasonKind.STATE
    assert explanation.groups[1].message.startswith('one slot more: queue instance "all.q@h1" dropped because')
    assert "let job 1 ask for 2 instead of 4 slots" in offers(explanation)


def test_slots_of_one_queue_instance_are_raised_by_what_is_missing_there() -> None:
    on = cluster(queue("all.q", "h1 h2", 4, pe_list="mp"), environment("mp", "$pe_slots"))
    explanation = why(on, 2, running(1, "all.q@h1"), job(2, "-pe mp 6"))
    assert offers(explanation) == [
        "let job 2 ask for 4 instead of 6 slots",
        "raise the slots of queue instance all.q@h2 from 4 to 6",
        "let parallel environment mp fill hosts: allocation_rule $fill_up instead of $pe_slots",
    ]


def test_hosts_that_have_to_give_two_slots_each_get_one_more() -> None:
    on = cluster(queue("all.q", "h1 h2", "3,[h2=1]", pe_list="two"), environment("two", "2"))
    explanation = why(on, 1, job(1, "-pe two 4"))
    assert told(explanation) == [(ReasonKind.NEVER, "together they have room for 2 of 4 slots in two, 2 on each host")]
    assert offers(explanation) == [
        "let job 1 ask for 2 instead of 4 slots",
        "raise the slots of queue instance all.q@h2 from 1 to 2",
        "let parallel environment two fill hosts: allocation_rule $fill_up instead of 2",
    ]


def test_of_each_environment_those_are_named_that_offer_it() -> None:
    on = cluster(
        queue("a.q", "h1", 3, pe_list="mp.a"), queue("b.q", "h2", 4, pe_list="mp.b"), environment("mp.a"),
        environment("mp.b"),
    )  # fmt: skip
    explanation = why(on, 1, job(1, "-pe mp.* 6"))
    assert [group.instances for group in explanation.groups] == [("a.q@h1",), ("b.q@h2",)]


def test_the_most_slots_of_a_small_environment_are_found() -> None:
    """Of an environment with room for two hosts' share, two hosts' share is asked for, not one's."""
    on = cluster(queue("all.q", "h1 h2 h3 h4", 4, pe_list="two"), environment("two", "2", 4))
    assert offers(why(on, 1, job(1, "-pe two 8")))[0] == "let job 1 ask for 4 instead of 8 slots"


def test_less_may_do_where_more_does_not() -> None:
    # With five slots job 1 takes four of them; with three it takes none.
    on = cluster(queue("all.q", "h1", 1, pe_list="mp"), environment("mp"))
    jobs = (running(9, "all.q@h1"), job(1, "-pe mp 4"), job(2, ""), job(3, ""), job(4, ""))
    assert "raise the slots of queue instance all.q@h1 from 1 to 4" in offers(why(on, 4, *jobs))
