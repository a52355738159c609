"""What a host has of each attribute in a run."""

import pytest

from qmon_tui.qmaster.host_values import HostValue, host_values
from qmon_tui.qmaster.scheduling import simulate
from tests.unit.scheduler.building import attribute, cluster, host, queue, running, state

SITE = cluster(
    attribute("gpu g INT <= YES YES 0 0"),
    attribute("lic l INT <= YES YES 0 0"),
    host("global", "lic=2"),
    host("h1", "gpu=4,h_vmem=8G", load_scaling="load_avg=0.500000"),
    queue("all.q", "h1", 9),
    attribute("h_vmem h_vmem MEMORY <= YES YES 0 0"),
)
LOADS = {"h1": {"load_avg": "3.00", "num_proc": "4", "arch": "lx-amd64"}}


def values(name: str) -> dict[str, HostValue]:
    jobs = [running(1, "all.q@h1", "-l gpu=1,h_vmem=2G,lic=1", slots=3)]
    return {value.attribute: value for value in host_values(simulate(SITE, state(jobs, loads=LOADS)), name)}


def test_consumables_say_what_is_in_use_and_free() -> None:
    found = values("h1")
    assert (found["gpu"].configured, found["gpu"].used, found["gpu"].free) == ("4", "3", "1")
    assert (found["h_vmem"].used, found["h_vmem"].free, found["h_vmem"].is_short) == ("6.000G", "2.000G", False)
    assert found["gpu"].counts == "hc:1"
    assert list(found)[:2] == ["gpu", "h_vmem"]


def test_load_values_are_as_reported_and_as_scaled() -> None:
    found = values("h1")
    assert (found["load_avg"].reported, found["load_avg"].scaled) == ("3.00", "1.500")
    assert found["load_avg"].counts == "hl:1.500000"
    assert (found["arch"].reported, found["arch"].scaled, found["arch"].counts) == ("lx-amd64", "", "hl:lx-amd64")


def test_all_hosts_together_have_values_too() -> None:
    found = values("global")
    assert (found["lic"].free, found["lic"].is_short) == ("-1", True)
    assert values("nowhere") == {}


@pytest.mark.parametrize(
    ("slots", "free", "is_short"), [(2, "2", False), (3, "1", False), (4, "0", True), (5, "-1", True)]
)
def test_what_is_used_up_is_short(slots: int, free: str, is_short: bool) -> None:
    jobs = [running(1, "all.q@h1", "-l gpu=1", slots=slots)]
    (gpu,) = (value for value in host_values(simulate(SITE, state(jobs)), "h1") if value.attribute == "gpu")
    assert (gpu.free, gpu.is_short) == (free, is_short)


def test_of_what_is_not_consumed_nothing_is_in_use() -> None:
    on = cluster(attribute("rack r INT == YES NO 0 0"), host("h1", "rack=7"), queue("all.q", "h1", 9))
    (rack,) = (value for value in host_values(simulate(on, state([])), "h1") if value.attribute == "rack")
    assert (rack.configured, rack.used, rack.free, rack.is_short) == ("7", "", "", False)
