"""qmon-tui help: a topic is printed, words are listed, what is unknown is refused."""

import json

import pytest

from qmon_tui.cli import main


def test_a_field_is_printed_with_its_paragraph(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["help", "weight_waiting_time"]) == 0
    said = capsys.readouterr().out
    assert "Urgency per second of waiting." in said
    assert "Waiting time contribution" in said
    assert "(docs/reference/scheduler-configuration.md#weight_waiting_time)" in said
    assert "](" not in said


def test_words_are_listed_and_without_any_the_pages(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["help", "tickets"]) == 0
    assert "Tickets" in capsys.readouterr().out
    assert main(["help", "parallel", "jobs"]) == 0
    assert main(["help", "halted"]) in (0, 2)
    capsys.readouterr()
    assert main(["help"]) == 0
    assert "reservation.md#reservation-and-backfilling" in capsys.readouterr().out


def test_what_is_unknown_is_refused_with_the_nearest_word(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["help", "weight_waitingtime"]) == 2
    assert "did you mean weight_waiting_time?" in capsys.readouterr().err
    assert main(["help", "zzzz"]) == 2
    assert "without a topic the pages are listed." in capsys.readouterr().err


def test_programs_get_the_text(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["help", "ftckt", "--format", "json"]) == 0
    (topic,) = json.loads(capsys.readouterr().out)["topics"]
    assert topic["place"] == "tickets.md#functional-tickets"
    assert topic["text"].startswith("# ftckt\n")
