"""A stopped simulation: it goes on as if it had not been, and nothing else is ever built from its file."""

import os
import pickle
import zlib
from collections.abc import Callable
from hashlib import sha256

import pytest

from qmon_tui.formats import Layout, read_texts
from qmon_tui.simulation import CannotResume, Settings, Simulator, resumed, resumption, stopped
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


@pytest.mark.parametrize("most", [1, 2, 3, 7])
def test_it_can_be_stopped_between_two_runs(most: int) -> None:
    whole, part = simulator(), simulator()
    whole.run()
    while not part.is_over:
        part.step(most)
        part = resumed(stopped(part, b"inputs"), b"inputs")
    assert (part.records, part.state, part.now) == (whole.records, whole.state, whole.now)
    assert (part.runs, part.events, part.replies) == (whole.runs, whole.events, whole.replies)


class Evil:
    def __reduce__(self) -> tuple[object, ...]:
        return os.system, ("false",)


def forged(pickled: bytes) -> bytes:
    payload = zlib.compress(pickled)
    return f"qmon-tui simulation 1 {sha256(b'').hexdigest()} {sha256(payload).hexdigest()}\n".encode() + payload


@pytest.mark.parametrize("thing", [Evil(), os.getcwd, Simulator.step, print])
def test_a_file_that_names_anything_else_is_refused(thing: object) -> None:
    with pytest.raises(CannotResume, match=r"which no simulation is made of|more than data"):
        resumed(forged(pickle.dumps(thing)), b"")


def shared(levels: int) -> tuple[object, ...]:
    """A tuple that holds another one twice, which holds another one twice ..."""
    nest: tuple[object, ...] = ()
    for _ in range(levels):
        nest = (nest, nest)
    return nest


@pytest.mark.parametrize("inside", [lambda nest: nest, lambda nest: [nest], lambda nest: [(1, nest), (nest, 2)]])
def test_what_is_shared_level_by_level_is_not_looked_at(inside: Callable[[object], object]) -> None:
    with pytest.raises(CannotResume, match="more than 10000000000 values"):
        resumed(forged(pickle.dumps(inside(shared(60)), protocol=5)), b"")


def test_keys_are_small_enough_to_be_hashed() -> None:
    # A dictionary of one key, written by hand: pickling it would hash the key.
    pickled = b"\x80\x05}" + pickle.dumps(shared(30), protocol=5)[11:-1] + b"K\x01s."
    with pytest.raises(CannotResume, match="more than 20000000 values are in its keys"):
        resumed(forged(pickled), b"")


def test_a_small_file_does_not_take_many_steps() -> None:
    with pytest.raises(CannotResume, match="it takes more than"):
        resumed(forged(b"\x80\x05" + b"N" * 2_000_000 + b"."), b"")


def named(module: str, name: str) -> bytes:
    return b"".join(b"\x8c" + bytes([len(text)]) + text.encode() for text in (module, name)) + b"\x93"


START, STOP, MARK, TUPLE_1, NONE = b"\x80\x05", b".", b"(", b"\x85", b"N"
SIMULATOR = named("qmon_tui.simulation.simulator", "Simulator")
TASK_RANGE = named("qmon_tui.model.jobs", "TaskRange")
OBJECT = SIMULATOR + b")\x81"
WRONG = {
    "deep tuples as a key": b"}" + b")" + TUPLE_1 * 10**6 + b"Ns" + STOP,
    "a class is changed": SIMULATOR + NONE + b"}\x8c\x04step" + TASK_RANGE + b"s\x86b" + STOP,
    "a class is called": TASK_RANGE + b"K\x01" + TUPLE_1 + b"R" + STOP,
    "a list without an end": named("builtins", "list") + b")R" + STOP,
    "an object that takes items": OBJECT + b"K\x01a" + STOP,
    "an object is called": OBJECT + b")R" + STOP,
    "another object": TASK_RANGE + b")\x81" + STOP,
    "a list": b"]" + STOP,
    "two objects": OBJECT + OBJECT + STOP,
    "too few": b"\x87" + STOP,
    "no mark": b"t" + STOP,
    "a name of no texts": b"K\x01K\x02\x93" + STOP,
    "old names": b"cos\nsystem\n(S'false'\ntR" + STOP,
    "nothing": STOP,
    "no end": OBJECT,
    "no pickle": b"\xff\xfe",
    "a module that is not there": named("qmon_tui.model.nothing", "Thing") + b")\x81" + STOP,
    "an object without anything": OBJECT + STOP,
}


@pytest.mark.parametrize("name", WRONG)
def test_a_file_that_does_anything_else_is_refused(name: str) -> None:
    before = dict(vars(Simulator))
    with pytest.raises(CannotResume):
        resumed(forged(START + WRONG[name]), b"")
    assert dict(vars(Simulator)) == before


def test_a_file_that_would_fill_the_memory_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resumption, "_SMALL", 10**5)
    with pytest.raises(CannotResume, match="too large when it is unpacked"):
        resumed(forged(START + OBJECT + STOP + bytes(10**6)), b"")


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
