"""Deleting and renaming what jobs use is answered as by the real qmaster, and found fault with before saving."""

import pytest

from tests.differential.in_use import RECORDED, Found, differences, found, recorded
from tests.differential.qmaster import Qmaster


@pytest.mark.parametrize("real", recorded() or [None], ids=lambda real: "cluster")
def test_what_was_recorded_is_said(real: Found) -> None:
    assert list(differences(real)) == []


def test_some_edits_are_refused_and_some_are_not() -> None:
    answers = [answered.said for real in recorded() for answered in real.answers]
    assert len(recorded()) == len(RECORDED)
    assert 10 < sum(map(bool, answers)) < len(answers)


@pytest.mark.qmaster
@pytest.mark.long
@pytest.mark.parametrize("number", range(1, 41))
def test_drawn_clusters(qmaster: Qmaster, number: int) -> None:
    assert list(differences(found(qmaster, number))) == []
