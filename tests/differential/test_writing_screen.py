"""The screen changes a real qmaster: commands at once, edits by a plan; nothing runs that F2 has not confirmed."""

import asyncio
import threading
from pathlib import Path

import pytest

from qmon_tui.applying import Plan, apply_plan, make_plan, target_of
from qmon_tui.model import Cluster, Kind, config_object
from qmon_tui.qmaster import schedule
from qmon_tui.report import attention
from qmon_tui.sources.qmaster_source import QmasterSource
from tests.differential.loading import load
from tests.differential.qmaster import Qmaster
from tests.differential.test_running_cluster import cell_of
from tests.tui.screen_harness import Opened, opened

pytestmark = pytest.mark.qmaster


@pytest.fixture
def source(qmaster: Qmaster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> QmasterSource:
    """A queue with a host, a job, and a cell that may be changed."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    qmaster.restart()
    host = config_object(Kind.HOST, "node01", {"hostname": "node01"})
    queue = config_object(Kind.QUEUE, "all.q", {"qname": "all.q", "hostlist": "node01"})
    load(qmaster, Cluster().with_objects((host, queue)))
    qmaster.must("qconf", "-as", "localhost")
    qmaster.must("qsub", "-terse", "-h", "-b", "y", "sleep", "600")
    return QmasterSource(cell_of(qmaster, shared=str(tmp_path / "shared")), writes=True)


async def ran(it: Opened, words: str) -> None:
    """Wait until the screen shows the words."""
    for _ in range(200):
        await it.pilot.pause(0.05)
        if words in it.text:
            return
    raise AssertionError(f"{words} is not in\n{it.text}")


async def typed_command(it: Opened, line: str) -> None:
    await it.press("colon")
    await it.type(line)
    await it.press("enter")


async def test_a_command_runs_when_f2_confirms_it(qmaster: Qmaster, source: QmasterSource, tmp_path: Path) -> None:
    async with opened(tmp_path, source=source) as it:
        assert "WRITES as manager" in it.text or "[W]" in it.text
        await typed_command(it, "qdel 1")
        await it.press("y")
        await ran(it, "cannot be undone")
        await it.press("enter", "y", "d", "s", "q")
        await it.press("escape")
        assert qmaster.run("qstat", "-j", "1").status == 0
        await typed_command(it, "qdel 1")
        await it.press("y")
        await ran(it, "cannot be undone")
        await it.press("f2")
        await ran(it, "deleted job 1")
        assert qmaster.run("qstat", "-j", "1").status == 1


async def test_disabling_keeps_the_reason_beside_the_cell(
    qmaster: Qmaster, source: QmasterSource, tmp_path: Path
) -> None:
    async with opened(tmp_path, source=source) as it:
        await typed_command(it, "disable node01")
        await it.type("new disk")
        await it.press("enter")
        await ran(it, "qmod -d all.q@node01")
        await it.press(*"atonce")
        await it.press("f2")
        await ran(it, "disabled")
        assert "new disk" in (tmp_path / "shared" / "drains.yaml").read_text()
        said = [entry.read_text() for entry in (tmp_path / "shared" / "log").iterdir()]
        assert any("reason: atonce" in text for text in said), said
        assert [drain.reason for drain in source.read().state.drains["node01"]] == ["new disk"]
        assert qmaster.must("qstat", "-f").split("all.q@node01")[1].split("\n")[0].split()[-1] == "ad"


async def gave_an_end(it: Opened, kind: Kind, name: str, tab: str) -> None:
    """Give what the tab of an object shows an end date, and confirm that."""
    await it.go_to(kind, name)
    it.main.form.choose_group(tab)
    await it.settle()
    await it.press("Y")
    await it.type("2099-12-01 cover")
    await it.press("enter")
    await ran(it, "kept beside the cell")
    await it.press("f2")


async def test_the_end_of_a_member_and_of_tickets_is_kept_beside_the_cell_until_the_qmaster_has_neither(
    qmaster: Qmaster, source: QmasterSource, tmp_path: Path
) -> None:
    qmaster.must("qconf", "-au", "bela,chen", "guests")
    load(qmaster, Cluster().with_objects([config_object(Kind.PROJECT, "sea", {"name": "sea", "oticket": "7"})]))
    kept = tmp_path / "shared" / "drains.yaml"
    async with opened(tmp_path, source=source) as it:
        for kind, name, tab in ((Kind.USERSET, "guests", "Members"), (Kind.PROJECT, "sea", "Standing")):
            await gave_an_end(it, kind, name, tab)
            await ran(it, "until 2099-12-01 (")
            assert not it.workspace.changes()
    assert set(source.read().state.exceptions) == {"userset/guests/bela", "project/sea"}
    assert not plan_of(source).steps, "a folder with the same objects is no plan"
    kept.write_text(kept.read_text().replace("2099", "2020"))
    assert ended(source) == ["userset/guests/bela", "project/sea"]
    qmaster.must("qconf", "-du", "bela", "guests")
    qmaster.must("qconf", "-mattr", "project", "oticket", "0", "sea")
    assert ended(source) == []
    broken = "exceptions:\n  userset/guests/chen: {reason: cover}\n"
    kept.write_text(broken)
    (finding,) = (finding for finding in source.read().findings if finding.file == "drains.yaml")
    assert (finding.line, finding.message) == (2, "an exception needs an end: until")
    async with opened(tmp_path, source=source) as it:
        await gave_an_end(it, Kind.USERSET, "guests", "Members")
        await ran(it, "refused")
        assert "corrected" in it.text
    assert kept.read_text() == broken


def ended(source: QmasterSource) -> list[str]:
    """Return the places whose exceptions are over."""
    reading = source.read()
    found = attention.concerns(reading.cluster, reading.state, schedule(reading.cluster, reading.state))
    return [name for concern in found if concern.kind is attention.ConcernKind.EXCEPTION for name in concern.names]


def plan_of(source: QmasterSource) -> Plan:
    """Return the plan from the cluster to itself."""
    reading = source.read()
    return make_plan(target_of(source), "test", reading.cluster, reading.cluster, reading.state)


async def test_edits_are_a_plan_and_can_be_taken_back(qmaster: Qmaster, source: QmasterSource, tmp_path: Path) -> None:
    async with opened(tmp_path, source=source) as it:
        await typed_command(it, "qconf -mattr queue seq_no 7 all.q")
        assert it.workspace.is_dirty(Kind.QUEUE, "all.q", "seq_no")
        await it.press("s")
        await ran(it, "qconf -rattr queue seq_no 7 all.q")
        await it.press("tab")
        await it.type("order of queues")
        await it.press("f2")
        await ran(it, "read back")
        assert ":take back" in it.text
        assert not it.workspace.changes()
        assert "seq_no                7" in qmaster.must("qconf", "-sq", "all.q")
        assert any("# reason: order of queues" in path.read_text() for path in (tmp_path / "shared" / "log").iterdir())
        await typed_command(it, "take back")
        await ran(it, "qconf -rattr queue seq_no 0 all.q")
        await it.press("f2")
        await ran(it, "read back")
        assert "seq_no                0" in qmaster.must("qconf", "-sq", "all.q")
        await typed_command(it, "take back")
        await ran(it, "nothing is left to take back")


async def test_a_foreign_change_comes_before_the_plan(qmaster: Qmaster, source: QmasterSource, tmp_path: Path) -> None:
    async with opened(tmp_path, source=source) as it:
        await typed_command(it, "qconf -mattr queue seq_no 7 all.q")
        qmaster.must("qconf", "-mattr", "queue", "seq_no", "9", "all.q")
        await it.press("s")
        await ran(it, "has changed meanwhile")
        qmaster.must("qsub", "-terse", "-h", "-b", "y", "sleep", "600")
        await it.press("r")
        await ran(it, "The cluster has changed while you have unsaved edits")
        assert "0 → 9" in it.text
        assert "the time" not in it.text
        assert "1 object changed on the cluster" in it.text
        await it.press("escape")
        assert "seq_no                9" in qmaster.must("qconf", "-sq", "all.q")


async def test_what_others_change_elsewhere_is_taken_over_and_shown(
    qmaster: Qmaster, source: QmasterSource, tmp_path: Path
) -> None:
    async with opened(tmp_path, source=source) as it:
        await typed_command(it, "qconf -mattr queue seq_no 7 all.q")
        qmaster.must("qconf", "-mattr", "queue", "priority", "5", "all.q")
        await it.press("s")
        await ran(it, "Changed by others since the last reading")
        assert "priority" in it.text
        assert "qconf -rattr queue seq_no 7 all.q" in it.text
        await it.press("f2")
        await ran(it, "read back")
        assert not it.workspace.changes()
    printed = qmaster.must("qconf", "-sq", "all.q").split()
    assert (printed[printed.index("seq_no") + 1], printed[printed.index("priority") + 1]) == ("7", "5")


async def test_what_no_command_does_is_refused(source: QmasterSource, tmp_path: Path) -> None:
    async with opened(tmp_path, source=source, read_only=True) as it:
        assert "READ-ONLY" in it.text or "[RO]" in it.text
        await typed_command(it, "qdel 1")
        assert "read-only" in it.text


async def test_leaving_and_the_list_of_edits_save_by_a_plan(
    qmaster: Qmaster, source: QmasterSource, tmp_path: Path
) -> None:
    async with opened(tmp_path, source=source) as it:
        for words, shown, number in (("changes", "Enter goes there", "7"), ("quit", "save first", "8")):
            await typed_command(it, f"qconf -mattr queue seq_no {number} all.q")
            await typed_command(it, words)
            await ran(it, shown)
            await it.press("s")
            await ran(it, f"qconf -rattr queue seq_no {number} all.q")
            await it.pilot.press("f2")  # the program ends meanwhile
            for _ in range(200):
                if f"seq_no                {number}" in qmaster.must("qconf", "-sq", "all.q"):
                    break
                await asyncio.sleep(0.05)
            else:
                raise AssertionError(it.text)
            if words == "changes":
                await ran(it, "read back")


async def test_enter_runs_nothing_wherever_the_focus_is(
    qmaster: Qmaster, source: QmasterSource, tmp_path: Path
) -> None:
    async with opened(tmp_path, source=source) as it:
        await typed_command(it, "qconf -mattr queue seq_no 7 all.q")
        for tabs in range(5):
            await it.press("s")
            await ran(it, "qconf -rattr queue seq_no 7 all.q")
            await it.press(*["tab"] * tabs, "enter", "escape")
        assert "seq_no                0" in qmaster.must("qconf", "-sq", "all.q")


async def test_what_is_edited_while_commands_run_stays(
    qmaster: Qmaster, source: QmasterSource, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, goes_on = threading.Event(), threading.Event()

    def slow(*arguments: object, **options: object) -> object:
        begun.set()
        assert goes_on.wait(20)
        return apply_plan(*arguments, **options)  # type: ignore[arg-type]

    monkeypatch.setattr("qmon_tui.tui.screens.cluster_writing.apply_plan", slow)
    async with opened(tmp_path, source=source) as it:
        await typed_command(it, "qconf -mattr queue seq_no 7 all.q")
        await it.press("s")
        await ran(it, "qconf -rattr queue seq_no 7 all.q")
        await it.press("f2")
        assert begun.wait(20)
        await typed_command(it, "qconf -mattr queue priority 5 all.q")
        await it.press("s")
        await ran(it, "Commands are running")
        await it.press("q")
        assert it.app.is_running
        goes_on.set()
        await ran(it, "read back")
        assert it.workspace.is_dirty(Kind.QUEUE, "all.q", "priority")
        assert not it.workspace.is_dirty(Kind.QUEUE, "all.q", "seq_no")


async def test_actions_without_the_right_are_off_and_say_why(
    qmaster: Qmaster, source: QmasterSource, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("qmon_tui.applying.rights.client_user", lambda _: "joe")
    async with opened(tmp_path, source=source, page="jobs") as it:
        assert "WRITES as user" in it.text or "[W]" in it.text
        await it.press("W")
        assert any("joe must be an operator or owner of job 1" in toast for toast in it.toasts)
        actions = {action.id: action.disabled_reason(it.main.action_context()) for action in it.main.registry.actions}
        assert "operator or owner" in (actions["jobs.hold"] or "")
        assert actions["jobs.add"] is None
        it.main.go_to_page("cluster")
        await it.settle()
        actions = {action.id: action.disabled_reason(it.main.action_context()) for action in it.main.registry.actions}
        assert "joe must be an operator or owner of the queue" in (actions["cluster.disable"] or "")


async def test_the_key_that_accepts_a_form_runs_nothing(
    qmaster: Qmaster, source: QmasterSource, tmp_path: Path
) -> None:
    async with opened(tmp_path, source=source, page="jobs") as it:
        await it.press("a")
        await ran(it, "-b y sleep 600")
        await it.press("f2")
        await ran(it, "F4 run them")
        await it.press("f2", "enter")
        assert qmaster.run("qstat", "-j", "2").status == 1
        await it.press("f4")
        await ran(it, "has been submitted")
        assert "owner:                      root" in qmaster.must("qstat", "-j", "2")


async def test_a_command_that_changes_nothing_is_said_before(source: QmasterSource, tmp_path: Path) -> None:
    async with opened(tmp_path, source=source) as it:
        await it.go_to(Kind.HOST, "node01")
        await it.press("K")
        await ran(it, "it changes nothing")
        assert "Cause of the error" not in it.text
