"""Queue instances that are disabled when they come into being (lifecycle.md#initial_state), and commands to them."""

import pytest

from qmon_tui.qmaster.commands import InstanceCommand
from qmon_tui.qmaster.commands.qmod_queues import change_instances
from qmon_tui.qmaster.commands.subordinate_suspension import starts_disabled
from tests.unit.scheduler.building import cluster, queue, state

CLUSTER = cluster(
    queue("plain.q", "n1 n2"),
    queue("enabled.q", "n1 n2", initial_state="enabled"),
    queue("closed.q", "n1 n2", initial_state="Disabled"),
    queue("single.q", "n1 n2", initial_state="default,[n2=disabled]"),
    queue("open.q", "n1 n2", initial_state="disabled,[n2=default]"),
)


@pytest.mark.parametrize(
    ("queue", "disabled"),
    [
        ("plain.q", ()),
        ("enabled.q", ()),
        ("closed.q", ("n1", "n2")),
        ("single.q", ("n2",)),
        ("open.q", ("n1",)),
        ("none.q", ()),
    ],
)
def test_who_is_disabled_from_the_beginning(queue: str, disabled: tuple[str, ...]) -> None:
    assert tuple(host for host in ("n1", "n2") if starts_disabled(CLUSTER, f"{queue}@{host}")) == disabled


@pytest.mark.parametrize(
    ("name", "command", "before", "after"),
    [
        ("closed.q@n1", InstanceCommand.ENABLE, {}, {"closed.q@n1": ""}),
        ("closed.q@n1", InstanceCommand.DISABLE, {"closed.q@n1": ""}, {"closed.q@n1": "d"}),
        ("closed.q@n1", InstanceCommand.SUSPEND, {}, {"closed.q@n1": "ds"}),
        ("plain.q@n1", InstanceCommand.DISABLE, {}, {"plain.q@n1": "d"}),
        ("plain.q@n1", InstanceCommand.ENABLE, {"plain.q@n1": "d"}, {}),
        ("single.q@n2", InstanceCommand.ENABLE, {"single.q@n2": "d"}, {"single.q@n2": ""}),
    ],
)
def test_letters_are_noted_unless_an_instance_begins_with_them(
    name: str, command: InstanceCommand, before: dict[str, str], after: dict[str, str]
) -> None:
    changed = change_instances(CLUSTER, state([], queue_states=before), command, [name]).state
    assert dict(changed.queue_states) == after


@pytest.mark.parametrize(
    ("name", "command", "words"),
    [
        ("closed.q@n1", InstanceCommand.DISABLE, "disabled"),
        ("plain.q@n1", InstanceCommand.ENABLE, "enabled"),
        ("open.q@n2", InstanceCommand.ENABLE, "enabled"),
    ],
)
def test_what_an_instance_is_already_is_told(name: str, command: InstanceCommand, words: str) -> None:
    reply = change_instances(CLUSTER, state([]), command, [name])
    assert reply.messages == (f'Queue instance "{name}" is already in the specified state: {words}',)
    assert reply.state.queue_states == {}
