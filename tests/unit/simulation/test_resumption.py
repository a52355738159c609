"""A stopped simulation: it goes on as if it had not been, and nothing else is ever built from its file."""

import os
import pickle
import zlib
from hashlib import sha256

import pytest

from qmon_tui.formats import Layout, read_texts
from qmon_tui.simulation import CannotResume, Settings, Simulator, resumed, stopped
from tests.unit.simulation.test_settings import TEXT


def simulator() -> Simulator:
    contents = read_texts(Layout.YAML, "cluster", {"cluster.yaml": TEXT})
    return Simulator(contents.cluster, contents.state, Settings.of(contents.cluster, contents.state))


@pytest.mark.parametrize("steps", [0, 1, 2, 5])
def test_it_goes_on_as_if_it_had_not_been_stopped(steps: int) -> None:
    whole, part = simulator(), simulator()
    whole.run()
    for _ in range(steps):
        part.step()
    again = resumed(stopped(part, b"inputs"), b"inputs")
    again.run()
    assert again.records == whole.records
    assert again.state == whole.state
    assert (again.now, again.runs, again.events, again.replies) == (whole.now, whole.runs, whole.events, whole.replies)


class Evil:
    def __reduce__(self) -> tuple[object, ...]:
        return os.system, ("false",)


@pytest.mark.parametrize("thing", [Evil(), os.getcwd, Simulator.step, print])
def test_a_file_that_names_anything_else_is_refused(thing: object) -> None:
    payload = zlib.compress(pickle.dumps(thing))
    first = f"qmon-tui simulation 1 {sha256(b'').hexdigest()} {sha256(payload).hexdigest()}\n"
    with pytest.raises(CannotResume, match="which no simulation is made of"):
        resumed(first.encode() + payload, b"")


def test_what_is_not_whole_or_of_other_inputs_is_refused() -> None:
    data = stopped(simulator(), b"inputs")
    for wrong, inputs, said in (
        (data[:-5], b"inputs", "not complete"),
        (data, b"others", "of another cluster"),
        (b"jobs: []\n", b"inputs", "not a simulation that was stopped"),
        (b"", b"inputs", "not a simulation that was stopped"),
    ):
        with pytest.raises(CannotResume, match=said):
            resumed(wrong, inputs)


CALENDAR = """\
now: 2026-01-01T09:00:00
calendars: {night: {week: mon-sun=8-20=off}}
queues:
  all.q: {hostlist: h1, slots: 1, load_thresholds: NONE}
  other.q: {hostlist: h1, slots: 1, calendar: night}
jobs:
- {id: 1, owner: anna, submitted: 2026-01-01T09:00:00, qsub: sleep 60}
"""
NEVER = "- {id: 2, owner: anna, submitted: 2026-01-01T09:00:00, qsub: -pe mpi 5 -q none.q sleep 60}\n"


@pytest.mark.parametrize(("jobs", "days"), [("", 1), (NEVER, 370)])
def test_calendars_alone_do_not_go_on_for_ever(jobs: str, days: int) -> None:
    contents = read_texts(Layout.YAML, "cluster", {"cluster.yaml": CALENDAR + jobs})
    assert not contents.findings
    day = Simulator(contents.cluster, contents.state)
    day.run()
    assert day.now - contents.state.now < days * 86400
    assert day.records[1, 1].ended == contents.state.now + 60
