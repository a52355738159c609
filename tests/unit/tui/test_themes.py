"""The colours of the themes: all that says something can be read."""

import pytest
from textual.color import Color

from qmon_tui.report.spans import TextRole
from qmon_tui.tui.base.themes import THEMES


def contrast(one: Color, other: Color) -> float:
    """That of WCAG 2, from 1 to 21."""

    def luminance(colour: Color) -> float:
        parts = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in colour.normalized)
        return sum(part * weight for part, weight in zip(parts, (0.2126, 0.7152, 0.0722), strict=True))

    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("name", ["dark", "light", "high-contrast"])
def test_what_says_something_can_be_read(name: str) -> None:
    """WCAG 2: 4.5 is enough for text, 7 for good reading; only what says nothing may be fainter."""
    theme = THEMES[name]
    grounds = [Color.parse(colour) for colour in (theme.background, theme.surface) if colour]
    for role in TextRole:
        seen = min(contrast(ground, Color.parse(theme.variables[f"role-{role}"])) for ground in grounds)
        least = 6.5 if role in (TextRole.DIM, TextRole.PLAIN) else 3.0 if role is TextRole.FAINT else 4.5
        assert seen >= least, (role, seen)


def test_in_the_colours_of_the_terminal_only_what_says_nothing_is_grey() -> None:
    for name in ("ansi-dark", "ansi-light"):
        grey = [role for role in TextRole if "black" in THEMES[name].variables[f"role-{role}"]]
        assert grey == [TextRole.FAINT]
