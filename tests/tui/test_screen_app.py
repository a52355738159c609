"""The application around the screen: themes, opening, and leaving after a failure without losing work."""

import errno
import json
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
from rich.cells import cell_len
from textual.worker import WorkerFailed

from qmon_tui.model.kinds import Kind
from qmon_tui.report.spans import TextRole
from qmon_tui.sources.shipped import private_copy
from qmon_tui.sources.xdg import state_folder
from qmon_tui.tui.app import QmonApp
from qmon_tui.tui.base.saved_settings import choose_theme, load_setting, save_setting
from qmon_tui.tui.base.themes import THEMES, role_styles
from qmon_tui.tui.crash_report import as_patch, crash_message, write_report
from qmon_tui.tui.opening import run
from qmon_tui.workspace import SetField
from tests.tui.screen_harness import cluster_copy, opened


@pytest.fixture
def teaching(tmp_path: Path) -> Path:
    return cluster_copy("teaching", tmp_path)


@pytest.mark.parametrize("theme", THEMES)
async def test_every_theme_draws_the_screen(teaching: Path, theme: str) -> None:
    async with opened(teaching, theme=theme) as it:
        assert "jobC1" in it.text
        styles = role_styles(it.app)
        contributions = {styles[role].color for role in (TextRole.URGENCY, TextRole.TICKETS, TextRole.POSIX)}
        assert len(contributions) == 3, "each contribution has its own colour"


async def test_the_chosen_theme_is_remembered(teaching: Path) -> None:
    async with opened(teaching) as it:
        await it.press("T")
        assert it.app.theme == "light"
    assert choose_theme(None) == "light"


def test_no_color_means_the_terminals_own_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    assert choose_theme(None) == "ansi-dark"
    assert choose_theme("light") == "light", "what is asked for wins"


def test_who_presses_ctrl_c_is_told_how_to_quit() -> None:
    said: list[str] = []
    QmonApp.action_help_quit(cast(QmonApp, SimpleNamespace(notify=lambda text, markup: said.append(text))))
    assert said == ["Ctrl-C does not end the program: ^q does, and asks if there are unsaved edits."]


def test_a_theme_that_there_is_not_is_refused(teaching: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(str(teaching), theme="pink") == 2
    assert "choose one of dark, light" in capsys.readouterr().err


def test_a_folder_that_there_is_not_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(str(tmp_path / "nothing")) == 2
    assert "nothing" in capsys.readouterr().err


@pytest.mark.parametrize("text", ["[broken", "[" * 100_000, '{"version": 1, "theme": ' + "[" * 100_000, "[]", ""])
def test_remembering_survives_a_broken_file(text: str) -> None:
    save_setting("theme", "light")
    (state_folder() / "state.json").write_text(text)
    assert load_setting("theme") is None
    save_setting("theme", "dark")
    assert load_setting("theme") == "dark"
    assert (state_folder() / "state.json").stat().st_mode & 0o777 == 0o600


def test_settings_that_cannot_be_read_now_are_not_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    save_setting("habits", "kept")

    def refuse(*_: object) -> bytes:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    with monkeypatch.context() as broken:
        broken.setattr("qmon_tui.tui.base.saved_settings.read_regular", refuse)
        save_setting("theme", "dark")
    assert load_setting("habits") == "kept"


NAMES = (
    *("日本語", "🎉👨\u200d👩\u200d👧", "אבגד", "ȩ\u0336\u0301x"),
    *("[red]x[/red]", "[@click=app.bell]x[/]", "\u202egnp", "a\x1b[31mb"),
)


@pytest.mark.parametrize("name", NAMES)
async def test_names_of_any_script_keep_rows_as_wide_as_the_screen(name: str, teaching: Path) -> None:
    written = json.dumps(name, ensure_ascii=False)
    (teaching / "more.yaml").write_text(f"pes: {{{written}: {{slots: 4}}}}\nprojects: {{{written}: {{}}}}\n")
    async with opened(teaching, size=(80, 24)) as it:
        for kind in (Kind.PE, Kind.PROJECT):
            await it.go_to(kind, name)
            strips = it.app.screen._compositor.render_strips()
            assert {sum(cell_len(segment.text) for segment in strip) for strip in strips} == {80}
            assert not [sign for sign in it.text if (ord(sign) < 32 and sign != "\n") or sign == "\u202e"]
            assert not name.startswith("[") or name in it.text


async def test_habits_that_nobody_can_read_are_none(teaching: Path) -> None:
    save_setting("habits", "[" * 100_000)
    async with opened(teaching) as it:
        assert it.at_main


def test_a_pipe_instead_of_what_was_remembered_is_not_waited_for() -> None:
    state_folder().mkdir(parents=True)
    os.mkfifo(state_folder() / "state.json")
    assert load_setting("theme") is None
    save_setting("theme", "dark")
    assert (state_folder() / "state.json").is_fifo(), "it is somebody else's"


def test_the_teaching_cluster_is_a_private_copy() -> None:
    folder = private_copy()
    (folder / "cluster.yaml").write_text("# mine\n")
    assert (private_copy() / "cluster.yaml").read_text() == "# mine\n", "it is kept"
    assert (Path(__file__).parents[2] / "configs/teaching/cluster.yaml").read_text() != "# mine\n"


def test_where_no_private_copy_can_be_made_it_is_said_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "file"))
    assert run(None) == 2
    said = capsys.readouterr().err
    assert "file/qmon-tui/teaching: Not a directory; set XDG_DATA_HOME" in said
    assert "Errno" not in said


async def test_a_failure_leaves_a_report_and_the_unsaved_edits(teaching: Path) -> None:
    secret = "do-not-print-" + "me"

    def fail() -> None:
        local = secret
        raise RuntimeError(f"boom {len(local)}")

    async def session() -> None:
        async with opened(teaching) as it:
            it.main.apply(SetField(Kind.COMPLEX, "gpu", "urgency", "100"))
            it.app.call_later(fail)
            await it.pilot.pause()

    with pytest.raises(RuntimeError, match="boom"):
        await session()
    (report,) = state_folder().glob("crash-*.txt")
    assert "RuntimeError: boom" in report.read_text()
    assert secret not in report.read_text()
    assert "urgency: 100" not in report.read_text(), "what was edited is the user's: it stands in a file of its own"
    assert str(Path.home()) not in report.read_text()
    assert 'File "textual/' in report.read_text(), "where it is installed may name people"
    assert str(Path(__file__).parents[2]) not in report.read_text()
    (patch,) = state_folder().glob("unsaved-*.patch")
    subprocess.run(["patch", "-p1", "-s", "-i", str(patch)], cwd=teaching, check=True)
    assert "urgency: 100" in (teaching / "cluster.yaml").read_text()


HOSTILE = "a\x1b]52;c;aGVsbG8=\x07b\u061c\u200b\u202e\u2060\ufff9\U000e0041\udcff"


def test_no_message_of_a_failure_steers_the_terminal(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "it's state"))
    report, patch = write_report(ValueError(f"{HOSTILE}\nsecond"), [], f"changed {HOSTILE}\nunchanged")
    assert report is not None
    assert patch is not None
    for text in (report.read_text(), patch.read_text(), crash_message(ValueError(HOSTILE), report, Path(HOSTILE))):
        assert "␛]52;c;aGVsbG8=␇b???????" in text
        assert all(line.isprintable() for line in text.split("\n"))
    assert report.stat().st_mode & 0o777 == patch.stat().st_mode & 0o777 == 0o600
    report, patch = write_report(ValueError(), [("c.yaml", "a\n", f"{HOSTILE[:5]}\n")])
    assert patch is not None
    assert f"+{HOSTILE[:5]}\n" in patch.read_text(), "a patch must stay as it is"
    assert "patch -p1 < '" in crash_message(ValueError(), report, patch)
    assert "unsaved edits could not be written" in crash_message(ValueError(), None, None, is_unsaved=True)
    assert "unsaved" not in crash_message(ValueError(), None, None)


def test_a_folder_with_a_hostile_name_is_told_of_in_plain_text(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(HOSTILE) == 2
    assert capsys.readouterr().err.rstrip("\n").isprintable()


def test_a_patch_of_new_and_removed_files() -> None:
    patch = as_patch([("new.yaml", None, "a: 1\n"), ("old.yaml", "b: 2", None), ("same.yaml", "c\n", "c\n")])
    assert "--- /dev/null\n+++ b/new.yaml\n" in patch
    assert "--- a/old.yaml\n+++ /dev/null\n" in patch
    assert "No newline at end of file" in patch
    assert "same.yaml" not in patch


def test_the_pure_part_of_the_screen_does_not_know_textual() -> None:
    code = (
        "import sys, pkgutil, importlib, qmon_tui.report as p\n"
        "[importlib.import_module(f'qmon_tui.report.{m.name}') for m in pkgutil.iter_modules(p.__path__)]\n"
        "print('textual' in sys.modules)"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "False"


@pytest.mark.parametrize("theme", ["ansi-dark", "dark"])
async def test_without_colours_nothing_is_coloured(teaching: Path, monkeypatch: pytest.MonkeyPatch, theme: str) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with opened(teaching, theme=theme) as it:
        strips = it.app.screen._compositor.render_strips()
        styles = [segment.style for strip in strips for segment in strip if segment.style is not None]
        colours = {colour for style in styles for colour in (style.color, style.bgcolor) if colour is not None}
        assert all(colour.is_default for colour in colours)


def test_a_report_of_a_worker_names_its_own_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    try:
        raise ValueError("of the worker")
    except ValueError as error:
        report, _ = write_report(WorkerFailed(error))
    assert report is not None
    assert "in test_a_report_of_a_worker_names_its_own_error" in report.read_text()
