"""The letters of queue instances before a run (lifecycle.md#states-of-queue-instances)."""

import pytest

from qmon_tui.model import ConfigObject, Job, Kind, State, Task, config_object
from qmon_tui.scheduler.configuration import compile_cluster
from qmon_tui.scheduler.suspension import (
    closing_of,
    compile_with_orphans,
    in_order,
    left_out,
    queue_states,
    stopped_queues,
    used_slots,
)
from tests.unit.scheduler.building import NOW, cluster, host, job, queue


def calendar(name: str, what: str) -> ConfigObject:
    return config_object(Kind.CALENDAR, name, {"week": f"mon-sun=0-24={what}"})


CALENDARS = (calendar("halt", "suspended"), calendar("shut", "off"), calendar("open", "on"))


@pytest.mark.parametrize(
    ("fields", "told", "letters"),
    [
        ({}, None, ""),
        ({}, "", ""),
        ({}, "ud", "du"),
        ({}, "aAEs", "Es"),
        # What the configuration says is not taken from the state.
        ({}, "CDco", ""),
        ({"initial_state": "disabled"}, None, "d"),
        ({"initial_state": "disabled"}, "", ""),
        ({"initial_state": "disabled"}, "s", "s"),
        ({"calendar": "halt"}, None, "C"),
        ({"calendar": "halt"}, "Dd", "Cd"),
        ({"calendar": "shut"}, None, "D"),
        ({"calendar": "shut"}, "s", "Ds"),
        ({"calendar": "open"}, "C", ""),
        # Of a calendar that is not there only the state tells what it does.
        ({"calendar": "gone"}, "Cd", "Cd"),
        ({"calendar": "gone"}, None, ""),
        ({"calendar": "shut", "initial_state": "disabled"}, None, "Dd"),
    ],
)
def test_letters_are_told_or_configured(fields: dict[str, str], told: str | None, letters: str) -> None:
    compiled = compile_cluster(cluster(*CALENDARS, queue("a.q", "h1", 4, **fields)))
    state = State(now=NOW, queue_states={} if told is None else {"a.q@h1": told})
    assert queue_states(compiled, state, NOW) == [letters]


def placed(number: int, instance: str, letters: str = "r") -> Job:
    return job(number, tasks={1: Task(letters, {instance: 1}, NOW - 5)})


@pytest.mark.parametrize(
    ("subordinates", "jobs", "told", "letters"),
    [
        ("low.q=1", (placed(1, "high.q@h1"),), "", "S"),
        ("low.q=1", (placed(1, "high.q@h1", "s"),), "", "S"),
        ("low.q=1", (placed(1, "high.q@h1", "Rq"),), "", ""),
        ("low.q=2", (placed(1, "high.q@h1"),), "d", "d"),
        ("low.q=1", (placed(1, "high.q@h1"),), "ds", "dSs"),
        # An edit of the list lets it go on at once; where being full decides only the letter tells.
        ("low.q=2", (placed(1, "high.q@h1"),), "S", ""),
        ("low.q", (placed(1, "high.q@h1"),), "S", "S"),
        ("NONE", (placed(1, "high.q@h1"),), "S", ""),
        # So it does where nobody has told what runs.
        ("low.q=2", (), "S", "S"),
        ("low.q", (), "S", "S"),
        ("NONE", (), "dS", "d"),
    ],
)
def test_a_subordinate_stands_still(subordinates: str, jobs: tuple[Job, ...], told: str, letters: str) -> None:
    compiled = compile_cluster(
        cluster(queue("high.q", "h1", 4, subordinate_list=subordinates), queue("low.q", "h1", 4))
    )
    states = queue_states(compiled, State(now=NOW, jobs=jobs, queue_states={"low.q@h1": told}), NOW)
    assert dict(zip((instance.name for instance in compiled.instances), states, strict=True)) == {
        "high.q@h1": "", "low.q@h1": letters,
    }  # fmt: skip


def test_what_is_no_longer_configured_is_an_orphan() -> None:
    on = cluster(host("h1"), host("h2"), queue("a.q", "h1", 4))
    compiled = compile_with_orphans(on, frozenset({("a.q", "h2")}))
    state = State(now=NOW, queue_states={"a.q@h2": "ds"})
    states = queue_states(compiled, state, NOW)
    named = {instance.name: letters for instance, letters in zip(compiled.instances, states, strict=True)}
    assert named == {"a.q@h1": "", "a.q@h2": "dso"}
    assert compile_with_orphans(on, frozenset()) is compile_cluster(on)


def test_which_instances_are_stopped_and_left_out() -> None:
    compiled = compile_cluster(cluster(*(queue(f"{name}.q", "h1", 4) for name in "abcdefg")))
    names = [instance.name for instance in compiled.instances]
    letters = dict(zip(names, ["", "d", "s", "S", "C", "u", "Do"], strict=True))
    assert stopped_queues(compiled, list(letters.values())) == {names[2], names[3], names[4]}
    assert left_out(compiled, list(letters.values())) == {names[2], names[3], names[4], names[5]}
    assert in_order("xosdC") == "Cdso"


def test_slots_in_use_are_added_up() -> None:
    several = job(3, tasks={1: Task("S", {"a.q@h1": 2, "a.q@h2": 1}, 1.0), 2: Task("hqw")})
    jobs = (placed(1, "a.q@h1"), placed(2, "a.q@h1", "Rq"), several)
    assert used_slots(jobs) == {"a.q@h1": 3, "a.q@h2": 1}


@pytest.mark.parametrize(
    ("name", "letters", "suspends"),
    [
        ("halt", "C", True),
        ("shut", "D", False),
        ("shut", "ds", None),
        ("open", "C", None),
        ("gone", "C", None),
        ("NONE", "C", None),
    ],
)
def test_the_calendar_behind_a_letter(name: str, letters: str, suspends: bool | None) -> None:
    compiled = compile_cluster(cluster(*CALENDARS, queue("a.q", "h1", 4, calendar=name)))
    closing = closing_of(compiled, 0, letters, NOW)
    assert (closing and (closing.calendar, closing.suspends)) == (None if suspends is None else (name, suspends))
