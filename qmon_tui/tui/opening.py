"""Opening of the screen on a cluster, then on lessons or other clusters, until the user quits."""

import asyncio
import os
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from threading import Timer

from qmon_tui.gc_pause import calm_collector
from qmon_tui.report import visible
from qmon_tui.sources import FolderSource, Reading, SourceError, source_of
from qmon_tui.tui.app import QmonApp
from qmon_tui.tui.base import ClusterRequested, choose_theme, load_setting, save_setting
from qmon_tui.tui.gil_priority import ScreenFirstSelector
from qmon_tui.tui.keys_toml import read_keys
from qmon_tui.tui.termination_signals import end_on_signal
from qmon_tui.workspace import Workspace


def _read(path: str) -> Reading:
    """Read a folder or a running cluster; print a notice if that takes long."""
    notice = Timer(0.7, lambda: print(visible(f"Reading {path} ..."), file=sys.stderr, flush=True))
    notice.start()
    try:
        source = source_of(path, in_steps=True)
        reading = source.read()
        return source.dated(reading) if isinstance(source, FolderSource) else reading
    finally:
        notice.cancel()


def _teaching() -> Path:
    from qmon_tui.sources.shipped import private_copy  # late: only the teaching cluster needs a copy

    return private_copy()


_STARTED = "started"
"""Setting that exists if the program has been started before."""


def run(
    path: str | None, *, read_only: bool = False, write: bool = False, theme: str | None = None, play: bool = False
) -> int:
    """Open the screen on a folder, a running cluster or a copy of the teaching cluster; returns the exit code.

    `write` permits changes of a running cluster.
    """
    return _run(partial(_cluster, path, read_only, write), theme, play=play)


def run_lessons(lesson: Path | None, student: str = "", theme: str | None = None, *, explains_jobs: bool = True) -> int:
    """Open the list of lessons, or one lesson; returns the exit code."""
    lessons = partial(_lesson, student=student, explains_jobs=explains_jobs)
    behind = partial(_cluster, None, False)
    if lesson is None:
        return _run(behind, theme, page="learn", student=student, lessons=lessons)
    opening = partial(lessons, lesson)
    return _run(opening, theme, behind=behind, page="learn", student=student, lessons=lessons, opened=(lesson,))


Opening = Callable[[], Workspace]
"""Opens a workspace. Raises SourceError, ValueError or OSError."""


def _cluster(path: str | None, read_only: bool, write: bool = False) -> Workspace:
    reading = _read(str(_teaching()) if path is None else path)
    if reading.live is not None:
        from qmon_tui.sources.qmaster_source import QmasterSource  # late: a folder needs no clients

        assert isinstance(reading.source, QmasterSource)
        read_only = read_only or _is_served() or not reading.source.permit_writing(asked=write)
    return Workspace(reading, read_only=read_only)


def _is_served() -> bool:
    """True in a browser: textual-serve gives each visitor the rights of the user who started it."""
    return "web" in os.environ.get("TEXTUAL_DRIVER", "").lower()


def _lesson(path: Path, student: str = "", *, explains_jobs: bool = True) -> Workspace:
    from qmon_tui.lessons import LessonError, Variant, open_lesson  # late: only a lesson needs it
    from qmon_tui.workspace import LessonWorkspace

    try:
        return LessonWorkspace(open_lesson(path, Variant(student)), path, student, explains_jobs=explains_jobs)
    except LessonError as error:
        raise ValueError(f"{path}:{error.line or 1}: {error.message}; see `qmon-tui learn --check`") from None


def _run(
    opening: Opening,
    theme: str | None,
    *,
    behind: Opening | None = None,
    play: bool = False,
    page: str = "",
    student: str = "",
    lessons: Callable[[Path], Workspace] = _lesson,
    opened: tuple[Path, ...] = (),
) -> int:
    """Open one cluster after the other until the user quits; a lesson has its own. Returns the exit code.

    `behind` opens the cluster after a lesson; by default the first cluster is opened again.
    """
    first, message = opening, ""
    while True:
        try:
            chosen = choose_theme(theme)
            workspace = opening()
        except (SourceError, ValueError, OSError) as error:
            if opening is first or message:
                print(visible(f"qmon-tui: {error}"), file=sys.stderr)
                return 2
            opening, message = behind or first, str(error)  # the chosen lesson is broken: show the list again
            continue
        if theme is not None:
            save_setting("theme", chosen)
        keys = read_keys()
        is_first = load_setting(_STARTED) is None
        app = QmonApp(
            workspace,
            theme=chosen,
            registry=keys.registry,
            key_problems=keys.problems,
            play=play,
            welcome=is_first and not page,
            page=page or "jobs",
            student=student,
            lessons=opened,
            message=message,
        )
        app.when_painted = calm_collector
        with asyncio.Runner(loop_factory=lambda: asyncio.SelectorEventLoop(ScreenFirstSelector())) as runner:
            end_on_signal(app, runner.get_loop())
            runner.run(app.run_async())
        if is_first:
            save_setting(_STARTED, "yes")
        if app.wanted is None or app.return_code:
            return app.return_code or 0
        play, page, message = False, "", ""
        if isinstance(app.wanted, ClusterRequested):
            is_first_one = isinstance(first, partial) and first.args[:1] == (
                app.wanted.location,
            )  # perhaps with --write
            opening, behind = first if is_first_one else partial(_cluster, app.wanted.location, False), opening
            continue
        page, path = "learn", app.wanted.path
        opened = (*opened, path) if path is not None else opened
        opening = partial(lessons, path) if path is not None else behind or first
