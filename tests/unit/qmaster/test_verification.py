"""What -w finds out: with p as things are, otherwise in an empty cluster (dispatch.md#verification-of-a-job)."""

from qmon_tui.model import Job, State
from qmon_tui.qmaster.verification import FOUND, objection, verified, warning
from qmon_tui.scheduler.configuration import compile_cluster
from tests.unit.scheduler.building import NOW, attribute, cluster, environment, host, job, queue, running, scheduler

ON = compile_cluster(
    cluster(
        attribute("mem mem MEMORY <= YES YES 0"),
        host("h1", "mem=4G"),
        host("h2", "mem=2G"),
        queue("a.q", "h1", 2, seq_no="2", pe_list="mpi"),
        queue("b.q", "h2", 2, seq_no="1", pe_list="mpi"),
        environment("mpi"),
        scheduler(queue_sort_method="seqno"),
    )
)
BUSY = (running(1, "a.q@h1", slots=2), running(2, "b.q@h2", slots=2))


def said(asked: Job, *others: Job) -> list[str]:
    return list(verified(ON, State(now=NOW, jobs=others), asked).lines(asked.id))


def slots(asked: Job, *others: Job) -> int | None:
    return verified(ON, State(now=NOW, jobs=others), asked).slots


def test_what_runs_counts_with_p_only() -> None:
    assert [slots(job(3, f"-w {letter}"), *BUSY) for letter in "evwp"] == [1, 1, 1, None]
    assert [slots(job(3, f"-w {letter} -pe mpi 3"), *BUSY) for letter in "vp"] == [3, None]
    assert [slots(job(3, f"-w {letter} -l mem=3G"), *BUSY[1:]) for letter in "vp"] == [1, 1]


def test_for_one_slot_an_empty_cluster_is_looked_at_as_it_is_listed() -> None:
    hosts = {
        letter + more: [line.split('"')[1] for line in said(job(3, f"-w {letter} -l mem=5G{more}")) if "mem=" in line]
        for letter in "vp"
        for more in ("", " -pe mpi 1")
    }
    in_order = ["h2", "h1"]
    assert hosts == {"v": ["h1", "h2"], "v -pe mpi 1": in_order, "p": in_order, "p -pe mpi 1": in_order}


def test_what_is_said_of_it() -> None:
    state = State(now=NOW)
    fits, too_much = {letter: job(3, f"-w {letter}") for letter in "ewvp"}, job(3, "-w w -l mem=5G")
    assert objection(fits["v"], verified(ON, state, fits["v"])) == FOUND
    assert objection(fits["e"], verified(ON, state, fits["e"])) is None
    assert warning(ON, state, fits["w"]) is None
    assert warning(ON, state, too_much) == "warning: no suitable queues"
