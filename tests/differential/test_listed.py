"""Listings of the current state are those of the real clients; `python -m tests.differential.listed` plays all."""

import pytest

from tests.differential.clock import universal_time
from tests.differential.listed import NAMES, differences, listed, recorded, scenario_named
from tests.differential.qmaster import Qmaster


@pytest.mark.parametrize("name", NAMES)
def test_what_the_clients_printed(name: str) -> None:
    with universal_time():
        assert list(differences(recorded()[name])) == []


@pytest.mark.qmaster
@pytest.mark.parametrize("name", ["subordination-7001", "quota-7001"])
def test_what_the_clients_print(name: str, qmaster: Qmaster) -> None:
    assert list(differences(listed(qmaster, scenario_named(name)))) == []
