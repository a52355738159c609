"""A few pictures of the whole screen, where colour and shape are the point; words are tested elsewhere."""

import asyncio
import shutil
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from qmon_tui.lessons import find_lesson, open_lesson
from qmon_tui.model.kinds import Kind
from qmon_tui.simulation import Comparison, Policy, compared
from qmon_tui.sources import Source, read_folder
from qmon_tui.tui.app import QmonApp
from qmon_tui.tui.compare import compare_view
from qmon_tui.tui.compare.compare_view import CompareView
from qmon_tui.tui.learn import view as learn_view
from qmon_tui.tui.monitor.view import MonitorView
from qmon_tui.tui.screens.main import MainScreen
from qmon_tui.workspace import LessonWorkspace, RemoveObject, SetField, Workspace

CONFIGS = Path(__file__).parents[2] / "configs"
Compare = Callable[..., bool]


async def _quiet(source: Source, stop: asyncio.Event) -> AsyncIterator[frozenset[str]]:
    await stop.wait()
    return
    yield frozenset()


def _app(cluster: str, theme: str = "dark") -> QmonApp:
    return QmonApp(Workspace(read_folder(CONFIGS / cluster)), theme=theme, changes=_quiet)


async def _settle(pilot: Pilot[None]) -> MainScreen:
    main = next(screen for screen in pilot.app.screen_stack if isinstance(screen, MainScreen))
    async with asyncio.timeout(60):
        quiet = 0
        # A result asks for an explanation by a message: quiet once is not yet quiet.
        while quiet < 3:
            await pilot.pause()
            view = main.pages.view
            quiet = quiet + 1 if main.running.idle and not (view and view.busy) else 0
    return main


async def _edited(pilot: Pilot[None]) -> MainScreen:
    main = await _settle(pilot)
    main.go_to(Kind.COMPLEX, "gpu", "urgency")
    main.apply(SetField(Kind.COMPLEX, "gpu", "urgency", "100"))
    return await _settle(pilot)


@pytest.mark.parametrize(("size", "theme"), [((140, 40), "dark"), ((120, 36), "light"), ((80, 24), "high-contrast")])
def test_an_edit_and_what_it_moves(snap_compare: Compare, size: tuple[int, int], theme: str) -> None:
    """gpu has urgency 100 now: jobB4 moved to the front; the form marks the field, the header counts one edit."""

    async def before(pilot: Pilot[None]) -> None:
        await _edited(pilot)

    assert snap_compare(_app("teaching", theme), terminal_size=size, run_before=before)


def test_the_live_pane_of_a_site(snap_compare: Compare) -> None:
    """The whole screen for the schedule: contributions in their colours, reasons said once, slots as bars."""

    async def before(pilot: Pilot[None]) -> None:
        main = await _settle(pilot)
        main.live.choose((109, 1))
        await pilot.press("3", "z")
        await _settle(pilot)

    assert snap_compare(_app("site"), terminal_size=(120, 40), run_before=before)


def test_saving_shows_the_difference(snap_compare: Compare) -> None:
    """Object and field, the findings afterwards, the lines of the file; the safe answer is focused."""

    async def before(pilot: Pilot[None]) -> None:
        await _edited(pilot)
        await pilot.press("ctrl+s")
        await pilot.pause()

    assert snap_compare(_app("teaching"), terminal_size=(120, 36), run_before=before)


@pytest.mark.parametrize("size", [(140, 40), (80, 24)], ids=["wide", "small"])
def test_all_unsaved_edits(snap_compare: Compare, size: tuple[int, int]) -> None:
    """Each object with its fields; of a list, what came and what went; the one under the cursor in full below."""

    async def before(pilot: Pilot[None]) -> None:
        main = await _settle(pilot)
        for edit in (
            SetField(Kind.QUEUE, "short.q", "slots", "16,[@gpunodes=4],[node01=2]"),
            SetField(Kind.QUEUE, "short.q", "user_lists", "staff students"),
            SetField(Kind.PE, "smp", "slots", "512"),
            RemoveObject(Kind.USER, "emil"),
        ):
            main.apply(edit)
        await _settle(pilot)
        await pilot.press("C", "down", "down")
        await pilot.pause()

    assert snap_compare(_app("site"), terminal_size=size, run_before=before)


def test_deleting_says_what_follows(snap_compare: Compare) -> None:
    """The qmaster's refusals, who names the object, what taking it out there changes, and whom that lets in."""

    async def before(pilot: Pilot[None]) -> None:
        main = await _settle(pilot)
        main.go_to(Kind.USERSET, "staff")
        await _settle(pilot)
        await pilot.press("d")
        await pilot.pause()

    assert snap_compare(_app("site"), terminal_size=(120, 40), run_before=before)


def test_findings_in_the_terminals_own_colours(snap_compare: Compare) -> None:
    """Errors first, the chosen one in full below, in a theme without own colours."""

    async def before(pilot: Pilot[None]) -> None:
        main = await _settle(pilot)
        main.apply(SetField(Kind.COMPLEX, "gpu", "urgency", "many"))
        main.apply(SetField(Kind.COMPLEX, "lic", "default", "NONE"))
        main.apply(SetField(Kind.QUEUE, "all.q", "calendar", "never"))
        await _settle(pilot)
        await pilot.press("f")
        await pilot.pause()

    assert snap_compare(_app("teaching", "ansi-dark"), terminal_size=(120, 36), run_before=before)


@pytest.mark.parametrize("size", [(140, 40), (80, 24)], ids=["wide", "small"])
def test_why_a_job_waits(snap_compare: Compare, size: tuple[int, int]) -> None:
    """Reasons below their headings, the nearest place, changes with their keys and commands, who is ahead."""

    async def before(pilot: Pilot[None]) -> None:
        main = await _settle(pilot)
        main.live.choose((109, 1))
        await pilot.press("3", "w")
        await _settle(pilot)

    assert snap_compare(_app("site"), terminal_size=size, run_before=before)


def test_other_formulas_are_marked(snap_compare: Compare) -> None:
    """The reform of the study: title and notice say that this is not Grid Engine; marks show what it moved."""

    async def before(pilot: Pilot[None]) -> None:
        main = await _settle(pilot)
        main.workspace.compute_by("reform")
        await _settle(pilot)
        await pilot.press("3")
        await _settle(pilot)

    assert snap_compare(_app("teaching"), terminal_size=(120, 36), run_before=before)


OBJECTS = """\
quotas:
  people:
    enabled: TRUE
    limit:
    - name staff users {@staff,!chen} hosts @bignodes to slots=12
    - users {@students} queues short.q,long.q to slots=4
    - users {*} to slots=16,h_vmem=64G
calendars:
  nights: {week: "mon-fri=6-20=off sat=0-8=suspended sun=12-13:30=suspended"}
sharetree: |
  id=0
  name=Root
  type=0
  shares=1
  childnodes=1,2,3
  id=1
  name=climate
  type=1
  shares=200
  childnodes=4,5
  id=4
  name=anna
  type=0
  shares=3
  childnodes=NONE
  id=5
  name=default
  type=0
  shares=1
  childnodes=NONE
  id=2
  name=bela
  type=0
  shares=100
  childnodes=NONE
  id=3
  name=default
  type=0
  shares=50
  childnodes=NONE
usage:
  users:
    anna: {cpu: 360000, projects: {climate: {cpu: 1000250}}}
    bela: {cpu: 1800000}
    dora: {cpu: 50000}
  projects:
    climate: {cpu: 1100100.25}
"""


@pytest.mark.parametrize(
    ("kind", "name", "tab", "theme"),
    [
        (Kind.QUOTA, "people", "Rules", "dark"),
        (Kind.QUOTA, "people", "Hit test", "light"),
        (Kind.CALENDAR, "nights", "Week", "dark"),
        (Kind.SHARETREE, None, "Tree", "dark"),
        (Kind.SCHEDULER, None, "Weights", "high-contrast"),
    ],
)
def test_panels(snap_compare: Compare, tmp_path: Path, kind: Kind, name: str | None, tab: str, theme: str) -> None:
    """What a kind shows besides its fields: numbers at their edges, what counts in colour and in words."""
    folder = Path(shutil.copytree(CONFIGS / "site", tmp_path / "site"))
    folder.joinpath("objects.yaml").write_text(OBJECTS)
    policy = folder / "policy.yaml"
    policy.write_text(policy.read_text().replace("scheduler:\n", "scheduler:\n  weight_tickets_share: 200000\n"))

    async def before(pilot: Pilot[None]) -> None:
        main = await _settle(pilot)
        main.go_to(kind, name)
        await _settle(pilot)
        main.form.choose_group(tab)
        await _settle(pilot)
        await pilot.press("down", "z")
        await _settle(pilot)

    app = QmonApp(Workspace(read_folder(folder)), theme=theme, changes=_quiet)
    assert snap_compare(app, terminal_size=(120, 30), run_before=before)


def test_the_jobs_of_a_site(snap_compare: Compare) -> None:
    """All jobs in qstat's columns, what makes their priority, an open array, totals, the chosen job in a few lines."""

    async def before(pilot: Pilot[None]) -> None:
        main = await _settle(pilot)
        main.go_to_page("jobs", "104")
        await _settle(pilot)
        await pilot.press("enter", "z")
        await _settle(pilot)

    assert snap_compare(_app("site"), terminal_size=(140, 40), run_before=before)


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_the_map_of_a_site(snap_compare: Compare, theme: str) -> None:
    """Queues and hosts: used slots as blocks and numbers, letters for states, what makes those of one below."""

    async def before(pilot: Pilot[None]) -> None:
        main = await _settle(pilot)
        main.go_to_page("cluster", "short.q@node07")
        await pilot.press("z")
        await _settle(pilot)

    assert snap_compare(_app("site", theme), terminal_size=(120, 36), run_before=before)


@pytest.mark.parametrize(("size", "theme"), [((200, 55), "dark"), ((120, 36), "light")])
def test_the_monitor(snap_compare: Compare, size: tuple[int, int], theme: str) -> None:
    """A day after twenty minutes: what runs, to its limit, reserved, suspended; shares beside their targets."""

    async def before(pilot: Pilot[None]) -> None:
        main = await _settle(pilot)
        await pilot.press("4")
        main = await _settle(pilot)
        view = main.query_one(MonitorView)
        view.player.go_to_time(main.workspace.state.now + 1500)
        await _settle(pilot)

    assert snap_compare(_app("campus", theme), terminal_size=size, run_before=before)


@pytest.mark.parametrize("turns", [1, 2, 3, 4, 5])
def test_the_charts_of_the_monitor_one_by_one(snap_compare: Compare, turns: int) -> None:
    """Where there is no room for all of them: events, use, shares, alarms, and the Gantt chart again."""

    async def before(pilot: Pilot[None]) -> None:
        main = await _settle(pilot)
        await pilot.press("4")
        main = await _settle(pilot)
        main.query_one(MonitorView).player.go_to_time(main.workspace.state.now + 1500)
        await _settle(pilot)
        await pilot.press(*"t" * turns)
        await _settle(pilot)

    assert snap_compare(_app("campus"), terminal_size=(80, 24), run_before=before)


@pytest.mark.parametrize("size", [(80, 24), (120, 36), (200, 55)])
def test_policies_are_compared(snap_compare: Compare, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    """Measures under each policy, what is better and worse in the colours of moves, the same dim."""
    monkeypatch.setattr(compare_view, "compared", _compared_once)

    async def before(pilot: Pilot[None]) -> None:
        main = await _settle(pilot)
        await pilot.press("5")
        main = await _settle(pilot)
        view = main.query_one(CompareView)
        view.add("scheduler.weight_waiting_time=1")
        view.add("hosts=+2")
        await _settle(pilot)

    assert snap_compare(_app("genome"), terminal_size=size, run_before=before)


_comparisons: dict[tuple[str, ...], Comparison] = {}


def _compared_once(policies: Sequence[Policy], *args: Any, **kwargs: Any) -> Comparison:
    """The days that all sizes show are simulated for the first of them."""
    labels = tuple(policy.label for policy in policies)
    if labels not in _comparisons:
        _comparisons[labels] = compared(policies, *args, **kwargs)
    return _comparisons[labels]


def _lesson() -> QmonApp:
    path = find_lesson("half_rule")
    return QmonApp(LessonWorkspace(open_lesson(path), path), theme="dark", changes=_quiet, page="learn")


@pytest.mark.parametrize("size", [(80, 24), (120, 36), (200, 55)])
def test_a_question_of_a_lesson(snap_compare: Compare, size: tuple[int, int]) -> None:
    """The question of the half rule: the schedule does not show until it is answered."""

    async def before(pilot: Pilot[None]) -> None:
        await _settle(pilot)

    assert snap_compare(_lesson(), terminal_size=size, run_before=before)


@pytest.mark.parametrize("size", [(80, 24), (120, 36), (200, 55)])
def test_a_step_that_is_done(snap_compare: Compare, size: tuple[int, int]) -> None:
    """Answered: points, the explanation with the arithmetic of the priority, the schedule beside it."""

    async def before(pilot: Pilot[None]) -> None:
        await _settle(pilot)
        await pilot.press(*"0.555", "enter")
        await _settle(pilot)
        await _settle(pilot)

    assert snap_compare(_lesson(), terminal_size=size, run_before=before)


def test_the_lessons(snap_compare: Compare, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The list by subject, and what the chosen one is about."""
    shutil.copy(find_lesson("half_rule"), tmp_path)
    monkeypatch.setattr(learn_view, "lessons_folder", lambda: tmp_path)

    async def before(pilot: Pilot[None]) -> None:
        main = await _settle(pilot)
        main.go_to_page("learn")
        await _settle(pilot)

    app = QmonApp(Workspace(read_folder(CONFIGS / "teaching")), theme="dark", changes=_quiet)
    assert snap_compare(app, terminal_size=(120, 36), run_before=before)
