"""What every widget draws goes through here last: what a file holds must not steer the terminal."""

from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

from qmon_tui.tui.present import visible


class ControlCharFilter(LineFilter):
    """Leaves out what takes no cell but is obeyed. Our own lines have stand-ins; inputs, titles and notices do not."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """The segments, the very same where all is well."""
        if all(text.isprintable() for text, _, _ in segments):
            return segments
        return [Segment(visible(text, stand_in=False), style, control) for text, style, control in segments]
