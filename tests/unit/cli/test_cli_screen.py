import sys
from pathlib import Path

import pytest

from qmon_tui.cli import COMMANDS, main


class Terminal:
    """Stands for a stream that is a terminal."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        return True

    def fileno(self) -> int:
        raise OSError("nothing that has a width stands behind it")

    def write(self, text: str) -> int:
        return len(text)

    def flush(self) -> None:
        return None


Opened = list[tuple[str | None, bool, str | None]]


def in_a_terminal(monkeypatch: pytest.MonkeyPatch) -> Opened:
    """Pretend a good terminal, and tell what the screen is opened with."""
    calls: Opened = []

    def run(
        path: str | None, read_only: bool = False, write: bool = False, theme: str | None = None, play: bool = False
    ) -> int:
        calls.append((path, read_only, "play" if play else "write" if write else theme))
        return 0

    app = type(sys)("qmon_tui.tui.opening")
    app.run = run  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "qmon_tui.tui.opening", app)
    monkeypatch.setattr(sys, "stdin", Terminal())
    monkeypatch.setattr(sys, "stdout", Terminal())
    monkeypatch.setenv("TERM", "xterm-256color")
    return calls


def test_a_path_opens_the_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    opened = in_a_terminal(monkeypatch)
    assert main(["some/folder", "--read-only", "--theme", "ansi-dark"]) == 0
    assert opened == [("some/folder", True, "ansi-dark")]


def test_write_permits_changes_but_not_in_a_browser(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    opened = in_a_terminal(monkeypatch)
    assert main(["qmaster:", "--write"]) == 0
    assert opened == [("qmaster:", False, "write")]
    monkeypatch.setenv("TEXTUAL_DRIVER", "textual.drivers.web_driver:WebDriver")
    assert main(["qmaster:", "--write"]) == 2
    assert "every visitor would have your rights" in capsys.readouterr().err


def test_play_opens_the_monitor(monkeypatch: pytest.MonkeyPatch) -> None:
    opened = in_a_terminal(monkeypatch)
    assert main(["some/folder", "--play"]) == 0
    assert opened == [("some/folder", False, "play")]


def test_no_path_opens_the_teaching_cluster(monkeypatch: pytest.MonkeyPatch) -> None:
    opened = in_a_terminal(monkeypatch)
    assert main([]) == 0
    assert opened == [(None, False, None)]


def test_fresh_begins_again_with_the_teaching_cluster(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    opened = in_a_terminal(monkeypatch)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert main(["--fresh", "some/folder"]) == 2
    assert "leave some/folder out" in capsys.readouterr().err
    assert main(["--fresh"]) == 0
    assert capsys.readouterr().err == ""
    assert main(["--fresh"]) == 0
    assert f"what it was before is in {tmp_path / 'qmon-tui' / 'teaching-'}" in capsys.readouterr().err
    assert opened == [(None, False, None)] * 2


@pytest.mark.parametrize("name", COMMANDS)
def test_a_folder_named_like_a_command_is_opened_with_a_dot(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    opened = in_a_terminal(monkeypatch)
    assert main([f"./{name}"]) == 0
    assert opened == [(f"./{name}", False, None)]


def test_a_dumb_terminal_is_refused_with_a_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    opened = in_a_terminal(monkeypatch)
    monkeypatch.setenv("TERM", "dumb")
    assert main(["some/folder"]) == 2
    assert opened == []
    assert "TERM is dumb" in capsys.readouterr().err


def test_a_pipe_is_refused_with_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["some/folder"]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "no terminal" in captured.err
    assert "Traceback" not in captured.err


def test_a_browser_needs_no_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    opened = in_a_terminal(monkeypatch)
    monkeypatch.setattr(sys.stdin, "isatty", lambda: False)
    monkeypatch.setenv("TEXTUAL_DRIVER", "textual.drivers.web_driver:WebDriver")
    assert main(["some/folder"]) == 0
    assert opened == [("some/folder", False, None)]


def test_wrong_usage_is_2_and_help_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--nonsense"]) == 2
    capsys.readouterr()
    assert main(["--help"]) == 0
    text = capsys.readouterr().out
    assert all(name in text for name in COMMANDS)


def test_the_version_is_printed_on_stdout(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out.startswith("qmon-tui ")


def test_a_mistyped_command_is_answered_with_the_one_that_is_meant(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["chekc", "some/folder"]) == 2
    assert "did you mean check?" in capsys.readouterr().err
    assert main(["frobnicate"]) == 2
    assert capsys.readouterr().err == "qmon-tui: there is no command or folder frobnicate; see `qmon-tui --help`.\n"
    (tmp_path / "chekc").mkdir()
    opened = in_a_terminal(monkeypatch)
    assert main(["chekc"]) == 0
    assert opened == [("chekc", False, None)], "a folder of that name is meant"
