"""The smallest Textual app that shows something: what a first frame costs at least."""

from textual.app import App, ComposeResult
from textual.widgets import Static


class MinimalApp(App[None]):
    """One line of text."""

    def compose(self) -> ComposeResult:
        yield Static("first frame")


if __name__ == "__main__":
    MinimalApp().run()
