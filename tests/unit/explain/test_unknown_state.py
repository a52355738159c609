"""What `why` says of tasks whose host is not heard from."""

import pytest

from qmon_tui.explain import ReasonKind
from qmon_tui.explain.explainer import explain
from qmon_tui.model.cluster import Cluster, config_object
from qmon_tui.model.jobs import Job, Task
from qmon_tui.model.kinds import Kind
from tests.unit.scheduler.building import NOW, cluster, configuration, environment, job, queue, running, state


def _standing(on: Cluster, one: Job, *silent: str) -> list[tuple[ReasonKind, str]]:
    """What is said of job 1 where these queue instances are in state u."""
    known = state((one,), queue_states=dict.fromkeys(silent, "u"))
    return [(group.why, group.message) for group in explain(on, known, 1, None).groups]


_SENT_BACK = "if that lasts for 0:10:0 (reschedule_unknown) the task is rescheduled"
_STAYS = "the task stays there however long that lasts, as "


@pytest.mark.parametrize(
    ("options", "place", "state_letters", "words"),
    [
        ("", "a.q@h1", "r", _SENT_BACK),
        ("", "a.q@h1", "s", _SENT_BACK),
        ("-r n", "a.q@h1", "r", _STAYS + "the job was submitted with -r n"),
        ("", "b.q@h1", "r", _STAYS + "rerun of queue instance b.q@h1 is FALSE"),
        ("-r y", "b.q@h1", "r", _SENT_BACK),
        ("-ckpt auto", "a.q@h1", "r", _SENT_BACK),
        ("-ckpt auto", "b.q@h1", "r", _STAYS + "rerun of queue instance b.q@h1 is FALSE"),
        ("-ckpt not", "a.q@h1", "r", _STAYS + "when of the checkpointing environment not has no r"),
        ("", "a.q@h1", "dr", _STAYS + "it is being deleted"),
    ],
)
def test_what_becomes_of_a_task_whose_host_is_silent(options: str, place: str, state_letters: str, words: str) -> None:
    """The real qmaster did so with each of these when its execd was killed."""
    on = cluster(
        *(queue(name, "h1 h2", 9, rerun=rerun, ckpt_list="auto not") for name, rerun in (("a.q", "1"), ("b.q", "0"))),
        *(
            config_object(Kind.CKPT, name, {"ckpt_name": name, "when": when})
            for name, when in (("auto", "xr"), ("not", "sx"))
        ),
        configuration(reschedule_unknown="0:10:0"),
    )
    one = job(1, options, tasks={1: Task(state_letters, {place: 1}, NOW)})
    messages = [message for _, message in _standing(on, one, "a.q@h1", "b.q@h1")]
    (message,) = (message for message in messages if "does not report" in message)
    assert message.startswith(f"host h1 does not report (u): {words}")


def test_without_reschedule_unknown_a_silent_host_keeps_its_tasks() -> None:
    on = cluster(queue("a.q", "h1", 9, rerun="TRUE"))
    ((kind, message),) = _standing(on, running(1, "a.q@h1"), "a.q@h1")
    assert kind is ReasonKind.STATE
    assert "until it is deleted or rescheduled, as reschedule_unknown is 00:00:00" in message


def test_a_silent_host_that_is_not_the_master_s_does_nothing_to_a_parallel_task() -> None:
    on = cluster(
        queue("a.q", "h1 h2", 9, pe_list="mpi"), environment("mpi"), configuration(reschedule_unknown="0:10:0")
    )
    both = job(1, "-pe mpi 2", tasks={1: Task("r", {"a.q@h1": 1, "a.q@h2": 1}, NOW)})
    assert _standing(on, both, "a.q@h2") == []


@pytest.mark.parametrize(
    ("parameters", "options", "silent", "words"),
    [
        (
            "ENABLE_RESCHEDULE_KILL=1",
            "-r n",
            "a.q@h1",
            "the task is ended (qmaster_params ENABLE_RESCHEDULE_KILL), as the",
        ),
        ("ENABLE_RESCHEDULE_KILL", "", "a.q@h1", "is ended (qmaster_params ENABLE_RESCHEDULE_KILL), as rerun of"),
        ("enable_reschedule_kill=true", "-r y", "a.q@h1", "the task is rescheduled"),
        ("ENABLE_RESCHEDULE_KILL=0", "-r n", "a.q@h1", "stays there however long that lasts, as the job was submitted"),
        ("LOG_X=1 ENABLE_RESCHEDULE_SLAVE=1", "-r y", "a.q@h2", "the task is rescheduled"),
        ("ENABLE_RESCHEDULE_SLAVE=1,ENABLE_RESCHEDULE_KILL=1", "-r n", "a.q@h2", "the task is ended"),
        ("DISABLE_AUTO_RESCHEDULING=true", "-r y", "a.q@h1", "as reschedule_unknown is without effect"),
    ],
)
def test_parameters_decide_what_becomes_of_the_tasks_of_a_silent_host(
    parameters: str, options: str, silent: str, words: str
) -> None:
    """8.1.9 takes the same way for qmod -rj and -rq, which the recorded commands compare under these parameters."""
    on = cluster(
        queue("a.q", "h1 h2", 9, pe_list="mpi"),
        environment("mpi"),
        configuration(reschedule_unknown="0:10:0", qmaster_params=parameters),
    )
    both = job(1, f"-pe mpi 2 {options}", tasks={1: Task("r", {"a.q@h1": 1, "a.q@h2": 1}, NOW)})
    ((kind, message),) = _standing(on, both, silent)
    assert kind is ReasonKind.STATE
    assert message.startswith(f"host {silent[-2:]} does not report (u): ")
    assert words in message
