"""The lecture of compare.md and the homework of teach.md: files as they are shown, and each command as it stands."""

import csv
import re
import shlex
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import pytest

from qmon_tui.cli import main
from qmon_tui.lessons import Course, Variant, open_lesson

DOCS = Path(__file__).parents[3] / "docs"


def lines_of(page: str, heading: str) -> tuple[str, list[list[str]]]:
    """The YAML of a section, and its commands, those that go on behind a backslash joined."""
    section = (DOCS / page).read_text(encoding="utf-8").partition(f"{heading}\n")[2]
    yaml = re.search(r"```yaml\n(.*?)```", section, re.DOTALL)
    assert yaml is not None
    after = section[yaml.end() :].partition("\n#")[0].replace("\\\n", " ")
    return yaml[1], [shlex.split(line)[1:] for line in after.splitlines() if line.startswith("    qmon-tui ")]


def outputs(commands: list[list[str]], code: int = 0) -> dict[str, str]:
    """What commands print, by the file to which they write or by themselves; without those that open the screen."""
    printed = {}
    for words in commands:
        command, _, target = " ".join(words).partition(" > ")
        arguments = words[: words.index(">")] if target else words
        if len(arguments) == 1 or arguments[:2] == ["learn", "shares.yaml"]:
            continue
        with redirect_stdout(StringIO()) as out:
            assert main(arguments) == (code if target == "marks.csv" else 0), command
        printed[target or command] = out.getvalue()
    return printed


def test_the_lecture_can_be_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text, commands = lines_of("compare.md", "### A lecture")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "130")
    (tmp_path / "week").mkdir()
    (tmp_path / "week" / "cluster.yaml").write_text(text)
    printed = outputs(commands)
    summary = printed["compare week week@scheduler.weight_ticket=1"]
    assert re.search(r"B: Mean wait: light \d+ d \d+ h less, heavy .* more; fairness 0\.\d\d to \d\.\d\d\.", summary)
    assert "submission time: no queue instance was left when its turn came ...\n" in summary
    assert {"waits.svg", "queue.svg", "shares.svg", "sweep.svg"} <= {name for name in printed if name.endswith(".svg")}
    assert all(text.startswith("<svg") for name, text in printed.items() if name.endswith(".svg"))
    assert "Differences below" in printed["sweep.svg"]
    assert "Mean wait of user light" in printed["sweep.svg"]
    assert "Fri 06 Nov" in printed["queue.svg"]


def test_the_homework_can_be_given_to_thirty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Half of them have the first answer, a third reaches the goal."""
    text, commands = lines_of("teach.md", "### From the file to the marks")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "shares.yaml").write_text(text)
    (tmp_path / "handed-in").mkdir()
    names = [f"Student {number}" for number in range(30)]
    right = {}
    for name in {open_lesson(tmp_path / "shares.yaml", Variant(name)).drawn["tasks"]: name for name in names}.values():
        course = Course(open_lesson(tmp_path / "shares.yaml", Variant(name)))
        correct = course.correct(0)
        assert correct is not None
        assert isinstance(correct.value, float)
        right[course.lesson.drawn["tasks"]] = f"{correct.value / 3600:.1f}"
    assert len(set(right.values())) == 3
    for number, name in enumerate(names):
        drawn = open_lesson(tmp_path / "shares.yaml", Variant(name)).drawn["tasks"]
        lines = [f"student: {name}", f"answers: {{1: {right[drawn] if number % 2 else '1 h'}}}"]
        lines += ["edits: {2: [scheduler.weight_ticket=0.5]}"] if number % 3 == 0 else []
        (tmp_path / "handed-in" / f"{number}.yaml").write_text("\n".join(lines) + "\n")
    printed = outputs(commands, code=1)
    rows = {row["student"]: row for row in csv.DictReader(StringIO(printed["marks.csv"]))}
    assert len(rows) == 30
    for number, name in enumerate(names):
        row = rows[name]
        assert (row["step 1"], row["step 2"]) == ("2" if number % 2 else "0", "2" if number % 3 == 0 else "0"), row
    assert printed["right.txt"].count("scheduler.weight_ticket=1") == 30
