"""Exceptions with an end date, in their name or in the state."""

from datetime import datetime

import pytest

from qmon_tui.checks.drains import ended_exceptions
from qmon_tui.model import (
    Cluster,
    DatedPlace,
    Drain,
    Kind,
    State,
    config_object,
    dated_place,
    end_of,
    end_of_day,
    exception_rule,
    exceptions_in,
    vanished,
)
from qmon_tui.workspace import drains as exceptions
from qmon_tui.workspace.document import Document

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
        exception_rule(rule, "bela", "2026-12-01", 0)
        == "name bela_until_2026-12-01 users bela queues long.q to slots=10,lic=1"
    )
    assert exception_rule("users {*} to slots=2", "@staff", "2026-12-01", 0) == (
        "name staff_until_2026-12-01 users @staff to slots=2"
    )


@pytest.mark.parametrize(("user", "day"), [("bela,emil", "2026-12-01"), ("bela", "1 December"), ("", "2026-12-01")])
def test_other_words_are_refused(user: str, day: str) -> None:
    with pytest.raises(ValueError, match="write"):
        exception_rule("users {*} to slots=2", user, day, 0)


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
    assert list(ended_exceptions(cluster, State(now=MIDNIGHT - 1))) == []
    (finding,) = ended_exceptions(cluster, State(now=MIDNIGHT))
    assert (finding.rule, finding.name, finding.field) == ("quota.ended", "lic", "limit")


PEOPLE = Cluster().with_objects(
    (
        config_object(Kind.USERSET, "guests", {"type": "ACL DEPT", "oticket": "7", "entries": "bela, @students"}),
        config_object(Kind.USER, "bela", {"oticket": "100"}),
        config_object(Kind.PROJECT, "sea", {"oticket": "0"}),
    )
)
ENDED = (Drain("cover", "anna", 0, MIDNIGHT - 1),)


@pytest.mark.parametrize(
    ("text", "is_there"),
    [("userset/guests/bela", True), ("userset/guests/@students", True), ("userset/guests/emil", False),
     ("userset/guests", True), ("user/bela", True), ("user/emil", False), ("project/sea", False)],
)  # fmt: skip
def test_a_place_is_a_member_or_tickets(text: str, is_there: bool) -> None:
    place = dated_place(text)
    assert place is not None
    assert place.text == text
    assert (place.found_in(PEOPLE) is not None) == is_there


@pytest.mark.parametrize("text", ["", "user", "user/", "user/bela/x", "queue/all.q", "userset/a/b/c", "host/node01"])
def test_no_other_text_is_one(text: str) -> None:
    assert dated_place(text) is None


def test_members_and_tickets_are_over_after_their_last_day_and_forgotten_without_them() -> None:
    dated = {"userset/guests/bela": ENDED, "user/bela": ENDED, "project/sea": ENDED, "userset/guests/emil": ENDED}
    assert not list(ended_exceptions(PEOPLE, State(now=MIDNIGHT - 1, exceptions=dated)))
    findings = list(ended_exceptions(PEOPLE, State(now=MIDNIGHT, exceptions=dated)))
    assert [(finding.rule, finding.name, finding.field, finding.message) for finding in findings] == [
        ("userset.ended", "guests", "entries",
         "the exception for member bela of userset guests has ended (anna: cover)"),
        ("user.ended", "bela", "oticket",
         "the exception for override tickets of user bela has ended (anna: cover)"),
    ]  # fmt: skip
    assert vanished([PEOPLE], dated, MIDNIGHT) == ("project/sea", "userset/guests/emil")
    assert vanished([PEOPLE], dated, MIDNIGHT - 1) == (), "what has not ended may come again"


def test_day_and_reason_are_read_as_typed() -> None:
    given = exceptions.read_end("2026-12-01  cover for anna", 5)
    assert given is not None
    assert (given.reason, given.since, given.until) == ("cover for anna", 5, MIDNIGHT - 1)
    assert end_of_day("2026-12-01", 0) == MIDNIGHT - 1
    assert exceptions.read_end("-", 5) is None


@pytest.mark.parametrize(
    ("text", "problem"),
    [("2026-12-02", "reason"), ("1 December", "not a day"), ("2026-12-01T08:00 x", "not a day"),
     ("0001-01-01 x", "over"), ("9999-12-31 x", "not a day"), ("- x", "not a day")],
)  # fmt: skip
def test_another_text_says_what_is_missing(text: str, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        exceptions.read_end(text, MIDNIGHT)


def test_an_edit_leaves_out_what_has_ended_and_vanished() -> None:
    document = Document(PEOPLE, State(now=MIDNIGHT, exceptions={"project/sea": ENDED, "user/bela": ENDED}))
    place = DatedPlace(Kind.USERSET, "guests", "bela")
    edit = exceptions.set_exception(document, document, place, Drain("x", until=MIDNIGHT + 5))
    assert set(edit.made(document).state.exceptions) == {"user/bela", "userset/guests/bela"}
    none = exceptions.set_exception(document, document, place, None)
    assert none.label == "no end for member bela of userset guests"
    assert set(none.made(edit.made(document)).state.exceptions) == {"user/bela"}


def test_a_day_that_is_over_begins_no_exception() -> None:
    with pytest.raises(ValueError, match="2020-01-01 is over already"):
        exception_rule("users {*} to slots=2", "bela", "2020-01-01", 1_790_000_000)
