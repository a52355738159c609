"""The screen opens on one cluster after the other: a lesson, the list behind it, another lesson."""

from pathlib import Path
from typing import Any

import pytest

from qmon_tui.lessons import find_lesson
from qmon_tui.tui import opening as application
from qmon_tui.tui.base import LessonRequested
from qmon_tui.workspace import LessonWorkspace

Wanted = LessonRequested | None


class FakeApp:
    """Leaves at once and asks for what the test says."""

    opened: list[tuple[str, str, str]]
    wanted_next: list[Wanted]
    return_code = None

    def __init__(self, workspace: Any, **given: Any) -> None:
        lesson = workspace.lesson.name if isinstance(workspace, LessonWorkspace) else workspace.cluster.name
        self.opened.append((lesson, given["page"], given["message"]))
        self.wanted = self.wanted_next.pop(0)

    async def run_async(self) -> None:
        pass


@pytest.fixture(autouse=True)
def _fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    FakeApp.opened = []
    monkeypatch.setattr(application, "QmonApp", FakeApp)
    monkeypatch.setattr(application, "end_on_signal", lambda app, loop: None)
    monkeypatch.setattr(application, "calm_collector", lambda: None)


def test_from_the_list_to_a_lesson_and_back() -> None:
    FakeApp.wanted_next = [LessonRequested(find_lesson("half_rule")), LessonRequested(None), None]
    assert application.run_lessons(None) == 0
    assert FakeApp.opened == [("teaching", "learn", ""), ("half_rule", "learn", ""), ("teaching", "learn", "")]


def test_a_lesson_is_left_for_the_list() -> None:
    FakeApp.wanted_next = [LessonRequested(None), None]
    assert application.run_lessons(find_lesson("half_rule"), "Ada") == 0
    assert [name for name, _, _ in FakeApp.opened] == ["half_rule", "teaching"]


def test_a_broken_lesson_leads_back_to_the_list_with_a_sentence(tmp_path: Path) -> None:
    broken = tmp_path / "broken.yaml"
    broken.write_text("title: Broken\ncluster: {}\nsteps:\n- given: [users.nobody.fshare=1]\n")
    FakeApp.wanted_next = [LessonRequested(broken), None]
    assert application.run_lessons(None) == 0
    (_, (name, page, said)) = FakeApp.opened
    assert (name, page) == ("teaching", "learn")
    assert said == f"{broken}:4: there is no user nobody; see `qmon-tui learn --check`"


def test_a_broken_lesson_on_the_command_line_opens_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    broken = tmp_path / "broken.yaml"
    broken.write_text("title: Broken\n")
    assert application.run_lessons(broken) == 2
    assert FakeApp.opened == []
    assert "broken.yaml:1: a lesson needs `cluster:`" in capsys.readouterr().err
