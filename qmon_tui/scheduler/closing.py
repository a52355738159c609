"""What a calendar does to queue instances at the moment, and until when, as data for people (lifecycle.md 4.1)."""

from qmon_tui.scheduler.compiled.cluster import Compiled
from qmon_tui.scheduler.outcome import Closing
from qmon_tui.values.calendar import CalendarState


def closing_of(compiled: Compiled, number: int, letters: str, now: int) -> Closing | None:
    """The calendar behind the letter C or D of a queue instance; None where nobody can tell which that is."""
    name = compiled.instances[number].profile.calendar
    calendar = compiled.calendars.get(name) if name is not None else None
    if name is None or calendar is None or not {"C", "D"} & set(letters):
        return None
    state = calendar.state_at(now)
    if state is CalendarState.ON:
        return None
    return Closing(name, state is CalendarState.SUSPENDED, calendar.next_change(now))
