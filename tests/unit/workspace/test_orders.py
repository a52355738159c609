"""Lines of commands that an explanation offers, as edits."""

import pytest

from qmon_tui.model.state import AdvanceReservation, State
from qmon_tui.workspace.orders import order_of
from tests.unit.scheduler.building import NOW, cluster, job, queue

CLUSTER = cluster(queue("all.q", "h1", 2))
LATER = AdvanceReservation(7, "anna", NOW + 600, NOW + 1200, {"all.q@h1": 1}, state="w")
STATE = State(now=NOW, jobs=(job(1, "-ar 7"),), reservations=(LATER,))


def test_a_job_leaves_its_reservation_and_a_reservation_is_given_back() -> None:
    out = order_of(CLUSTER, "qalter -ar 0 1")
    assert out is not None
    state = out.command(CLUSTER, STATE).state
    assert state.jobs[0].request.advance_reservation is None
    back = order_of(CLUSTER, "qrdel 7")
    assert back is not None
    assert back.command(CLUSTER, state).state.reservations == ()


@pytest.mark.parametrize(
    "command", ["qrdel", "qrdel all", "qconf -rattr queue slots 1 all.q", "qmod -d nothing.q", "'"]
)
def test_what_is_none_of_these_commands_is_no_edit(command: str) -> None:
    assert order_of(CLUSTER, command) is None
