"""The lines at the edges of the screen: heading, banner, what the last change moved, and the keys."""

from qmon_tui.tui.panes.lines import OneLine
from qmon_tui.tui.present.spans import Idea, Line, Span, fit


class Banner(OneLine):
    """A line that is only there while it has something to say."""

    def on_mount(self) -> None:
        """Nothing to say yet."""
        self.display = False

    def say(self, text: str, action: str) -> None:
        """Show a sentence; a click runs an action of the registry."""
        click = f"screen.do('{action}')"

        def content(cells: int) -> Line:
            return fit((Span(" ⇅ ", Idea.WARNING, click), Span(text, Idea.STRONG, click)), cells)

        self.show(content)
        self.display = True

    def be_silent(self) -> None:
        """Nothing to say any more."""
        self.display = False
