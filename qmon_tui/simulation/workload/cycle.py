"""Hours and weekdays in which more or less comes: time that runs faster and slower (workloads.md#arrivals)."""

from datetime import datetime
from math import inf
from typing import Final

from qmon_tui.model import Workload

HOUR, DAY, WEEK = 3600, 86400, 7 * 86400
FARTHEST: Final = 2 * 366 * DAY
"""Seconds after which nothing comes any more: a rate may be mistyped."""


class Cycle:
    """Seconds of an even stream of arrivals to seconds since the epoch, by the weights of hours and weekdays."""

    def __init__(self, workload: Workload, start: int) -> None:
        day = workload.day or (1.0,) * 24
        week = workload.week or (1.0,) * 7
        mean = sum(day) * sum(week) / (24 * 7)
        self._weights = [hour * weekday / mean for weekday in week for hour in day]
        self._is_even = not (workload.day or workload.week)
        moment = datetime.fromtimestamp(start)
        self._in_week = moment.weekday() * DAY + moment.hour * HOUR + moment.minute * 60 + moment.second
        self._start = start
        self._hour = self._in_week // HOUR
        """Hours since the Monday before `start` up to the one that is looked at."""
        self._reached = 0.0
        """Even seconds up to the beginning of that hour, or to `start` within it."""

    def time(self, even: float) -> float:
        """Return the time at which `even` even seconds have passed since the start; calls must not go back."""
        if even > FARTHEST:
            return inf
        if self._is_even:
            return self._start + even
        while True:
            weight = self._weights[self._hour % (24 * 7)]
            begins = max(self._hour * HOUR, self._in_week)
            lasts = (self._hour + 1) * HOUR - begins
            if weight and self._reached + lasts * weight > even:
                return self._start + begins - self._in_week + (even - self._reached) / weight
            self._reached += lasts * weight
            self._hour += 1
