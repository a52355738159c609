"""What qsub, qalter, qhold, qrls, qdel and qmod do and say: ours, as recorded and as the real qmaster does it."""

from typing import Any

import pytest

from tests.differential.command_sessions import DRAWN, QUEUE_WISE_DRAWN, SESSIONS, SLOT_WISE_DRAWN
from tests.differential.commanding import Ours, Step, record, recorded
from tests.differential.drawn_commands import drawn_among_subordinates, drawn_session
from tests.differential.qmaster import Qmaster

PLAYED_AMONG_SUBORDINATES = 10
PLAYED, ALWAYS_DRAWN = 40, 1
"""How many drawn sessions make differential plays, and how many of these are played each time."""
ALWAYS_PLAYED = ("holds of a pending job", "jobs ended without a word", "queue instances", "verified")
"""Each takes as long as the real qmaster needs to start jobs and to end them; make differential plays them all."""


def compare(name: str, steps: list[Step]) -> None:
    ours = Ours.fresh(name)
    for real in steps:
        found = ours.step(real)
        if has_ended(found, real):
            return
        assert plain(found) == plain(real), real["line"]


def has_ended(ours: dict[str, Any], real: Step) -> bool:
    """A task that was told to end is gone a second later: on a slow machine before anybody could look at it."""
    return any("d" in state and name not in real["tasks"] for name, state in ours["tasks"].items())


def plain(step: Step) -> dict[str, Any]:
    """Without what does not count: the order of lines, and what was granted, which is taken from the real one."""
    said = sorted(line for line in step["said"] if "blocking jobs" not in line and "exited jobs" not in line)
    return {name: value for name, value in {**step, "said": said}.items() if name != "granted"}


def test_every_session_is_recorded_as_it_is() -> None:
    assert {name: [step["line"] for step in steps] for name, steps in recorded().items()} == {
        name: session.splitlines() for name, session in SESSIONS.items()
    }


@pytest.mark.parametrize("name", SESSIONS)
def test_commands_do_and_say_what_was_recorded(name: str) -> None:
    ours = Ours.fresh(name)
    for real in recorded()[name]:
        assert plain(ours.step(real)) == plain(real), real["line"]


@pytest.mark.qmaster
@pytest.mark.parametrize(
    "name", [name if name in ALWAYS_PLAYED else pytest.param(name, marks=pytest.mark.long) for name in SESSIONS]
)
def test_commands_do_and_say_what_the_real_qmaster_does(qmaster: Qmaster, name: str) -> None:
    compare(name, record(qmaster, name))


@pytest.mark.qmaster
@pytest.mark.parametrize(
    "number", [pytest.param(number, marks=[pytest.mark.long][: number >= ALWAYS_DRAWN]) for number in range(PLAYED)]
)
def test_drawn_commands_do_and_say_the_same(qmaster: Qmaster, number: int) -> None:
    compare(DRAWN, record(qmaster, DRAWN, drawn_session(number)))


@pytest.mark.qmaster
@pytest.mark.long
@pytest.mark.parametrize("number", range(PLAYED_AMONG_SUBORDINATES))
@pytest.mark.parametrize("name", [QUEUE_WISE_DRAWN, SLOT_WISE_DRAWN])
def test_drawn_commands_among_subordinates_do_and_say_the_same(qmaster: Qmaster, name: str, number: int) -> None:
    compare(name, record(qmaster, name, drawn_among_subordinates(number)))
