"""Numbers of jobs and advance reservations are used once, as the real qmaster 8.1.9 was seen to do it."""

import pytest

from qmon_tui.formats.folder_reader import read_texts
from qmon_tui.formats.layout import Layout
from qmon_tui.formats.state.edit import edited_state
from qmon_tui.formats.state.state_writer import state_text
from qmon_tui.model.state import State
from qmon_tui.model.state_fields import StateKind
from qmon_tui.qmaster.commands import Target, give_back, new_job, reserve, submit
from qmon_tui.qmaster.commands.job_numbers import next_job, next_reservation
from qmon_tui.qmaster.commands.qdel import delete
from qmon_tui.workspace import object_words
from tests.edits import delete_jobs, submit_job

CLUSTER = """\
pes: {mpi: {slots: 99, allocation_rule: $fill_up}}
queues:
  all.q: {hostlist: "sim1 sim2", slots: 4, load_thresholds: NONE, pe_list: mpi}
  b.q: {hostlist: sim1, slots: 0}
"""


def contents(text: str) -> tuple[dict[str, str], State]:
    texts = {"cluster.yaml": CLUSTER, "jobs.yaml": text}
    read = read_texts(Layout.YAML, "numbers", texts)
    assert not read.findings
    return texts, read.state


CONFIGURATION = read_texts(Layout.YAML, "numbers", {"cluster.yaml": CLUSTER}).cluster


def jobs(*numbers: int) -> str:
    return "jobs:\n" + "".join(f"- {{id: {number}, owner: usera, qsub: sleep 60}}\n" for number in numbers)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        (jobs(1, 7), 8),
        ("jobseqnum: 20\n" + jobs(1, 7), 21),
        ("jobseqnum: 20\n" + jobs(50), 51),
        ("jobseqnum: 9999999\n" + jobs(17), 1),
        (jobs(1, 2, 3, 4, 9999999), 5),
        ("jobseqnum: 4\n" + jobs(1, 7, 9999998), 5),
        ("jobseqnum: 6\n" + jobs(7, 9, 9999998), 8),
        ("jobseqnum: 6000000\n" + jobs(17), 6000001),
        ("jobseqnum: 1\n" + jobs(4000000), 4000001),
        ("jobseqnum: 3\n", 4),
        ("", 1),
    ],
)
def test_the_next_number_follows_the_last_one_round_and_round(text: str, number: int) -> None:
    assert next_job(contents(text)[1]) == number


def test_the_number_of_a_deleted_job_is_written_down_and_forgotten_when_a_later_one_tells() -> None:
    texts, state = contents(jobs(1, 2) + "# the end\n")
    without = delete(CONFIGURATION, state, Target(2)).state
    assert next_job(without) == 3
    files = edited_state(Layout.YAML, texts, without, lambda now: read_texts(Layout.YAML, "numbers", now).state)
    assert files["jobs.yaml"].startswith("jobseqnum: 2\njobs:\n- {id: 1,")
    read = read_texts(Layout.YAML, "numbers", {**texts, **files}).state
    assert read == without
    assert contents(state_text(without))[1] == without
    fuller = submit(CONFIGURATION, read, new_job(read, "usera", "sleep 60")).state
    later = edited_state(
        Layout.YAML, {**texts, **files}, fuller, lambda now: read_texts(Layout.YAML, "numbers", now).state
    )
    assert "jobseqnum" not in later["jobs.yaml"]
    assert "- {id: 3," in later["jobs.yaml"] or "- id: 3" in later["jobs.yaml"]


def test_jobs_deleted_one_by_one_on_the_screen_leave_the_highest_number_used() -> None:
    _, state = contents(jobs(5, 9, 11))
    after = delete_jobs([Target(11), Target(5), Target(9)], force=False).command.apply(CONFIGURATION, state).state
    assert (after.jobs, after.jobseqnum) == ((), 11)


def test_an_order_that_is_refused_changes_nothing_but_the_number() -> None:
    _, state = contents(jobs(5))
    reply = submit_job(new_job(state, "usera", "-q nope sleep 60")).command.apply(CONFIGURATION, state)
    assert reply.state.jobseqnum == 6
    assert not reply.changes(state)


@pytest.mark.parametrize(
    ("options", "used"),
    [
        ("-d 100 -q nope", 0), ("-d 100 -pe mpi 400", 1), ("-d 100 -pe nope 1", 0), ("-d 100 -w v", 1),
        ("-d 100 -w v -q nope", 0), ("-d 100 -l nope=1", 0), ("-d 100 -ckpt nope", 0), ("-d 100 -P x", 0),
        ("-d 100 -N a:b", 0), ("-d 100 -q b.q", 1), ("-d 0", 0), ("-d 100 -u @nope", 0), ("-d 100 -q all.q", 1),
        ("-d 100 -he y -q b.q", 1),
    ],
)  # fmt: skip
def test_a_reservation_uses_up_a_number_when_a_place_is_looked_for(options: str, used: int) -> None:
    _, state = contents("arseqnum: 30\nnow: 2026-11-21T19:00:00\n")
    assert next_reservation(reserve(CONFIGURATION, state, "root", options).state) == 31 + used


def test_the_number_of_a_reservation_that_is_given_back_is_used_up() -> None:
    _, state = contents("now: 2026-11-21T19:00:00\n")
    state = reserve(CONFIGURATION, state, "root", "-d 100 -q all.q").state
    assert state.arseqnum == 0
    after = give_back(CONFIGURATION, state, 1).state
    assert (after.reservations, next_reservation(after)) == ((), 2)


def test_what_a_last_number_is_called() -> None:
    assert object_words(StateKind.NUMBER, "jobseqnum") == "the last job number"
    assert object_words(StateKind.NUMBER, "arseqnum") == "the last reservation number"
