"""Edits that would break advance reservations are refused as the real qmaster was recorded to refuse them."""

import pytest

from tests.differential.ar_conflicts import SESSIONS, our_answers, real_answers, recorded
from tests.differential.qmaster import Qmaster

ANSWERS = recorded()


@pytest.mark.parametrize("name", SESSIONS)
def test_edits_are_refused_as_recorded(name: str) -> None:
    assert our_answers(SESSIONS[name], ANSWERS[name]) == ANSWERS[name]


@pytest.mark.qmaster
@pytest.mark.long
@pytest.mark.parametrize("name", SESSIONS)
def test_they_still_are(qmaster: Qmaster, name: str) -> None:
    assert real_answers(qmaster, SESSIONS[name]) == ANSWERS[name]
