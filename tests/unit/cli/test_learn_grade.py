"""`qmon-tui learn` and `qmon-tui grade`: what they print, and with which exit code they end."""

import csv
import io
import json
import os
from pathlib import Path
from random import Random

import pytest

from qmon_tui.cli import main
from qmon_tui.lessons import Grade, Lesson, graded
from qmon_tui.lessons.submission import Submission

ADA = """\
lesson: half_rule
student: Ada Lovelace
answers:
  1: 0.555
  2: [jobB2, jobB4, 7]
  3: 0.5
edits:
  4:
  - qalter -p 100 jobC1
"""


def test_the_lessons_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["learn", "--list", "--format", "json"]) == 0
    lessons = json.loads(capsys.readouterr().out)["lessons"]
    first = {"name": "half_rule", "title": "The 0.5 rule", "subject": "priority", "steps": 4, "points": 6.0}
    assert lessons[0] == {**first, "minutes": 15, "after": []}
    names = [lesson["name"] for lesson in lessons]
    for lesson in lessons:
        assert all(names.index(name) < names.index(lesson["name"]) for name in lesson["after"])
        assert lesson["minutes"]


def test_what_is_wrong_is_told_with_its_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "bad.yaml").write_text(
        "title: Bad\ncluster: {}\nsteps:\n- question: {ask: Who?, of: {frist: pending}}\n"
    )
    assert main(["learn", "--check", str(tmp_path)]) == 1
    printed = capsys.readouterr()
    assert "     4  it does not say what is computed" in printed.out
    assert "did you mean first?" in printed.out
    assert "1 lesson: 1 problem." in printed.err


def test_a_fault_in_one_step_or_file_hides_none_of_the_others(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "bad.yaml").write_text(
        "cluster: {}\nsteps:\n- {txt: Hm}\n- {text: Hm}\n- goal: [{starts: a}]\n  solution: [queues.all.q.slot=0]\n"
    )
    (tmp_path / "binary.yaml").write_bytes(b"\xff")
    assert main(["learn", "--check", str(tmp_path), "--format", "json"]) == 1
    problems = json.loads(capsys.readouterr().out)["problems"]
    assert [(problem["line"], problem["message"]) for problem in problems] == [
        (1, "a lesson needs `title:`"), (3, 'a step has no key "txt"'), (6, 'queues have no field "slot"'),
        (None, "is not UTF-8 text"),
    ]  # fmt: skip
    assert main(["learn", "--check", str(tmp_path / "binary.yaml")]) == 2


def test_a_submission_is_graded(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "ada.yaml"
    file.write_text(ADA)
    assert main(["grade", "half_rule", str(file)]) == 0
    printed = capsys.readouterr()
    row = next(line for line in printed.out.splitlines() if line.startswith("   3  question"))
    assert row.split() == ["3", "question", "0", "1", "0.5", "the", "answer", "is", "0.55000"]
    assert "Ada Lovelace: 5 of 6 points, passed." in printed.err


def test_a_poor_one_is_not_passed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "ada.yaml"
    file.write_text(ADA.replace("0.555", "1.5").replace("jobC1\n", "jobC1\n  - qalter -p 1 jobB2\n"))
    assert main(["grade", "half_rule", str(file), "--format", "json"]) == 1
    graded = json.loads(capsys.readouterr().out)
    assert (graded["points"], graded["of"], graded["passed"]) == (1.0, 6.0, False)
    assert graded["steps"][3]["reasons"] == ["The number of changed fields is 2; it should be at most 1."]


def test_a_folder_of_submissions_as_csv(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "ada.yaml").write_text(ADA)
    (tmp_path / "eve.yaml").write_text("student: '=HYPERLINK(\"http://example.org\")'\n")
    (tmp_path / "odd.yaml").write_bytes(b"\xff\xfe\x00")
    below = tmp_path / "bob"
    below.mkdir()
    (below / "submission.yaml").write_text("answers: {1: 0.555}\n")
    assert main(["grade", "half_rule", str(tmp_path), "--format", "csv"]) == 1
    printed = capsys.readouterr()
    rows = {Path(row["file"]).relative_to(tmp_path).as_posix(): row for row in csv.DictReader(io.StringIO(printed.out))}
    assert (rows["ada.yaml"]["points"], rows["ada.yaml"]["passed"]) == ("5", "yes")
    assert [rows["ada.yaml"][f"step {step}"] for step in range(1, 5)] == ["2", "1", "0", "2"]
    assert [rows["odd.yaml"][f"step {step}"] for step in range(1, 5)] == [""] * 4
    assert rows["eve.yaml"]["student"].startswith("'=")
    assert rows["odd.yaml"]["passed"] == "no"
    assert "is not UTF-8 text" in rows["odd.yaml"]["reasons"]
    assert rows["bob/submission.yaml"]["student"] == "bob"
    assert "there is no answer; Step 3, " in rows["bob/submission.yaml"]["reasons"]
    assert "4 submissions, 1 passed." in printed.err


HOSTILE = {
    "binary": (b"\x00\x01\x02", "has a NUL byte"),
    "huge": (b"answers: {1: '" + b"x" * (2 * 1024 * 1024) + b"'}\n", "too large for a lesson or a submission"),
    "larger still": (b"#" * (5 * 1024 * 1024), "too large"),
    "deep": (b"answers: " + b"[" * 5000 + b"]" * 5000, "nested more than"),
    "bomb": (
        b"a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b]\n",
        "aliases (*name) are not read here",
    ),
    "self": (b"answers: &a [*a]\n", "aliases (*name) are not read here"),
    "escape": (b'answers: {1: "\\e]0;owned\\a\\e[31mred", 2: x}\nedits: {4: ["\\e[31m=1"]}\n', ""),
    "tag": (b"answers: {1: !!python/object/apply:os.system ['true']}\n", ""),
    "outside": (b"edits: {4: {folder: ../../etc}}\n", "no folder beside the submission"),
    "absolute": (b"edits: {4: {folder: /etc}}\n", "no folder beside the submission"),
    "NUL": (b'edits: {4: {folder: "a\\0b"}}\n', "no folder beside the submission"),
    "folders without end": (b"edits: {4: {folder: " + b"a/" * 9000 + b"}}\n", "no folder beside the submission"),
    "key": (b"anwsers: {1: 2}\n", "did you mean answers?"),
    "step": (b"answers: {one: 2}\n", '"one" is not the number of a step'),
    "list": (b"- 1\n- 2\n", "keys with values are expected here"),
    "empty": (b"", "it is empty"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_submissions_are_a_clear_sentence(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    content, said = HOSTILE[name]
    file = tmp_path / "mine.yaml"
    file.write_bytes(content)
    assert main(["grade", "half_rule", str(file)]) == (2 if said else 1)
    printed = capsys.readouterr()
    assert said in printed.err
    assert "Traceback" not in printed.err
    assert "should not happen" not in printed.err
    assert "\x1b" not in printed.err + printed.out


def test_no_submission_keeps_others_from_their_grades(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, (content, _) in HOSTILE.items():
        (tmp_path / f"{name}.yaml").write_bytes(content)
    os.mkfifo(tmp_path / "pipe.yaml")
    (tmp_path / "folder.yaml").mkdir()
    (tmp_path / "line\n\x1b[31m.yaml").write_text("answers: {}\n")
    (tmp_path / os.fsdecode(b"byte\xff.yaml")).write_text("answers: {}\n")
    (tmp_path / "loop.yaml").symlink_to("loop.yaml")
    (tmp_path / "closed").mkdir()
    (tmp_path / "closed" / "submission.yaml").mkdir()
    (tmp_path / "closed").chmod(0)
    (tmp_path / "ada.yaml").write_text(ADA)
    (tmp_path / "zoe").mkdir()
    (tmp_path / "zoe" / "submission.yaml").write_text(ADA)
    for form in ("json", "csv", "table"):
        assert main(["grade", "half_rule", str(tmp_path), "--format", form]) == 1
        printed = capsys.readouterr()
        assert "2 passed." in printed.err
        assert "should not happen" not in printed.err
        assert "\x1b" not in printed.err + printed.out
    (tmp_path / "closed").chmod(0o700)


def test_a_fault_of_the_grader_costs_one_submission_only(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails_at_eve(lesson: Lesson, submission: Submission, student: str = "") -> Grade:
        if student == "eve":
            raise RecursionError("too deep")
        return graded(lesson, submission, student)

    monkeypatch.setattr("qmon_tui.cli.grade.graded", fails_at_eve)
    (tmp_path / "ada.yaml").write_text(ADA)
    (tmp_path / "eve.yaml").write_text("answers: {}\n")
    assert main(["grade", "half_rule", str(tmp_path)]) == 1
    printed = capsys.readouterr().err
    assert "eve.yaml cannot be graded: this should not happen, please report it: RecursionError: too deep" in printed
    assert "2 submissions, 1 passed." in printed


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        ("{qsub: -t 1-75000 sleep 1, owner: eve}", "more than 10,000 tasks, too many for a lesson"),
        ("{add: {hosts: {'n[1-3000]': {}}, hostgroups: {'@allhosts': {hostlist: 'n[1-3000]'}}}}", "queue instances"),
        ("{add: {hosts: {'n[1-9999999]': {}}}}", "an edit cannot be made"),
    ],
)
def test_a_submission_cannot_keep_the_grader_busy(
    edit: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text(f"edits:\n  4:\n  - {edit}\n")
    assert main(["grade", "half_rule", str(file), "--format", "json"]) == 1
    (reason,) = json.loads(capsys.readouterr().out)["steps"][3]["reasons"]
    assert said in reason


def test_a_link_out_of_the_folder_is_not_followed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret" / "cluster.yaml").write_text("queues: {}\n")
    (tmp_path / "in" / "step4").symlink_to(tmp_path / "secret")
    file = tmp_path / "in" / "mine.yaml"
    file.write_text("edits: {4: {folder: step4}}\n")
    assert main(["grade", "half_rule", str(file)]) == 2
    assert "no folder beside the submission" in capsys.readouterr().err


def test_no_submission_of_a_class_uses_the_folder_of_another(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for folder in ("ada", "bob"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "cluster.yaml").write_text("queues: {}\n")
    for name, folder in (("ada", "ada"), ("bob", "ada"), ("cid", "./ada")):
        (tmp_path / f"{name}.yaml").write_text(f"edits: {{4: {{folder: {folder}}}}}\n")
    (tmp_path / "dan").symlink_to("ada")
    (tmp_path / "dan.yaml").write_text("edits: {4: {folder: dan}}\n")
    (tmp_path / "eve").mkdir()
    (tmp_path / "eve" / "submission.yaml").symlink_to("../ada.yaml")
    (tmp_path / "fay.yaml").symlink_to("ada.yaml")
    (tmp_path / "ada" / "submission.yaml").write_text("student: Ada\n")
    assert main(["grade", "half_rule", str(tmp_path), "--format", "json"]) == 1
    graded = json.loads(capsys.readouterr().out)["submissions"]
    problems = {Path(one["file"]).relative_to(tmp_path).as_posix(): one.get("problem", "") for one in graded}
    assert "may be the folder of another student" in problems["bob.yaml"]
    assert "may be the folder of another student" in problems["cid.yaml"]
    assert {name for name, problem in problems.items() if not problem} == {"ada.yaml", "ada/submission.yaml"}
    links = ("dan.yaml", "dan/submission.yaml", "fay.yaml", "eve/submission.yaml")
    assert all("is a link" in problems[name] for name in links), problems


def test_an_edited_folder_counts_as_edits(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from qmon_tui.formats import Layout, folder_texts
    from qmon_tui.lessons import Course, find_lesson, open_lesson

    solved = Course(open_lesson(find_lesson("half_rule"))).solved(3)
    folder = tmp_path / "step4"
    folder.mkdir()
    for name, text in folder_texts(Layout.YAML, solved.cluster, solved.state).items():
        (folder / name).write_text(text)
    file = tmp_path / "mine.yaml"
    file.write_text("edits: {4: {folder: step4}}\n")
    assert main(["grade", "half_rule", str(file), "--format", "json"]) == 1
    steps = json.loads(capsys.readouterr().out)["steps"]
    assert steps[3] == {
        "step": 4, "what": "goal", "points": 2.0, "of": 2.0, "answer": None, "right": "qalter -p 1024 jobC1",
        "reasons": [],
    }  # fmt: skip


def test_what_is_not_there_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["grade", "half_rul", str(tmp_path)]) == 2
    assert "there is no lesson half_rul; did you mean half_rule?" in capsys.readouterr().err
    assert main(["grade", "half_rule", str(tmp_path)]) == 2
    assert "holds no submission" in capsys.readouterr().err
    assert main(["grade", "half_rule", str(tmp_path / "gone.yaml")]) == 2
    assert "gone.yaml: No such file" in capsys.readouterr().err
    assert main(["learn", "--check", str(tmp_path / "gone")]) == 2


def test_the_answer_key_of_a_class_is_that_of_each_student(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = [f"student {number}" for number in range(30)]
    for number, name in enumerate(names):
        (tmp_path / f"{number:02}.yaml").write_text(f"student: {name}\nanswers: {{1: 0.555}}\n")
    assert main(["grade", "half_rule", str(tmp_path), "--key", "--format", "json"]) == 0
    keys = json.loads(capsys.readouterr().out)["keys"]
    assert [key["student"] for key in keys] == names
    assert {key["drawn"]["priority"] for key in keys} == {"1024", "512", "256"}
    for key in keys[:4]:
        answers = {str(step["step"]): step["right"] for step in key["steps"] if step["what"] == "question"}
        (solution,) = (step["right"] for step in key["steps"] if step["what"] == "goal")
        lines = "".join(f"  {step}: {json.dumps(text)}\n" for step, text in answers.items())
        edits = "".join(f"  - {edit}\n" for edit in solution.split("; "))
        file = tmp_path / "own" / "own.yaml"
        file.parent.mkdir(exist_ok=True)
        file.write_text(f"student: {key['student']}\nanswers:\n{lines}edits:\n  4:\n{edits}")
        assert main(["grade", "half_rule", str(file), "--format", "json"]) == 0
        grade = json.loads(capsys.readouterr().out)
        assert grade["points"] == grade["of"], "the key gets all points"
        assert grade["drawn"] == key["drawn"]
        assert [step["answer"] for step in grade["steps"] if step["what"] == "question"] == list(answers.values())
    assert main(["grade", "half_rule", "--key", "--student", names[0], "--format", "csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [row["right answer"] for row in rows] == [step["right"] for step in keys[0]["steps"]]
    assert main(["grade", "half_rule"]) == 2
    assert "--key for the right answers" in capsys.readouterr().err


def test_an_answer_that_cannot_be_read_costs_the_others_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "ada.yaml"
    file.write_text(
        "student: Ada\nanswers:\n  1: {is: 0.555}\n  3: 0.55\n  2: [x, [y]]\nedits: {4: [qlater -p 1 jobC1]}\n"
    )
    assert main(["grade", "half_rule", str(file), "--format", "json"]) == 1
    steps = json.loads(capsys.readouterr().out)["steps"]
    assert [step["points"] for step in steps] == [0, 0, 1, 0]
    reasons = [" ".join(step["reasons"]) for step in steps]
    assert reasons[:3] == ["line 3: a text is expected here", "line 5: a text is expected here", ""]
    assert reasons[3].startswith('line 6: "qlater -p 1 jobC1" is not an edit; write KEY.NAME.FIELD=VALUE')


def csv_rows(arguments: list[str], capsys: pytest.CaptureFixture[str], code: int) -> list[dict[str, str]]:
    assert main([*arguments, "--format", "csv"]) == code
    return list(csv.DictReader(io.StringIO(capsys.readouterr().out)))


def test_a_class_of_thirty_gets_its_points_for_each_step(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Answers and edits are drawn: right, wrong, of no use or missing; one submission cannot be read."""
    random = Random(41)
    names = [f"Student {number:02}" for number in range(30)]
    unreadable = tmp_path / "13.yaml"
    for number, name in enumerate(names):
        (tmp_path / f"{number:02}.yaml").write_text(f"student: {name}\n")
    keys: dict[str, dict[str, dict[str, str]]] = {}
    for row in csv_rows(["grade", "half_rule", str(tmp_path), "--key"], capsys, 0):
        keys.setdefault(row["student"], {})[row["step"]] = row
    assert list(keys) == names
    assert {key["4"]["right answer"] for key in keys.values()} == {
        f"qalter -p {value} jobC1" for value in (1024, 512, 256)
    }
    expected: dict[str, list[str]] = {}
    for file, (name, key) in zip(sorted(tmp_path.glob("*.yaml")), keys.items(), strict=True):
        right = [key[step]["right answer"] for step in ("1", "2", "3")]
        wrong = ["0.4", " ".join(reversed(right[1].replace(",", " ").split())), "1.0"]
        drawn = [random.choice(("right", "wrong", "useless", "missing")) for _ in range(4)]
        texts = {
            step: {"right": right[step], "wrong": wrong[step], "useless": "[what, {is: this}]"}.get(drawn[step])
            for step in range(3)
        }
        edits = {
            "right": [key["4"]["right answer"]], "wrong": ["qalter -p 5 jobB2"],
            "useless": [key["4"]["right answer"], "queues.all.q.slots=2"],
        }.get(drawn[3])  # fmt: skip
        lines = [f"student: {name}", "answers:"]
        lines += [
            f"  {step + 1}: {text if text[:1] == '[' else json.dumps(text)}" for step, text in texts.items() if text
        ]
        lines += ["edits:", f"  4: {json.dumps(edits)}"] if edits else []
        file.write_text("\n".join(lines) + "\n")
        expected[name] = [key[str(step + 1)]["points"] if drawn[step] == "right" else "0" for step in range(4)]
    unreadable.write_bytes(b"student: \xff\xfe\n")
    rows = csv_rows(["grade", "half_rule", str(tmp_path)], capsys, 1)
    assert len(rows) == 30
    (broken,) = (row for row in rows if row["file"] == str(unreadable))
    assert broken["points"] == broken["step 1"] == ""
    assert str(unreadable) in broken["reasons"]
    others = [row for row in rows if row is not broken]
    assert [row["student"] for row in others] == [name for name in names if name != "Student 13"]
    for row in others:
        assert [row[f"step {step}"] for step in (1, 2, 3, 4)] == expected[row["student"]], row
        points = sum(map(float, expected[row["student"]]))
        assert (float(row["points"]), row["of"], row["passed"]) == (points, "6", "yes" if points >= 3 else "no")
        missing = [f"Step {step}, " in row["reasons"] for step in (1, 2, 3, 4)]
        assert missing == [given == "0" for given in expected[row["student"]]]
    unreadable.unlink()
    assert csv_rows(["grade", "half_rule", str(tmp_path)], capsys, 1) == others, "it costs no other anything"
