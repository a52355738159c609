"""Which hosts are alike for visits that come to nothing, so that one of them speaks for all."""

from collections.abc import Callable
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import pytest

from qmon_tui.model import Kind, State, config_object
from qmon_tui.scheduler.configuration import compile_cluster
from qmon_tui.scheduler.matching import NO_ADJUSTMENTS, InstanceClasses, Resources
from qmon_tui.scheduler.parallel.failed_visits import EquivalentHosts, FailedVisit, FailedVisits
from qmon_tui.scheduler.placement import QueueOrder
from tests.unit.scheduler.building import NOW, attribute, cluster, host, queue

LIC = attribute("lic lic INT <= YES YES 0")
HOSTS = (host("h1", "lic=2"), host("h2", "lic=2"), host("h3", "lic=3"))


def equivalent_hosts(*objects: Any, limit: str = "") -> tuple[EquivalentHosts, Resources, QueueOrder]:
    quota = config_object(Kind.QUOTA, "few", {"name": "few", "enabled": "TRUE", "limit": limit})
    compiled = compile_cluster(cluster(LIC, *HOSTS, *objects, *([quota] if limit else ())))
    resources = Resources(compiled, State(now=NOW), NO_ADJUSTMENTS)
    numbers = list(range(len(compiled.instances)))
    order = QueueOrder(resources.seq_nos, [0.0] * len(numbers), False, numbers)
    order.sort()
    classes = InstanceClasses(resources, [""] * len(numbers))
    return EquivalentHosts(resources, order, classes, compiled.rule_matcher), resources, order


ALL = "h1 h2 h3"
TWO_QUEUES = (queue("a.q", ALL, 2, seq_no="1"), queue("b.q", ALL, 2, seq_no="2"))


@pytest.mark.parametrize(
    ("objects", "limit", "classes"),
    [
        ((queue("a.q", ALL, 2),), "", [1, 1, 2]),
        ((queue("a.q", ALL, "2,[h2=4]"),), "", [1, 2, 3]),
        (TWO_QUEUES, "", [1, 1, 2]),
        # Which of two queue instances comes first is told by their numbers only where these differ.
        ((queue("a.q", ALL, 2), queue("b.q", "h2", 2)), "", [1, 0, 2]),
        ((queue("a.q", ALL, 2, load_thresholds="np_load_avg=1.75"),), "", [0, 0, 0]),
        ((queue("a.q", ALL, 2),), "users {*} to slots=1", [1, 1, 2]),
        ((queue("a.q", ALL, 2),), "hosts {h1} to slots=1", [1, 2, 3]),
        ((queue("a.q", ALL, 2),), "hosts {h3} to slots=1", [1, 1, 2]),
        ((queue("a.q", ALL, 2),), "hosts {*} to slots=$lic*2", [0, 0, 0]),
    ],
)
def test_hosts_are_alike_that_have_the_same_in_all_that_counts(
    objects: tuple[object, ...], limit: str, classes: list[int]
) -> None:
    known, resources, _ = equivalent_hosts(*objects, limit=limit)
    numbers = [resources.host_numbers[name] for name in ("h1", "h2", "h3")]
    assert [known.host_class(number) for number in numbers] == classes
    assert [known.host_class(number) for number in numbers] == classes


def test_a_host_that_something_was_booked_on_is_like_no_other() -> None:
    known, resources, order = equivalent_hosts(queue("a.q", ALL, 2))
    first, second = (resources.host_numbers[name] for name in ("h1", "h2"))
    resources.note_change(first)
    assert (known.host_class(first), known.host_class(second)) == (0, 1)
    order.arrange(lambda number: (0, -number))
    assert known.host_class(second) == 0


@dataclass
class Attempt:
    """What of an attempt decides how long it stands as it did."""

    say: Callable[[str], None] | None = None
    masters: dict[int, int] = field(default_factory=dict)
    pe_cache: Any = field(default_factory=lambda: SimpleNamespace(skipped_instances=dict[int, None]()))
    remaining_quota: Any = field(
        default_factory=lambda: SimpleNamespace(skipped_queues=set[str](), skipped_hosts=set[int]())
    )
    context: Any = None

    def failed_visits(self) -> FailedVisits:
        known, resources, _ = equivalent_hosts(queue("a.q", ALL, 2))
        self.context = SimpleNamespace(resources=resources)
        return FailedVisits(known, self)  # type: ignore[arg-type]


FAILED = FailedVisit(True, True, False)


def test_what_a_visit_came_to_is_known_of_hosts_that_are_alike() -> None:
    attempt = Attempt()
    visits = attempt.failed_visits()
    first, second, third = (attempt.context.resources.host_numbers[name] for name in ("h1", "h2", "h3"))
    assert visits.like(second) is None
    visits.learn(first, FAILED, 0)
    assert [visits.like(number) for number in (first, second, third)] == [FAILED, FAILED, None]
    (instance,) = attempt.context.resources.instances_of[second]
    attempt.pe_cache.skipped_instances[instance] = None
    assert [visits.like(number) for number in (first, second)] == [FAILED, None]


@pytest.mark.parametrize("change", ["collected", "said", "masters", "skipped", "queues", "hosts", "nothing"])
def test_nothing_is_known_any_more_once_the_attempt_stands_otherwise(change: str) -> None:
    said: list[str] = []
    attempt = Attempt(said.append if change == "said" else None)
    visits = attempt.failed_visits()
    first, second, third = (attempt.context.resources.host_numbers[name] for name in ("h1", "h2", "h3"))
    visits.learn(first, FAILED, 0)
    if visits.pe_attempt.say is not None:
        visits.pe_attempt.say("not there")
        assert said == ["not there"]
    elif change == "masters":
        attempt.masters[0] = 0
    elif change == "skipped":
        attempt.pe_cache.skipped_instances[99] = None
    elif change == "queues":
        attempt.remaining_quota.skipped_queues.add("b.q")
    elif change == "hosts":
        attempt.remaining_quota.skipped_hosts.add(99)
    visits.learn(third, FAILED, int(change == "collected"))
    assert [visits.like(number) for number in (second, third)] == ([FAILED] * 2 if change == "nothing" else [None] * 2)
    visits.learn(third, FAILED, int(change == "collected"))
    assert visits.like(third) is FAILED


def test_classes_of_queue_instances_are_numbers_below_zero() -> None:
    compiled = compile_cluster(cluster(LIC, *HOSTS, queue("a.q", ALL, "2,[h2=4]")))
    resources = Resources(compiled, State(now=NOW), NO_ADJUSTMENTS)
    classes = [InstanceClasses(resources, ["", "", "d"]).instance_class(number) for number in range(3)]
    assert classes == [-1, -2, -3]
