"""The generated reference: `rules` and `fields` say what checks and forms know."""

import json
from pathlib import Path
from typing import Any

import pytest

from qmon_tui.checks import RULES
from qmon_tui.cli import main
from qmon_tui.formats.format_findings import RULES as FORMAT_RULES
from qmon_tui.model.catalogue import specs
from qmon_tui.model.dialects import foreign_field

TEACHING = str(Path(__file__).parents[3] / "configs" / "teaching")
Capture = pytest.CaptureFixture[str]


def answered(capsys: Capture, *arguments: str) -> Any:
    assert main([*arguments, "--format", "json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_every_rule_has_a_source_and_an_example(capsys: Capture) -> None:
    listed = answered(capsys, "rules")["rules"]
    assert {rule["id"] for rule in listed} == {*RULES, *FORMAT_RULES}
    assert all(text for rule in listed for text in rule.values())


def test_rules_are_chosen_by_whole_words_of_their_ids(capsys: Capture) -> None:
    listed = [rule["id"] for rule in answered(capsys, "rules", "complex.relop")["rules"]]
    assert "complex.relop" in listed
    assert "complex.relop.excl" in listed
    assert all(name.startswith("complex.relop") for name in listed)
    assert main(["rules", "que"]) == 2
    assert "no rule's id begins with que" in capsys.readouterr().err


def test_the_table_of_rules_shows_what_breaks_one_and_what_is_said(capsys: Capture) -> None:
    assert main(["rules", "pe.urgency_slots"]) == 0
    printed = capsys.readouterr().out
    assert "urgency_slots: most" in printed
    assert 'error: rejecting invalid urgency_slots setting "most"' in printed


@pytest.mark.parametrize("spec", specs().values(), ids=lambda spec: spec.kind.value)
def test_every_field_of_every_kind_is_described(capsys: Capture, spec: Any) -> None:
    described = answered(capsys, "fields", spec.kind.value)["fields"]
    own = [field["name"] for field in described if not field["dialects"]]
    assert own == [field.name for field in spec.fields]
    assert all(foreign_field(spec.kind, field["name"]) for field in described if field["dialects"])
    assert all(field["type"] and field["help"] and field["source"] for field in described)
    assert main(["fields", spec.yaml_key]) == 0
    printed = capsys.readouterr().out
    assert all(field.name in printed and field.help in printed for field in spec.fields)


def test_without_a_kind_the_kinds_are_listed_and_an_unknown_one_is_refused(capsys: Capture) -> None:
    assert [kind["kind"] for kind in answered(capsys, "fields")["kinds"]] == [kind.value for kind in specs()]
    assert main(["fields", "jobs"]) == 2
    assert "there is no kind of object 'jobs'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("fields", "qeue"), "there is no kind of object 'qeue'; did you mean queue?"),
        (("fields", "cmplexes"), "did you mean complexes?"),
        (("fields", "nothing-of-it"), "there are complex, queue, "),
        (("fields", "load_thresholds"), "that is a field: qmon-tui fields queue load_thresholds"),
        (("fields", "queue", "slot"), "a queue has no field 'slot'; did you mean slots?"),
        (("fields", "queue", "zzz"), "without a name all"),
        (("rules", "qeue"), "no rule's id begins with qeue; did you mean queue?"),
        (("rules", "complex.relp"), "did you mean complex.relop?"),
        (("shcedule", "x"), "did you mean schedule?"),
    ],
)
def test_a_mistyped_word_is_asked_back(words: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(list(words)) == 2
    assert said in capsys.readouterr().err


def test_one_field_is_shown_by_itself(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fields", "queue", "SLOTS", "--format", "json"]) == 0
    (field,) = json.loads(capsys.readouterr().out)["fields"]
    assert field["name"] == "slots"
    assert main(["fields", "queue", "slots"]) == 0
    assert "seq_no" not in capsys.readouterr().out


def test_a_job_that_is_not_there_is_asked_back(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["why", TEACHING, "1000"]) == 2
    assert "There is no job 1000; " in capsys.readouterr().err
    assert main(["why", TEACHING, "1.7"]) == 2
    assert "Job 1 has no task 7; it has only task 1." in capsys.readouterr().err
