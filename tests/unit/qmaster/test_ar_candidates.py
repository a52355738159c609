"""Where an advance reservation may lie: access of all of -u, and calendars that stay open."""

from time import mktime
from typing import Any

import pytest

from qmon_tui.model.cluster import config_object
from qmon_tui.model.kinds import Kind
from qmon_tui.qmaster.ar_candidates import ArCandidates, lets_in, stays_open
from qmon_tui.scheduler import SchedulerSession
from qmon_tui.scheduler.configuration import Access, compile_cluster
from qmon_tui.scheduler.jobs import compile_demand
from qmon_tui.scheduler.matching import PlacementRequest, Requester
from tests.unit.scheduler.building import cluster, environment, job, queue, running, state, userset

HOUR = 3600
MONDAY = int(mktime((2026, 1, 5, 0, 0, 0, 0, 0, -1)))


@pytest.mark.parametrize(
    ("user_lists", "xuser_lists", "user", "is_let_in"),
    [
        ((), (), "anna", True),
        (("lab",), (), "anna", True),
        (("lab",), (), "bert", True),  # by his group
        (("lab",), (), "eve", False),
        ((), ("lab",), "anna", False),
        ((), ("lab",), "eve", True),
        ((), (), "@lab", True),
        (("lab",), (), "@lab", True),
        (("lab",), (), "@other", False),
        ((), ("lab",), "@lab", False),
        ((), ("lab",), "@other", True),
        (("lab",), ("lab",), "@lab", False),
    ],
)
def test_users_and_sets(user_lists: tuple[str, ...], xuser_lists: tuple[str, ...], user: str, is_let_in: bool) -> None:
    usersets = compile_cluster(cluster(userset("lab", "anna,@wheel"), userset("other", "eve"))).usersets
    access = Access(user_lists, xuser_lists)
    assert lets_in(access, user, {"bert": "wheel"}, usersets) is is_let_in


@pytest.mark.parametrize(
    ("begin", "end", "is_open"),
    [(8, 9, True), (8, 11.5, True), (8, 12, False), (8, 13, False), (12, 13, False), (13, 15, False), (14, 20, True)],
)
def test_a_calendar_closes_nothing_until_and_with_the_end(begin: float, end: float, is_open: bool) -> None:
    noon = config_object(Kind.CALENDAR, "noon", {"calendar_name": "noon", "week": "mon-sun=12-14=off"})
    calendar = compile_cluster(cluster(noon, queue("a.q", "n1", calendar="noon"))).calendars["noon"]
    assert stays_open(calendar, MONDAY + int(begin * HOUR), MONDAY + int(end * HOUR)) is is_open


LONG_BREAK = {"calendar_name": "noon", "week": "mon-sun=12-14=off"}
SITE = cluster(
    environment("mpi"),
    environment("mpich"),
    config_object(Kind.CKPT, "blcr", {"ckpt_name": "blcr"}),
    config_object(Kind.CALENDAR, "noon", LONG_BREAK),
    userset("lab", "anna,@wheel"),
    userset("other", "eve"),
    queue("a.q", "n1 n2", pe_list="mpi"),
    queue("b.q", "n1", pe_list="mpich", ckpt_list="blcr", calendar="noon"),
    queue("c.q", "n2", xuser_lists="other"),
    queue("d.q", "n3", user_lists="lab"),
)
CLOSED, SHUT = (
    'queue "{}" is calendar disabled in selected time frame',
    'queue "{}" has no permissions for selected users',
)
NO_PERMISSION = 'has no permission for cluster queue "{}"'


@pytest.mark.parametrize(
    ("options", "asked", "names", "notes", "said"),
    [
        ("", {}, ["a.q@n1", "a.q@n2", "b.q@n1", "c.q@n2", "d.q@n3"], [], []),
        ("-q a.q", {}, ["a.q@n1", "a.q@n2"], [], []),
        ("-q *@n1", {}, ["a.q@n1", "b.q@n1"], [], []),
        ("-pe mpi 2", {}, ["a.q@n1", "a.q@n2"], [], []),
        ("-pe mpi* 2", {}, ["a.q@n1", "a.q@n2", "b.q@n1"], [], []),
        ("-ckpt blcr", {}, ["b.q@n1"], [], []),
        ("-pe mpi 2 -ckpt blcr", {}, [], [], []),
        # Nothing is said of what is not wanted anyway.
        ("-q b.q", {"end": 13}, [], [CLOSED.format("b.q@n1")], []),
        ("-q a.q", {"end": 13}, ["a.q@n1", "a.q@n2"], [], []),
        ("-q [bc].q", {"begin": 14, "end": 15}, ["b.q@n1", "c.q@n2"], [], []),
        # Who asks may not use a queue, or somebody of -u may not.
        ("-q [cd].q", {"owner": "eve"}, [], [], [NO_PERMISSION.format("c.q"), NO_PERMISSION.format("d.q")]),
        ("-q [cd].q", {"users": ("anna",)}, ["c.q@n2", "d.q@n3"], [], []),
        ("-q [cd].q", {"users": ("anna", "bert")}, ["c.q@n2"], [SHUT.format("d.q@n3")], []),
        ("-q [cd].q", {"users": ("bert",), "groups": {"bert": "wheel"}}, ["c.q@n2", "d.q@n3"], [], []),
        ("-q [cd].q", {"users": ("eve",)}, [], [SHUT.format("c.q@n2"), SHUT.format("d.q@n3")], []),
        ("-q [cd].q", {"users": ("@other",)}, [], [SHUT.format("d.q@n3")], []),
    ],
)  # fmt: skip
def test_among_which_queue_instances_qrsub_looks(
    options: str, asked: dict[str, Any], names: list[str], notes: list[str], said: list[str]
) -> None:
    compiled = compile_cluster(SITE)
    request, owner = job(1, options).request, asked.get("owner", "anna")
    placement_request = PlacementRequest(
        request, compile_demand(request, compiled.attributes), Requester(owner, "", None)
    )
    candidates = ArCandidates(
        compiled,
        placement_request,
        MONDAY + asked.get("begin", 8) * HOUR,
        MONDAY + asked.get("end", 9) * HOUR,
        asked.get("users", ()),
        asked.get("groups", {}),
    )
    numbers = candidates.numbers()
    looked_at = [compiled.instances[number].name for number in numbers]
    assert (looked_at, candidates.notes) == (names, notes)
    assert [text for text in candidates.messages if "hard queue list" not in text] == said


def test_a_queue_instance_that_only_its_jobs_keep_alive_is_left_out() -> None:
    compiled = SchedulerSession(SITE).compiled(state([running(1, "d.q@n1")]))
    assert "d.q@n1" in compiled.orphans
    for options in ("", "-q d.q"):
        request = job(1, options).request
        anything = PlacementRequest(request, compile_demand(request, compiled.attributes), Requester("anna", "", None))
        numbers = ArCandidates(compiled, anything, MONDAY, MONDAY + HOUR).numbers()
        assert "d.q@n1" not in [compiled.instances[number].name for number in numbers]
        assert numbers
