"""Settings within a field, as the real qmaster reads them (sched_conf(5) params, sge_conf(5) qmaster_params)."""

import pytest

from qmon_tui.model.host_configuration import params_of


@pytest.mark.parametrize(
    ("text", "on"),
    [
        ("KILL", True), ("KILL=1", True), ("kill=TRUE", True), ("KILL=1x", True), ("KILL=10", True),
        ("KILL=0", False), ("KILL=2", False), ("KILL=01", False), ("KILL=yes", False), ("KILL=truex", False),
        ("KILL=", False), ("KILL= 1", False), ("KILL=1,KILL=0", False), ("KILL=0;KILL=1", True),
        ("none,KILL=1", True), ("LOG=1;KILL=true", True), ("NONE KILL=1", True),
    ],
)  # fmt: skip
def test_switches_are_on(text: str, on: bool) -> None:
    assert params_of(text)["KILL"].is_on is on


@pytest.mark.parametrize("text", ["", "none", "NONE", " , ;", "KILLX=1", "KIL=1"])
def test_what_is_not_named_is_not_there(text: str) -> None:
    assert "KILL" not in params_of(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("DURATION=50", "50"),
        ("DURATIONX=50", "50"),
        ("DURATION_OFFSET=50,duration=20", "20"),
        ("PROFILE=1;DURATION=5", "5"),
    ],
)
def test_only_the_first_letters_of_the_duration_offset_count(text: str, value: str) -> None:
    assert params_of(text)["DURATION_OFFSET"].value == value
