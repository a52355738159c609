"""What plan and apply refuse without asking a qmaster; what they do is in tests/differential/test_applying.py."""

from dataclasses import replace
from pathlib import Path

import pytest

from qmon_tui.applying import (
    Applied,
    Plan,
    PlanError,
    Step,
    Verdict,
    Written,
    plan_text,
    read_plan,
)
from qmon_tui.applying.plan import Refusal, Target
from qmon_tui.cli import main
from qmon_tui.model import Cluster, Kind, config_object
from qmon_tui.qmaster import Call
from qmon_tui.report import plans
from tests.unit.configs.announced import CONFIGS

QUEUE = config_object(Kind.QUEUE, "all.q", {"qname": "all.q", "seq_no": "0"})
KEY = (Kind.QUEUE, "all.q")


def plan(*words: str, file: str | None = None) -> Plan:
    """A plan of one command."""
    before, after = Cluster().with_object(QUEUE), Cluster().with_object(QUEUE.with_value("seq_no", "3"))
    step = Step("change queue all.q", (Call(words, file),), (KEY,), before, after)
    return Plan(Target("qmaster:", "/sge", "default", "SGE 8.1.9"), "site", before, after, (step,), (), 1.0, "abc123")


def test_a_plan_is_the_same_from_its_file() -> None:
    made = plan("qconf", "-rattr", "queue", "seq_no", "3", "all.q")
    read = read_plan(plan_text(made))
    assert (read.steps, read.target, read.keys) == (made.steps, made.target, made.keys)
    assert (read.base, read.wanted) == (made.base, made.wanted)
    assert read.result(made.base) == made.wanted


@pytest.mark.parametrize(
    ("made", "words"),
    [
        (plan("qconf", "-ks"), "is no command of a plan"),
        (plan("rm", "-rf", "/"), "is no command of a plan"),
        (plan("qconf", "-Mq", "../../etc/passwd", file="qname all.q"), "is no command of a plan"),
    ],
)
def test_a_plan_runs_only_what_plans_have(made: Plan, words: str) -> None:
    with pytest.raises(PlanError, match=words):
        read_plan(plan_text(made))


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"format": 2}', '{"format": 1, "steps": 3}', "[" * 100_000])
def test_other_files_are_no_plans(text: str) -> None:
    with pytest.raises(PlanError):
        read_plan(text)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["plan", "nowhere"], "nowhere does not exist"),
        (["plan", "qmaster:"], "give the folder that says what is wanted"),
        (["plan", str(CONFIGS / "site"), str(CONFIGS / "site")], "a running cluster is called qmaster:"),
        (["plan", str(CONFIGS / "broken")], "cannot be read, so nothing is planned"),
        (["apply"], "give the folder or the plan"),
        (["apply", str(CONFIGS / "site"), "--back", "x"], "take the running cluster alone"),
        (["apply", str(CONFIGS / "site" / "hosts.yaml")], "this is no plan"),
        (["apply", str(CONFIGS / "site"), "qmaster:none"], "no cluster is called none"),
    ],
)
def test_unusable_input_is_a_sentence(
    words: list[str], sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert main(words) == 2
    assert sentence in capsys.readouterr().err


@pytest.mark.parametrize("cells", [40, 74, 104])
def test_no_command_is_cut_off(cells: int) -> None:
    made = plan("qconf", "-rattr", "queue", "prolog", " ".join(f"/opt/site/{number}" for number in range(40)), "all.q")
    line = made.steps[0].line
    written = Written(line, Verdict.REFUSED, ("denied",))
    refused = replace(made, steps=(), refusals=(Refusal(line, ("denied",)),))
    for lines in (
        plans.plan_lines(made, None, cells),
        plans.plan_lines(refused, None, cells),
        plans.applied_lines(Applied(made, (written,)), cells),
    ):
        texts = ["".join(span.text for span in spans) for spans in lines]
        assert max(map(len, texts)) <= cells
        assert "".join(line.split()) in "".join("".join(texts).split())
