"""Where an attribute is offered, and another value of it put there."""

import pytest

from qmon_tui.model.cluster import Cluster, config_object
from qmon_tui.model.kinds import Kind
from qmon_tui.workspace import Offer, offers_of, text_with_offer

LIC = {"shortcut": "lc", "type": "INT", "relop": "<=", "requestable": "YES", "consumable": "YES", "default": "0"}
CLUSTER = Cluster().with_objects(
    [
        config_object(Kind.COMPLEX, "lic", LIC),
        config_object(Kind.HOST, "a", {"complex_values": "mem=1G,lc=5"}),
        config_object(Kind.HOST, "global", {}),
        config_object(Kind.QUEUE, "q", {"hostlist": "a b", "complex_values": "NONE,[a=lic=2,mem=3],[@g=mem=1]"}),
    ]
)


def test_places_are_the_global_host_the_hosts_and_the_queues_with_their_settings() -> None:
    offers = {offer.place: offer.text for offer in offers_of(CLUSTER, "lic")}
    assert offers == {"global": None, "a": "5", "q": None, "q@a": "2", "q@@g": None}


@pytest.mark.parametrize(
    ("place", "value", "text"),
    [
        ("global", "10", "lic=10"),
        ("a", "7", "mem=1G,lc=7"),
        ("a", None, "mem=1G"),
        ("q", "4", "lic=4,[@g=mem=1],[a=lic=2,mem=3]"),
        ("q@a", "9", "NONE,[@g=mem=1],[a=lic=9,mem=3]"),
        ("q@@g", "1", "NONE,[@g=mem=1,lic=1],[a=lic=2,mem=3]"),
        ("q@a", None, "NONE,[@g=mem=1],[a=mem=3]"),
    ],
)
def test_a_value_is_put_in_its_place_and_the_rest_stays(place: str, value: str | None, text: str) -> None:
    offer: Offer = next(offer for offer in offers_of(CLUSTER, "lic") if offer.place == place)
    assert text_with_offer(CLUSTER, "lic", offer, value) == text


def test_the_default_of_a_queue_keeps_its_other_values() -> None:
    on = CLUSTER.with_objects([config_object(Kind.QUEUE, "q", {"complex_values": "mem=1,[a=mem=3]"})])
    assert [(offer.place, offer.text) for offer in offers_of(on, "mem")][-2:] == [("q", None), ("q@a", None)]
    priced = CLUSTER.with_objects([config_object(Kind.QUEUE, "q", {"complex_values": "lic=4,[a=lc=3]"})])
    assert [(offer.place, offer.text) for offer in offers_of(priced, "lic")][-2:] == [("q", "4"), ("q@a", "3")]
    assert text_with_offer(on, "lic", Offer(Kind.QUEUE, "q", None, None), "4") == "mem=1,lic=4,[a=mem=3]"
    assert text_with_offer(on, "lic", Offer(Kind.QUEUE, "q", "b", None), "4") == "mem=1,[a=mem=3],[b=lic=4]"


@pytest.mark.parametrize(
    ("before", "value", "after"),
    [
        # Written twice, by name and by shortcut, it is once afterwards.
        ("lc=1,mem=2,lic=3", "7", "lc=7,mem=2"),
        ("lc=1,mem=2,lic=3", None, "mem=2"),
        ("mem=2", None, "mem=2"),
        ("lic=1", None, "NONE"),
        ("NONE", None, "NONE"),
        ("none", "7", "lic=7"),
        ("other=1", "7", "other=1,lic=7"),
    ],
)
def test_other_values_of_the_same_list(before: str, value: str | None, after: str) -> None:
    changed = CLUSTER.with_objects([config_object(Kind.HOST, "a", {"complex_values": before})])
    assert text_with_offer(changed, "lic", Offer(Kind.HOST, "a", None, None), value) == after
