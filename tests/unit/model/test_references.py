"""Who uses what."""

import pytest

from qmon_tui.model.cluster import Cluster, config_object
from qmon_tui.model.kinds import Kind
from qmon_tui.model.references import Reference, references_of, references_to

CLUSTER = Cluster().with_objects(
    [
        config_object(Kind.COMPLEX, "gpu", {"name": "gpu", "shortcut": "g"}),
        config_object(Kind.COMPLEX, "mem", {"name": "mem", "shortcut": "mem"}),
        config_object(
            Kind.QUEUE,
            "q",
            {
                "hostlist": "@rack Node9",
                "complex_values": "gpu=1,[node1=g=2,mem=1G]",
                "load_thresholds": "NONE",
                "slots": "1,[@fat=4]",
                "pe_list": "mpi,smp,[node1=mpi]",
                "subordinate_list": "slots=2(low:1:sr, idle)",
                "calendar": "NONE,[@fat=night]",
                "user_lists": "staff",
            },
        ),
        config_object(Kind.HOST, "global", {"complex_values": "g=8", "load_scaling": "mem=2"}),
        config_object(Kind.HOSTGROUP, "@rack", {"hostlist": "node1 @fat"}),
        config_object(Kind.SCHEDULER, "scheduler", {"load_formula": "mem*-2+cpu-3", "job_load_adjustments": "gpu=1"}),
        config_object(Kind.QUOTA, "r", {"limit": "users {@staff,!ann} hosts @rack to g=2\nhosts {*} to slots=$mem*2"}),
        config_object(Kind.USERSET, "staff", {"entries": "bob,@wheel"}),
        config_object(Kind.SHARETREE, "sharetree", {"tree": "id=0\nname=Root\nchildnodes=1\nid=1\nname=bob"}),
        config_object(Kind.USER, "bob", {"default_project": "apollo"}),
        config_object(Kind.CONFIGURATION, "global", {"projects": "apollo, gemini"}),
    ]
)  # fmt: skip

Q, H, G = Kind.QUEUE, Kind.HOST, Kind.HOSTGROUP


@pytest.mark.parametrize(
    ("kind", "name", "uses"),
    [
        (Kind.COMPLEX, "gpu", [
            (Q, "q", "complex_values", None, "gpu"), (Kind.SCHEDULER, "scheduler", "job_load_adjustments", None, "gpu"),
            (Q, "q", "complex_values", "node1", "g"), (H, "global", "complex_values", None, "g"),
            (Kind.QUOTA, "r", "limit", None, "g"),
        ]),
        (Kind.COMPLEX, "mem", [
            (Q, "q", "complex_values", "node1", "mem"), (H, "global", "load_scaling", None, "mem"),
            (Kind.QUOTA, "r", "limit", None, "mem"), (Kind.SCHEDULER, "scheduler", "load_formula", None, "mem"),
        ]),
        (H, "node9", [(Q, "q", "hostlist", None, "node9")]),
        (H, "NODE1", [
            (Q, "q", "pe_list", "node1", ""), (Q, "q", "complex_values", "node1", ""),
            (G, "@rack", "hostlist", None, "node1"),
        ]),
        (G, "@rack", [(Q, "q", "hostlist", None, "@rack"), (Kind.QUOTA, "r", "limit", None, "@rack")]),
        (G, "@fat", [
            (Q, "q", "calendar", "@fat", ""), (Q, "q", "slots", "@fat", ""), (G, "@rack", "hostlist", None, "@fat"),
        ]),
        (Kind.PE, "mpi", [(Q, "q", "pe_list", None, "mpi"), (Q, "q", "pe_list", "node1", "mpi")]),
        (Kind.PE, "smp", [(Q, "q", "pe_list", None, "smp")]),
        (Q, "idle", [(Q, "q", "subordinate_list", None, "idle")]),
        (Kind.CALENDAR, "night", [(Q, "q", "calendar", "@fat", "night")]),
        (Kind.USERSET, "staff", [(Q, "q", "user_lists", None, "staff"), (Kind.QUOTA, "r", "limit", None, "staff")]),
        (Kind.USER, "ann", [(Kind.QUOTA, "r", "limit", None, "ann")]),
        (Kind.USER, "bob", [
            (Kind.USERSET, "staff", "entries", None, "bob"), (Kind.SHARETREE, "sharetree", "tree", None, "bob"),
        ]),
        (Kind.PROJECT, "apollo", [
            (Kind.USER, "bob", "default_project", None, "apollo"),
            (Kind.CONFIGURATION, "global", "projects", None, "apollo"),
        ]),
        (Kind.PROJECT, "nobody", []),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)  # fmt: skip
def test_references(kind: Kind, name: str, uses: list[tuple[Kind, str, str, str | None, str]]) -> None:
    references = references_to(CLUSTER, kind, name)
    assert set(references) == {Reference(*use) for use in uses}
    assert len(references) == len(uses)


def test_texts_that_cannot_be_read_name_nothing() -> None:
    broken = {"complex_values": "gpu", "subordinate_list": "slots=x(a)", "pe_list": "NONE,nope"}
    obj = config_object(Kind.QUEUE, "b", {**broken, "load_thresholds": "=", "hostlist": "NONE"})
    assert list(references_of(obj)) == []


def test_an_edit_is_seen_at_once() -> None:
    queue = CLUSTER.objects(Kind.QUEUE)["q"].with_value("calendar", "NONE")
    edited = CLUSTER.with_object(queue)
    assert references_to(edited, Kind.CALENDAR, "night") == ()
    assert references_to(CLUSTER, Kind.CALENDAR, "night") != ()
