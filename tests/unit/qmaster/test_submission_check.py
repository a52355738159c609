"""What a job is refused for because of the others that are there (clients.md#what-the-qmaster-refuses-of-a-job)."""

from typing import Any

import pytest

from qmon_tui.model.jobs import AdvanceReservation
from qmon_tui.model.kinds import Kind
from qmon_tui.qmaster.option_texts import account_objection, name_objection, unnumbered_objection
from qmon_tui.qmaster.submission_check import is_let_in_alone, refusal
from qmon_tui.scheduler.configuration import compile_cluster
from tests.unit.scheduler.building import NOW, cluster, configuration, job, queue, state, userset

SITE = cluster(queue("all.q", "h1", 2))
HOUR = AdvanceReservation(7, "anna", NOW, NOW + 3600, {"all.q@h1": 1})


@pytest.mark.parametrize(
    ("limits", "owner", "others", "text"),
    [
        ({}, "anna", 9, None),
        ({"max_jobs": 3}, "anna", 2, None),
        ({"max_jobs": 3}, "anna", 3, "job rejected: only 3 jobs are allowed per cluster"),
        ({"max_u_jobs": 3}, "anna", 2, None),
        ({"max_u_jobs": 3}, "anna", 3, "job rejected: only 3 jobs are allowed per user (current job count: 3)"),
        ({"max_u_jobs": 1}, "bert", 3, None),
    ],
)
def test_jobs_that_are_there_count(limits: dict[str, int], owner: str, others: int, text: str | None) -> None:
    on = SITE.with_object(configuration(**limits))
    jobs = [job(number) for number in range(1, others + 1)]
    new = job(others + 1, owner=owner)
    assert refusal(on, state(jobs), new) == text
    assert refusal(on, state([*jobs, new]), new) == text, "it does not count itself"


@pytest.mark.parametrize(
    ("options", "submitted", "text"),
    [
        ("-ar 7", NOW, None),
        ("-ar 7 -l h_rt=3600", NOW, None),
        ("-ar 7 -l h_rt=3600", NOW - 500, None),
        ("-ar 7 -l h_rt=3601", NOW, "the job duration is longer than duration of the advance reservation id 7"),
        ("-ar 7 -l h_rt=3100", NOW + 500, None),
        ("-ar 7 -l h_rt=3101", NOW + 500, "the job duration exceeds the end time of the advance reservation id 7"),
        ("-ar 8", NOW, "the advance reservation id 8 is invalid"),
    ],
)
def test_the_time_of_a_job_in_a_reservation(options: str, submitted: int, text: str | None) -> None:
    there = state([], reservations=(HOUR,))
    assert refusal(SITE, there, job(1, options, submitted=submitted)) == text


def test_what_a_job_waits_for_is_looked_at() -> None:
    there, waiting = state([job(1), job(2, "-t 1-3")]), "-t 1-3 -hold_jid_ad {}"
    assert refusal(SITE, there, job(3, waiting.format(2))) is None
    assert refusal(SITE, there, job(3, waiting.format(1))) is not None


def test_deadlines_are_for_those_who_may_have_them() -> None:
    refused = 'job rejected: the user "anna" is not a deadline initiation user'
    late = job(1, "-dl 203001010000")
    nobody, others = SITE.without(Kind.USERSET, "deadlineusers"), SITE.with_object(userset("deadlineusers", "bert"))
    allowed = SITE.with_object(userset("deadlineusers", "anna"))
    assert [refusal(on, state([]), late) for on in (nobody, others, allowed)] == [refused, refused, None]


@pytest.mark.parametrize(
    ("options", "limits", "is_let_in"),
    [
        ("", {}, True),
        ("-p -1", {}, True),
        ("-p 1", {}, False),
        ("-hold_jid 1", {}, False),
        ("-l nosuch=1", {}, False),
        ("", {"max_u_jobs": 9}, False),
        ("", {"max_jobs": 9}, False),
        ("", {"max_aj_tasks": 9}, True),
    ],
)
def test_who_is_let_in_whatever_others_there_are(options: str, limits: dict[str, Any], is_let_in: bool) -> None:
    compiled = compile_cluster(SITE.with_object(configuration(**limits)))
    assert is_let_in_alone(compiled, job(1, options, owner="root")) is is_let_in


def test_names_have_up_to_512_characters() -> None:
    longest = "x" * 512
    for objection in (name_objection, account_objection):
        assert objection(longest) is None
        assert objection(longest + "x") is not None
    assert unnumbered_objection(job(1, f"-N {longest}")) is None
    assert (
        unnumbered_objection(job(1, f"-N {longest}x")) == "job name too long, maximum allowed length is 512 characters"
    )


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("-P sea -ckpt ck", None),
        ("-P a/b", "Slash ('/') not allowed in objectname"),
        ("-ckpt a:b", "Colon (':') not allowed in objectname"),
        ("-pe a:b 2", "Colon (':') not allowed in objectname"),
        ("-pe m[12] 2", None),
        ("-ckpt none", 'Keyword ("NONE") not allowed as objectname'),
        ("-P a/b -tc 2", "Slash ('/') not allowed in objectname"),
        ("-tc 2", 'invalid "task concurrency" value in job request'),
    ],
)
def test_names_of_what_is_asked_for(options: str, said: str | None) -> None:
    assert unnumbered_objection(job(1, options)) == said
