"""What -w finds out: with p as things are, otherwise in an empty cluster (dispatch.md#verification-of-a-job)."""

from typing import Any

import pytest

from qmon_tui.model import AdvanceReservation, Job, Kind, State, config_object
from qmon_tui.qmaster.verification import FOUND, Verification, is_verified, objection, verified, warning
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


WIDE = compile_cluster(
    cluster(
        attribute("mem mem MEMORY <= YES YES 0"), attribute("lic lic INT <= YES YES 0"),
        attribute("disk disk INT <= YES NO 0"),
        host("h1", "mem=4G,lic=1"), host("h2", "mem=2G,lic=9"), host("h3"),
        queue("a.q", "h1 h2", 2, seq_no="2", pe_list="mpi"), queue("b.q", "h2", 2, seq_no="1", pe_list="mpi"),
        queue("c.q", "h3", 1, pe_list="smp"), environment("mpi"), environment("smp"),
        scheduler(queue_sort_method="seqno", params="DURATION_OFFSET=0"),
        config_object(Kind.QUOTA, "few", {"name": "few", "enabled": "TRUE", "limit": "users bob to slots=1"}),
    )
)  # fmt: skip
NOT_ASKED = 'cannot run in queue "{}" because it is not contained in its hard queue list (-q)'
NOT_RESERVED = 'cannot run in queue instance "{}" because it was not reserved by advance reservation 1'
NOT_A, NOT_B, NOT_C = (NOT_ASKED.format(name) for name in ("a.q", "b.q", "c.q"))
UNRESERVED_B, UNRESERVED_C = (NOT_RESERVED.format(name) for name in ("b.q", "c.q"))
CLOSED = 'queue instance "{}" dropped because it is temporarily not available'
OFFERS = '(-l {}) cannot run at host "{}" because it offers only hc:{}'
NO_DISK = '(-l disk=3) cannot run in queue "a.q@{}" because job requests unknown resource (disk)'
FEW_SLOTS = 'cannot run in PE "{}" because it only offers {} slots'
BOTH = "lic=10,mem=5G"
KEPT = '(-l h_rt={}) cannot run in queue "c.q@h3" because it offers only qc:slots=0.000000 due to a reservation'


def reserved(**granted: int) -> AdvanceReservation:
    """In an environment where there are several slots, from 100 to 200 seconds after now."""
    environment = "mpi" if sum(granted.values()) > 1 else None
    places = {name.replace("_", ".q@"): slots for name, slots in granted.items()}
    return AdvanceReservation(1, "anna", NOW + 100, NOW + 200, places, "w", environment=environment)


@pytest.mark.parametrize(
    ("options", "more", "found", "said"),
    [
        ("-w v", {}, 1, []),
        ("-w v -q c.q", {}, 1, [NOT_A, NOT_B]),
        ("-w v -q b.q -l mem=3G", {}, None, [NOT_A, NOT_C, OFFERS.format("mem=3G", "h2", "mem=2.000G")]),
        # Requests are looked at as typed until they have been printed once.
        (
            "-w v -q a.q -l mem=5G,lic=10",
            {},
            None,
            [NOT_B, NOT_C, OFFERS.format(BOTH, "h1", "mem=4.000G"), OFFERS.format(BOTH, "h2", "lic=9.000000")],
        ),
        (
            "-w v -q a.q -l lic=10,mem=5G",
            {},
            None,
            [NOT_B, NOT_C, OFFERS.format(BOTH, "h1", "lic=1.000000"), OFFERS.format(BOTH, "h2", "lic=9.000000")],
        ),
        # Load values that may change are not looked at in the empty cluster.
        ("-w v -l arch=lx", {"loads": {"h1": {"arch": "lx"}}}, 1, []),
        ("-w p -l disk=3", {"loads": {"h1": {"disk": "5"}}}, 1, []),
        (
            "-w v -q a.q -l disk=3",
            {"loads": {"h1": {"disk": "5"}}},
            None,
            [NOT_B, NOT_C, NO_DISK.format("h1"), NO_DISK.format("h2")],
        ),
        # States of queue instances count with p.
        ("-w v -q c.q", {"queue_states": {"c.q@h3": "d"}}, 1, [NOT_A, NOT_B]),
        ("-w p -q c.q", {"queue_states": {"c.q@h3": "d"}}, None, [NOT_A, NOT_B, CLOSED.format("c.q@h3")]),
        ("-w p -q a.q", {"queue_states": {"a.q@h1": "d", "b.q@h2": "a"}}, 1, [CLOSED.format("a.q@h1"), NOT_B, NOT_C]),
        ("-w p -q c.q", {"queue_states": {"c.q@h3": "aA"}}, 1, [NOT_A, NOT_B]),
        ("-w v -pe none 1", {}, None, ["no matching PE found"]),
        ("-w v -pe smp 2", {}, None, [FEW_SLOTS.format("smp", 1)]),
        ("-w v -pe mpi 1-9", {}, 6, []),
        ("-w v -pe smp 1-9", {}, 1, []),
        # What is kept free for reservations is missing for one slot, but not for several.
        ("-w v -q c.q -l h_rt=100", {"reservations": (reserved(c_h3=1),)}, 1, [NOT_A, NOT_B]),
        ("-w v -q c.q -l h_rt=101", {"reservations": (reserved(c_h3=1),)}, None, [NOT_A, NOT_B, KEPT.format(101)]),
        ("-w p -q c.q -l h_rt=101", {"reservations": (reserved(c_h3=1),)}, None, [NOT_A, NOT_B, KEPT.format(101)]),
        ("-w v -q c.q -pe smp 1 -l h_rt=101", {"reservations": (reserved(c_h3=1),)}, 1, [NOT_A, NOT_B]),
        # Of a reservation its own queue instances count, whenever it begins.
        ("-ar 1", {"reservations": (reserved(a_h1=1),)}, 1, [UNRESERVED_B, UNRESERVED_C]),
        ("-ar 2", {"reservations": (reserved(a_h1=1),)}, None, []),
        ("-ar 1 -q a.q@h1", {"reservations": (reserved(a_h1=1),)}, 1, [NOT_ASKED.format("a.q@h2"), NOT_B, NOT_C]),
        ("-ar 1 -q b.q", {"reservations": (reserved(a_h1=1),)}, None, [NOT_A, UNRESERVED_B, NOT_C]),
        ("-ar 1 -pe mpi 1", {"reservations": (reserved(a_h1=2),)}, 1, [UNRESERVED_B, UNRESERVED_C]),
        ("-ar 1 -pe mpi 1-9", {"reservations": (reserved(a_h2=2, b_h2=1),)}, 3, [UNRESERVED_C]),
        (
            "-ar 1 -pe mpi 3",
            {"reservations": (reserved(a_h1=2),)},
            None,
            [UNRESERVED_B, UNRESERVED_C, FEW_SLOTS.format("mpi", 2)],
        ),
    ],
)
def test_where_a_job_would_find_a_place_and_what_is_said(
    options: str, more: dict[str, Any], found: int | None, said: list[str]
) -> None:
    verification = verified(WIDE, State(now=NOW, **more), job(3, options))
    assert (verification.slots, list(verification.messages)) == (found, said)


@pytest.mark.parametrize(("letter", "runs", "found"), [("v", True, 1), ("p", True, None), ("p", False, 1)])
def test_quotas_count_what_runs_with_p_alone(letter: str, runs: bool, found: int | None) -> None:
    others = (running(1, "a.q@h1", owner="bob"),) if runs else ()
    asked = job(3, f"-w {letter}", owner="bob")
    assert verified(WIDE, State(now=NOW, jobs=others), asked).slots == found


def test_only_what_is_about_the_job_is_told_of_it() -> None:
    verification = Verification(None, ("first", "second"), frozenset({"second", "third"}))
    assert list(verification.lines(7)) == ["Job 7 first", "second", "verification: no suitable queues"]
    asked = job(7, "-w v")
    assert objection(asked, verification) == "Job 7 first\nsecond\nverification: no suitable queues"


@pytest.mark.parametrize(
    ("options", "asks"),
    [
        ("", False),
        ("-w e", True),
        ("-w v", True),
        ("-w p", True),
        ("-w w", False),
        ("-w n", False),
        ("-ar 1", True),
        ("-ar 1 -w e", True),
        ("-ar 1 -w w", False),
        ("-ar 1 -w n", False),
    ],
)
def test_of_which_jobs_qsub_asks_before_it_takes_them(options: str, asks: bool) -> None:
    assert is_verified(job(1, options)) is asks
