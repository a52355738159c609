"""Quota rules in words and as tables."""

import pytest

from qmon_tui.model.outcome import Outcome, QuotaUse
from qmon_tui.model.quota_rules import parse_rule
from qmon_tui.report.quota_hit_test import miss_words
from qmon_tui.report.quotas import quota_usage_rows, rule_columns, rule_rows, rule_words, set_line, shown_uses
from qmon_tui.report.spans import plain
from qmon_tui.scheduler.quotas.rule_matching import FilterMismatch
from qmon_tui.workspace import Figures


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ("to slots=10", "all users together · slots at most 10"),
        ("users * to slots=10", "all users together · slots at most 10"),
        ("users {*} to slots=10", "each user · slots at most 10"),
        ("users {*,!anna} to slots=1,mem=2G", "each user but anna · slots at most 1, mem at most 2G"),
        ("users anna to slots=1", "user anna · slots at most 1"),
        ("users a,b to slots=1", "users a, b together · slots at most 1"),
        ("users {a,b} to slots=1", "each of a, b · slots at most 1"),
        ("users {@staff} to slots=1", "each user of @staff · slots at most 1"),
        ("projects !* to slots=1", "all users together · jobs without a project · slots at most 1"),
        ("pes !* to slots=1", "all users together · sequential jobs · slots at most 1"),
        ("users {*} projects {!sea} to slots=1", 
         "each user · in each project but sea, and jobs without a project · slots at most 1"),
        ("queues q1,q2 hosts {@lx} to slots=2",
         "all users together · in queues q1, q2 together · on each host of @lx · slots at most 2"),
        ("users {*} to NONE", "each user · no limit"),
    ],
)  # fmt: skip
def test_a_rule_in_words(rule: str, words: str) -> None:
    assert rule_words(parse_rule(rule)) == words


RULES = ("name all users {*} to slots=10", "hosts h1 to slots=4,h_rt=1:0:0", "broken")
AFTER = (
    QuotaUse("s/all", "slots", "3", "10", "users anna"),
    QuotaUse("s/all", "slots", "10", "10", "users bela"),
    QuotaUse("s/2", "h_rt", None, "1:0:0", "hosts h1"),
)
OUTCOME = Outcome(0, (), (), (), quotas=AFTER, quotas_before=(QuotaUse("s/all", "slots", "2", "10", "users bela"),))
USES = shown_uses(Figures.NEXT, OUTCOME)


def test_rules_show_only_filters_that_some_rule_has_and_the_fullest_counter() -> None:
    assert [column.title for column in rule_columns(RULES)] == ["rule", "users", "hosts", "limits", "fullest"]
    rows = [[cell.text for cell in row.cells] for row in rule_rows(RULES, "s", USES, ())]
    assert rows == [
        ["all", "{*}", "all", "slots=10", "slots 10/10"],
        ["2", "all", "h1", "slots=4,h_rt=1:0:0", "-"],
        ["3", "all", "all", "", "-"],
    ]


@pytest.mark.parametrize(
    ("figures", "used"),
    [
        (Figures.NOW, [("users bela", "2")]),
        (Figures.CHANGES, [("users anna", "0 → 3"), ("users bela", "2 → 10"), ("hosts h1", "")]),
        (Figures.NEXT, [("users anna", "3"), ("users bela", "10"), ("hosts h1", "")]),
    ],
)
def test_counters_before_and_after_the_next_run(figures: Figures, used: list[tuple[str, str]]) -> None:
    assert [(shown.use.filter, shown.used) for shown in shown_uses(figures, OUTCOME)] == used


def test_a_disabled_set_has_no_limit_that_counts() -> None:
    assert plain(set_line(1, enabled=False)) == "○ disabled  1 rule: no limit counts"


def test_usage_lists_the_fullest_counter_first_and_rules_without_any() -> None:
    rows = quota_usage_rows(RULES, "s", USES)
    assert [[cell.text for cell in row.cells[:4]] for row in rows] == [
        ["all", "slots", "10", "10"],
        ["all", "slots", "3", "10"],
        ["2", "h_rt", "", "1:0:0"],
        ["3", "", "0", ""],
    ]
    assert [row.signs[0].text for row in rows] == ["✗", " ", " ", " "]


@pytest.mark.parametrize(
    ("miss", "words"),
    [
        (FilterMismatch("users", "{*,!anna}", "anna", "anna"), "users: anna is left out by !anna"),
        (FilterMismatch("hosts", "@big", "h1", None), "hosts: h1 is not in @big"),
        (FilterMismatch("projects", "*", None, None), "projects: the job has no project"),
        (FilterMismatch("pes", "mpi", None, None), "pes: the job is sequential"),
    ],
)
def test_why_a_rule_does_not_match(miss: FilterMismatch, words: str) -> None:
    assert miss_words(miss) == words
