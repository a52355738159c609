"""What the command line puts into words: who counts under a quota, which calendar closes what, the share tree."""

import json
from pathlib import Path

import pytest

from qmon_tui.cli import main

Capture = pytest.CaptureFixture[str]

CLUSTER = """\
now: 2026-11-21T12:00:00
hosts: {n1: {}, n2: {}}
calendars:
  lunch: {week: "mon-sun=12-13=off"}
  always: {week: "mon-sun=0-24=suspended"}
queues:
  a.q: {hostlist: "n1", slots: 4, load_thresholds: NONE}
  b.q: {hostlist: "n1 n2", slots: 2, load_thresholds: NONE, calendar: "lunch,[n2=always]"}
quotas:
  each: {enabled: "TRUE", limit: ["users {*} queues a.q to slots=1"]}
  both: {enabled: "TRUE", limit: ["to slots=2"]}
users: {anna: {}, bela: {}, chen: {}, dora: {}}
sharetree: |
  id=0
  name=Root
  type=0
  shares=1
  childnodes=1,2
  id=1
  name=anna
  type=0
  shares=10
  childnodes=NONE
  id=2
  name=default
  type=0
  shares=30
  childnodes=NONE
scheduler: {weight_tickets_share: 1000}
jobs:
- {owner: anna, submitted: 2026-11-21T11:00:00, qsub: "sleep 1"}
- {owner: bela, submitted: 2026-11-21T11:00:00, qsub: "sleep 1"}
- {owner: bela, submitted: 2026-11-21T11:00:00, qsub: "sleep 1"}
"""


@pytest.fixture
def cluster(tmp_path: Path) -> str:
    tmp_path.joinpath("cluster.yaml").write_text(CLUSTER)
    return str(tmp_path)


def printed(capsys: Capture, *words: str) -> str:
    assert main(list(words)) == 0
    return capsys.readouterr().out


def test_a_quota_names_who_is_counted(capsys: Capture, cluster: str) -> None:
    told = printed(capsys, "why", cluster, "3")
    assert 'cannot run because it exceeds the limit for user bela in rule "each/1"' in told
    assert "of quota rule each/1 (user bela)" in told
    assert "of quota rule both/1 (all together)" in told
    groups = json.loads(printed(capsys, "why", cluster, "3", "--format", "json"))["groups"]
    assert groups[0]["message"] == 'cannot run because it exceeds limit "bela/////" in rule "each/1"'


def test_what_a_calendar_closes_names_it_and_its_next_change(capsys: Capture, cluster: str) -> None:
    told = printed(capsys, "why", cluster, "3")
    assert "calendar lunch disables it until 2026-11-21T13:00:00\n      b.q@n1" in told
    assert "calendar always suspends it for good\n      b.q@n2" in told
    rows = printed(capsys, "schedule", cluster)
    assert "calendar lunch disables it until 2026-11-21T13:00:00" in rows


def test_the_share_tree_is_a_table(capsys: Capture, cluster: str) -> None:
    lines = printed(capsys, "schedule", cluster).splitlines()
    first = next(place for place, line in enumerate(lines) if line.endswith("share tree"))
    shown = [line.split() for line in lines[first + 1 : first + 6]]
    assert [row[-1] for row in shown[:4]] == ["/", "anna", "default", "bela"]
    assert shown[1][:3] == ["10", "25.00", "25.00"]
    assert lines[first + 5].strip() == "(2 other users)"
