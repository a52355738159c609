"""A view with a line in which a filter of its rows is typed."""

from abc import abstractmethod
from collections.abc import Collection, Hashable, Iterable
from typing import Any

from textual import on
from textual.widgets import Input

from qmon_tui.tui.base.inputs import QInput
from qmon_tui.tui.base.views import View


class FilteredView(View):
    """Widget with marks and a filter; `_typing` is the input from `filter_input`.

    List it after PageView or PanelView in a class's bases: Textual uses the style of the first base only.
    """

    filter: str
    """The text of the filter; empty for none."""
    marked: Collection[Any]
    """Keys of the marked rows."""
    _typing: QInput

    @staticmethod
    def filter_input(placeholder: str) -> QInput:
        return QInput(placeholder=placeholder, classes="filter-line")

    @abstractmethod
    def filter_by(self, text: str) -> None:
        """Show the rows that a filter accepts."""

    def filter_given(self) -> None:
        """Note that the filter is no longer being typed."""

    @abstractmethod
    def mark(self, keys: frozenset[Any]) -> None:
        """Mark these rows and no others."""

    def unmark(self) -> None:
        self.mark(frozenset())

    def start_filter(self) -> None:
        self.add_class("-filtering")
        self._typing.value = self.filter
        self._typing.focus()

    def leave(self) -> bool:
        """Esc: leave the filter's line, unmark, drop the filter; False if there is none of these."""
        if self.has_class("-filtering"):
            self.remove_class("-filtering")
            self.focus()
        elif self.marked:
            self.unmark()
        elif self.filter:
            self.filter_by("")
            self.filter_given()
        else:
            return False
        return True

    @on(Input.Changed, ".filter-line")
    def _filter_typed(self, event: Input.Changed) -> None:
        event.stop()
        if self.has_class("-filtering"):
            self.filter_by(event.value)

    @on(Input.Submitted, ".filter-line")
    def _filter_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.remove_class("-filtering")
        self.filter_given()
        self.focus()


class KeptRows:
    """Keys of the rows that a filter has shown since it was typed, so that edits do not hide them."""

    def __init__(self) -> None:
        self._shown: frozenset[Hashable] = frozenset()
        self._of: Hashable = None

    def of(self, *filter_and_time: Hashable) -> frozenset[Hashable]:
        """Return the keys of the rows to show whatever the filter says; empty if filter or time have changed."""
        if filter_and_time != self._of:
            self._shown, self._of = frozenset(), filter_and_time
        return self._shown

    def keep(self, keys: Iterable[Hashable]) -> None:
        self._shown |= frozenset(keys)
