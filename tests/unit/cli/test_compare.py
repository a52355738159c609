"""`qmon-tui compare`."""

import csv
import json
import re
import subprocess
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest

from qmon_tui.cli import main
from qmon_tui.cli.pictures import CHARTS
from qmon_tui.report.comparison import story
from qmon_tui.report.comparison.rows import difference_words
from qmon_tui.simulation import Compared, Comparison, Day, PolicyDelta
from qmon_tui.simulation.confidence import interval

FOLDER = """
hosts: {h1: {}}
queues: {all.q: {hostlist: h1, slots: 1, load_thresholds: NONE}}
scheduler: {flush_submit_sec: 1, flush_finish_sec: 1}
projects: {climate: {fshare: 0}}
users: {anna: {}}
jobs:
- {id: 1, owner: anna, submitted: 2026-11-24T08:00:00, qsub: "sleep 100", runtime: 100}
- {id: 2, owner: anna, submitted: 2026-11-24T08:00:01, qsub: "-N <b>x sleep 100", runtime: 100}
- {id: 3, owner: bob, submitted: 2026-11-24T08:00:02, qsub: "-N other sleep 100", runtime: 100}
now: 2026-11-24T08:00:00
"""


@pytest.fixture
def folder(tmp_path: Path) -> str:
    (tmp_path / "site@home").mkdir()
    (tmp_path / "site@home" / "c.yaml").write_text(FOLDER)
    return str(tmp_path / "site@home")


def test_a_task_that_starts_elsewhere(folder: str, capsys: pytest.CaptureFixture[str]) -> None:
    seqno = FOLDER.replace("hosts: {h1: {}}", "hosts: {h1: {}, h2: {}}").replace("hostlist: h1,", "hostlist: h1 h2,")
    seqno = seqno.replace("scheduler: {", "scheduler: {queue_sort_method: seqno, ")
    (Path(folder) / "c.yaml").write_text(seqno)
    assert main(["compare", f"{folder}@queues.all.q.seq_no=0,[h2=1]", f"{folder}@queues.all.q.seq_no=0,[h1=1]"]) == 0
    out = capsys.readouterr().out
    assert "B against A: every task starts at the same time, some at another place\n" in out
    assert "  1 sleep of anna starts at another place\n    A: starts on all.q@h1" in out
    assert "A starts 1 " not in out, "B starts it as well"


def test_a_table(folder: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", folder, f"{folder}@queues.all.q.slots=2", "--seeds", "3", "--processes", "1"]) == 0
    out, err = capsys.readouterr()
    assert "slots of queue all.q: 1 -> 2" in out
    assert "utilisation" in out
    assert "B against A: the first decision that differs is at 08:00:0" in out
    assert "3 days under 2 policies" in err


def test_json_and_csv(folder: str, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["compare", folder, f"{folder}@queues.all.q.slots=2@scheduler.weight_urgency=1", "--format"]
    assert main([*arguments, "json"]) == 0
    data = json.loads(capsys.readouterr().out)
    waits = next(one for one in data["measures"] if one["name"] == "wait.mean")
    assert waits["differences"][0]["mean"] == pytest.approx(waits["values"][1] - waits["values"][0])
    assert waits["differences"][0]["low"] is None
    against = data["against_first"][0]
    assert {field["field"] for change in against["configuration"] for field in change["fields"]} == {
        "slots", "weight_urgency"}  # fmt: skip
    assert {one["id"] for one in against["gaining"]} == {2, 3}
    assert main([*arguments, "csv"]) == 0
    rows = list(csv.reader(capsys.readouterr().out.splitlines()))
    assert rows[0][0] == "measure"
    assert all(len(row) == len(rows[0]) for row in rows)


def test_charts_and_a_report_that_asks_for_nothing(folder: str, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["compare", folder, f"{folder}@queues.all.q.slots=2", "--format"]
    for chart in CHARTS:
        assert main([*arguments, "svg", "--chart", chart, "--dark"]) == 0
        picture = ElementTree.fromstring(capsys.readouterr().out)
        width, height = (float(picture.attrib[name].removesuffix("pt")) for name in ("width", "height"))
        assert width / height == pytest.approx(16 / 9)
    assert main([*arguments, "html"]) == 0
    page = capsys.readouterr().out
    checker = Checked()
    checker.feed(page)
    assert checker.open == []
    assert {"table", "svg", "h2", "path"} <= checker.seen
    assert checker.seen.isdisjoint({"script", "link", "img", "iframe", "b>x"})
    assert "&lt;b&gt;x" in page
    assert "http" not in re.sub(r"http://www.w3.org/(2000/svg|1999/xlink)", "", page).replace("http-equiv", "")
    assert "slots of queue all.q: 1 → 2" in page
    assert "nothing was run on a real cluster" in page
    assert "no statement about chance" in page
    assert "<li>Mean wait 0:01:39 to 0:00:33.</li>" in page
    assert "<li>No difference: starved.</li>" in page
    assert "<li>Mean wait: bob 1 m 40 s less, anna 50 s less" in page
    assert "part of all slots, over all the time, that tasks had" in page


class Checked(HTMLParser):
    """Whether what is opened is closed, and what there is."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.add(tag)
        assert "src" not in dict(attrs)
        assert not any(name.startswith("on") for name, _ in attrs)
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.add(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_nothing_differs(folder: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", folder, folder]) == 0
    assert "no effect: every task starts at the same time and place" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("edit", "reason"),
    [
        ("scheduler.weight_ticket=1", "nobody has tickets"),
        ("scheduler.weight_tickets_share=1000", "nobody has share-tree tickets"),
        ("scheduler.weight_tickets_functional=1000", "nobody has functional tickets"),
        ("scheduler.share_override_tickets=false", "nobody has override tickets"),
        ("projects.climate.fshare=10", "nobody has functional tickets"),
        ("scheduler.weight_tickets_functional=10@projects.climate.fshare=10", None),
        ("scheduler.weight_waiting_time=1", None),
        ("queues.all.q.slots=1", "nothing differs in the configuration"),
    ],
)
def test_an_edit_without_effect_is_reported(
    folder: str, capsys: pytest.CaptureFixture[str], edit: str, reason: str | None
) -> None:
    assert main(["compare", folder, f"{folder}@{edit}"]) == 0
    out = " ".join(capsys.readouterr().out.split())
    words = "no effect: every task starts at the same time and place"
    assert out.endswith(f"{words}; reason: {reason}" if reason else words)
    assert ("configuration nothing differs" in out) == edit.endswith("slots=1")
    assert main(["compare", folder, f"{folder}@{edit}", "--format", "json"]) == 0
    (against,) = json.loads(capsys.readouterr().out)["against_first"]
    assert (against["has_effect"], against["no_effect"]) == (False, reason)


def test_tasks_that_do_not_start_stand_beside_the_means(folder: str, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["compare", folder, f"{folder}@queues.all.q.slots=2", "--for", "90s"]
    assert main(arguments) == 0
    captured = capsys.readouterr()
    rows = [line.split() for line in captured.out.splitlines()]
    place = next(number for number, row in enumerate(rows) if row[:2] == ["mean", "wait"])
    assert rows[place + 1][:4] == ["left", "out:", "not", "started"]
    assert "one seed, no statement about chance" in captured.err
    assert main([*arguments, "--format", "json"]) == 0
    told = json.loads(capsys.readouterr().out)
    (wait,) = (measure for measure in told["measures"] if measure["name"] == "wait.mean")
    assert wait["left_out"]["name"] == "not_started"
    days = [policy["measures"] for policy in told["policies"]]
    assert wait["left_out"]["values"] == [day["tasks"] - day["started"] for day in days]


def test_a_difference_that_is_not_seen_is_none() -> None:
    utilisation = Compared("utilisation", (0.95860, 0.95944), (interval([0.0008, 0.00088]),))
    day = Day(0, 10, (), {}, 1, 1, ())
    told = Comparison(("A", "B"), (0, 1), (utilisation,), (PolicyDelta("B", (), (), (), 0, None),), (day, day))
    assert list(story(told, 1)) == [
        "No user waits longer or shorter.",
        "No difference to speak of: utilisation.",
    ]
    assert difference_words("utilisation", utilisation, 1) == "hardly any"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["{}"], "name two policies, or up to 4; there is one."),
        (["{}"] * 5, "name two policies, or up to 4; there are 5."),
        (["{}", "{}@scheduler.nothing=1"], "scheduler has no field nothing"),
        (["{}", "{}@queues.all.q.slots=x"], "error parsing unsigned long value"),
        (["{}", "{}/nowhere"], "nowhere"),
        (["{}", "{}", "--seeds", "0"], "--seeds: write a number from 1 to 10000."),
        (["{}", "{}", "--processes", "0"], "--processes: write a number from 1 on."),
        (["{}", "{}", "--starved-after", "soon"], '--starved-after: "soon" is not a length of time'),
        (["{}", "{}", "--for", "soon"], '--for: "soon" is not a length of time'),
        (["{}", "{}", "--until", "2020-01-01T00:00:00"], "the end is before the beginning"),
    ],
)
def test_unusable_input(folder: str, arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", *(text.format(folder) for text in arguments)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert said in err


def test_work_from_a_file_is_the_same_for_all(folder: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    work = tmp_path / "work.yaml"
    work.write_text("workload: {jobs: 20, load: 2, kinds: [{runtime: 300}]}")
    arguments = ["compare", folder, f"{folder}@queues.all.q.slots=2", "--workload", str(work), "--seeds", "3"]
    assert main([*arguments, "--format", "json", "--for", "2h"]) == 0
    data = json.loads(capsys.readouterr().out)
    tasks = next(one for one in data["measures"] if one["name"] == "tasks")
    assert tasks["differences"][0]["mean"] == 0
    assert tasks["values"][0] > 5
    waits = next(one for one in data["measures"] if one["name"] == "wait.mean")
    assert waits["differences"][0]["mean"] < 0
    assert main(["compare", folder, folder, "--workload", "/nowhere"]) == 2
    assert "cannot read /nowhere" in capsys.readouterr().err


def test_who_is_starved_is_said(folder: str, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["compare", folder, f"{folder}@queues.all.q.slots=3", "--starved-after", "90s", "--format", "json"]
    assert main(arguments) == 0
    starved = next(one for one in json.loads(capsys.readouterr().out)["measures"] if one["name"] == "starved")
    assert starved["values"] == [2, 0]


def test_an_earlier_version(folder: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder as it was in git, with edits behind it; what git does not know is a sentence."""
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(Path(folder).parent))
    person = ["git", "-c", "user.name=a", "-c", "user.email=a@b", "-C", folder]
    subprocess.run([*person, "init", "-q"], check=True)
    assert main(["compare", folder, f"{folder}@{{1}}"]) == 2
    assert "git has no revision of this folder yet" in capsys.readouterr().err
    subprocess.run([*person, "add", "-A"], check=True)
    subprocess.run([*person, "commit", "-qm", "one slot"], check=True)
    (Path(folder) / "c.yaml").write_text(FOLDER.replace("slots: 1", "slots: 2"))
    assert main(["compare", f"{folder}@{{0}}", folder, f"{folder}@{{HEAD}}@queues.all.q.slots=3"]) == 0
    out = capsys.readouterr().out
    assert "slots of queue all.q: 1 -> 2" in out
    assert "slots of queue all.q: 1 -> 3" in out
