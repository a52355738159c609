"""Objects as qconf prints them, loaded from a file or pasted into the main screen."""

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
