"""What a form says is wrong: what reading the files has found, too."""

from pathlib import Path

from qmon_tui.model.kinds import Kind
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
