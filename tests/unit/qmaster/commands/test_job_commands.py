"""What is said of commands for jobs before they are given, and by a client before the qmaster answers."""

import pytest

from qmon_tui.qmaster import Qalter, Target
from qmon_tui.qmaster.commands import Reply, submit
from tests.unit.scheduler.building import NOW, cluster, job, queue, state

ON = cluster(queue("a.q", "n1", 4))
THERE = state([job(1), job(2, "-hold_jid 1"), job(3, "-N three")])


@pytest.mark.parametrize(
    ("numbers", "options", "said"),
    [
        ((1,), "-p -5", None),
        ((1, 3), "-p -5", None),
        ((1,), "-l nothing=1", 'unknown resource "nothing"'),
        ((9,), "-p -5", 'denied: job "9" does not exist'),
        ((1, 9), "-p -5", 'denied: job "9" does not exist'),
        ((1,), "-w v", "verification: found suitable queue(s)"),
        ((1,), "-c s", "that changes nothing"),
        # This depends on other jobs.
        ((1,), "-hold_jid 2", "job 1 dependency change would generate a dependency cycle with job 2"),
    ],
)
def test_what_qalter_refuses_is_said_before_it_is_given(
    numbers: tuple[int, ...], options: str, said: str | None
) -> None:
    assert Qalter(tuple(map(Target, numbers)), options).objection(ON, THERE) == said


def test_warnings_of_a_client_come_first_and_are_in_vain_with_what_comes_to_nothing() -> None:
    warning = 'qalter: warning: "-N" option has already been set, overriding previous setting'
    done = Reply(THERE, ("done",)).after_warnings("qalter", "-N a -N b")
    assert (done.messages, done.reasons) == ((warning, "done"), (warning, "done"))
    refused = Reply(THERE, ("said", "refused"), in_vain=1).after_warnings("qalter", "-N a -N b")
    assert (refused.messages, refused.reasons) == ((warning, "said", "refused"), ("refused",))
    plain = Reply(THERE, ("done",))
    assert plain.after_warnings("qalter", "-p 1 -l a=1") is plain


def test_qsub_says_what_was_found_or_that_it_cannot_run_the_job() -> None:
    assert submit(ON, THERE, job(4, "-w v")).messages == ("verification: found suitable queue(s)",)
    assert submit(ON, THERE, job(4, "-q gone")).messages == (
        'Unable to run job: Job was rejected because job requests unknown queue "gone"',
    )


@pytest.mark.parametrize(("changed", "comes_later"), [(NOW - 1.0, False), (float(NOW), True), (NOW + 0.5, True)])
def test_a_job_that_comes_in_the_second_of_a_change_comes_after_it(changed: float, comes_later: bool) -> None:
    there = state([job(1, changed=changed)])
    new = submit(ON, there, job(2, submitted=NOW)).state.jobs[-1]
    assert (new.changed is not None) == comes_later
    assert new.changed is None or new.changed > changed
