"""The frame of every dialog: title, content, a row of answers with their letters."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from math import inf
from pathlib import Path
from typing import Any, ClassVar, Generic, TypeVar

from rich.console import RenderableType
from rich.segment import Segment
from rich.style import Style
from textual import events, on
from textual.app import App, ComposeResult
from textual.await_complete import AwaitComplete
from textual.binding import BindingType
from textual.color import Color
from textual.containers import Vertical
from textual.content import Content
from textual.geometry import Region, Size
from textual.layout import ArrangeResult, Layout, WidgetPlacement
from textual.layouts.horizontal import HorizontalLayout
from textual.message import Message
from textual.renderables.background_screen import BackgroundScreen
from textual.screen import ModalScreen
from textual.widget import Widget
from textual.widgets import Button, Input

from qmon_tui.report import Line, visible, wrap
from qmon_tui.tui.base import DialogFailed, Lines, Paragraphs, key_of, local_bindings
from qmon_tui.tui.keys import shown_key


class FlowLayout(HorizontalLayout):
    """Layout that places children side by side, then on further lines."""

    name = "flow"

    def arrange(self, parent: Widget, children: list[Widget], size: Size, greedy: bool = True) -> ArrangeResult:
        """Place all children on one line if they fit, else in columns of equal width."""
        row = super().arrange(parent, children, size, greedy)
        if not row or row[-1].region.right <= size.width:
            return row
        step = max(placement.region.width + placement.margin.right for placement in row)
        columns = max(1, size.width // step)
        placed: list[WidgetPlacement] = []
        for index, placement in enumerate(row):
            width, height = placement.region.size
            place = Region(index % columns * step, index // columns * height, width, height)
            placed.append(placement._replace(region=place))
        return placed


class Flow(Widget):
    """A container whose children flow; it is as high as they need."""

    DEFAULT_CSS = """
    Flow { width: 1fr; height: auto; }
    """

    @property
    def layout(self) -> Layout:
        """The flow layout; styles can name only layouts of the framework."""
        return _FLOW


_FLOW = FlowLayout()


_PLAIN = Style()


@lru_cache(maxsize=4096)
def _dimmed(style: Style, color: Color) -> Style:
    (segment,) = BackgroundScreen.process_segments((Segment(" ", style),), color)
    return segment.style or _PLAIN


class DialogBackground(BackgroundScreen):
    """The framework's background, with a cache: it would dim every piece of text, but there are few styles."""

    @classmethod
    def process_segments(cls, segments: Iterable[Segment], color: Color) -> Iterator[Segment]:
        for text, style, control in segments:
            yield Segment(text, _dimmed(_PLAIN if style is None else style, color), control)


Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Answer(Generic[Result]):
    """One answer: its letter (or key as shown), the words of its button, its result, and True for the safe one.

    The answer that changes nothing comes first; one that loses data comes last.
    """

    letter: str
    words: str
    result: Result
    safe: bool = False


def label_of(answer: Answer[Result]) -> Content:
    """Return the label of an answer's button."""
    return Content.assemble((answer.letter, "bold underline"), f" {answer.words}")


class AnswerButton(Button):
    """A button of one line; arrows go to its neighbours, letters do not: with Enter they would give an answer."""

    BINDINGS: ClassVar[list[BindingType]] = local_bindings({
        "answer.before": "app.focus_previous",
        "answer.next": "app.focus_next",
    })  # fmt: skip


class DialogOpened(Message):
    """Posted when a dialog is mounted."""


class Dialog(ModalScreen[Result], Generic[Result]):
    """A box with a title, the content of `body()`, and answers. Esc answers None."""

    CSS_PATH = Path(__file__).with_name("dialogs.tcss")
    BINDINGS: ClassVar[list[BindingType]] = local_bindings({"dialog.leave": "cancel"})
    AUTO_FOCUS = ""
    WIDE: ClassVar[bool] = False
    FIRST_FOCUS: ClassVar[str] = ""
    """Selector of the widget that is focused first; empty for the safe answer."""

    def __init__(self, title: str, answers: Sequence[Answer[Result]] = ()) -> None:
        super().__init__(classes="-wide" if self.WIDE else None)
        self._title = title
        self._answers = tuple(answers)
        self._visible_at = inf
        """Time of the first drawing, on the clock of events; infinite before."""

    def ask(self, app: App[Any], then: Callable[[Result], object]) -> None:
        """Open the dialog, and call `then` with the answer unless it is None."""

        def answered(result: Result | None) -> None:
            if result is not None:
                then(result)

        app.push_screen(self, answered)

    def body(self) -> ComposeResult:
        """Yield the content between title and answers."""
        yield from ()

    def render(self) -> RenderableType:
        """Draw the dimmed screen below the dialog."""
        self._note_visible()
        under = super().render()
        return DialogBackground(under.screen, under.color) if isinstance(under, BackgroundScreen) else under

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog") as box:
            box.border_title = Content(visible(self._title))
            yield from self.body()
            if self._answers:
                with Flow(classes="answers"):
                    for index, answer in enumerate(self._answers):
                        yield AnswerButton(label_of(answer), id=f"answer-{index}", compact=True)

    def on_mount(self) -> None:
        """Focus the widget that `first_focus` returns."""
        self.post_message(DialogOpened())
        self.first_focus().focus()
        self.call_after_refresh(self._note_visible)

    def _note_visible(self) -> None:
        """Note that the dialog is drawn, or about to be: keys from now on are answers."""
        self._visible_at = min(self._visible_at, Message().time)

    def first_focus(self) -> Widget:
        """Return the widget that is focused first."""
        if self.FIRST_FOCUS:
            return self.query_one(self.FIRST_FOCUS)
        safe = next((index for index, answer in enumerate(self._answers) if answer.safe), 0)
        return self.query_one(f"#answer-{safe}")

    def dismiss(self, result: Result | None = None) -> AwaitComplete:
        """Close with a result, and cancel the workers of the dialog."""
        self.workers.cancel_node(self)
        for waiting in self._result_callbacks[-1:]:
            if waiting.callback is not None:
                waiting.callback = partial(self._call_back, self.app, waiting.callback)
        return super().dismiss(result)

    def _call_back(self, app: App[object], callback: Callable[[Result | None], Any], result: Result | None) -> Any:
        """Call the callback of the caller; if it fails, ask again if the dialog can."""
        try:
            return callback(result)
        except Exception as error:
            app.post_message(DialogFailed(error))
            again = None if result is None else self.again(result)
            if again is not None:
                app.push_screen(again, callback)
            return None

    def again(self, result: Result) -> "Dialog[Result] | None":
        """Return the same dialog with the given answer filled in; None if it cannot be opened again."""
        return None

    async def _dispatch_message(self, message: Message) -> None:
        """Handle a message. A handler that fails leaves the dialog open; one that fails to open it raises."""
        try:
            await super()._dispatch_message(message)
        except Exception as error:
            if not self.is_mounted:
                raise
            self.app.post_message(DialogFailed(error))

    def action_cancel(self) -> None:
        self.dismiss(None)

    @on(Button.Pressed)
    def _answered(self, event: Button.Pressed) -> None:
        event.stop()
        self.answer(self._answers[int((event.button.id or "").removeprefix("answer-"))].result)

    def answer(self, result: Result) -> None:
        """Close with an answer; dialogs that check it first override this."""
        self.dismiss(result)

    def on_key(self, event: events.Key) -> None:
        """Give the answer whose letter was pressed, unless an input has the focus.

        No key answers a question that was not on the screen when it was pressed.
        """
        if isinstance(self.focused, Input):
            return
        if self._answers and event.time < self._visible_at and shown_key(event.key) != key_of(self, "dialog.leave"):
            event.stop()
            return
        for answer in self._answers:
            if answer.letter and answer.letter in (event.character, shown_key(event.key)):
                event.stop()
                self.answer(answer.result)
                return


def fit_height(dialog: Dialog[Result], lines: Lines, content: Paragraphs, screen: Size) -> None:
    """Make the text of a dialog as high as it needs to be, as far as the screen allows."""
    widest = 110 if dialog.has_class("-wide") else 76
    lines.styles.height = max(1, min(len(content(min(widest, screen.width - 2) - 6)), screen.height - 8))


def paragraphs(*texts: str) -> Callable[[int], tuple[Line, ...]]:
    """Return a function that wraps paragraphs to a width, with an empty line between them."""

    def lines(cells: int) -> tuple[Line, ...]:
        wrapped: list[Line] = []
        for text in texts:
            if wrapped:
                wrapped.append(())
            wrapped.extend(wrap(text, cells))
        return tuple(wrapped)

    return lines
