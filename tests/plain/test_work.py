"""The fast paths are taken: a run asks the rules no more often than it did when this was written down.

A fast path that is never taken decides nothing wrong, so that nobody else would notice.
"""

from cProfile import Profile
from pstats import Stats

import pytest

from qmon_tui.qmaster.scheduling import schedule
from tests.plain.test_plain import drawn_site

RULES = (
    "matching/level.py:offer_of",
    "matching/checker.py:check",
    "matching/static_checks.py:host",
    "matching/static_checks.py:instance",
    "matching/slot_count.py:count",
    "matching/resources.py:host_load",
    "placement/sequential_search.py:examine",
    "placement/sequential_search.py:is_skipped",
    "placement/sequential_search.py:find",
    "parallel/available_slots.py:queue_fits",
    "parallel/pe_attempt.py:master",
    "parallel/slot_collection.py:_visit",
    "parallel/slot_collection.py:_free_slots",
    "suspension/availability.py:_alarm",
)
"""What is asked for a job or a place, in the packages of the scheduler."""

ASKED: dict[int, tuple[int, ...]] = {
    0: (531, 59, 91, 57, 104, 36, 33, 40, 13, 77, 56, 40, 32, 48),
    1: (14, 0, 2, 2, 4, 3, 0, 0, 0, 3, 2, 1, 1, 12),
    2: (101, 0, 7, 6, 22, 9, 0, 0, 0, 16, 12, 6, 6, 12),
    3: (246, 90, 75, 42, 56, 3, 30, 30, 30, 72, 56, 20, 20, 12),
    4: (185, 54, 65, 42, 30, 7, 36, 36, 9, 23, 10, 11, 10, 12),
    5: (82, 15, 18, 15, 18, 12, 5, 5, 5, 13, 6, 5, 5, 48),
    6: (15, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 12),
    7: (184, 0, 37, 34, 118, 12, 0, 0, 0, 82, 96, 39, 39, 48),
    8: (15, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 12),
    9: (82, 15, 18, 15, 18, 12, 5, 5, 5, 13, 6, 5, 5, 48),
    10: (708, 344, 382, 178, 71, 8, 172, 172, 86, 64, 16, 45, 27, 12),
    11: (688, 106, 181, 202, 333, 12, 44, 44, 36, 297, 350, 136, 136, 48),
    12: (60, 0, 0, 0, 0, 12, 0, 0, 0, 0, 0, 0, 0, 48),
    13: (14, 0, 2, 2, 4, 12, 0, 0, 0, 3, 3, 1, 1, 48),
    14: (362, 89, 74, 39, 32, 25, 33, 59, 28, 30, 8, 12, 12, 21),
    15: (2, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 12),
}
"""Number of a drawn cluster -> how often it asks each of the rules."""


def asked(number: int, *, fast: bool = True) -> tuple[int, ...]:
    """How often a run of a drawn cluster asks each of the rules."""
    cluster, state = drawn_site(number)
    profile = Profile()
    profile.runcall(schedule, cluster, state, fast=fast)
    calls = dict.fromkeys(RULES, 0)
    for (path, _, name), (_, count, *_) in Stats(profile).stats.items():  # type: ignore[attr-defined]
        rule = f"{path.replace(chr(92), '/').partition('/qmon_tui/scheduler/')[2]}:{name}"
        if rule in calls:
            calls[rule] += count
    return tuple(calls.values())


@pytest.mark.parametrize("number", range(16))
def test_rules_are_asked_no_more_often(number: int) -> None:
    now = asked(number)
    more = [f"{rule}: {count}" for rule, count, known in zip(RULES, now, ASKED[number], strict=True) if count > known]
    assert not more, f"{number}: {now}"


def test_each_rule_is_asked_more_often_without_the_fast_paths() -> None:
    totals = [0] * len(RULES)
    for number in ASKED:
        for place, count in enumerate(asked(number, fast=False)):
            totals[place] += count
    for place, rule in enumerate(RULES):
        assert totals[place] > 1.25 * sum(counts[place] for counts in ASKED.values()), rule
