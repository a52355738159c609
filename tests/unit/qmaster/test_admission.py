"""What qsub refuses, in its words (clients.md#what-the-qmaster-refuses-of-a-job)."""

import pytest

from qmon_tui.model.kinds import Kind
from tests.unit.scheduler.building import (
    attribute,
    cluster,
    configuration,
    environment,
    host,
    job,
    project,
    queue,
    run,
    running,
    the_job,
    user,
    userset,
)

SITE = cluster(
    attribute("lic lic INT <= YES YES 0"),
    attribute("own own INT <= NO YES 2"),
    attribute("mem mem MEMORY <= YES YES 0"),
    attribute("kind kind STRING == YES NO NONE"),
    queue("all.q", "h1", 2),
    host("h1", "lic=2"),
    userset("few", "bert"),
    project("open"),
    project("closed", acl="few"),
)
ONLY_TWO = "job rejected: only 2 jobs are allowed per user (current job count: 2)"


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ("-l nosuch=1", 'unknown resource "nosuch"'),
        ("-l own=1", 'resource "own" configured as non requestable'),
        ("-l lic=x", 'attribute "lic" is not a integer value'),
        ("-l mem=1X", 'attribute "mem" is not a memory value'),
        ("-l h_rt=1:0", 'attribute "h_rt" is not a time value'),
        ("-l lic=-1", 'attribute "lic" is consumable but has a negative value'),
        ("-l lic=INFINITY", 'attribute "lic" is not a value that can be set to infinity'),
        ("-l slots=2", '"job" denied: use parallel environments instead of requesting slots explicitly'),
        ("-l h=nowhere", 'can\'t resolve hostname "nowhere"'),
        ("-soft -l lic=1", 'denied: soft requests on consumables like "lic" are not supported'),
        ("-q nosuch.q", 'Job was rejected because job requests unknown queue "nosuch.q"'),
        ("-q all.q@h2", 'Job was rejected because job requests unknown queue "all.q@h2"'),
        ("-soft -q nosuch.q", 'Job was rejected because job requests unknown queue "nosuch.q"'),
        ("-l lic,nosuch=1", 'unknown resource "nosuch"'),
        ("-pe mpi 2", 'job rejected: the requested parallel environment "mpi" does not exist'),
        ("-ckpt c", 'job rejected: the requested checkpointing environment "c" does not exist'),
        ("-P nosuch", 'job rejected: the requested project "nosuch" does not exist'),
        ("-P closed", 'job rejected: no access to project "closed" for user "anna"'),
        ("-dl 203001010000", 'job rejected: the user "anna" is not a deadline initiation user'),
        ("-masterq all.q", "job rejected: specification of master queue is not allowed for non-parallel jobs"),
        ("-N 9bad", 'denied: "9bad" is not a valid object name (cannot start with a digit)'),
        ("-N 'a:b'", "Colon (':') not allowed in objectname"),
        ("-N all", 'Keyword ("ALL") not allowed as objectname'),
        (f"-N {'x' * 513}", "job name too long, maximum allowed length is 512 characters"),
        ("-N 'a b'", "Error reading answer list from qmaster"),
        ("-N 'a b' -l nosuch=1", 'unknown resource "nosuch"'),
        ("-N a*b -masterq all.q", "job rejected: specification of master queue is not allowed for non-parallel jobs"),
        ("-N a*b -l nosuch=1", "Asterisk ('*') not allowed in objectname\nunknown resource \"nosuch\""),
        ("-A 'a b'", "Error reading answer list from qmaster"),
        ("-A a?b:c", "Colon (':') not allowed in objectname"),
        ("-A a/b -N 9bad -l nosuch=1 -tc 2", "Slash ('/') not allowed in objectname"),
        ("-A none", 'Keyword ("NONE") not allowed as objectname'),
        (f"-A {'x' * 513}", "string is longer than 512, this is not allowed for objectnames"),
        ("-tc 2", 'invalid "task concurrency" value in job request'),
        ("-p 1", "job rejected: positive submission priority requires operator privileges"),
    ],
)
def test_refusals(options: str, text: str) -> None:
    job_outcome = the_job(run(SITE, job(1, options)), 1)
    assert job_outcome.rejected == text
    assert job_outcome.tasks == ()


@pytest.mark.parametrize(
    "options",
    [
        "-l lic",
        "-t 1-3 -tc 2",
        "-l lic=0",
        "-l lic=1,mem=1G",
        "-l kind",
        "-l h=h*",
        "-q a*@h1",
        "-P open",
        "-p -1",
        "-l h_rt=INFINITY",
    ],
)
def test_what_is_let_in(options: str) -> None:
    assert the_job(run(SITE, job(1, options)), 1).rejected is None


@pytest.mark.parametrize(
    ("options", "is_refused"),
    [("-pe m* 4", False), ("-pe m* 2-4", True), ("-pe m* 2,4", True), ("-pe m1 2-4", False)],
)
def test_environments_that_give_a_range_different_urgencies(options: str, is_refused: bool) -> None:
    others = (environment("m1", urgency_slots="2"), environment("m2", urgency_slots="3"))
    text = '"job" rejected: PEs matching wildcard and jobs slot range would cause ambiguous urgency slot amount'
    job_outcome = the_job(run(SITE.with_objects(others), job(1, options)), 1)
    assert job_outcome.rejected == (text if is_refused else None)


def test_queues_can_be_asked_for_while_their_attribute_is_requestable() -> None:
    no_queues = SITE.with_object(attribute("qname q RESTRING == NO NO NONE"))
    for on in (no_queues, SITE.without(Kind.COMPLEX, "qname")):
        outcome = run(on, job(1, "-q all.q"), job(2))
        assert [the_job(outcome, number).rejected for number in (1, 2)] == [
            "Job was rejected because job requests a queue while queues are not configured as requestable",
            None,
        ]


def test_the_first_objection_counts() -> None:
    job_outcome = the_job(run(SITE, job(1, "-P nosuch -l lic=1,nosuch=2,own=3")), 1)
    assert job_outcome.rejected == 'unknown resource "nosuch"'


def test_a_job_with_a_history_is_never_refused() -> None:
    outcome = run(SITE, running(1, "all.q@h1", "-l own=1"))
    assert the_job(outcome, 1).rejected is None
    assert the_job(outcome, 1).tasks[0].state == "r"


@pytest.mark.parametrize(
    ("settings", "texts"),
    [
        (
            {"max_u_jobs": 2},
            [None, None, "job rejected: only 2 jobs are allowed per user (current job count: 2)", None],
        ),
        ({"max_jobs": 3}, [None, None, None, "job rejected: only 3 jobs are allowed per cluster"]),
        ({"max_aj_tasks": 1}, [None, None, "job rejected: you tried to submit a job with more than 1 tasks", None]),
        ({"enforce_user": "true"}, ['job rejected: the user "anna" does not exist'] * 3 + [None]),
        ({"enforce_project": "true"}, ["job rejected: no project assigned to job"] * 4),
        ({"user_lists": "few"}, ["job rejected: anna is not allowed to submit jobs"] * 3 + [None]),
        ({"xprojects": "open"}, [None] * 4),
    ],
)
def test_limits_of_the_configuration(settings: dict[str, object], texts: list[str | None]) -> None:
    on = SITE.with_objects((configuration(**settings), user("bert")))
    outcome = run(on, job(1), job(2), job(3, "-t 1-2"), job(4, owner="bert"))
    found = [the_job(outcome, number).rejected for number in (1, 2, 3, 4)]
    assert [text and text.replace("@localhost", "") for text in found] == texts


def test_only_certain_projects_may_submit() -> None:
    on = SITE.with_object(configuration(projects="open"))
    outcome = run(on, job(1), job(2, "-P open"), job(3, "-P closed", owner="bert"))
    assert [the_job(outcome, number).rejected for number in (1, 2, 3)] == [
        "job rejected: no project was supplied and only certain projects are allowed to submit jobs",
        None,
        'job rejected: project "closed" is not allowed to submit jobs',
    ]


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ("", 'denied: no matching department for user "anna" or group "staff"'),
        ("-p 100", 'denied: no matching department for user "anna" or group "staff"'),
        ("-P nosuch", 'job rejected: the requested project "nosuch" does not exist'),
    ],
)
def test_without_a_default_department_only_members_of_others_submit(options: str, text: str) -> None:
    """As tried with 8.1.9 after `qconf -dul defaultdepartment`."""
    on = SITE.without(Kind.USERSET, "defaultdepartment").with_object(userset("crew", "bert,@lab", "DEPT"))
    outcome = run(on, job(1, options), job(2, owner="bert"))
    assert [the_job(outcome, number).rejected for number in (1, 2)] == [text, None]


def test_rejected_jobs_take_no_part() -> None:
    outcome = run(SITE, job(1), job(2, "-l nosuch=1"))
    assert the_job(outcome, 1).nurg == 0.5
    assert the_job(outcome, 2).prior == 0.0
