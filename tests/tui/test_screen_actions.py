"""The registry of actions: keys, help, footer and refusals come from it."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from qmon_tui.model.kinds import Kind
from qmon_tui.tui.actions import ACTIONS, BY_ID, footer_actions, shown_key
from qmon_tui.tui.present.footer import footer_line
from qmon_tui.tui.present.help import registry_entries
from qmon_tui.tui.present.spans import plain, width
from qmon_tui.tui.situation import Pane, Situation
from tests.tui.screen_harness import cluster_copy, opened

EVERYTHING = Situation(
    complexes=True, object_chosen=True, object_changed=True, changes=1, undo="set x", redo="set y", findings=1,
    job_chosen=True,
)  # fmt: skip


def test_no_key_has_two_meanings() -> None:
    keys = Counter(key for action in ACTIONS for key in action.keys)
    assert [key for key, times in keys.items() if times > 1] == []


def test_keys_that_do_not_arrive_everywhere_are_never_the_only_ones() -> None:
    for action in ACTIONS:
        assert not action.keys or any(len(shown_key(key)) <= 3 for key in action.keys)
        assert not {"ctrl+h", "ctrl+i", "ctrl+m", "ctrl+j"} & set(action.keys)


def test_everything_is_possible_in_a_situation_that_has_everything() -> None:
    assert [action.id for action in ACTIONS if action.disabled_reason(EVERYTHING)] == []


def test_read_only_refuses_every_dangerous_action_and_says_so() -> None:
    now = replace(EVERYTHING, read_only=True)
    refused = {action.id for action in ACTIONS if "read-only" in (action.disabled_reason(now) or "")}
    assert refused == {action.id for action in ACTIONS if action.dangerous}
    assert refused >= {"add", "clone", "rename", "delete", "revert", "undo", "redo", "save"}


def test_every_refusal_is_a_sentence() -> None:
    for action in ACTIONS:
        reason = action.disabled_reason(Situation(single=True))
        assert reason is None or (reason[0].isupper() and reason.endswith("."))


def test_help_has_every_action_with_its_keys() -> None:
    entries = {entry.id: entry for entry in registry_entries(EVERYTHING)}
    assert set(entries) == {action.id for action in ACTIONS}
    assert entries["save"].keys == "s ^s"


@pytest.mark.parametrize("pane", list(Pane))
@pytest.mark.parametrize("cells", [60, 80, 120])
def test_the_footer_fits_and_always_leads_to_help(pane: Pane, cells: int) -> None:
    now = replace(EVERYTHING, pane=pane)
    line = footer_line(footer_actions(now), now, cells)
    assert width(line) <= cells
    assert "? help" in plain(line)


async def test_read_only_mode_changes_nothing(tmp_path: Path) -> None:
    folder = cluster_copy("teaching", tmp_path)
    async with opened(folder, read_only=True) as it:
        assert "[READ-ONLY]" in it.text
        cluster = it.workspace.cluster
        await it.go_to(Kind.COMPLEX, "gpu")
        for action in ACTIONS:
            if action.dangerous:
                it.main.do(action.id)
                await it.settle()
                assert it.at_main, action.id
        assert it.workspace.cluster is cluster
        assert any("read-only" in toast for toast in it.toasts)


async def test_every_key_of_the_registry_is_bound(tmp_path: Path) -> None:
    async with opened(cluster_copy("teaching", tmp_path)) as it:
        bound = {key for key, binding in it.main.active_bindings.items() if "do(" in binding.binding.action}
        assert {key for action in ACTIONS for key in action.keys} - {"ctrl+q", "ctrl+p"} <= bound


async def test_every_action_has_a_deed(tmp_path: Path) -> None:
    async with opened(cluster_copy("teaching", tmp_path)) as it:
        assert set(it.main.deeds._deeds) == set(BY_ID)
