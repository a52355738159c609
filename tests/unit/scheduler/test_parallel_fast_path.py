"""When the fast path of parallel jobs answers, and that it finds what the rule finds."""

from typing import Any

import pytest

from qmon_tui.model.cluster import config_object
from qmon_tui.model.kinds import Kind
from qmon_tui.qmaster import schedule
from qmon_tui.scheduler.parallel.parallel_fast_path import ParallelFastPath
from tests.unit.scheduler.building import attribute, cluster, environment, host, job, queue, run, scheduler, state

LIC = attribute("lic lic INT <= YES YES 0")
PER_JOB = attribute("j j INT <= YES JOB 0")
RULES = (environment("fill"), environment("robin", "$round_robin"), environment("one", "$pe_slots"))


def noted_answers(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The numbers of slots that the fast path finds."""
    answers: list[int] = []
    find = ParallelFastPath.find

    def find_noted(self: ParallelFastPath, checks: Any, cache: Any, slots: int, adjusts: bool) -> Any:
        answer = find(self, checks, cache, slots, adjusts)
        answers.extend([slots] if answer else [])
        return answer

    monkeypatch.setattr(ParallelFastPath, "find", find_noted)
    return answers


@pytest.mark.parametrize(
    ("options", "found"),
    [
        # Of a single slot it is not certain which cluster queues may give it.
        ("fill 1", []),
        ("fill 2", [2, 2]),
        ("two 2", [2, 2]),
        ("two 4", []),
        # Where one slot would do, each number is tried by itself.
        ("fill 1-3", [3, 2, 3, 2, 3]),
        ("fill 2-3", [3, 3, 3]),
        ("fill 9", []),
        ("fill 2 -q a.q", []),
        ("fill 2 -soft -l lic=1", []),
    ],
)
def test_the_fast_path_of_parallel_jobs_answers_where_it_is_certain(
    options: str, found: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = noted_answers(monkeypatch)
    on = cluster(LIC, queue("a.q", "h1 h2 h3 h4", 4, pe_list="fill two"), RULES[0], environment("two", "2"))
    run(on, *(job(number, f"-pe {options}") for number in range(3)))
    assert answers == found


LINED_UP = (queue("a.q", "h1 h2 h3", 2, seq_no="1", pe_list="fill robin one two"),
            queue("b.q", "h1 h2 h3", 3, seq_no="2", pe_list="fill robin one two"))  # fmt: skip
SCARCE = tuple(
    queue(name, "h1 h2 h3", 3, seq_no=str(number), pe_list="fill robin two", complex_values=f"lic={number}")
    for number, name in enumerate(("a.q", "b.q"), 1)
)
LIMITED = tuple(
    config_object(Kind.QUOTA, "few", {"name": "few", "enabled": "TRUE", "limit": limit})
    for limit in (
        "users {*} to slots=5",
        "hosts {*} to slots=1",
        "queues a.q to slots=2",
        "queues {*} hosts {*} to slots=1",
        "hosts {h1,h2} to lic=1",
    )
)
LOADED = {name: {"np_load_avg": load} for name, load in (("h1", "0.2"), ("h2", "0.1"), ("h3", "0.3"))}


@pytest.mark.parametrize(
    ("objects", "options", "found"),
    [
        ((), ["fill 3"] * 5, [3, 3, 3, 3]),
        ((), ["robin 3"] * 5, [3, 3, 3, 3]),
        (
            (),
            ["robin 5"] * 3,
            [],
        ),
        ((), ["one 4"] * 4, []),
        ((), ["two 4"] * 4, []),
        ((), ["fill 2 -t 1-5"], [2, 2, 2, 2]),
        ((), ["fill 2", "fill 4", "fill 2", "fill 4", "fill 3"], [4, 2]),
        ((host("global", "lic=5"),), ["fill 2 -l lic=1"] * 4, [2]),
        ((host("global", "lic=6"),), ["fill 2 -l lic=1"] * 4, [2, 2]),
        (
            (host("h1", "lic=3"), host("h2", "lic=3"), host("h3", "lic=3")),
            ["fill 2 -l lic=1"] * 5,
            [2],
        ),
        ((host("h1", "lic=4"), host("h2", "lic=1"), host("h3", "lic=4")), ["fill 2 -l lic=1"] * 4, [2]),
        ((scheduler(job_load_adjustments="np_load_avg=0.50"),), ["fill 2"] * 6, [2, 2, 2, 2, 2]),
        ((scheduler(job_load_adjustments="np_load_avg=0.50"),), ["one 2"] * 6, [2, 2, 2, 2, 2]),
        (SCARCE, ["fill 2 -l lic=1"] * 4, []),
        (SCARCE, ["robin 2 -l lic=1"] * 4, []),
        (SCARCE, ["robin 3 -l lic=1"] * 4, []),
        (SCARCE, ["two 4 -l lic=1"] * 2, []),
        (SCARCE, ["fill 7 -l lic=1"] * 2, []),
        ((PER_JOB, host("global", "j=2")), ["fill 2 -l j=1"] * 3, []),
        ((PER_JOB, *(host(name, "j=1") for name in ("h1", "h2", "h3"))), ["fill 2 -l j=1"] * 3, []),
        ((LIMITED[0],), ["fill 3"] * 4, []),
        ((LIMITED[1],), ["fill 2"] * 4, []),
        ((LIMITED[2],), ["fill 3"] * 4, []),
        ((LIMITED[3],), ["fill 3"] * 4, []),
        ((host("global", "lic=9"), LIMITED[4]), ["fill 2 -l lic=1"] * 4, []),
    ],
)
def test_the_fast_path_of_parallel_jobs_finds_what_the_rule_finds(
    objects: tuple[Any, ...],
    options: list[str],
    found: list[int],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    answers = noted_answers(monkeypatch)
    on = cluster(LIC, *LINED_UP, *RULES, environment("two", "2"), *objects)
    jobs = state([job(number, f"-pe {text}") for number, text in enumerate(options, 1)], loads=LOADED)
    outcome = schedule(on, jobs)
    assert tuple(outcome.jobs) == tuple(schedule(on, jobs, fast=False).jobs)
    assert answers == found
