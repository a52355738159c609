"""The commands that lead from one configuration to another do so on a real qmaster."""

import pytest

from qmon_tui.model import Kind, config_object
from qmon_tui.qmaster import leading_commands
from qmon_tui.sources import read_folder
from tests.differential.leading import CONFIGS, drawn_pair, led
from tests.differential.qmaster import Qmaster


@pytest.mark.qmaster
@pytest.mark.parametrize("seed", [1, 2, 9])
def test_the_real_thing_is_led_from_one_to_the_other(qmaster: Qmaster, seed: int) -> None:
    assert list(led(qmaster, *drawn_pair(seed))) == []


@pytest.mark.qmaster
@pytest.mark.long
@pytest.mark.parametrize("seed", range(10, 60))
def test_fifty_pairs(qmaster: Qmaster, seed: int) -> None:
    assert list(led(qmaster, *drawn_pair(seed))) == []


@pytest.mark.qmaster
def test_a_whole_cluster_is_led_to_another_one(qmaster: Qmaster) -> None:
    site, campus = (read_folder(CONFIGS / name).cluster for name in ("site", "campus"))
    assert list(led(qmaster, site, campus)) == []


@pytest.mark.qmaster
def test_limits_of_quota_rules_are_set_one_by_one(qmaster: Qmaster) -> None:
    site = read_folder(CONFIGS / "site").cluster
    rules = "name first users {*} to slots=5\nhosts {*} to slots=8,h_vmem=3G\nusers u hosts {*} to slots=$num_proc*2"
    first = config_object(Kind.QUOTA, "people", {"name": "people", "enabled": "TRUE", "limit": rules})
    changed = rules.replace("=5", "=6").replace("=8,h_vmem=3G", "=9").replace("*2", "*3,h_vmem=1G")
    after = site.with_object(first.with_values({"limit": changed, "description": "two words", "enabled": "FALSE"}))
    before = site.with_object(first)
    lines = [command.line for command in leading_commands(before, after)]
    assert [line.split()[1] for line in lines] == ["-rattr"] * len(lines)
    assert list(led(qmaster, before, after)) == []
