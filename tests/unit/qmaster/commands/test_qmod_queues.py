"""Queue instances that are disabled, suspended and freed from their error (lifecycle.md#states-of-queue-instances)."""

import pytest

from qmon_tui.model.cluster import config_object
from qmon_tui.model.jobs import Task
from qmon_tui.model.kinds import Kind
from qmon_tui.qmaster import InstanceCommand
from qmon_tui.qmaster.commands import instances_named
from qmon_tui.qmaster.commands.qmod_queues import change_instances
from tests.unit.scheduler.building import NOW, cluster, host, job, queue, state

ON = cluster(
    *(host(name) for name in ("n1", "n2", "m1")),
    config_object(Kind.HOSTGROUP, "@some", {"hostlist": "n2 m1"}),
    queue("a.q", "n1 n2", 9),
    queue("ab.q", "n1 m1", 9),
    queue("off.q", "n1 n2", 9, initial_state="disabled,[n2=enabled]"),
)
DISABLE, ENABLE, CLEAR = InstanceCommand.DISABLE, InstanceCommand.ENABLE, InstanceCommand.CLEAR_ERROR
SUSPEND, UNSUSPEND = InstanceCommand.SUSPEND, InstanceCommand.UNSUSPEND


def test_what_clears_an_error_forgets_its_reason() -> None:
    names = ("a.q@n1", "a.q@n2")
    before = state([], queue_states=dict.fromkeys(names, "dE"), error_reasons=dict.fromkeys(names, "result of job 7"))
    assert change_instances(ON, before, ENABLE, names).state.error_reasons == before.error_reasons
    assert change_instances(ON, before, CLEAR, names[:1]).state.error_reasons == {names[1]: "result of job 7"}


@pytest.mark.parametrize(
    ("command", "name", "letters", "standing", "said", "after"),
    [
        (DISABLE, "a.q@n1", None, "", "(disabled)", "d"),
        (DISABLE, "a.q@n1", "s", "", "(disabled)", "ds"),
        (DISABLE, "a.q@n1", "d", "", "already in the specified state: disabled", "d"),
        (DISABLE, "a.q@n1", None, "SC", "(disabled)", "d"),
        (ENABLE, "a.q@n1", "d", "", "(enabled)", None),
        (ENABLE, "a.q@n1", "dE", "", "(enabled)", "E"),
        (ENABLE, "a.q@n1", None, "", "already in the specified state: enabled", None),
        (ENABLE, "off.q@n1", None, "", "(enabled)", ""),
        (ENABLE, "off.q@n2", None, "", "already in the specified state: enabled", None),
        (DISABLE, "off.q@n1", None, "", "already in the specified state: disabled", None),
        (DISABLE, "off.q@n1", "", "", "(disabled)", "d"),
        (SUSPEND, "off.q@n1", None, "", "(suspended)", "ds"),
        (SUSPEND, "a.q@n1", "ud", "", "(suspended)", "dus"),
        (SUSPEND, "a.q@n1", "s", "", "already in the specified state: suspended", "s"),
        # Where a calendar or another queue stops it nothing is said, and nothing done.
        (SUSPEND, "a.q@n1", None, "S", None, None),
        (SUSPEND, "a.q@n1", None, "C", None, None),
        (SUSPEND, "a.q@n1", "S", "", None, "S"),
        (UNSUSPEND, "a.q@n1", "s", "C", None, "s"),
        (UNSUSPEND, "a.q@n1", "s", "", "(unsuspended)", None),
        (UNSUSPEND, "a.q@n1", None, "", "already in the specified state: unsuspended", None),
        (CLEAR, "a.q@n1", "E", "", "(no error)", None),
        (CLEAR, "a.q@n1", "E", "S", "(no error)", None),
        (CLEAR, "a.q@n1", None, "", "already in the specified state: no error", None),
    ],
)
def test_letters_of_one_instance(
    command: InstanceCommand, name: str, letters: str | None, standing: str, said: str | None, after: str | None
) -> None:
    before = state([], queue_states={} if letters is None else {name: letters})
    reply = change_instances(ON, before, command, [name], shown_states={name: standing})
    expected = (
        ()
        if said is None
        else (f'root@localhost changed state of "{name}" {said}',)
        if said.startswith("(")
        else (f'Queue instance "{name}" is {said}',)
    )
    assert reply.messages == expected
    assert reply.state.queue_states == ({} if after is None else {name: after})
    assert (reply.state is before) == (said is None or said[0] != "(")


def test_each_of_several_instances_is_gone_through() -> None:
    before = state([], queue_states={"a.q@n1": "d", "ab.q@n1": "S"})
    names = ["nothing", "a.q@n1", "ab.q@n1", "a.q@n2"]
    reply = change_instances(ON, before, DISABLE, names, unknown={"nothing"})
    assert reply.messages == (
        'invalid queue "nothing"',
        'Queue instance "a.q@n1" is already in the specified state: disabled',
        'root@localhost changed state of "ab.q@n1" (disabled)',
        'root@localhost changed state of "a.q@n2" (disabled)',
    )
    assert reply.state.queue_states == {"a.q@n1": "d", "ab.q@n1": "dS", "a.q@n2": "d"}
    assert list(change_instances(ON, before, SUSPEND, names[1:]).state.queue_states.values()) == ["ds", "S", "s"]


def test_what_runs_in_an_instance_is_suspended_with_it_and_goes_on() -> None:
    there = [job(number, tasks={1: Task("r", {name: 1}, NOW)}) for number, name in ((1, "a.q@n1"), (2, "a.q@n2"))]
    stopped = change_instances(ON, state(there), SUSPEND, ["a.q@n1"]).state
    assert [each.tasks[1].state for each in stopped.jobs] == ["S", "r"]
    assert [each.tasks[1].state for each in change_instances(ON, stopped, DISABLE, ["a.q@n1"]).state.jobs] == ["S", "r"]
    on = change_instances(ON, stopped, UNSUSPEND, ["a.q@n1"]).state
    assert [each.tasks[1].state for each in on.jobs] == ["r", "r"]


@pytest.mark.parametrize(
    ("pattern", "names"),
    [
        ("a.q", ("a.q@n1", "a.q@n2")),
        ("a.q@n2", ("a.q@n2",)),
        ("a*", ("a.q@n1", "a.q@n2", "ab.q@m1", "ab.q@n1")),
        ("*@m*", ("ab.q@m1",)),
        ("*@@some", ("a.q@n2", "ab.q@m1", "off.q@n2")),
        ("a.q@@some", ("a.q@n2",)),
        ("a.q@m1", ()),
        ("b.q", ()),
    ],
)
def test_words_that_name_instances(pattern: str, names: tuple[str, ...]) -> None:
    assert sorted(instances_named(ON, pattern)) == sorted(names)
