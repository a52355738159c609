"""F1: the paragraph of the reference about what is under the cursor, and where its links lead."""

from pathlib import Path

import pytest
from textual.widgets import Markdown

from qmon_tui.model.kinds import Kind
from qmon_tui.report import help_topics
from qmon_tui.report.jobtable import COLUMNS
from qmon_tui.tui.dialogs import ReferenceDialog
from qmon_tui.tui.pages import PAGES_BY_ID
from qmon_tui.tui.panels import PANEL_TABLE
from qmon_tui.tui.screens.reference_help import _PAGES, _PANELS
from tests.tui.screen_harness import Opened, cluster_copy, opened
from tests.tui.test_panels_calendar_sharetree import go


def shown(it: Opened) -> str:
    """The Markdown that the dialog shows."""
    assert isinstance(it.app.screen, ReferenceDialog)
    return it.app.screen.query_one(Markdown).source


def test_every_place_and_panel_names_a_paragraph_that_is_there() -> None:
    assert set(_PAGES) == set(PAGES_BY_ID)
    panels = {panel.id for kind in Kind for panel in PANEL_TABLE.of(kind)}
    assert set(_PANELS) <= panels
    assert [place for place in (*_PAGES.values(), *_PANELS.values()) if not help_topics.paragraph_at(place)] == []


async def test_a_field_is_explained_and_esc_leads_back(tmp_path: Path) -> None:
    async with opened(cluster_copy("teaching", tmp_path)) as it:
        await it.go_to(Kind.COMPLEX, "gpu", "urgency")
        await it.press("f1")
        assert shown(it).startswith("# urgency\n\nWeight of a request in the job's urgency")
        assert "Resource contribution" in shown(it)
        assert "urgency" in it.text
        await it.press("escape")
        assert it.at_main


async def test_the_jobs_are_explained_by_the_letters_of_states_and_their_columns(tmp_path: Path) -> None:
    async with opened(cluster_copy("teaching", tmp_path)) as it:
        await it.press("J", "f1")
        said = shown(it)
        assert "| `hqw` | held, or waits for other jobs |" in said
        assert [column.title for column in COLUMNS if f"| {column.title} | {column.help} |" not in said] == []
        assert said.index("hqw") < said.index("| prior |") < said.index("weight_priority")


async def test_a_row_of_the_weights_is_explained_as_its_field(tmp_path: Path) -> None:
    async with opened(cluster_copy("teaching", tmp_path)) as it:
        await go(it, Kind.SCHEDULER, "Weights")
        it.main.form.panels.view.grid.move_to("weight_waiting_time")  # type: ignore[union-attr]
        await it.press("f1")
        assert shown(it).startswith("# weight_waiting_time\n")
        assert "Waiting time contribution" in shown(it)


async def test_a_finding_is_explained_by_its_rule(tmp_path: Path) -> None:
    async with opened(cluster_copy("broken", tmp_path)) as it:
        finding = it.main.findings[0]
        await it.press("f", "f1")
        assert shown(it).startswith(f"# {finding.rule}\n") or "format" in finding.rule
        await it.press("escape", "escape")
        assert it.at_main


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        (("J",), "# Jobs"),
        (("M",), "## States of queue instances"),
        (("Q",), "## Advance reservations"),
        (("1",), "# Complexes"),
        (("3",), "# Scheduling information"),
        (("4",), "# Life of a job"),
        (("5",), "# Measures of a simulated day"),
    ],
)
async def test_every_place_has_a_paragraph(tmp_path: Path, keys: tuple[str, ...], words: str) -> None:
    async with opened(cluster_copy("teaching", tmp_path)) as it:
        await it.press(*keys, "f1")
        assert shown(it).startswith(words)


async def test_links_lead_on_and_back(tmp_path: Path) -> None:
    async with opened(cluster_copy("teaching", tmp_path)) as it:
        await it.go_to(Kind.SCHEDULER, "scheduler", "weight_user")
        await it.press("f1")
        before = shown(it)
        dialog = it.app.screen
        assert isinstance(dialog, ReferenceDialog)
        dialog.query_one(Markdown).post_message(Markdown.LinkClicked(dialog.query_one(Markdown), "tickets.md#decay"))
        await it.settle()
        assert shown(it).startswith("### Decay")
        dialog.query_one(Markdown).post_message(Markdown.LinkClicked(dialog.query_one(Markdown), "https://example.org"))
        await it.settle()
        assert shown(it).startswith("### Decay"), "what is elsewhere is left alone"
        await it.press("w")
        assert shown(it).startswith("# Tickets")
        await it.press("backspace", "backspace")
        assert shown(it) == before


async def test_the_search_of_the_help_finds_headings(tmp_path: Path) -> None:
    async with opened(cluster_copy("teaching", tmp_path), size=(120, 40)) as it:
        await it.press("question_mark")
        for word in ("backfill", "ticket", "urgency", "share"):
            await it.press(*word)
            assert "No match" not in it.text
            if word == "backfill":
                assert "Reservation and backfilling" in it.text
            await it.press(*["backspace"] * len(word))
