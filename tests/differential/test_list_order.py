"""Our own commands leave equal queue instances in the order in which the real qmaster's commands leave them."""

import pytest

from tests.differential.list_order import SESSIONS, ours, recorded


def test_every_session_is_recorded() -> None:
    assert set(recorded()) == set(SESSIONS)


@pytest.mark.parametrize("name", SESSIONS)
def test_what_comes_next_is_taken_in_the_recorded_order(name: str) -> None:
    assert ours(SESSIONS[name]) == recorded()[name]
