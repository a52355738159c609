"""Complexes to and from files in the format of `qconf -sc`."""

from pathlib import Path

from textual.pilot import Pilot
from textual.widgets import Input

from qmon_tui.formats.qconf.complex_table import read_complexes, write_complexes
from qmon_tui.model.kinds import Kind
from qmon_tui.tui.base.messages import EditRequested
from qmon_tui.tui.lists.object_load import ComplexFiles, complex_load
from qmon_tui.workspace import ChangeKind
from tests.tui.forms_harness import Harness, entry, small_cluster, workspace_of
from tests.tui.forms_steps import screen_text, words


def table(*without: str, **changed: str) -> str:
    """The complexes of the small cluster as qconf prints them, some left out, gpu changed."""
    entries = [e for e in small_cluster().objects(Kind.COMPLEX).values() if e.name not in without]
    return write_complexes(e.with_values(changed) if e.name == "gpu" else e for e in entries)


async def answer(app: Harness, pilot: Pilot[None], path: Path) -> None:
    focused = app.focused
    assert isinstance(focused, Input)
    focused.value = str(path)
    await pilot.press("enter")
    await pilot.pause()


async def test_a_file_is_compared_and_taken_over_as_one_step_of_undo(tmp_path: Path) -> None:
    file = tmp_path / "centry"
    file.write_text(table("arch_note", urgency="7"))
    app = Harness(workspace_of(small_cluster()), Kind.COMPLEX)
    async with app.run_test(size=(80, 24)) as pilot:
        files = ComplexFiles(app.screen, app.workspace, app.post_message)
        await pilot.pause()
        files.load()
        await pilot.pause()
        await answer(app, pilot, file)
        text = words(screen_text(app))
        assert "2 complexes would change" in text
        assert "complex gpu changed" in text
        assert "complex arch_note removed" in text
        await pilot.press("y")
        await pilot.pause()
        entries = app.workspace.cluster.objects(Kind.COMPLEX)
        assert entries["gpu"].text("urgency") == "7"
        assert "arch_note" not in entries
        assert isinstance(app.facts[-1], EditRequested)
        app.workspace.undo()
        assert not app.workspace.is_dirty()


async def test_a_file_that_only_lacks_what_is_referenced_says_that_it_stays(tmp_path: Path) -> None:
    file = tmp_path / "centry"
    file.write_text(table("gpu"))
    app = Harness(workspace_of(small_cluster()), Kind.COMPLEX)
    async with app.run_test(size=(80, 24)) as pilot:
        files = ComplexFiles(app.screen, app.workspace, app.post_message)
        await pilot.pause()
        files.load()
        await pilot.pause()
        await answer(app, pilot, file)
        text = words(screen_text(app))
        assert "nothing can be loaded" in text
        assert '"gpu" is still referenced' in text


async def test_escape_takes_nothing_over(tmp_path: Path) -> None:
    file = tmp_path / "centry"
    file.write_text(table(urgency="7"))
    app = Harness(workspace_of(small_cluster()), Kind.COMPLEX)
    async with app.run_test(size=(80, 24)) as pilot:
        files = ComplexFiles(app.screen, app.workspace, app.post_message)
        files.load()
        await pilot.pause()
        await answer(app, pilot, file)
        await pilot.press("escape")
        await pilot.pause()
        assert not app.workspace.is_dirty()


async def test_a_file_that_is_no_table_is_refused_with_the_line(tmp_path: Path) -> None:
    file = tmp_path / "centry"
    file.write_text("gpu gpu INT <=\n")
    app = Harness(workspace_of(small_cluster()), Kind.COMPLEX)
    async with app.run_test(size=(80, 24)) as pilot:
        files = ComplexFiles(app.screen, app.workspace, app.post_message)
        files.load()
        await pilot.pause()
        await answer(app, pilot, file)
        assert "centry is not a complex table" in screen_text(app)
        assert "line 1" in screen_text(app)


async def test_what_is_written_reads_back_the_same(tmp_path: Path) -> None:
    file = tmp_path / "out.txt"
    app = Harness(workspace_of(small_cluster()), Kind.COMPLEX)
    async with app.run_test(size=(80, 24)) as pilot:
        files = ComplexFiles(app.screen, app.workspace, app.post_message)
        files.save()
        await pilot.pause()
        await answer(app, pilot, file)
        entries, findings = read_complexes(file.read_text(), "out.txt")
        assert findings == ()
        assert {e.name: dict(e.values) for e in entries} == {
            name: dict(e.values) for name, e in small_cluster().objects(Kind.COMPLEX).items()
        }
        before = file.read_text()
        files.save()
        await pilot.pause()
        await answer(app, pilot, file)
        assert "would be overwritten" in screen_text(app)
        await pilot.press("enter")
        await pilot.pause()
        assert file.read_text() == before


def test_what_cannot_be_deleted_stays_and_is_said() -> None:
    load = complex_load(small_cluster(), [entry("gpu", urgency="100"), entry("new")])
    assert {"slots", "arch"} <= {obj.name for obj in load.objects}
    assert {finding.name for finding in load.kept} >= {"slots", "arch"}
    assert [(change.name, change.what) for change in load.changes] == [
        ("arch_note", ChangeKind.REMOVED),
        ("new", ChangeKind.ADDED),
    ]


def test_what_is_used_stays_too() -> None:
    load = complex_load(small_cluster(), [entry("arch_note", type="RESTRING", relop="==", consumable="NO")])
    assert "gpu" in {obj.name for obj in load.objects}
    assert any("gpu" in finding.message and "still referenced" in finding.message for finding in load.kept)


def test_mistakes_of_the_file_are_found_before_it_is_taken_over() -> None:
    cluster = small_cluster()
    entries = [*cluster.objects(Kind.COMPLEX).values(), entry("odd", relop=">=")]
    load = complex_load(cluster, entries)
    assert [finding.name for finding in load.findings] == ["odd"]
