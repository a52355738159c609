"""The commands that lead from one configuration to another do so on a real qmaster."""

import pytest

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
