"""The moments of which the lessons ask, ours beside the real ones: what was recorded, and, with a qmaster, again."""

import pytest

from tests.differential.lessons import compared, kept_run, lessons, moments, real_run
from tests.differential.qmaster import Qmaster

SHORT = {"quota_requests", "slotwise_preemption"}
"""What every comparison plays; the long one plays all."""
NEVER_SHOWN = {"waiting_time"}
"""Lessons that no real qmaster can show within seconds; the seed of their cluster is judged by its formula."""
NAMES = [name for name in lessons() if name not in NEVER_SHOWN]
LIVE = [pytest.param(name, marks=() if name in SHORT else pytest.mark.long) for name in NAMES]


@pytest.mark.parametrize("name", NAMES)
def test_a_lesson_is_what_the_real_qmaster_showed(name: str) -> None:
    found = moments(name)
    assert found
    for moment in found:
        assert not list(map(str, compared(moment, kept_run(moment, name)).mismatches)), moment.name


@pytest.mark.qmaster
@pytest.mark.parametrize("name", LIVE)
def test_the_real_thing(name: str, qmaster: Qmaster) -> None:
    for moment in moments(name):
        assert not list(map(str, compared(moment, real_run(qmaster, moment)).mismatches)), moment.name
