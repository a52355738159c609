"""The smallest Textual app that shows something: what a first frame, and an answer to a key, cost at least."""

from textual import events
from textual.app import App, ComposeResult
from textual.widgets import Static


class MinimalApp(App[None]):
    """One line of text."""

    keys = 0

    def compose(self) -> ComposeResult:
        yield Static("first frame")

    def on_key(self, event: events.Key) -> None:
        self.keys += 1
        self.query_one(Static).update(f"frame after key {self.keys}.")


if __name__ == "__main__":
    MinimalApp().run()
