"""Advance reservations in YAML: what is read, what is written again, and what is wrong."""

import pytest

from qmon_tui.formats.folder_reader import Contents, read_texts
from qmon_tui.formats.layout import Layout
from qmon_tui.formats.state.state_writer import state_text
from qmon_tui.model.jobs import AdvanceReservation
from qmon_tui.values.times import parse_time

TEXT = """\
now: 2026-11-21T09:00:00
reservations:
- id: 2
  owner: bert
  start: 2026-11-21T09:30:00
  end: 2026-11-21T10:00:00
  granted: {all.q@sim1: 1}
- id: 1
  owner: anna
  start: 2026-11-21T08:30:00
  end: 2026-11-21T10:00:00
  submitted: 2026-11-21T08:29:59
  granted: {all.q@sim1: 2, all.q@sim2: 1}
  requests: lic=1,fast
  users: anna @staff
  pe: mpi
  strict: true
"""


def contents(text: str) -> Contents:
    return read_texts(Layout.YAML, "c", {"jobs.yaml": text})


def test_reservations_are_read_and_written() -> None:
    found = contents(TEXT)
    assert not found.findings
    first, second = found.state.reservations
    assert first == AdvanceReservation(
        id=1,
        owner="anna",
        start=parse_time("2026-11-21T08:30:00"),
        end=parse_time("2026-11-21T10:00:00"),
        granted={"all.q@sim1": 2, "all.q@sim2": 1},
        state="r",
        requests=(("lic", "1"), ("fast", None)),
        users=("anna", "@staff"),
        environment="mpi",
        submitted=parse_time("2026-11-21T08:29:59"),
        strict=True,
    )
    assert (second.id, second.state, second.users) == (2, "w", ())
    again = contents(state_text(found.state))
    assert not again.findings
    assert again.state.reservations == found.state.reservations


GOOD = "{id: 1, owner: anna, start: 2026-11-21T09:00:00, end: 2026-11-21T10:00:00, granted: {all.q@sim1: 1}"


@pytest.mark.parametrize(
    ("item", "message"),
    [
        ("5", "a reservation is written as"),
        ("{id: 1, owner: anna}", "needs start, end, granted"),
        (GOOD.replace("id: 1", "id: one") + "}", '"one" is not the number of a reservation'),
        (GOOD.replace("all.q@sim1: 1", "all.q: 1") + "}", "granted is a queue instance and its slots"),
        (GOOD.replace("T10:00", "T08:00") + "}", "ends before it has begun"),
        (GOOD.replace("T10:00", "T09:00") + "}", "ends before it has begun"),
        (GOOD + ", state: z}", '"z" is not a state of a reservation'),
        (GOOD + ", strict: perhaps}", "strict is true or false"),
        (GOOD + ", user: anna}", "did you mean users?"),
        (GOOD.replace("2026-11-21T10:00:00", "someday") + "}", '"someday" is not a time'),
    ],
)
def test_what_is_wrong_with_a_reservation_is_said(item: str, message: str) -> None:
    findings = contents(f"reservations:\n- {item}\n").findings
    assert message in findings[0].message
    assert (findings[0].file, findings[0].line) == ("jobs.yaml", 2)


@pytest.mark.parametrize(
    ("now", "given", "state"),
    [
        ("2026-11-21T08:59:59", "", "w"),
        ("2026-11-21T09:00:00", "", "r"),
        ("2026-11-21T09:00:01", "", "r"),
        ("2026-11-21T09:00:00", ", state: w", "w"),
        ("2026-11-21T08:59:59", ", state: r", "r"),
    ],
)
def test_a_reservation_that_says_no_state_runs_from_its_start_on(now: str, given: str, state: str) -> None:
    found = contents(f"now: {now}\nreservations:\n- {GOOD}{given}}}\n")
    assert not found.findings
    assert [reservation.state for reservation in found.state.reservations] == [state]
