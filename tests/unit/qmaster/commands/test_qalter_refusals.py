"""What is refused of altered options, and whether it may depend on other jobs (clients.md#what-qalter-refuses)."""

import pytest

from qmon_tui.qmaster.commands import alter
from qmon_tui.qmaster.commands.qalter_refusals import depends_on_others
from tests.unit.scheduler.building import cluster, configuration, job, project, queue, state, userset


@pytest.mark.parametrize(
    ("job_options", "options", "expected"),
    [
        ("", "-p -5 -l mem=1", False),
        ("-w e", "-p -5", True),
        ("-w n", "-p -5", False),
        *(("", options, True) for options in ("-N b", "-ar 1", "-hold_jid 2", "-hold_jid_ad 2", "-p 1 -w e")),
    ],
)
def test_options_whose_refusal_may_depend_on_other_jobs(job_options: str, options: str, expected: bool) -> None:
    assert depends_on_others(job(1, job_options), options) == expected


@pytest.mark.parametrize("limits", [{}, {"max_jobs": 1}, {"max_u_jobs": 1}, {"max_aj_tasks": 2}])
def test_how_many_jobs_and_tasks_there_may_be_hides_no_other_objection(limits: dict[str, int]) -> None:
    """As tried on 8.1.9 with limits that were set after the jobs had come."""
    on, there = cluster(queue("a.q", "n1"), configuration(**limits)), state([job(1), job(2, "-t 1-5")])
    for number in (1, 2):
        refused = alter(on, there, number, "-q gone")
        assert (refused.messages, refused.state) == (
            ('Job was rejected because job requests unknown queue "gone"',),
            there,
        )
        assert alter(on, there, number, "-q a.q").messages == (f"modified hard queue list of job {number}",)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("-P gone", 'job rejected: the requested project "gone" does not exist'),
        ("-pe gone 1", 'denied: parallel environment "gone" does not exist'),
        ("-ckpt gone", 'denied: checkpointing environment "gone" does not exist'),
        ("-q gone", 'Job was rejected because job requests unknown queue "gone"'),
        ("-soft -q gone", 'Job was rejected because job requests unknown queue "gone"'),
        ("-masterq b.q", 'Job was rejected because job requests unknown queue "b.q"'),
        ("-l nothing=1", 'unknown resource "nothing"'),
        ("-P sky", "modified project of job 1"),
        ("-q a.q", "modified hard queue list of job 1"),
        ("-N other", "modified job name of job 1"),
    ],
)
def test_what_is_gone_of_what_a_job_names_hides_no_other_objection(options: str, said: str) -> None:
    """As tried on 8.1.9, where a queue and a project were deleted after the job had come that names them."""
    on = cluster(queue("a.q", "n1"), project("sky"), configuration(xuser_lists="out"), userset("out", "anna"))
    assert alter(on, state([job(1, "-q b.q -P sea")]), 1, options).messages == (said,)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("-q b.q", 'Job was rejected because job requests unknown queue "b.q"'),
        ("-q b.q,a.q", 'Job was rejected because job requests unknown queue "b.q"'),
        ("-l nothing=1", 'unknown resource "nothing"'),
        ("-l nothing=1,arch=x", 'unknown resource "nothing"'),
        ("-pe gone 2", 'denied: parallel environment "gone" does not exist'),
        ("-ckpt gone", 'denied: checkpointing environment "gone" does not exist'),
        ("-soft -q b.q", 'Job was rejected because job requests unknown queue "b.q"'),
        ("-soft -l nothing=1", 'unknown resource "nothing"'),
        ("-masterq b.q", 'Job was rejected because job requests unknown queue "b.q"'),
        ("-P sea", ""),
        ("-p -3", "sets scheduling priority of job 1 to -3"),
    ],
)
def test_what_is_gone_cannot_be_given_once_more(options: str, said: str) -> None:
    """As tried on 8.1.9 with a queue, an attribute and a project; a project that the job has is none to give."""
    on = cluster(queue("a.q", "n1"))
    names = "-l nothing=1 -q b.q -masterq b.q -pe gone 2 -ckpt gone -P sea -soft -q b.q -l nothing=1"
    assert "".join(alter(on, state([job(1, names)]), 1, options).messages).endswith(said)
    assert bool(alter(on, state([job(1, names)]), 1, options).messages) is bool(said)
