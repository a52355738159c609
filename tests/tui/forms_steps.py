"""Steps that many form tests take."""

from textual.pilot import Pilot
from textual.widgets import Input

from tests.tui.forms_harness import Harness


def screen_text(app: Harness) -> str:
    """All that is in sight, line by line."""
    strips = app.screen._compositor.render_strips()
    return "\n".join("".join(segment.text for segment in strip).rstrip() for strip in strips)


def form_text(app: Harness) -> str:
    """What the form shows, without its frame."""
    region = app.form.region
    lines = screen_text(app).split("\n")[region.y + 1 : region.bottom - 1]
    return "\n".join(line[region.x + 1 : region.right - 1].rstrip(" ▁▂▃▄▅▆▇█") for line in lines)


def row(app: Harness, field: str) -> str:
    """The line of a field."""
    return next(line for line in form_text(app).split("\n") if field in line.split()[:2] or f"● {field}" in line)


def words(text: str) -> str:
    """A text without its line ends and indents."""
    return " ".join(text.split())


async def go_to(app: Harness, pilot: Pilot[None], field: str) -> None:
    """Give a field of the form the focus."""
    assert app.form.focus_field(field)
    await pilot.pause()


async def type_text(app: Harness, pilot: Pilot[None], text: str) -> None:
    """Have a text in the open input, as if it had been typed."""
    focused = app.focused
    assert isinstance(focused, Input)
    focused.value = text
    await pilot.pause()
