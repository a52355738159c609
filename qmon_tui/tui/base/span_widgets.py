"""Widgets that draw the visible lines of spans; user text is never markup and cannot control the terminal."""

from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from rich.text import Text
from textual.binding import BindingType
from textual.color import Color
from textual.filter import LineFilter
from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import Static

from qmon_tui.report import Line, TextRole, plain, visible
from qmon_tui.tui.base.bindings import local_bindings
from qmon_tui.tui.base.themes import role_styles


class ControlCharFilter(LineFilter):
    """Filter that removes control characters, for inputs and notices; our own lines show them as signs."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """Return the segments without control characters; the same list if there are none."""
        if all(text.isprintable() for text, _, _ in segments):
            return segments
        return [Segment(visible(text, stand_in=False), style, control) for text, style, control in segments]


def to_strip(widget: Widget, spans: Line, cells: int, base: Style) -> Strip:
    """Return spans as a strip of exactly `cells`, in the current theme's styles on top of a base style.

    On a reversed line (the cursor in terminal colours) all roles look plain: their colour may equal the background.
    """
    look = role_styles(widget.app)
    segments = []
    for text, role, action in spans:
        style = base if role is TextRole.PLAIN or base.reverse else base + look[role]
        segments.append(Segment(visible(text), style + Style.from_meta({"@click": action}) if action else style))
    return Strip(segments).adjust_cell_length(cells, base)


class SpanWidget(Widget):
    """A widget whose lines all come from `to_strip`, so that it needs no ControlCharFilter."""

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Return the filters without ControlCharFilter, as each filter copies each drawn line."""
        return [
            line_filter for line_filter in super().get_line_filters() if not isinstance(line_filter, ControlCharFilter)
        ]


class OneLine(SpanWidget):
    """A single line that is made for the widget's width."""

    DEFAULT_CSS = """
    OneLine { height: 1; width: 1fr; }
    """

    def __init__(self, content: Callable[[int], Line] = lambda _: (), *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._content = content

    def show(self, content: Callable[[int], Line]) -> None:
        self._content = content
        self.refresh()

    def render_line(self, y: int) -> Strip:
        return to_strip(self, self._content(self.size.width) if y == 0 else (), self.size.width, self.rich_style)

    @property
    def text(self) -> str:
        """The shown text, without styles."""
        return plain(self._content(self.size.width)).rstrip()


Paragraphs = Callable[[int], tuple[Line, ...]]
"""Function from a width in cells to lines."""


def set_lines(view: ScrollView, count: int) -> None:
    """Set the number of lines of a view.

    The screen is laid out again only if the height of the view or its scroll bar changes: on most keys neither does,
    and a layout costs more than drawing the lines.
    """
    size, room, height = Size(0, count), view.container_size.height, view.styles.height
    if room and height is not None and not height.is_auto and view.show_vertical_scrollbar == (count > room):
        view.set_reactive(Widget.virtual_size, size)
        view._scroll_update(size)
    else:
        view.virtual_size = size


class Lines(ScrollView, SpanWidget, can_focus=True):
    """Text made for the width of the widget, scrolled by keys and wheel."""

    DEFAULT_CSS = """
    Lines { background: transparent; overflow-x: hidden; scrollbar-size-vertical: 1; scrollbar-gutter: stable; }
    """
    BINDINGS: ClassVar[list[BindingType]] = local_bindings({
        "up": "scroll_up",
        "down": "scroll_down",
        "page-up": "page_up",
        "page-down": "page_down",
        "first": "scroll_home",
        "last": "scroll_end",
    })  # fmt: skip

    def __init__(self, content: Paragraphs = lambda _: (), *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._content = content
        self._lines: tuple[Line, ...] = ()
        self._sought = ""
        self._followed: Callable[[str], bool] | None = None

    def show(self, content: Paragraphs, *, keep_place: bool = False) -> None:
        """Show another content from its beginning; with `keep_place`, from the present line."""
        self._content = content
        self._arrange()
        if not keep_place:
            self._followed = None
            self.scroll_to(y=0, animate=False)
        self.refresh()

    def follow(self, is_followed: Callable[[str], bool]) -> None:
        """Scroll to the first line whose text `is_followed` accepts, also after a resize, until the user scrolls."""
        self._followed = is_followed
        self._scroll_to_followed()
        # New lines may not be laid out yet: until then it cannot scroll beyond the old ones.
        self.call_after_refresh(self._scroll_to_followed)

    def _scroll_to_followed(self) -> None:
        if self._followed is not None:
            texts = map(plain, self._lines)
            place = next((index for index, text in enumerate(texts) if self._followed(text)), 0)
            self.scroll_to(y=place, animate=False)

    def on_key(self) -> None:
        """Stop following a line: the user scrolls."""
        self._followed = None

    on_mouse_scroll_up = on_mouse_scroll_down = on_key

    def seek(self, words: str, *, after_first: bool = False) -> bool:
        """Mark the lines that contain `words` and scroll to the next one; False if no line does."""
        self._sought = words
        self.refresh()
        top = round(self.scroll_target_y) + after_first
        matching = [index for index, spans in enumerate(self._lines) if words and self._is_sought(spans)]
        if matching:
            self.scroll_to(y=next((index for index in matching if index >= top), matching[0]), animate=False)
        return bool(matching)

    def _is_sought(self, spans: Line) -> bool:
        return bool(self._sought) and self._sought.casefold() in plain(spans).casefold()

    def on_resize(self) -> None:
        """Make the lines for the new width; they may have been drawn with the old ones by now."""
        self._arrange()
        if self._followed is not None:
            self.follow(self._followed)
        self.refresh()

    def _arrange(self) -> None:
        width = self.scrollable_content_region.width or self.size.width
        self._lines = self._content(width) if width else ()
        set_lines(self, len(self._lines))

    def render_line(self, y: int) -> Strip:
        index = y + self.scroll_offset.y
        spans = self._lines[index] if index < len(self._lines) else ()
        base = self.rich_style + Style(reverse=True) if self._is_sought(spans) else self.rich_style
        return to_strip(self, spans, self.size.width, base)

    @property
    def text(self) -> str:
        """The whole text, including the lines out of sight."""
        return "\n".join(plain(spans).rstrip() for spans in self._lines)


class QLines(Static):
    """Some lines of text in the styles of the current theme."""

    DEFAULT_CSS = "QLines { height: auto; }"

    def __init__(self, lines: Sequence[Line] = (), *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(markup=False, id=id)
        self._lines = tuple(lines)

    def on_mount(self) -> None:
        """Draw, and draw again when the theme changes."""
        self.watch(self.app, "theme", lambda: self._redraw())

    def show(self, lines: Sequence[Line]) -> None:
        if tuple(lines) != self._lines:
            as_high = len(lines) == len(self._lines) and self.styles.width is not None and not self.styles.width.is_auto
            self._lines = tuple(lines)
            if self.is_attached:
                self._redraw(layout=not as_high)

    def _redraw(self, *, layout: bool = True) -> None:
        self.update(text_of(self._lines, role_styles(self.app)), layout=layout)


def text_of(lines: Sequence[Line], styles: Mapping[TextRole, Style]) -> Text:
    """Return the lines as Rich text."""
    text = Text(no_wrap=True, end="")
    for number, line in enumerate(lines):
        if number:
            text.append("\n")
        for span in line:
            text.append(visible(span.text), styles[span.role])
    return text
