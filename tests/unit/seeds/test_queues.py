"""configs/seeds/queue-*: the examples of queue_conf(5) (seed 002)."""

from tests.unit.seeds.views import instances, slots, states


def test_the_narrower_setting_counts() -> None:
    found = instances("queue-differences")
    assert {name: total for name, (_, _, total) in found.items() if name != "all.q@sim4"} == {
        "all.q@sim1": 2,
        "all.q@sim2": 8,
        "all.q@sim3": 4,
    }


def test_an_ambiguous_instance_takes_nothing() -> None:
    assert instances("queue-differences")["all.q@sim4"][:2] == ("c", 0)
    assert slots("queue-differences") == {"many": 14}


def test_one_threshold_reached_is_enough() -> None:
    found = instances("queue-thresholds")
    assert {name: (state, used) for name, (state, used, _) in found.items()} == {
        "all.q@calm": ("", 4),
        "all.q@loaded": ("a", 0),
        "all.q@crowded": ("a", 0),
    }


def test_a_number_of_slots_suspends_one_queue_and_all_slots_the_other() -> None:
    found = {name: state for name, (state, _, _) in instances("queue-subordinate").items()}
    assert found == {
        "low_pri_q@sim1": "S",
        "low_pri_q@sim2": "",
        "small_q@sim1": "S",
        "small_q@sim2": "",
        "high.q@sim1": "",
    }


def test_a_the_task_that_has_run_shortest_stands_still() -> None:
    assert states("queue-slotwise-a") == {"long": "r", "short": "S", "new": "r"}


def test_b_the_queue_with_the_higher_sequence_number_gives_way() -> None:
    assert states("queue-slotwise-b") == {"inA": "r", "inC": "S", "new": "r"}


def test_c_the_lowest_queue_gives_way() -> None:
    assert states("queue-slotwise-c") == {"inB": "r", "inC": "S", "new": "r"}


def test_d_the_subtree_of_the_queue_above_is_counted_first() -> None:
    assert states("queue-slotwise-d") == {"inD": "r", "inB": "r", "inG": "r", "inF": "r", "new": "S"}


def test_who_is_allowed_and_banned_is_out() -> None:
    there = {name for name, number in slots("queue-access").items() if number}
    assert there == {"anna", "carlopen", "sea"}


def test_one_job_at_a_time_is_stopped_by_a_suspend_threshold() -> None:
    assert states("queue-suspend") == {"first": "r", "second": "r", "third": "T", "waits": "qw"}
    assert instances("queue-suspend") == {"all.q@busy": ("A", 3, 4)}


def test_c_what_starts_lowest_is_counted_with_the_queue_above_it() -> None:
    assert states("queue-slotwise-c-low") == {"inB": "r", "inC": "r", "new": "S"}
