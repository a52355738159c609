"""F1: a paragraph of the reference, with its links; loaded late, as Markdown takes its time."""

from collections.abc import Callable
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Markdown

from qmon_tui.tui.base import local_bindings
from qmon_tui.tui.dialogs.dialog import Dialog
from qmon_tui.tui.keys import LOCAL_KEYS, shown_key

Page = tuple[str, str]
"""A place in the reference (empty for other texts), and its Markdown."""


class ReferenceDialog(Dialog[None]):
    """Dialog with Markdown: a link shows its place, `back` the text before, Esc closes."""

    WIDE: ClassVar[bool] = True
    BINDINGS: ClassVar[list[BindingType]] = local_bindings({
        "dialog.done": "cancel",
        "dialog.close": "cancel",
        "reference.back": "back",
        "reference.page": "whole_page",
    })  # fmt: skip
    FIRST_FOCUS = "#reference"

    def __init__(self, title: str, place: str, text: str, look_up: Callable[[str], str]) -> None:
        super().__init__(title)
        self._pages: list[Page] = [(place, text)]
        self._look_up = look_up
        self.set_class(True, "-tall")

    def body(self) -> ComposeResult:
        with VerticalScroll(id="reference"):
            yield Markdown(self._pages[-1][1], id="reference-text", open_links=False)

    def on_mount(self) -> None:
        super().on_mount()
        self._hint()

    def _hint(self) -> None:
        keys = {entry.id: shown_key(entry.keys[0]) for entry in LOCAL_KEYS if entry.keys}
        back = f"{keys['reference.back']} back · " if len(self._pages) > 1 else ""
        page = f"{keys['reference.page']} whole page · " if "#" in self._pages[-1][0] else ""
        self.query_one(".dialog").border_subtitle = Content(f"{back}{page}Esc")

    async def _show(self) -> None:
        await self.query_one("#reference-text", Markdown).update(self._pages[-1][1])
        self.query_one("#reference").scroll_home(animate=False)
        self._hint()

    @on(Markdown.LinkClicked)
    async def _followed(self, event: Markdown.LinkClicked) -> None:
        """Follow a link within the reference; ignore all others."""
        event.stop()
        href = event.href
        if href.startswith("#"):
            href = self._pages[-1][0].partition("#")[0] + href
        await self._go(href)

    async def _go(self, place: str) -> None:
        text = self._look_up(place)
        if text:
            self._pages.append((place, text))
            await self._show()

    async def action_back(self) -> None:
        if len(self._pages) > 1:
            self._pages.pop()
            await self._show()

    async def action_whole_page(self) -> None:
        place = self._pages[-1][0]
        if "#" in place:
            await self._go(place.partition("#")[0])
