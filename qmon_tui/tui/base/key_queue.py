"""Queue of key presses: each waits until an input or dialog opened by the key before has the focus.

A key passes through the message queues of many widgets, and an input that it opens gets the focus only afterwards.
Over a slow line several keys arrive together: without this queue the later ones would be commands instead of text.
"""

from collections import deque
from collections.abc import Awaitable, Callable
from time import monotonic
from typing import Final

from textual import events
from textual.app import App
from textual.dom import DOMNode
from textual.message import Message
from textual.timer import Timer

ROUNDS: Final = 2
"""How often `KeySettled` must reach the application after a key: for its action, and for messages of that action."""
PATIENCE: Final = 0.5
"""Seconds after which it is checked whether the focused widget still has to answer."""
_GIVING_UP: Final = ("escape", "ctrl+q")
_EARLY: Final = 0.05
"""Seconds between two checks whether it is still too early for a key."""
LONGEST: Final = 5.0
"""Seconds after which the next key is handled even if the focused widget has not answered; a busy machine is slow."""


class KeySettled(Message):
    """Message that bubbles from the focused widget to the application, after all messages that a key has caused."""


class KeyQueue:
    """Queue that handles a key once all earlier keys are settled, and the first one once `settled` was called.

    A key for which `early` returns True waits, with all later keys, until it returns False; Esc and Ctrl+Q drop them.
    """

    def __init__(
        self,
        app: App[None],
        handle: Callable[[events.Key], Awaitable[None]],
        early: Callable[[str], bool] = lambda _: False,
    ) -> None:
        self._app = app
        self._handle = handle
        self._early = early
        self._waiting: deque[events.Key] = deque()
        self.last = ""
        """The last key that was handled."""
        self._rounds = 1
        """How often `KeySettled` must still arrive; 0 if no key is in progress."""
        self._begun = False
        """True once `settled` was called: before that no widget can take a key, and no timeout applies."""
        self._is_drawn = True
        """True if the last key's effects are painted, too: only then a widget that it opened has the focus."""
        self._asked: DOMNode | None = None
        self._timer: Timer | None = None
        self._asked_at = 0.0

    @property
    def busy(self) -> bool:
        """True while a key waits or its effects are not complete."""
        return bool(self._rounds or self._waiting)

    async def take(self, key: events.Key) -> None:
        """Handle a key after all earlier keys."""
        if self._waiting and not self._rounds and key.key in _GIVING_UP:
            self._waiting.clear()  # drop the keys typed ahead
        if self._rounds or self._waiting or self._early(key.key):
            self._waiting.append(key)
            if self._rounds:
                self._be_patient()
            else:
                self._look_again()
        else:
            await self._give(key)

    async def settled(self) -> None:
        """Note that `KeySettled` has arrived; handle the next key if the last one's effects are complete."""
        self._begun = True
        if not self._rounds:
            return
        self._rounds -= 1
        if not self._rounds and self._asked is not None and self._place is not self._asked:
            self._rounds = 1  # the focus has moved: the new widget may not be ready yet
        if not self._rounds and not self._is_drawn:
            self._is_drawn, self._rounds = True, 1
            self._ask(after_drawing=True)
        elif self._rounds:
            self._ask()
        else:
            await self._next()

    async def _give(self, key: events.Key) -> None:
        self._rounds, self._is_drawn, self.last = ROUNDS, False, key.key
        await self._handle(key)
        self._ask()

    def _ask(self, *, after_drawing: bool = False) -> None:
        self._asked, self._asked_at = self._place, monotonic()
        if after_drawing or self._app.focused is None:
            # A widget that is about to get the focus gets it after the next layout of the screen.
            self._app.screen.call_after_refresh(self._asked.post_message, KeySettled())
        else:
            self._asked.post_message(KeySettled())
        self._be_patient()

    async def _unanswered(self) -> None:
        if self._is_over:
            return
        if self._asked is not self._place:
            self._ask()
        elif monotonic() < self._asked_at + LONGEST:
            self._be_patient()
        else:
            await self._next()

    async def _next(self) -> None:
        """Handle the next key, since the last one is done or the focused widget does not answer."""
        self._rounds = 0
        if self._is_over:
            return
        if self._waiting and self._early(self._waiting[0].key):
            self._look_again()
        elif self._waiting:
            await self._give(self._waiting.popleft())

    def _look_again(self) -> None:
        """Ask soon whether it is still too early for the first key."""
        if self._timer is not None:
            self._timer.stop()
        self._timer = self._app.set_timer(_EARLY, self._next)

    def _be_patient(self) -> None:
        if self._timer is not None:
            self._timer.stop()
        self._timer = self._app.set_timer(PATIENCE, self._unanswered) if self._waiting and self._begun else None

    @property
    def _is_over(self) -> bool:
        """True if the program is ending: it has no screens, so that nothing takes keys."""
        return not self._app.screen_stack

    @property
    def _place(self) -> DOMNode:
        return self._app.focused or self._app.screen
