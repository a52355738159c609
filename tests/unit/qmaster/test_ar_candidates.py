"""Where an advance reservation may lie: access of all of -u, and calendars that stay open."""

from time import mktime

import pytest

from qmon_tui.model.cluster import config_object
from qmon_tui.model.kinds import Kind
from qmon_tui.qmaster.ar_candidates import lets_in, stays_open
from qmon_tui.scheduler.configuration import Access, compile_cluster
from tests.unit.scheduler.building import cluster, queue, userset

HOUR = 3600
MONDAY = int(mktime((2026, 1, 5, 0, 0, 0, 0, 0, -1)))


@pytest.mark.parametrize(
    ("user_lists", "xuser_lists", "user", "is_let_in"),
    [
        ((), (), "anna", True),
        (("lab",), (), "anna", True),
        (("lab",), (), "bert", True),  # by his group
        (("lab",), (), "eve", False),
        ((), ("lab",), "anna", False),
        ((), ("lab",), "eve", True),
        ((), (), "@lab", True),
        (("lab",), (), "@lab", True),
        (("lab",), (), "@other", False),
        ((), ("lab",), "@lab", False),
        ((), ("lab",), "@other", True),
        (("lab",), ("lab",), "@lab", False),
    ],
)
def test_users_and_sets(user_lists: tuple[str, ...], xuser_lists: tuple[str, ...], user: str, is_let_in: bool) -> None:
    usersets = compile_cluster(cluster(userset("lab", "anna,@wheel"), userset("other", "eve"))).usersets
    access = Access(user_lists, xuser_lists)
    assert lets_in(access, user, {"bert": "wheel"}, usersets) is is_let_in


@pytest.mark.parametrize(
    ("begin", "end", "is_open"),
    [(8, 9, True), (8, 11.5, True), (8, 12, False), (8, 13, False), (12, 13, False), (13, 15, False), (14, 20, True)],
)
def test_a_calendar_closes_nothing_until_and_with_the_end(begin: float, end: float, is_open: bool) -> None:
    noon = config_object(Kind.CALENDAR, "noon", {"calendar_name": "noon", "week": "mon-sun=12-14=off"})
    calendar = compile_cluster(cluster(noon, queue("a.q", "n1", calendar="noon"))).calendars["noon"]
    assert stays_open(calendar, MONDAY + int(begin * HOUR), MONDAY + int(end * HOUR)) is is_open
