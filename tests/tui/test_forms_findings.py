"""What a form says is wrong: what reading the files has found, and a name as if it had been given already."""

from pathlib import Path

from textual.pilot import Pilot

from qmon_tui.model.kinds import Kind
from tests.tui.forms_harness import Harness, small_cluster, workspace_of
from tests.tui.forms_steps import form_text, go_to, type_text, words
from tests.tui.screen_harness import cluster_copy, opened

FOLDER = """\
hosts: {node1: {}}
usersets: {staff: {entries: anna, entriez: bob}}
projects: {p1: {fshare: 1, fshare: 2}}
queues:
  all.q: {hostlist: node1}
  all.q: {hostlist: node1}
"""


async def test_what_reading_the_file_found_stands_in_the_form(tmp_path: Path) -> None:
    async with opened(cluster_copy("broken-qconf", tmp_path), size=(240, 50)) as it:
        await it.go_to(Kind.CALENDAR, "crlf")
        assert "✗ the lines of this file end in CR LF, which the qmaster refuses" in it.text
        await it.go_to(Kind.CALENDAR, "twice", "week")
        lines = it.text.splitlines()
        at = next(number for number, line in enumerate(lines) if "▸  week" in line)
        assert '✗ error: attribute "week" appears more than once' in lines[at + 1]
        await it.go_to(Kind.CALENDAR, "unknown", "month")
        assert '✗ error: unknown attribute name "month"' in it.text
        await it.go_to(Kind.CALENDAR, "missing", "week")
        assert '✗ error: required attribute "week" is missing' in it.text
        await it.press("enter", *"mon=off", "enter")
        assert 'required attribute "week"' not in it.text, "saving writes the field"


async def test_what_reading_yaml_found_stands_in_the_form(tmp_path: Path) -> None:
    (tmp_path / "cluster.yaml").write_text(FOLDER)
    async with opened(tmp_path, size=(240, 50)) as it:
        await it.go_to(Kind.USERSET, "staff", "entriez")
        assert '✗ error: unknown attribute name "entriez"' in it.text
        await it.go_to(Kind.PROJECT, "p1")
        assert '✗ error: attribute "fshare" appears more than once' in it.text
        await it.go_to(Kind.QUEUE, "all.q")
        assert '✗ queue "all.q" is written twice' in it.text


async def typed_name(app: Harness, pilot: Pilot[None], name: str, field: str, text: str) -> str:
    """What the form says while another name is typed."""
    await pilot.pause()
    assert app.list.select(name)
    await pilot.pause()
    await go_to(app, pilot, field)
    await pilot.press("enter")
    await pilot.pause()
    await type_text(app, pilot, text)
    return words(form_text(app))


async def test_an_object_is_not_in_its_own_way_while_its_name_is_typed() -> None:
    app = Harness(workspace_of(small_cluster()), Kind.COMPLEX)
    async with app.run_test(size=(100, 40)) as pilot:
        said = await typed_name(app, pilot, "gpu", "name", "gpux")
        assert "gpux" in said
        assert "already exists" not in said
        await type_text(app, pilot, "arch")
        assert "already exists" in form_text(app)


async def test_a_name_that_cannot_be_given_stays_in_its_input() -> None:
    app = Harness(workspace_of(small_cluster()), Kind.CALENDAR)
    async with app.run_test(size=(100, 40)) as pilot:
        said = await typed_name(app, pilot, "night", "calendar_name", "night sat")
        assert "Space (' ') not allowed in objectname" in said
        await pilot.press("enter")
        await pilot.pause()
        assert app.form.rows[0].editing
        await pilot.press("tab")
        await pilot.pause()
        assert list(app.workspace.cluster.objects(Kind.CALENDAR)) == ["night"]
        await type_text(app, pilot, "nights")
        await pilot.press("enter")
        await pilot.pause()
        assert list(app.workspace.cluster.objects(Kind.CALENDAR)) == ["nights"]


async def test_a_host_group_is_told_that_its_name_begins_with_an_at(tmp_path: Path) -> None:
    async with opened(cluster_copy("site", tmp_path)) as it:
        await it.go_to(Kind.HOSTGROUP)
        await it.press("2", "a")
        await it.type("nodes")
        assert 'host group name "nodes" is not valid. Begin it with @: @nodes' in words(it.text.replace("│", " "))


async def test_both_ways_to_another_name_judge_it_alike(tmp_path: Path) -> None:
    async with opened(cluster_copy("site", tmp_path)) as it:
        await it.go_to(Kind.USERSET, "physics")
        await it.press("2", "n")
        await it.type("phy sics")
        assert "✗ Space (' ') not allowed in objectname" in it.text
        await it.press("enter")
        assert not it.at_main
        await it.press("escape")
        await it.go_to(Kind.USERSET, "physics", "name")
        await it.press("enter")
        await it.type("physicsx")
        await it.settle()
        assert "is in the departments" not in it.text
