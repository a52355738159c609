"""The dimmed screen below a dialog."""

from collections.abc import Iterable, Iterator
from functools import lru_cache

from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.renderables.background_screen import BackgroundScreen

_PLAIN = Style()


@lru_cache(maxsize=4096)
def _dimmed(style: Style, color: Color) -> Style:
    (segment,) = BackgroundScreen.process_segments((Segment(" ", style),), color)
    return segment.style or _PLAIN


class DialogBackground(BackgroundScreen):
    """The framework's, which works out the colours of every piece of text again; a screen has a few dozen styles."""

    @classmethod
    def process_segments(cls, segments: Iterable[Segment], color: Color) -> Iterator[Segment]:
        for text, style, control in segments:
            yield Segment(text, _dimmed(_PLAIN if style is None else style, color), control)
