"""Tables about hostgroups, configurations, policies and people as rows of cells."""

import pytest

from qmon_tui.model.cluster import Cluster, config_object
from qmon_tui.model.host_configuration import effective_configuration
from qmon_tui.model.kinds import Kind
from qmon_tui.report.grid_rows import GridRow
from qmon_tui.report.host_values import setting_rows
from qmon_tui.report.hostgroups import group_of, group_rows
from qmon_tui.report.number_steps import stepped
from qmon_tui.report.policies import MOST_JOBS, aligned_decimals, shares_rows
from qmon_tui.report.sharetree import decay_lines
from qmon_tui.report.users_and_projects import member_rows
from qmon_tui.workspace import holders, job_totals, jobs_of, members, nodes_of
from tests.unit.scheduler.building import (
    cluster,
    job,
    project,
    queue,
    run,
    running,
    scheduler,
    sharetree,
    user,
    userset,
)


def texts(rows: list[GridRow]) -> list[list[str]]:
    return [[cell.text for cell in row.cells] for row in rows]


def group(name: str, hostlist: str) -> Cluster:
    return Cluster().with_object(config_object(Kind.HOSTGROUP, name, {"group_name": name, "hostlist": hostlist}))


GROUPS = Cluster().with_objects(
    (
        *group("@all", "@big @small h9").objects(Kind.HOSTGROUP).values(),
        *group("@big", "h1 h2 h3").objects(Kind.HOSTGROUP).values(),
        *group("@small", "@all @gone h4").objects(Kind.HOSTGROUP).values(),
        queue("a.q", "@big h9"),
    )
)


def test_a_group_is_shown_with_the_groups_in_it_and_those_that_it_is_in() -> None:
    assert texts(group_rows(GROUPS, "@all")) == [
        ["@all", "5", "h9", ""],
        ["  @big", "3", "h1–3", "a.q"],
        ["  @small", "5", "h4", ""],
        ["    @all", "5", "contains itself", ""],
        ["    @gone", "0", "does not exist", ""],
        ["is in", " ", " ", " "],
        ["  @small", "5", "h4", ""],
    ]
    keys = [row.key for row in group_rows(GROUPS, "@all")]
    assert len(set(keys)) == len(keys)
    assert [group_of(key) for key in keys] == ["@all", "@big", "@small", "@all", "@gone", None, "@small"]


@pytest.mark.parametrize(
    ("factor", "words"),
    [
        ("0", "compensation_factor 0: off"),
        ("0.000000", "compensation_factor 0.000000: off"),
        ("5", "who would get more than 5 times the share is cut back once, and may still get more"),
    ],
)
def test_the_compensation_factor_is_no_limit(factor: str, words: str) -> None:
    texts = {"usage_weight_list": "cpu=1", "halftime": "168", "halflife_decay_list": "none"}
    said = decay_lines({**texts, "compensation_factor": factor})
    assert words in said[-1]
    assert said[0] == "The forecast covers the decay of past usage only: what runs meanwhile adds to it."


def test_settings_say_where_they_come_from_and_what_is_said_in_vain() -> None:
    site = Cluster().with_objects(
        (
            config_object(Kind.CONFIGURATION, "global", {"mailer": "/bin/mail", "max_jobs": "9"}),
            config_object(Kind.CONFIGURATION, "h1", {"mailer": "/bin/mutt", "max_jobs": "5"}),
        )
    )
    here = {row[0]: row[1:] for row in texts(setting_rows(site, "h1", effective_configuration(site, "h1")))}
    assert here["mailer"] == ["/bin/mutt", "h1", ""]
    assert here["max_jobs"] == ["9", "global", "5 here has no effect: this is global only"]
    assert here["prolog"] == ["none", "default", ""]
    everywhere = {
        row[0]: row[1:] for row in texts(setting_rows(site, "global", effective_configuration(site, "global")))
    }
    assert everywhere["mailer"] == ["/bin/mail", "global", "h1: /bin/mutt"]
    assert everywhere["max_jobs"] == ["9", "global", ""]


SITE = cluster(
    scheduler(weight_tickets_functional=1000, weight_tickets_share=500),
    queue("all.q", "h1", 1),
    user("anna", fshare=30, oticket=5),
    project("sea", fshare=1),
    userset("team", "anna,@staff,zoe"),
    userset("bio", "anna", "DEPT", fshare=7),
    sharetree(anna=1, sea=1),
)
OUTCOME = run(SITE, running(1, "all.q@h1"), job(2), job(3, "-P sea"))


def test_members_with_what_they_have_and_do() -> None:
    anna, staff, zoe = texts(member_rows(members(SITE, OUTCOME, "team")))
    assert anna[:5] == ["anna", "30", "5", "1", "2"]
    assert staff == ["@staff", "-", "-", "-", "-", "-", "group"]
    assert zoe[-1] == "no user object"


def test_where_somebody_stands() -> None:
    assert job_totals(OUTCOME, jobs_of(OUTCOME, Kind.USER, "anna"))[:2] == (1, 2)
    assert job_totals(OUTCOME, jobs_of(OUTCOME, Kind.PROJECT, "sea"))[:2] == (0, 1)
    assert [node.path for node in nodes_of(OUTCOME, Kind.USER, "anna")] == ["/anna"]
    assert [node.path for node in nodes_of(OUTCOME, Kind.PROJECT, "sea")] == ["/sea"]


def test_shares_stand_below_the_sum_of_their_kind() -> None:
    rows = texts(shares_rows(holders(SITE, OUTCOME)))
    assert [row[:3] for row in rows if row[0].strip() in ("Users", "anna", "Departments", "bio")] == [
        ["Users", "30", " "],
        ["  anna", "30", "100.0"],
        ["Departments", "7", " "],
        ["  bio", "7", "100.0"],
    ]


@pytest.mark.parametrize(
    ("text", "by", "after"),
    [
        ("0.100000", 1, "0.110000"),
        ("0.100000", -1, "0.090000"),
        ("0.500000", 1, "0.550000"),
        ("1.000000", 1, "1.100000"),
        ("1.000000", -1, "0.950000"),
        ("0.000000", 1, "0.010000"),
        ("0.000000", -1, "0.000000"),
        ("0.010000", -1, "0.000000"),
        ("100000", 1, "110000"),
        ("100000", -1, "95000"),
        ("0", 1, "1"),
        ("5", -1, "4"),
        ("200", 1, "220"),
        ("INFINITY", 1, None),
        ("TRUE", 1, None),
    ],
)
def test_steps_are_about_a_tenth(text: str, by: int, after: str | None) -> None:
    assert stepped(text, by) == after


@pytest.mark.parametrize("text", ["1", "9", "10", "50", "100", "1000", "0.100000", "0.500000", "1.000000", "3600000"])
def test_a_step_back_comes_back(text: str) -> None:
    up = stepped(text, 1)
    assert up is not None
    assert stepped(up, -1) == text


def test_numbers_stand_with_their_points_below_each_other_and_words_are_left_whole() -> None:
    texts_of = {"a": "0.250000", "b": "3600000.000000", "c": "10", "d": "OFS", "e": "1.000000"}
    assert aligned_decimals(texts_of) == {"a": "0.25", "b": "3600000   ", "c": "10   ", "d": "OFS   ", "e": "1   "}


def test_more_jobs_than_a_table_should_list_are_counted() -> None:
    jobs = tuple(job(number) for number in range(1, MOST_JOBS + 4))
    rows = texts(shares_rows(holders(SITE, None, jobs)))
    assert rows[-1][0] == "  and 3 more"
    assert len([row for row in rows if row[0].strip().isdigit()]) == MOST_JOBS
