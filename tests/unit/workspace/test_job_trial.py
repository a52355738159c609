"""Jobs and reservations tried before they are there: what starts, what waits, who has to give way, who is refused."""

from dataclasses import replace
from typing import Any

import pytest

from qmon_tui.model.jobs import AdvanceReservation, Job, Task
from qmon_tui.model.state import State
from qmon_tui.workspace import JobTrial, admitted, try_altered, try_job, try_reservation
from tests.unit.scheduler.building import NOW, cluster, job, queue, running, state, userset

CLUSTER = cluster(queue("a.q", "h1", 2), queue("b.q", "h2", 1), userset("arusers", "anna"))
TAKEN = AdvanceReservation(3, "anna", NOW, NOW + 99, {"b.q@h2": 1}, state="r")
FULL = 'Your job (-l NONE) cannot run in queue "b.q@h2" because it offers only qc:slots=0.000000'
NO_PLACE = "advance_reservation: no suitable queues"


def waiting(number: int, options: str) -> Job:
    return replace(job(number, options), qsub=f"{options} sleep 60")


HERE = (running(1, "a.q@h1"), waiting(2, "-q b.q"), waiting(3, "-q b.q"))


def told(trial: JobTrial) -> dict[str, Any]:
    """What differs from a trial that comes to nothing; of the explanation, whose it is."""
    explained = trial.explanation and (trial.explanation.job, trial.explanation.task)
    found = {name: getattr(trial, name) for name in trial.__dataclass_fields__} | {"explanation": explained}
    return {name: value for name, value in found.items() if value != getattr(JobTrial(), name)}


@pytest.mark.parametrize(
    ("new", "what"),
    [
        (waiting(4, "-q a.q"), {"starts": ((1, ("a.q@h1",)),)}),
        (waiting(4, "-q a.q -t 1-5:2"), {"starts": ((1, ("a.q@h1",)),), "waiting": 2, "explanation": (4, 3)}),
        (waiting(4, "-q b.q"), {"waiting": 1, "explanation": (4, 1)}),
        (waiting(0, "-q b.q -p 0"), {"starts": ((1, ("b.q@h2",)),), "others": (2,)}),
        (waiting(2, "-q b.q -p -9"), {"waiting": 1, "explanation": (2, 1)}),
        (waiting(4, "-p 9"), {"refused": "job rejected: positive submission priority requires operator privileges"}),
        (replace(HERE[1], qsub="-p 9999 x"), {"refused": "-p 9999: not a whole number between -1023 and 1024"}),
    ],
)  # fmt: skip
def test_a_new_job_is_tried_beside_those_that_are_there(new: Job, what: dict[str, Any]) -> None:
    assert told(try_job(CLUSTER, state(HERE), new)) == what


@pytest.mark.parametrize(
    ("number", "options", "what"),
    [
        (
            2,
            "-q a.q",
            {"starts": ((1, ("a.q@h1",)),), "instead": (3,), "printed": ("modified hard queue list of job 2",)},
        ),
        (2, "  ", {"starts": ((1, ("b.q@h2",)),)}),
        (2, "-h u", {"waiting": 1, "explanation": (2, 1), "instead": (3,), "printed": ("modified hold of job 2",)}),
        (1, "-N x", {"running": 1, "printed": ("modified job name of job 1",)}),
        (9, "-q a.q", {"refused": 'denied: job "9" does not exist'}),
    ],
)
def test_an_altered_job_is_tried_against_itself(number: int, options: str, what: dict[str, Any]) -> None:
    assert told(try_altered(CLUSTER, state(HERE), number, options)) == what


@pytest.mark.parametrize(
    ("new", "refused"),
    [
        (waiting(4, "-q a.q"), None),
        (waiting(4, "-p 9"), "job rejected: positive submission priority requires operator privileges"),
        (replace(HERE[1], qsub="-p 9999 x"), "-p 9999: not a whole number between -1023 and 1024"),
    ],
)
def test_a_new_job_is_let_in_or_refused_in_the_words_of_qsub(new: Job, refused: str | None) -> None:
    assert admitted(CLUSTER, state(HERE), new) == refused


def test_of_an_array_only_tasks_that_have_not_started_are_tried() -> None:
    tasks = {1: Task("r", {"a.q@h1": 1}, NOW - 9), 2: Task("z", {}), 3: Task("Rq")}
    array = replace(waiting(1, "-q a.q -t 1-5"), tasks=tasks)
    assert told(try_altered(CLUSTER, state([array]), 1, "-N x")) == {
        "running": 1,
        "starts": ((3, ("a.q@h1",)),),
        "waiting": 2,
        "explanation": (1, 4),
        "printed": ("modified job name of job 1",),
    }


@pytest.mark.parametrize(
    ("options", "before", "said", "others"),
    [
        ("-d 60 -q b.q", state(HERE), ("Your advance reservation 1 has been granted",), (2,)),
        ("-d 60 -q b.q", state([waiting(1, "-q b.q")]), ("Your advance reservation 1 has been granted",), (1,)),
        ("-d 60 -q a.q", state(HERE), ("Your advance reservation 1 has been granted",), ()),
        ("-d 60 -w v", state(HERE), ("verification: found suitable queue(s)",), ()),
        ("-q a.q", state(HERE), ('missing value for "end time or duration" in advance reservation request',), ()),
        ("-d 60 -l nothing=1", state(HERE), ('unknown resource "nothing"',), ()),
        ("-d 60 -q b.q", state(HERE, reservations=(TAKEN,)), (FULL, NO_PLACE), ()),
    ],
)
def test_a_reservation_is_tried_with_the_words_of_qrsub(
    options: str, before: State, said: tuple[str, ...], others: tuple[int, ...]
) -> None:
    trial = try_reservation(CLUSTER, before, "anna", "staff", options)
    assert (trial.granted is not None) == ("granted" in said[-1])
    assert (trial.printed, trial.others) == (said, others)
