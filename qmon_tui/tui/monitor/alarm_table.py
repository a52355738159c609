"""The alarms of a moment, in as many lines as the table is narrow."""

from collections.abc import Sequence

from qmon_tui.report.day import Alarm, AlarmRows
from qmon_tui.tui.base import LineTable


class AlarmTable(LineTable):
    """Wraps its alarms again whenever it is given another width."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(AlarmRows(), empty="✓ No alarms.", id=id)
        self._alarms: Sequence[Alarm] = ()
        self._wrapped_to = 0

    @property
    def job(self) -> int | None:
        """The job to which the line under the cursor leads, whichever of the lines of its alarm that is."""
        return AlarmRows(self._alarms, self._wrapped_to - 1).job(self.cursor_key)

    def show_alarms(self, alarms: Sequence[Alarm]) -> None:
        self._alarms, self._wrapped_to = alarms, self.inner_width
        self.show(AlarmRows(alarms, self.inner_width - 1))

    def on_resize(self) -> None:
        """Wrap the alarms if the width has changed, perhaps while the table was hidden."""
        if self.inner_width != self._wrapped_to:
            self.show_alarms(self._alarms)
