"""The registry of actions: keys, help, footer and refusals come from it."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from qmon_tui.model.catalogue import spec
from qmon_tui.model.kinds import Kind
from qmon_tui.report.spans import plain, width
from qmon_tui.sources import read_folder
from qmon_tui.tui.base.views import View
from qmon_tui.tui.dialogs import registry_entries
from qmon_tui.tui.keys import footer_line
from qmon_tui.tui.keys.action import shown_key
from qmon_tui.tui.keys.action_context import ActionContext, Pane
from qmon_tui.tui.pages import PAGES
from qmon_tui.tui.panels import PANELS
from qmon_tui.tui.registry import ACTIONS, REGISTRY
from qmon_tui.workspace import Workspace
from tests.tui.screen_harness import cluster_copy, opened

EVERYTHING = ActionContext(
    complexes=True, object_chosen=True, object_changed=True, changes=1, undo="set x", redo="set y", findings=1,
    job_chosen=True, jumped=True, has_instances=True, live=True,
)  # fmt: skip


WHERES = sorted({action.where for action in ACTIONS})


@pytest.mark.parametrize("where", WHERES)
def test_no_key_has_two_meanings_in_one_place(where: str) -> None:
    keys = Counter(key for action in ACTIONS if action.where == where for key in action.keys)
    assert [key for key, times in keys.items() if times > 1] == []


NO_OBJECTS = ("monitor", "compare", "sweep", "learn")
"""Places that show a day, policies or lessons: what can be done with those has keys of its own."""


def test_a_letter_means_the_same_everywhere() -> None:
    labels: dict[str, set[str]] = {}
    for action in ACTIONS:
        for key in action.keys if action.where not in NO_OBJECTS else ():
            labels.setdefault(key, set()).add(action.label)
    assert [key for key, names in labels.items() if len(names) > 1] == []


LEAVING = {"monitor": {"X": "leave the day"}, "learn": {"X": "leave"}}
"""Where there is nothing to disable, X ends what is shown."""


@pytest.mark.parametrize("where", NO_OBJECTS)
def test_a_place_without_objects_leaves_general_letters_what_they_are(where: str) -> None:
    general = {key: action.label for action in ACTIONS if not action.where for key in action.keys}
    own = {key: action.label for action in ACTIONS if action.where == where for key in action.keys}
    others = {key: label for key, label in own.items() if general.get(key, label) != label}
    assert others == LEAVING.get(where, {})


def test_kinds_places_and_panels_have_names_of_their_own() -> None:
    names = Counter([*Kind, *(place.id for place in PAGES), *(panel.id for panel in PANELS)])
    assert [name for name, times in names.items() if times > 1] == []
    assert [name for name, times in Counter(action.id for action in ACTIONS).items() if times > 1] == []
    for panel in PANELS:
        assert panel.title not in spec(panel.kind).groups


@pytest.mark.parametrize("where", [where for where in WHERES if where])
def test_where_an_action_of_a_place_has_a_key_the_general_one_gives_way(where: str) -> None:
    now = replace(EVERYTHING, here=where)
    own = [action for action in ACTIONS if action.where == where]
    shown = REGISTRY.here(now)
    assert list(shown[: len(own)]) == own
    first = Counter(action.keys[0] for action in shown if action.keys)
    assert [key for key, times in first.items() if times > 1] == []
    assert {action.where for action in REGISTRY.here(EVERYTHING)} == {""}


def test_keys_that_do_not_arrive_everywhere_are_never_the_only_ones() -> None:
    for action in ACTIONS:
        assert not action.keys or any(key == "space" or len(shown_key(key)) <= 3 for key in action.keys)
        assert not {"ctrl+h", "ctrl+i", "ctrl+m", "ctrl+j"} & set(action.keys)


def test_everything_is_possible_in_a_situation_that_has_everything() -> None:
    """But what is for a folder alone, and for a running cluster alone."""

    def impossible(now: ActionContext) -> set[str]:
        return {action.id for action in ACTIONS if action.disabled_reason(replace(now, here=action.where))}

    assert impossible(EVERYTHING) == {"pull"}
    assert impossible(replace(EVERYTHING, live=False)) == {"pause", "take-back"}


def test_read_only_refuses_every_dangerous_action_and_says_so() -> None:
    reasons = {
        action.id: action.disabled_reason(replace(EVERYTHING, read_only=True, here=action.where)) for action in ACTIONS
    }
    refused = {action for action, reason in reasons.items() if "read-only" in (reason or "")}
    assert refused == {action.id for action in ACTIONS if action.dangerous}
    assert refused >= {"add", "clone", "rename", "delete", "revert", "undo", "redo", "save"}


def test_every_refusal_is_a_sentence() -> None:
    for action in ACTIONS:
        for here in ("", action.where):
            reason = action.disabled_reason(ActionContext(single=True, here=here))
            assert reason is None or (reason[0].isupper() and reason.endswith("."))


def test_help_has_every_action_with_its_keys() -> None:
    entries = {entry.id: entry for entry in registry_entries(REGISTRY, EVERYTHING)}
    assert set(entries) == {action.id for action in ACTIONS if not action.where}
    assert entries["save"].keys == "s ^s"


@pytest.mark.parametrize("pane", list(Pane))
@pytest.mark.parametrize("cells", [60, 80, 120])
def test_the_footer_fits_and_always_leads_to_help(pane: Pane, cells: int) -> None:
    now = replace(EVERYTHING, pane=pane)
    line = footer_line(REGISTRY, now, cells)
    assert width(line) <= cells
    assert "? help" in plain(line)


def test_from_the_first_screen_the_footer_leads_to_all_kinds_and_to_the_schedule() -> None:
    line = plain(footer_line(REGISTRY, replace(EVERYTHING, pane=Pane.LIST), 80))
    assert "1 kinds" in line
    assert "3 live" in line


async def test_read_only_mode_changes_nothing(tmp_path: Path) -> None:
    folder = cluster_copy("teaching", tmp_path)
    async with opened(folder, read_only=True) as it:
        assert "[READ-ONLY]" in it.text
        cluster = it.workspace.cluster
        await it.go_to(Kind.COMPLEX, "gpu")
        for action in ACTIONS:
            if action.dangerous and not action.where:
                it.main.do(action.id)
                await it.settle()
                assert it.at_main, action.id
        assert it.workspace.cluster is cluster
        assert any("read-only" in toast for toast in it.toasts)


SHARED = {"ctrl+q", "ctrl+p", "left", "right"}
"""The application and the scrolling of tables have them, too; that they arrive is walked through elsewhere."""


async def test_every_key_of_the_registry_is_bound(tmp_path: Path) -> None:
    async with opened(cluster_copy("teaching", tmp_path)) as it:
        bound = {key for key, binding in it.main.active_bindings.items() if "do(" in binding.binding.action}
        assert {key for action in ACTIONS if not action.where for key in action.keys} - SHARED <= bound


async def test_every_action_has_a_deed(tmp_path: Path) -> None:
    async with opened(cluster_copy("teaching", tmp_path)) as it:
        assert it.main.actions.ids == {action.id for action in ACTIONS if not action.where}


async def test_every_action_of_a_place_or_panel_has_a_deed(tmp_path: Path) -> None:
    workspace = Workspace(read_folder(cluster_copy("site", tmp_path)))
    views: dict[str, View] = {place.id: place.view(workspace) for place in PAGES}
    views |= {panel.id: panel.view(workspace) for panel in PANELS}
    for where, view in views.items():
        assert view.actions.ids == {action.id for action in ACTIONS if action.where == where}
