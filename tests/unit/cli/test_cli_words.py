"""What the command line puts into words: who counts under a quota, which calendar closes what, the share tree."""

import json
import re
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
  both: {enabled: "TRUE", limit: ["to slots=1"]}
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
    assert 'cannot run because it exceeds the limit for user bela, queues a.q in rule "each/1"' in told
    assert "of quota rule each/1 (user bela, queues a.q)" in told
    assert "of quota rule both/1 (all together)" in told
    groups = json.loads(printed(capsys, "why", cluster, "3", "--format", "json"))["groups"]
    assert groups[0]["message"] == 'cannot run because it exceeds limit "bela/////" in rule "each/1"'


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ("users bela", "users bela"), ("users {bela}", "user bela"), ("users !anna", "users !anna together"),
        ("users anna,bela", "users anna,bela together"), ("users @sea", "users @sea together"),
        ("users {@sea}", "user bela"), ("users b*", "users b* together"), ("projects !*", "projects !* together"),
        ("hosts n1", "hosts n1"), ("hosts {*}", "host n1"), ("users {*} hosts {*}", "user bela, host n1"),
        ("users @sea hosts {*}", "users @sea together, host n1"), ("", "all together"),
    ],
)  # fmt: skip
def test_whom_a_rule_is_for_is_told_as_its_filter_says(capsys: Capture, tmp_path: Path, rule: str, words: str) -> None:
    text = (
        "hosts: {n1: {}}\n"
        "queues: {a.q: {hostlist: n1, slots: 4, load_thresholds: NONE}}\n"
        "usersets: {sea: {type: ACL, entries: bela}}\n"
        f'quotas: {{set: {{enabled: "TRUE", limit: ["name r {rule} to slots=0"]}}}}\n'
        "jobs: [{owner: bela, submitted: 2026-11-21T11:00:00, qsub: sleep 1}]\n"
    )
    tmp_path.joinpath("cluster.yaml").write_text(text)
    told = printed(capsys, "why", str(tmp_path), "1")
    sentence = f'cannot run because it exceeds the limit for {words} in rule "set/r"'
    assert sentence in told
    assert f"slots: 0 of 0 used, of quota rule set/r ({words})" in told
    assert sentence in printed(capsys, "schedule", str(tmp_path))


def test_of_rules_with_one_name_only_the_key_is_known(capsys: Capture, tmp_path: Path) -> None:
    text = (
        "hosts: {n1: {}}\n"
        "queues: {a.q: {hostlist: n1, slots: 4, load_thresholds: NONE}}\n"
        'quotas: {set: {enabled: "TRUE", limit: ["name r users anna to slots=9", "name r users {bela} to slots=0"]}}\n'
        "jobs: [{owner: bela, submitted: 2026-11-21T11:00:00, qsub: sleep 1}]\n"
    )
    tmp_path.joinpath("cluster.yaml").write_text(text)
    assert 'the limit for user bela in rule "set/r"' in printed(capsys, "why", str(tmp_path), "1")


def test_tickets_read_alike_in_words_and_in_numbers(capsys: Capture, tmp_path: Path) -> None:
    text = (
        "hosts: {n1: {}}\n"
        "queues: {a.q: {hostlist: n1, slots: 1, load_thresholds: NONE}}\n"
        "users: {anna: {fshare: 100}, bela: {fshare: 50}, chen: {}}\n"
        "projects: {sea: {fshare: 300}, air: {fshare: 100}}\n"
        "usersets: {lab: {type: DEPT, entries: 'bela,chen', fshare: 10}}\n"
        "scheduler: {weight_ticket: 1, weight_tickets_functional: 1000, weight_user: 0.4, weight_project: 0.3,"
        " weight_department: 0.2, weight_job: 0.1}\n"
        "jobs:\n"
        "- {owner: anna, submitted: 2026-11-21T11:00:00, qsub: -P sea sleep 1}\n"
        "- {owner: bela, submitted: 2026-11-21T11:00:01, qsub: -P air sleep 1}\n"
        "- {owner: chen, submitted: 2026-11-21T11:00:02, qsub: sleep 1}\n"
    )
    tmp_path.joinpath("cluster.yaml").write_text(text)
    for job in "123":
        told = printed(capsys, "why", str(tmp_path), job, "--all")
        total = re.search(r"tckts (\d+)", told)
        assert total is not None
        assert re.search(rf"^    {total[1]} (of [0-9]+ )?tickets, the most", told, re.M)


def test_a_priority_that_qstat_does_not_show_is_told_with_what_it_shows(capsys: Capture, tmp_path: Path) -> None:
    text = (
        "hosts: {n1: {}}\n"
        "queues: {a.q: {hostlist: n1, slots: 2, load_thresholds: NONE}}\n"
        "scheduler: {maxujobs: 1}\n"
        "now: 2026-11-21T12:00:00\n"
        "jobs:\n"
        "- {id: 1, owner: anna, submitted: 2026-11-21T11:00:00, qsub: sleep 1, tasks: {1: {state: r, granted: "
        "{a.q@n1: 1}, started: 2026-11-21T11:00:01}}}\n"
        "- {id: 2, owner: anna, submitted: 2026-11-21T11:00:02, qsub: sleep 1}\n"
        "- {id: 3, owner: bela, submitted: 2026-11-21T11:00:03, qsub: -t 1-2 sleep 1}\n"
        "- {id: 4, owner: chen, submitted: 2026-11-21T11:00:04, qsub: sleep 1}\n"
    )
    tmp_path.joinpath("cluster.yaml").write_text(text)
    told = {job: printed(capsys, "why", str(tmp_path), job, "--all") for job in ("1", "2", "3.1", "3.2", "4")}
    for job in ("2", "3.2"):
        assert re.search(r"^prior .*\nqstat shows 0.00000: maxujobs leaves it out of this run$", told[job], re.M)
    assert all("qstat shows" not in told[job] for job in ("1", "3.1", "4"))
    assert re.search(r"^ +2 sleep .* left out by maxujobs$", told["4"], re.MULTILINE)
    data = {job: json.loads(printed(capsys, "why", str(tmp_path), job, "--format", "json")) for job in ("2", "4")}
    assert data["2"]["shown"] == {"prior": 0.0, "because": "maxujobs leaves it out of this run"}
    assert [one.get("left_out") for one in data["4"]["ahead"]] == ["maxujobs", None]
    jobs = json.loads(printed(capsys, "schedule", str(tmp_path), "--format", "json"))["jobs"]
    shown = {(job["id"], task["task"]): task["prior"] for job in jobs for task in job["tasks"]}
    assert shown[2, 1] == shown[3, 2] == 0 < data["2"]["prior"]
    tmp_path.joinpath("cluster.yaml").write_text(text.replace("maxujobs: 1", "maxujobs: 0"))
    assert "qstat shows" not in printed(capsys, "why", str(tmp_path), "2", "--all")
    tmp_path.joinpath("cluster.yaml").write_text(
        text.replace("maxujobs: 1", "maxujobs: 2").replace("slots: 2", "slots: 3")
    )
    assert "qstat shows 0.00000: all pending tasks of a job share one" in printed(
        capsys, "why", str(tmp_path), "3.2", "--all"
    )


def test_what_qstat_says_besides_is_quoted_as_it_is(capsys: Capture, tmp_path: Path) -> None:
    text = (
        "hosts: {n1: {}}\n"
        "complexes: {speed: {shortcut: sp, type: INT, relop: <=, requestable: YES, consumable: NO}}\n"
        "queues: {a.q: {hostlist: n1, slots: 4, load_thresholds: NONE}}\n"
        'quotas: {dyn: {enabled: "TRUE", limit: ["hosts {*} to slots=0"]}}\n'
        "jobs: [{owner: bela, submitted: 2026-11-21T11:00:00, qsub: -l speed=3 sleep 1}]\n"
    )
    tmp_path.joinpath("cluster.yaml").write_text(text)
    reasons = json.loads(printed(capsys, "why", str(tmp_path), "1", "--format", "json"))["reasons"]
    besides = (
        printed(capsys, "why", str(tmp_path), "1", "--all")
        .partition("Also in qstat -j (not the cause)\n")[2]
        .splitlines()
    )
    assert 'cannot run because it exceeds limit "////n1/" in rule "dyn/1"' in reasons
    assert [line.removeprefix("· ") for line in besides] == reasons


def test_what_is_refused_for_two_reasons_shows_each_on_its_line(capsys: Capture, tmp_path: Path) -> None:
    text = "jobs: [{owner: bela, submitted: 2026-11-21T11:00:00, qsub: -N NONE -pe no 5 sleep 1}]\n"
    tmp_path.joinpath("cluster.yaml").write_text(text)
    said = (
        'Keyword ("NONE") not allowed as objectname',
        'job rejected: the requested parallel environment "no" does not exist',
    )
    for command in (("why", str(tmp_path), "1"), ("schedule", str(tmp_path))):
        lines = [line.strip("· ") for line in printed(capsys, *command).splitlines()]
        assert lines.index(said[1]) == lines.index(said[0]) + 1


@pytest.mark.parametrize("options", ["-q all.q@n1", "-soft -q all.q@n1", "-l h=n1"])
def test_a_refused_job_is_asked_which_host_it_means(capsys: Capture, tmp_path: Path, options: str) -> None:
    tmp_path.joinpath("cluster.yaml").write_text(
        "hosts: {n1.cluster.local: {}}\nqueues: {all.q: {hostlist: n1.cluster.local}}\n"
        f"jobs: [{{owner: bela, submitted: 2026-11-21T11:00:00, qsub: {options} sleep 1}}]\n"
    )
    for command in (("why", str(tmp_path), "1"), ("schedule", str(tmp_path))):
        assert "did you mean n1.cluster.local?" in printed(capsys, *command)


def test_what_a_calendar_closes_names_it_and_its_next_change(capsys: Capture, cluster: str) -> None:
    told = printed(capsys, "why", cluster, "3")
    assert "calendar lunch disables it until 2026-11-21T13:00:00" in told
    assert "calendar always suspends it for good" in told
    rows = printed(capsys, "schedule", cluster)
    assert "calendar lunch disables it until 2026-11-21T13:00:00" in rows


def test_the_share_tree_is_a_table(capsys: Capture, cluster: str) -> None:
    lines = printed(capsys, "schedule", cluster).splitlines()
    first = next(place for place, line in enumerate(lines) if line.startswith("node"))
    shown = [line.split() for line in lines[first + 1 : first + 6]]
    assert [row[0] for row in shown[:4]] == ["Root", "anna", "default", "bela"]
    assert shown[1][1:4] == ["10", "25.00", "25.00"]
    assert lines[first + 5].strip() == "(2 other users)"


PARALLEL = """\
hosts: {h1: {}, h2: {}}
pes: {smp: {slots: 64, allocation_rule: $pe_slots}}
queues: {all.q: {hostlist: "h1 h2", slots: 4, load_thresholds: NONE, pe_list: smp}}
jobs:
- {owner: joe, submitted: 2026-03-02T11:00:00, qsub: "-t 1-3 -pe smp 2-4 sleep 1"}
"""


def test_each_row_has_the_slots_of_its_own_tasks(capsys: Capture, tmp_path: Path) -> None:
    tmp_path.joinpath("cluster.yaml").write_text(PARALLEL)
    rows = [line.split() for line in printed(capsys, "schedule", str(tmp_path)).splitlines()]
    assert [row[8:10] for row in rows if row and row[0].startswith("1.")] == [["t", "4"], ["t", "4"], ["qw", "2"]]


def test_that_no_change_was_found_is_said(capsys: Capture, tmp_path: Path) -> None:
    tmp_path.joinpath("cluster.yaml").write_text("jobs: [{owner: joe, qsub: sleep 1}]\n")
    told = printed(capsys, "why", str(tmp_path), "1")
    assert "What would let it run now\n  no change is known that would let it start now" in told
