"""Starts that the scheduler orders and the qmaster does not carry out: which reason is told, and what is offered."""

from dataclasses import replace

from qmon_tui.explain.explainer import explain
from qmon_tui.model.cluster import Cluster, config_object
from qmon_tui.model.jobs import Job
from qmon_tui.model.kinds import Kind
from tests.unit.scheduler.building import (
    attribute,
    cluster,
    environment,
    host,
    job,
    places,
    queue,
    run,
    running,
    scheduler,
    state,
    userset,
)

CREW = userset("crew", "dora", "DEPT")
ORDERED = "the scheduler orders its start, and the qmaster "


def told(on: Cluster, number: int, *jobs: Job) -> tuple[str, list[str]]:
    """The first reason, and the offered changes."""
    explanation = explain(on, state(jobs), number)
    return explanation.groups[0].message, [change.description for change in explanation.changes]


def test_a_department_in_xuser_lists_bars_as_recorded_in_access_denied() -> None:
    on = cluster(CREW, queue("b.q", "h1", 9, xuser_lists="crew"))
    words, changes = told(on, 1, job(1, owner="dora"))
    assert (
        words
        == f"{ORDERED}refuses it: user dora may not use queue instance b.q@h1, where departments are access lists, too"
    )
    assert changes == ["remove crew from the xuser_lists of queue instance b.q@h1"]


def test_an_order_behind_one_that_is_refused_is_not_read() -> None:
    on = cluster(CREW, queue("b.q", "h1", 9, xuser_lists="crew"))
    words, changes = told(on, 2, job(1, owner="dora"), job(2, owner="anna"))
    assert words == f"{ORDERED}does not read the order, as it could not carry out that of job 1 before it"
    assert changes == ["remove crew from the xuser_lists of queue instance b.q@h1"]


def test_where_the_scheduler_refuses_what_the_qmaster_would_refuse_later_is_changed_at_once() -> None:
    on = cluster(CREW, userset("some", "dora"), queue("b.q", "h1", 9, xuser_lists="some crew"))
    _, changes = told(on, 1, job(1, owner="dora"))
    assert changes == ["remove some, crew from the xuser_lists of queue instance b.q@h1"]


def test_what_a_calendar_has_closed_is_named() -> None:
    """Recorded as calendar_suspends_all: where calendars suspend everything, the scheduler knows no calendar."""
    night = config_object(Kind.CALENDAR, "night", {"calendar_name": "night", "week": "mon-sun=0-24=suspended"})
    on = cluster(night, scheduler(max_reservation=1), queue("a.q", "h1", 2, calendar="night"))
    words, changes = told(on, 1, job(1, "-R y"))
    assert words == f"{ORDERED}refuses it: a calendar has closed queue instance a.q@h1"
    assert changes == ["remove the calendar night from queue instance a.q@h1"]


def test_the_host_and_the_consumable_of_which_it_has_too_little_are_named() -> None:
    on = cluster(
        attribute("j j INT <= YES JOB 0"),
        queue("all.q", "h1", 4, pe_list="fill", complex_values="j=4"),
        environment("fill"),
        host("h1", "j=1"),
    )
    words, changes = told(on, 1, job(1, "-pe fill 2 -l j=2"))
    assert words == f"{ORDERED}refuses it: host h1 has too little of j"
    assert changes[:2] == ["let job 1 ask for j=1 instead of 2", "raise j of host h1 from 1 to 2"]


def test_what_runs_there_has_its_part_of_the_consumable() -> None:
    on = cluster(
        attribute("j j INT <= YES JOB 0"),
        queue("all.q", "h1", 4, pe_list="fill", complex_values="j=4"),
        environment("fill"),
        host("h1", "j=3"),
    )
    before = running(2, "all.q@h1", "-l j=2")
    words, _ = told(on, 1, before, job(1, "-pe fill 2 -l j=2"))
    assert words == f"{ORDERED}refuses it: host h1 has too little of j"
    outcome = run(on, replace(before, request=job(2, "-l j=1").request), job(1, "-pe fill 2 -l j=2"))
    assert places(outcome) == {1: "all.q@h1"}
