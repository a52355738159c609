"""How screen tests wait and draw: only for what has something to do, and only what a test could look at."""

import asyncio
import weakref
from collections.abc import Iterator
from time import monotonic
from typing import Any, Final

import pytest
from textual._compositor import Compositor
from textual._context import active_app
from textual._queue import Queue
from textual.app import App
from textual.cache import LRUCache
from textual.css.stylesheet import Stylesheet
from textual.message_pump import MessagePump
from textual.pilot import Pilot, WaitForScreenTimeout
from textual.screen import Screen
from textual.widget import Widget

# Waits and draws nothing, where tests are let draw as they wait.
pause_undrawn: Final = Pilot.pause
_render_update: Final = Compositor.render_update
_undrawn: set[Compositor] = set()
_parsed: Final[dict[tuple[tuple[str, str], ...], LRUCache[Any, Any]]] = {}


def draw(app: App[None]) -> None:
    """Draw the frame that was put off, if there is one."""
    compositor = app.screen._compositor
    if compositor in _undrawn:
        _undrawn.clear()
        _render_update(compositor, screen_stack=app._background_screens)


def draw_when_tests_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    """Frames that nobody could look at are not drawn: a third of the work. Each moment at which a test waits is."""
    _undrawn.clear()

    def put_off(compositor: Compositor, full: bool = False, screen_stack: list[Screen[None]] | None = None) -> None:
        _undrawn.add(compositor)

    async def pause_and_draw(pilot: Pilot[None], delay: float | None = None) -> None:
        await pause_undrawn(pilot, delay)
        draw(pilot.app)

    monkeypatch.setattr(Compositor, "render_update", put_off)
    monkeypatch.setattr(Pilot, "pause", pause_and_draw)


def wait_for_what_works(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pilots wait for the parts of a screen that have a message, where Textual's send one to each of a hundred."""
    monkeypatch.setattr(Pilot, "_wait_for_screen", _wait_for_screen)
    monkeypatch.setattr("textual.app.wait_for_idle", _wait_until_at_rest)
    monkeypatch.setattr("textual.pilot.wait_for_idle", _wait_until_at_rest)


def parse_styles_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """What one application has parsed of its styles is there for the next, as long as both have the same colours."""
    tokens = Stylesheet._parse_rules

    def parse_rules(stylesheet: Stylesheet, css: str, read_from: Any, *args: Any, **kwargs: Any) -> Any:
        cache = _parsed.setdefault(tuple(stylesheet._variables.items()), LRUCache(1024))
        stylesheet._parse_cache = cache
        return tokens(stylesheet, css, read_from, *args, **kwargs)

    monkeypatch.setattr(Stylesheet, "_parse_rules", parse_rules)


async def _wait_until_at_rest(min_sleep: float = 0.0, max_sleep: float = 1.0) -> None:
    """Textual's own waits until the process has worked less than a millisecond in twenty."""
    app = active_app.get()
    ends = monotonic() + max_sleep
    await asyncio.sleep(max(0.002, min_sleep))
    while not at_rest(app) and monotonic() < ends:
        await asyncio.sleep(0.002)


async def _wait_for_screen(pilot: Pilot[Any], timeout: float = 30.0) -> bool:
    # A key goes through two callbacks of the loop before it is a message.
    for _ in range(3):
        await asyncio.sleep(0)
    # A screen that has had a message calls back whoever waits for it to be drawn.
    working = [pilot.app, pilot.app.screen, *_working(pilot.app)]
    # What has worked may have sent messages to what had rested.
    for _ in range(10):
        done = [event for pump in working if pump.call_later((event := asyncio.Event()).set)]
        if not done:
            return True
        all_done = asyncio.gather(*(event.wait() for event in done))
        failure: asyncio.Task[Any] = asyncio.create_task(pilot.app._exception_event.wait())
        finished, _ = await asyncio.wait([all_done, failure], timeout=timeout, return_when=asyncio.FIRST_COMPLETED)
        failure.cancel()
        if all_done not in finished:
            all_done.cancel()
            if not finished:
                raise WaitForScreenTimeout("parts of the screen have not come to rest")
            return False
        working = _working(pilot.app)
    return True


_last_working: list[weakref.ref[Widget]] = []
"""The part that was found at work last: who waits looks at it first, and seldom at all the others."""


def at_rest(app: App[Any]) -> bool:
    """Nothing of what can be seen has a message, or is to be drawn or arranged anew; or the application is left."""
    if app._exit or not app.is_running:
        return True
    screen = app.screen
    if screen._callbacks or screen._layout_required:
        return False
    last = _last_working[0]() if _last_working else None
    if last is not None and not _rests(last) and last.is_attached and last.screen is screen:
        return False
    working = next((pump for pump in _parts(app) if not _rests(pump)), None)
    if isinstance(working, Widget):
        _last_working[:] = [weakref.ref(working)]
    return working is None


def _working(app: App[Any]) -> list[MessagePump]:
    return [pump for pump in _parts(app) if not _rests(pump)]


def _parts(app: App[Any]) -> Iterator[MessagePump]:
    """The application, its screen and all that is in it."""
    yield app
    parts: list[Any] = [app.screen]
    while parts:
        part = parts.pop()
        yield part
        parts += part._nodes._nodes


def _rests(pump: MessagePump) -> bool:
    """It has ended, or nothing has come for it, it waits for something to come, and has nothing to tell its screen."""
    if pump._closing or pump._closed:
        return True
    queue: Queue[Any] = pump._message_queue
    if queue.values or not queue.ready_event._waiters or pump._next_callbacks:
        return False
    if not isinstance(pump, Widget) or isinstance(pump, Screen):
        return True
    to_be_done = pump._layout_required or pump._repaint_required or pump._scroll_required
    if not (to_be_done or pump._refresh_styles_required):
        return True
    # What is hidden is drawn when it is shown: until then its wish to be drawn anew remains.
    return not all(node.display for node in pump.ancestors_with_self if isinstance(node, Widget))
