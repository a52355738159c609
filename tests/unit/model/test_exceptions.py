"""Exceptions with an end date in their name."""

from datetime import datetime

import pytest

from qmon_tui.checks.exceptions import ended_exceptions
from qmon_tui.model import Cluster, Kind, config_object, end_of, exception_rule, exceptions_in

MIDNIGHT = int(datetime(2026, 12, 2).timestamp())


@pytest.mark.parametrize(
    ("name", "end"),
    [("bela_until_2026-12-01", MIDNIGHT), ("bela", None), ("x_until_2026-13-01", None), ("until_2026-12-01", None),
     ("a_until_2026-12-01x", None)],
)  # fmt: skip
def test_a_name_has_an_end(name: str, end: int | None) -> None:
    assert end_of(name) == end


def test_a_rule_for_one_user_comes_from_the_general_one() -> None:
    rule = "name all users {*} queues long.q to slots=10,lic=1"
    assert (
        exception_rule(rule, "bela", "2026-12-01")
        == "name bela_until_2026-12-01 users bela queues long.q to slots=10,lic=1"
    )
    assert exception_rule("users {*} to slots=2", "@staff", "2026-12-01") == (
        "name staff_until_2026-12-01 users @staff to slots=2"
    )


@pytest.mark.parametrize(("user", "day"), [("bela,emil", "2026-12-01"), ("bela", "1 December"), ("", "2026-12-01")])
def test_other_words_are_refused(user: str, day: str) -> None:
    with pytest.raises(ValueError, match="write"):
        exception_rule("users {*} to slots=2", user, day)


def test_they_are_over_after_their_last_day() -> None:
    quota = config_object(
        Kind.QUOTA, "lic", {"limit": "name bela_until_2026-12-01 users bela to slots=5\nusers {*} to slots=2\ngarbage"}
    )
    userset = config_object(Kind.USERSET, "guests_until_2026-12-05", {})
    cluster = Cluster().with_objects((quota, userset))
    assert [(entry.obj.name, entry.rule) for entry in exceptions_in(cluster)] == [
        ("guests_until_2026-12-05", ""),
        ("lic", "bela_until_2026-12-01"),
    ]
    assert list(ended_exceptions(cluster, MIDNIGHT - 1)) == []
    (finding,) = ended_exceptions(cluster, MIDNIGHT)
    assert (finding.rule, finding.name, finding.field) == ("quota.ended", "lic", "limit")
