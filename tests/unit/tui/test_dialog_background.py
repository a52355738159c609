"""What lies under a dialog looks as the framework would dim it, however often it is drawn."""

from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.renderables.background_screen import BackgroundScreen

from qmon_tui.tui.dialogs.dialog import DialogBackground

SEGMENTS = [
    Segment("plain"),
    Segment("red on blue", Style.parse("bold red on #102030")),
    Segment("no ground", Style.parse("italic #abcdef")),
    Segment("a link", Style(color="#ffffff", bgcolor="#000000", link="https://example.org", meta={"@click": "quit"})),
    Segment("\n"),
]
VEILS = [Color(0, 0, 0, 0.6), Color(20, 30, 40, 0.3), Color(0, 0, 0, 0)]


def test_every_piece_is_dimmed_as_by_the_framework() -> None:
    for veil in VEILS:
        expected = list(BackgroundScreen.process_segments(SEGMENTS, veil))
        for _ in range(2):
            found = list(DialogBackground.process_segments(SEGMENTS, veil))
            assert [segment.text for segment in found] == [segment.text for segment in expected]
            assert [segment.style or Style() for segment in found] == [segment.style or Style() for segment in expected]
            assert not any(segment.style and (segment.style.link or segment.style.meta) for segment in found)
