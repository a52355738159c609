"""Objects as qconf prints them, loaded from a file or pasted into the main screen."""

import tempfile
from contextlib import nullcontext
from pathlib import Path

import pytest
from textual import events
from textual.widgets import Input

from qmon_tui.model.kinds import Kind
from tests.tui.screen_harness import Opened, cluster_copy, opened

QUEUE = """\
root@master# qconf -sq new.q
qname                 new.q
hostlist              sim1 sim2
slots                 {slots}
load_thresholds       NONE
pe_list               NONE
"""


@pytest.fixture
def teaching(tmp_path: Path) -> Path:
    return cluster_copy("teaching", tmp_path)


def whole(it: Opened, **changes: str) -> str:
    """The queue of the cluster as qconf prints it, under another name and with other values."""
    from qmon_tui.formats.qconf.objects import write_object

    queue = it.workspace.cluster.objects(Kind.QUEUE)["all.q"]
    return write_object(queue.with_values({"qname": "new.q", **changes}), single_line=True)


async def test_a_queue_is_pasted_after_a_look_at_it_and_undone_in_one_step(teaching: Path) -> None:
    async with opened(teaching) as it:
        it.main.post_message(events.Paste(f"$ qconf -sq new.q\n{whole(it, slots='7')}"))
        await it.settle()
        assert "Load what is pasted: 1 object would change" in it.text
        assert "queue new.q" in it.text
        await it.press("y")
        queues = it.workspace.cluster.objects(Kind.QUEUE)
        assert list(queues)[-1] == "new.q"
        assert queues["new.q"].text("slots") == "7"
        await it.press("u")
        assert not it.workspace.is_dirty()


async def test_a_file_of_any_kind_is_loaded_wherever_one_is(teaching: Path, tmp_path: Path) -> None:
    file = tmp_path / "printed"
    async with opened(teaching) as it:
        file.write_text("name       seals\noticket    0\nfshare     3\nacl        NONE\nxacl       NONE\n")
        it.main.go_to(Kind.PE, None)
        await it.press("L")
        focused = it.app.focused
        assert isinstance(focused, Input)
        focused.value = str(file)
        await it.press("enter")
        assert "Load printed: 1 object would change" in it.text
        await it.press("y")
        assert it.workspace.cluster.objects(Kind.PROJECT)["seals"].text("fshare") == "3"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("root\nada\n", "What was pasted cannot be loaded: a list of names"),
        (QUEUE.format(slots="4").replace("hostlist  ", "hostname  "), "alone, not a whole queue"),
    ],
)
async def test_what_cannot_be_taken_over_is_said(teaching: Path, text: str, said: str) -> None:
    async with opened(teaching) as it:
        it.main.post_message(events.Paste(text))
        await it.settle()
        assert any(said in toast for toast in it.toasts)
        assert not it.workspace.is_dirty()


async def test_faults_of_the_text_are_shown_and_nothing_is_loaded(teaching: Path) -> None:
    async with opened(teaching) as it:
        it.main.post_message(events.Paste(QUEUE.format(slots="4")))
        await it.settle()
        assert "what is pasted cannot be loaded" in it.text
        assert 'required attribute "seq_no" is missing' in it.text
        await it.press("escape")
        it.main.post_message(events.Paste(whole(it, qname="all.q")))
        await it.settle()
        assert any("contains no changes" in toast for toast in it.toasts)


async def edited(it: Opened, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, program: str) -> list[str]:
    """Edit the chosen object with a program as the editor; the text that the editor was given."""
    seen = tmp_path / "seen"
    editor = tmp_path / "editor"
    editor.write_text(f'#!/bin/sh\ncp "$1" {seen}\n{program}\n')
    editor.chmod(0o755)
    monkeypatch.setenv("VISUAL", str(editor))
    monkeypatch.setattr(type(it.app), "suspend", lambda _: nullcontext())
    await it.press("ctrl+e")
    return seen.read_text().splitlines()


async def test_an_object_is_edited_as_qconf_text_in_the_users_editor(
    teaching: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    async with opened(teaching) as it:
        await it.go_to(Kind.QUEUE, "all.q")
        text = await edited(it, monkeypatch, tmp_path, "sed -i 's/^slots .*/slots 9/' \"$1\"")
        assert text[0].split() == ["qname", "all.q"]
        assert "queue all.q as edited" in it.text
        await it.press("y")
        assert it.workspace.cluster.objects(Kind.QUEUE)["all.q"].text("slots") == "9"
        assert not list(tmp_path.glob("qmon-tui-*"))
        await it.press("u")
        assert not it.workspace.is_dirty()


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ('echo nonsense > "$1"', "as edited cannot be used"),
        ("sed -i 's/^qname .*/qname other.q/' \"$1\"", "This is not one queue called all.q."),
        ("sed -i 's/^slots .*/slots many/' \"$1\"", "✗"),
    ],
)
async def test_a_refused_text_is_edited_again_or_kept(
    teaching: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, program: str, said: str
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    async with opened(teaching) as it:
        await it.go_to(Kind.QUEUE, "all.q")
        await edited(it, monkeypatch, tmp_path, program)
        assert said in it.text
        await it.press("e")
        assert said in it.text
        await it.press("escape")
        (kept,) = tmp_path.glob("qmon-tui-*/queue.txt")
        assert kept.read_text()
        assert any(str(kept) in toast for toast in it.toasts)
        assert not it.workspace.is_dirty()


async def test_an_editor_that_fails_changes_nothing(
    teaching: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    async with opened(teaching) as it:
        await it.go_to(Kind.QUEUE, "all.q")
        await edited(it, monkeypatch, tmp_path, "exit 3")
        assert any("ended with exit code 3" in toast for toast in it.toasts)
        monkeypatch.setenv("VISUAL", "no-such-editor")
        await it.press("ctrl+e")
        assert any("cannot be started: No such file or directory" in toast for toast in it.toasts)
        assert not it.workspace.is_dirty()
        assert not list(tmp_path.glob("qmon-tui-*"))


@pytest.mark.parametrize(
    ("editor", "expected"), [("vi", "+{line} {file}"), ("code", "-g {file}:{line}"), ("hx", "{file}:{line}")]
)
async def test_the_file_of_a_finding_opens_at_its_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, editor: str, expected: str
) -> None:
    program = tmp_path / editor
    program.write_text(f'#!/bin/sh\necho "$@" > {tmp_path}/given\n')
    program.chmod(0o755)
    monkeypatch.setenv("EDITOR", str(program))
    monkeypatch.delenv("VISUAL", raising=False)
    folder = cluster_copy("broken", tmp_path)
    async with opened(folder) as it:
        monkeypatch.setattr(type(it.app), "suspend", lambda _: nullcontext())
        await it.press("f")
        finding = it.main.findings[0]
        assert finding.file
        await it.press("ctrl+e")
        given = (tmp_path / "given").read_text().strip()
        assert given == expected.format(line=finding.line, file=folder.resolve() / finding.file)
        await it.press("escape")
