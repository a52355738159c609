"""How many slots of a parallel job a host takes before its load thresholds close it (parallel.md#threshold-cap)."""

import pytest

from qmon_tui.model.jobs import Request
from qmon_tui.model.state import State
from qmon_tui.scheduler.configuration import compile_cluster
from qmon_tui.scheduler.jobs import compile_demand
from qmon_tui.scheduler.matching import NO_LIMIT, Adjustments, Resources, threshold_cap
from tests.unit.scheduler.building import NOW, attribute, cluster, host, queue

LOADS = {"np_load_avg": "0.2", "load_avg": "0.2", "mem_free": "5G", "free": "5", "arch": "lx-amd64"}


def cap(thresholds: str, *, adjustments: str = "", request: str = "", processors: int = 1, adjusts: bool = True) -> int:
    added = {name: text for name, _, text in (entry.partition("=") for entry in adjustments.split(",")) if name}
    built = cluster(
        attribute("lic lic INT <= YES YES 0"),
        attribute("dflt dflt INT <= YES YES 2"),
        attribute("gone gone INT <= YES YES 0"),
        attribute("free free INT < YES NO 0"),
        attribute("same same INT == YES NO 0"),
        host("n1", "lic=4,dflt=9"),
        queue("a.q", "n1", 4, load_thresholds=thresholds.replace(";", ",")),
        queue("b.q", "n1", 4),
    )
    loads = {"n1": {**LOADS, "num_proc": str(processors)}}
    compiled = compile_cluster(built)
    known = Resources(compiled, State(now=NOW, loads=loads), Adjustments.of(added))
    hard = tuple((name, text) for name, _, text in (entry.partition("=") for entry in request.split(",")) if name)
    demand = compile_demand(Request(hard=hard), compiled.attributes)
    return threshold_cap(known, known.host_numbers["n1"], [known.instance_numbers["a.q@n1"]], demand, adjusts)


@pytest.mark.parametrize(
    ("thresholds", "adjustments", "processors", "slots"),
    [
        ("np_load_avg=1", "np_load_avg=0.5", 1, 2),  # 1.6 are whole, and one that takes it into alarm
        ("np_load_avg=1", "np_load_avg=0.5", 4, 7),
        ("np_load_avg=1", "np_load_avg=0.5", 2, 4),
        ("load_avg=1", "load_avg=0.5", 4, 2),
        ("unheard=1,load_avg=1", "load_avg=0.5", 1, 2),
        ("np_load_avg=1,load_avg=3", "np_load_avg=0.5,load_avg=0.5", 1, 2),
        ("np_load_avg=1,load_avg=0.3", "np_load_avg=0.5,load_avg=0.5", 1, 1),
        ("mem_free=1G", "mem_free=1G", 1, 5),
        ("free=1", "free=1", 1, 5),
        ("np_load_avg=1", "load_avg=0.5", 1, NO_LIMIT),
        ("np_load_avg=1", "np_load_avg=0", 1, NO_LIMIT),
        ("same=1", "same=1", 1, NO_LIMIT),
        ("arch=lx-amd64", "arch=1", 1, NO_LIMIT),
        ("np_load_avg=x", "np_load_avg=0.5", 1, NO_LIMIT),
        ("nothing=1", "nothing=1", 1, NO_LIMIT),
        ("cpu=1", "cpu=1", 1, NO_LIMIT),  # no host reports it
    ],
)
def test_slots_by_the_load(thresholds: str, adjustments: str, processors: int, slots: int) -> None:
    assert cap(thresholds, adjustments=adjustments, processors=processors) == slots
    assert cap(thresholds, adjustments=adjustments, processors=processors, adjusts=False) == NO_LIMIT


@pytest.mark.parametrize(
    ("thresholds", "request_", "slots"),
    [
        ("lic=1", "lic=1", 3),  # nothing is booked that is not there
        ("lic=1", "lic=2", 1),
        ("lic=1", "", NO_LIMIT),
        ("dflt=1", "", 4),
        ("dflt=1", "dflt=4", 2),
        ("lic=5", "lic=1", -1),
    ],
)
def test_slots_by_what_is_counted(thresholds: str, request_: str, slots: int) -> None:
    assert [cap(thresholds, request=request_, adjusts=adjusts) for adjusts in (True, False)] == [max(0, slots)] * 2


def test_what_is_counted_nowhere_leaves_none() -> None:
    assert cap("gone=1", request="gone=1") == cap("gone=1") == 0
    assert cap("slots=1") == 3
