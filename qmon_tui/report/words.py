"""Numbers, times, job states, and figures before and after the next run (`2 → 17`) as text."""

from collections import Counter
from collections.abc import Iterable
from datetime import datetime
from typing import Final

from qmon_tui.report.spans import Line, Span, TextRole, left, right, width
from qmon_tui.workspace import Figures


def count(number: int, singular: str, plural: str = "") -> str:
    """Return a number with its noun: `1 edit`, `2 edits`."""
    return f"{spaced(number)} {singular if number == 1 else plural or singular + 's'}"


def spaced(number: float) -> str:
    """Return a rounded number with blanks between the thousands."""
    return f"{number:,.0f}".replace(",", " ")


def without_domains(names: Iterable[str]) -> dict[str, str]:
    """Return name -> the name without the domain of its host, for hosts or queue instances; the full name if two
    short names would be equal.
    """
    short = {name: _without_domain(name) for name in names}
    times = Counter(short.values())
    return {name: text if times[text] == 1 else name for name, text in short.items()}


def _without_domain(name: str) -> str:
    lead, at, host = name.rpartition("@")
    label = host.partition(".")[0]
    return name if label.isdigit() else f"{lead}{at}{label}"


def first_and_more(places: Iterable[str]) -> str:
    """Return the first queue instance with the number of others: `day.q@node04 +2`; empty for none."""
    first, *more = *places, ""
    return f"{first} +{len(more) - 1}" if len(more) > 1 else first


def compact(amount: float) -> str:
    """Return an amount without blanks, for columns: `0.25`, `42`, `643469`, `1.25M`."""
    for unit, size in (("T", 1e12), ("G", 1e9), ("M", 1e6)):
        if amount >= size:
            return f"{amount / size:.2f}{unit}"
    if amount and amount < 10:
        return f"{amount:.2f}"
    return f"{amount:.0f}"


def milliseconds(seconds: float) -> str:
    """Return the duration of a run: `12 ms`, `1.4 s`."""
    return f"{seconds * 1000:.0f} ms" if seconds < 1 else f"{seconds:.1f} s"


def clock(epoch: float) -> str:
    """Return the local time of day: `10:42:15`."""
    return datetime.fromtimestamp(epoch).strftime("%H:%M:%S")


def day_clock(epoch: float) -> str:
    """Return local weekday and time of day: `Tue 10:42:15`."""
    return datetime.fromtimestamp(epoch).strftime("%a %H:%M:%S")


def start_words(epoch: float, now: float) -> str:
    """Return local hours and minutes, with the date if it is not that of `now`."""
    start = datetime.fromtimestamp(epoch)
    return start.strftime("%H:%M" if start.date() == datetime.fromtimestamp(now).date() else "%Y-%m-%d %H:%M")


def day_and_time(epoch: float) -> str:
    """Return local month, day, hours and minutes: `11-23 12:00`."""
    return datetime.fromtimestamp(epoch).strftime("%m-%d %H:%M")


def moment(epoch: float) -> str:
    """Return local date and time: `2026-11-23 12:00:00`."""
    return datetime.fromtimestamp(epoch).strftime("%Y-%m-%d %H:%M:%S")


REFUSED: Final = "✗"
"""The state of a job that qsub refuses; qstat has no letter for it."""
_SUSPENDING = (("s", " by hand"), ("S", " by its queue"), ("T", " by a threshold"))
_STATES: tuple[tuple[str, TextRole, str], ...] = (
    # The first entry whose letter occurs counts: error before hold, hold before waiting.
    (REFUSED, TextRole.ERROR, "refused by qsub"),
    ("E", TextRole.FAILED, "error"),
    ("d", TextRole.FAILED, "being deleted"),
    ("h", TextRole.HELD, "held"),
    ("s", TextRole.SUSPENDED, "suspended"),
    ("S", TextRole.SUSPENDED, "suspended"),
    ("T", TextRole.SUSPENDED, "suspended"),
    ("r", TextRole.RUNNING, "running"),
    ("t", TextRole.RUNNING, "starts now"),
    ("q", TextRole.WAITING, "waiting"),
)


def stands_still(letters: str) -> bool:
    """Return True if the state letters are those of a started task that is suspended."""
    return "q" not in letters and any(letter in letters for letter in "sST")


def _without_hold(letters: str) -> str:
    """Return the letters without the hold of a started task, as the hold does not affect it."""
    return letters if "q" in letters else letters.replace("h", "")


def state_role(letters: str) -> TextRole:
    """Return the role of qstat's state letters."""
    return next((role for letter, role, _ in _STATES if letter in _without_hold(letters)), TextRole.PLAIN)


def state_words(letters: str) -> str:
    """Return qstat's state letters in words; a suspended task with all causes."""
    shown = _without_hold(letters)
    held = ", with a hold" if shown != letters and shown else ""
    if stands_still(letters) and not set("Ed") & set(letters):
        return "suspended" + " and".join(words for letter, words in _SUSPENDING if letter in letters) + held
    return next((words for letter, _, words in _STATES if letter in shown), letters) + held


def not_grid_engine_words(formulas: str) -> str:
    """Return the warning about priorities that are computed by other formulas than Grid Engine's."""
    return f"! This is not Grid Engine: priorities by the formulas “{formulas}”."


def age(seconds: float) -> str:
    """Return an age in its largest unit: `5 minutes ago`, `just now`."""
    for unit, length in (("day", 86400), ("hour", 3600), ("minute", 60)):
        if seconds >= length:
            return f"{count(int(seconds // length), unit)} ago"
    return "just now" if seconds > -60 else "later than now: the clock has been set back"


ARROW = " → "


def shown_figure(figures: Figures, now: str, after: str, arrow: str = ARROW) -> str:
    """Return the text of a figure, given its texts before and after the next run: `2`, `17` or `2 → 17`."""
    if figures is Figures.NEXT:
        return after
    return now if figures is Figures.NOW or now == after else f"{now}{arrow}{after}".strip()


def figure_cell(figures: Figures, now: Span, after: Span, cells: int, *, at_right: bool = False) -> Line:
    """Return the spans of a figure padded or cropped to `cells`, each part in its own role."""
    whole = shown_figure(figures, now.text, after.text)
    shown = after if figures is Figures.NEXT else now
    parts: Line = (Span(whole, shown.role),)
    if whole != shown.text:
        arrow = ARROW if now.text and after.text else ARROW.rstrip() if now.text else ARROW.lstrip()
        parts = (now, Span(arrow, TextRole.DIM), after)
    if (spare := cells - width(parts)) < 0:
        return (Span((right if at_right else left)(whole, cells), shown.role),)
    blanks = Span(" " * spare)
    return (blanks, *parts) if at_right else (*parts, blanks)


def title_words(figures: Figures) -> str:
    """Return the name of the shown figures, as an addition to a title."""
    return f"  {figures}"
