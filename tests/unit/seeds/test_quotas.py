"""configs/seeds/quota-*: the examples of sge_resource_quota(5) (seed 003)."""

from qmon_tui.model.cluster import Cluster
from qmon_tui.model.kinds import Kind
from qmon_tui.qmaster.scheduling import schedule
from qmon_tui.sources import read_folder
from tests.differential.seeds import SEEDS, last_run
from tests.unit.seeds.views import places, slots


def used(seed: str) -> list[str]:
    return sorted(last_run(seed).after.quotas)


def with_limit(seed: str, name: str, *rules: str) -> dict[str, int]:
    """The slots that each job gets with other rules in a set."""
    reading = read_folder(SEEDS / seed)
    cluster: Cluster = reading.cluster
    limits = "\n".join(f"limit {rule}" for rule in rules)
    changed = cluster.with_object(cluster.objects(Kind.QUOTA)[name].with_value("limit", limits))
    outcome = schedule(changed, reading.state)
    return {job.name: sum(sum(task.granted.values()) for task in job.tasks) for job in outcome.jobs}


def test_all_users_have_100_slots_together() -> None:
    assert slots("quota-slots") == {"anna": 60, "ben": 40}
    assert used("quota-slots") == ["max_u_slots/1 slots=100/100 -"]


def test_slots_0_drains() -> None:
    assert with_limit("quota-slots", "max_u_slots", "to slots=0") == {"anna": 0, "ben": 0}


def test_user1_and_user2_may_ask_for_6g_all_others_for_4g() -> None:
    there = {name for name, granted in places("quota-memory").items() if granted}
    assert there == {"six", "sixagain", "four", "plain"}


def test_twice_as_many_slots_as_processors() -> None:
    assert places("quota-dynamic") == {"many": {"all.q@one": 2, "all.q@two": 4, "all.q@four": 8}}


def test_once_as_many_prevents_oversubscription() -> None:
    assert with_limit("quota-dynamic", "max_slots_on_every_host", "hosts {*} to slots=$num_proc") == {"many": 7}


def test_braces_give_each_user_100() -> None:
    assert slots("quota-braces") == {"anna": 100, "ben": 100}


def test_without_braces_they_have_100_together() -> None:
    assert with_limit("quota-braces", "each", "users * to slots=100") == {"anna": 100, "ben": 0}


def test_a_list_in_braces_is_a_rule_for_each_and_the_first_that_fits_counts() -> None:
    assert slots("quota-list") == {"anna": 2, "ben": 2, "carl": 3, "dora": 0}


def test_a_list_in_braces_is_the_same_as_two_rules() -> None:
    two_rules = ("users anna to slots=2", "users ben to slots=2", "users * to slots=3", "users dora to slots=9")
    assert with_limit("quota-list", "lists", *two_rules) == slots("quota-list")


def test_who_is_in_an_excluded_list_is_left_alone() -> None:
    assert slots("quota-acl") == {"user1": 3, "user2": 3, "user3": 2, "user4": 2}


def test_of_two_sets_the_one_counts_that_allows_least() -> None:
    assert slots("quota-sets") == {"anna": 3, "ben": 5}


def test_filters_for_environments_and_projects() -> None:
    assert slots("quota-filters") == {"par1": 4, "par2": 0, "sea": 2, "rest": 3}
