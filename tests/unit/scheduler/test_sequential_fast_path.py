"""When the fast path of sequential jobs answers, how much is looked at, and that the rule finds the same."""

from typing import Any

import pytest

from qmon_tui.model.cluster import config_object
from qmon_tui.model.kinds import Kind
from qmon_tui.qmaster import schedule
from qmon_tui.scheduler.placement import SequentialSearch
from tests.unit.scheduler.building import attribute, cluster, host, job, queue, running, scheduler, state

COMPLEXES = (attribute("lic lic INT <= YES YES 0"), attribute("mark mark INT <= YES NO 0"))
QUEUES = (queue("a.q", "h1 h2 h3", 2, seq_no="1"), queue("b.q", "h1 h2 h3", 2, seq_no="2", complex_values="lic=2"))
LOADED = {name: {"np_load_avg": load} for name, load in (("h1", "0.2"), ("h2", "0.1"), ("h3", "0.3"))}


def limited(limit: str) -> Any:
    return config_object(Kind.QUOTA, "few", {"name": "few", "enabled": "TRUE", "limit": limit})


@pytest.mark.parametrize(
    ("objects", "options", "found", "examined"),
    [
        ((), [""] * 5, "- a2 - b2 a1", 2),
        ((), ["-l lic=1"] * 5, "- b2 - b1 -", 6),
        ((), ["-l lic=3"] * 3, "-", 8),
        ((), ["-l lic=1", "-l lic=2"] * 3, "- - b2 - - -", 19),
        ((), ["-q b.q"] * 3, "- - -", 4),
        ((), ["-q *@h2"] * 5, "- - - - -", 8),
        ((host("h1", "mark=3"),), ["-soft -l mark=2"] * 4, "- - - -", 12),
        ((), ["-soft -q b.q"] * 4, "- - - -", 10),
        ((), ["-t 1-5"], "- a2 - b2 a1", 2),
        ((host("h1", "lic=1"), host("h2", "lic=0")), ["-l lic=1"] * 6, "- - b3 -", 5),
        ((host("global", "lic=3"),), ["-l lic=1"] * 5, "- a2 - -", 2),
        ((limited("users {*} to slots=2"),), [""] * 4, "- -", 3),
        ((limited("hosts {*} to slots=1"),), [""] * 5, "- a1 -", 7),
        ((limited("hosts h1 to slots=1"),), [""] * 5, "- a2 - b2 a1", 2),
        ((limited("queues a.q to slots=1"),), [""] * 4, "- b2 b1 b1", 2),
        ((limited("hosts {*} to slots=$num_proc"),), [""] * 4, "- a2 - b2", 2),
        ((host("h1", "lic=5"), limited("hosts {h1} to slots=$lic")), ["-l lic=1", ""] * 3, "- - - - - -", 7),
        ((scheduler(job_load_adjustments="np_load_avg=0.50"),), [""] * 5, "- a1 a3 a2 a1", 1),
        ((scheduler(job_load_adjustments="np_load_avg=0.50"),), ["", "-l lic=1"] * 3, "- - a3 - a1 b3", 5),
    ],
)
def test_the_fast_path_finds_what_the_rule_finds(
    objects: tuple[Any, ...], options: list[str], found: str, examined: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers: list[str] = []
    looks: list[int] = []
    find, examine = SequentialSearch.find_by_shortcut, SequentialSearch.examine

    def find_noted(self: SequentialSearch, run_job: Any) -> Any:
        answer = find(self, run_job)
        answers.append("-" if answer is None else self.resources.instances[answer].name.replace(".q@h", ""))
        return answer

    def examine_noted(self: SequentialSearch, number: int, attempt: Any) -> Any:
        looks.append(number)
        return examine(self, number, attempt)

    on = cluster(*COMPLEXES, *QUEUES, *objects)
    jobs = state([running(90, "a.q@h3"), *(job(number, text) for number, text in enumerate(options, 1))], loads=LOADED)
    plain = schedule(on, jobs, fast=False)
    monkeypatch.setattr(SequentialSearch, "find_by_shortcut", find_noted)
    monkeypatch.setattr(SequentialSearch, "examine", examine_noted)
    assert tuple(schedule(on, jobs).jobs) == tuple(plain.jobs)
    assert (" ".join(answers), len(looks)) == (found, examined)
