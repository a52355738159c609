"""Charts for slides as SVG, 16:9, light or dark, drawn by matplotlib."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from io import StringIO
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from qmon_tui.cli.answer import InputError, plain
from qmon_tui.report.comparison import letter
from qmon_tui.simulation import Comparison, Day

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WAITS: Final = "waits"
CHARTS: Final = {
    WAITS: "how much longer or shorter users, projects and queues wait",
    "queue": "tasks that wait, over time",
    "shares": "shares that users receive and are entitled to, over time",
    "slots": "slots that tasks have, over time",
}
"""Name of a chart -> its description."""
_WIDTH, _HEIGHT = 12.8, 7.2
"""Size in inches, at 100 dots per inch."""
_MOST_BARS: Final = 14
_MOST_USERS: Final = 6
_OWNERS: Final = (("owner", "user"), ("project", "project"), ("queue", "queue"))
"""(part of a measure's name, word on the bar) for each grouping of measures."""


class _Colours(NamedTuple):
    background: str
    text: str
    grid: str
    pale: str
    """The lightest shade of a heat map; the darkest is the first line's colour."""
    lines: tuple[str, ...]
    better: str
    worse: str


_LIGHT: Final = _Colours(
    "#ffffff", "#1f2328", "#d0d7de", "#eaf2fb",
    ("#0b5fc5", "#c2410c", "#15803d", "#7c3aed", "#0e7490", "#be185d"), "#15803d", "#c2410c",
)  # fmt: skip
_DARK: Final = _Colours(
    "#11151c", "#e6edf3", "#30363d", "#1c2a3a",
    ("#6cb6ff", "#ff9e64", "#6bd58b", "#c4a7ff", "#5fd7e6", "#ff8fc7"), "#6bd58b", "#ff9e64",
)  # fmt: skip
_DASHES: Final = ("-", (0, (6, 2)), (0, (2, 2)), (0, (8, 2, 2, 2)))
"""Line styles of the policies, for prints without colours."""


def chart_svg(comparison: Comparison, name: str, *, dark: bool = False) -> Iterator[str]:
    """Yield the lines of one chart of `CHARTS` as an SVG file. Raises InputError if matplotlib is missing."""
    yield from _lines_of(chart(comparison, name, dark=dark), name)


def chart(comparison: Comparison, name: str, *, dark: bool = False) -> "Figure":
    """Return one chart of `CHARTS`. Raises InputError if matplotlib is missing."""
    colours = _DARK if dark else _LIGHT
    figure = _figure(colours)
    {WAITS: _waits, "queue": _queue, "shares": _shares, "slots": _slots}[name](figure, comparison, colours)
    return figure


def heat_map(
    title: str, across: str, down: str, cells: Mapping[tuple[str, str], tuple[float | None, str]], note: str = "", *,
    dark: bool = False,
) -> Iterator[str]:  # fmt: skip
    """Yield a heat map as SVG. `cells`: (column, row) -> shade from 0 to 1 (None for no shade) and text."""
    colours = _DARK if dark else _LIGHT
    columns = list(dict.fromkeys(column for column, _ in cells))
    rows = list(dict.fromkeys(row for _, row in cells))
    numbers = [[cells.get((column, row), (None, ""))[0] for column in columns] for row in rows]
    shades = [[float("nan") if number is None else number for number in line] for line in numbers]
    figure = _figure(colours)
    from matplotlib.colors import LinearSegmentedColormap  # optional dependency

    axes = _axes(figure.add_subplot(), colours)
    axes.grid(visible=False)
    shading = LinearSegmentedColormap.from_list("shades", [colours.pale, colours.lines[0]])
    axes.pcolormesh(shades, cmap=shading, vmin=0, vmax=1, edgecolors=colours.background, linewidth=2)
    axes.invert_yaxis()
    size = max(9, min(20, 150 // max(1, len(columns))))
    for (column, row), (number, text) in cells.items():
        axes.text(
            columns.index(column) + 0.5, rows.index(row) + 0.5, plain(text), ha="center", va="center", fontsize=size,
            color=colours.background if number is not None and number > 0.55 else colours.text, parse_math=False,
        )  # fmt: skip
    axes.set_xticks(
        [place + 0.5 for place in range(len(columns))], [plain(column) for column in columns], parse_math=False
    )
    axes.set_yticks([place + 0.5 for place in range(len(rows))], [plain(row) for row in rows], parse_math=False)
    axes.set_xlabel(plain(across), parse_math=False)
    axes.set_ylabel(plain(down), parse_math=False)
    if note:
        figure.supxlabel(plain(note), color=colours.text, fontsize=15, parse_math=False)
    _title(figure, plain(title), colours)
    yield from _lines_of(figure, title)


# Charts ---------------------------------------------------------------------------------------------------------------


def _waits(figure: "Figure", comparison: Comparison, colours: _Colours) -> None:
    """Draw the changes of mean waits: users first, then projects, then queues, each sorted by its change."""
    others = range(1, len(comparison.labels))
    panels = figure.subplots(1, len(others), squeeze=False)[0]
    unit, seconds = _unit(
        abs(difference.mean)
        for measure in comparison.measures
        if measure.name.endswith(".wait.mean")
        for difference in measure.differences
        if difference is not None
    )
    for axes, number in zip(panels, others, strict=True):
        _axes(axes, colours)
        bars = _bars(comparison, number)
        for place, (_, _, mean, half) in enumerate(bars):
            fill = colours.better if mean < 0 else colours.worse
            error = half / seconds if half is not None else None
            axes.barh(place, mean / seconds, color=fill, xerr=error, ecolor=colours.text, capsize=4)
        axes.set_yticks(range(len(bars)), [f"{kind} {plain(name)}" for kind, name, _, _ in bars], parse_math=False)
        axes.xaxis.set_major_formatter("{x:g}")
        axes.invert_yaxis()
        axes.axvline(0, color=colours.text, linewidth=1.5)
        axes.grid(visible=False, axis="y")
        axes.set_xlabel(f"{letter(number)} - A, {unit} of mean wait; left is shorter")
        if not bars:
            axes.text(0.5, 0.5, "nobody waits longer or shorter", transform=axes.transAxes, ha="center",
                      color=colours.text)  # fmt: skip
    _title(figure, "Who waits longer, who shorter", colours)
    labels = [f"{letter(number)}: {_label(label)}" for number, label in enumerate(comparison.labels)]
    figure.supxlabel("  ·  ".join(labels), color=colours.text, fontsize=15, parse_math=False)


def _bars(comparison: Comparison, number: int) -> list[tuple[str, str, float, float | None]]:
    """Return (kind, name, change in seconds, its bound or None) of at most `_MOST_BARS` largest changes."""
    bars: list[tuple[str, str, float, float | None]] = []
    for key, word in _OWNERS:
        named = [
            (word, measure.name[len(f"by.{key}.") : -len(".wait.mean")], difference.mean,
             difference.half if difference.is_known else None)
            for measure in comparison.measures
            if measure.name.startswith(f"by.{key}.") and measure.name.endswith(".wait.mean")
            if (difference := measure.differences[number - 1]) is not None and round(abs(difference.mean)) > 0
        ]  # fmt: skip
        room = max(0, _MOST_BARS - len(bars))
        largest = sorted(named, key=lambda bar: -abs(bar[2]))[:room]
        bars += sorted(largest, key=lambda bar: bar[2])
    return bars


def _queue(figure: "Figure", comparison: Comparison, colours: _Colours) -> None:
    axes = _axes(figure.add_subplot(), colours)
    _over_time(figure, axes, comparison, "waiting", colours)
    if len(comparison.days) == 2:
        first, other = comparison.days
        # Both days are compared up to the end of the shorter one.
        times, (before, after) = _waiting_together(first, other)
        axes.fill_between(times, before, after, color=colours.text, alpha=0.15, linewidth=0)
    axes.set_ylabel("tasks that wait")
    _title(figure, "Length of the queue", colours)


def _slots(figure: "Figure", comparison: Comparison, colours: _Colours) -> None:
    axes = _axes(figure.add_subplot(), colours)
    _over_time(figure, axes, comparison, "slots used", colours)
    for line, day in zip(axes.get_lines(), comparison.days, strict=True):
        # The last value is a mean over a period; add the slots that are used at the end of the day.
        running = (task for task in day.records if task.started is not None and task.ended is None)
        used = sum(sum(task.granted.values()) for task in running)
        line.set_data([*line.get_xdata(), datetime.fromtimestamp(day.end)], [*line.get_ydata(), used])
    axes.set_xlim(right=datetime.fromtimestamp(max(day.end for day in comparison.days)))
    axes.set_ylabel("slots")
    _title(figure, "Slots that tasks have", colours)


def _shares(figure: "Figure", comparison: Comparison, colours: _Colours) -> None:
    """Draw a panel for each policy: received shares as lines, entitled shares as dashes."""
    panels = figure.subplots(len(comparison.days), 1, squeeze=False, sharex=True)[:, 0]
    users = _users(comparison)
    for number, (axes, day) in enumerate(zip(panels, comparison.days, strict=True)):
        _axes(axes, colours)
        times = _times(day, "slots used")
        for place, user in enumerate(users):
            colour = colours.lines[place % len(colours.lines)]
            received, entitled = (day.charts.get(f"owner {user} {word}", ()) for word in ("received", "entitled"))
            axes.plot(times[: len(received)], [100 * part for part in received], color=colour, linewidth=2.5)
            axes.plot(times[: len(entitled)], [100 * part for part in entitled], color=colour, linewidth=1.5,
                      linestyle=_DASHES[2])  # fmt: skip
        _dates(axes)
        axes.set_ylim(0, 100)
        axes.set_title(f"{letter(number)}: {_label(comparison.labels[number])}", color=colours.text, parse_math=False)
    figure.supylabel("% of the used slots", color=colours.text, fontsize=17)
    handles = [
        _line(colours.lines[place % len(colours.lines)], "-", plain(user)) for place, user in enumerate(users)
    ]  # fmt: skip
    handles.append(_line(colours.text, _DASHES[2], "entitled"))
    _legend(figure, handles, colours, columns=_MOST_USERS + 1)
    _title(figure, "Shares that users receive", colours)


def _users(comparison: Comparison) -> list[str]:
    """Return the users with the largest part on any day, the largest first."""
    parts: dict[str, float] = {}
    for day in comparison.days:
        for name, values in day.charts.items():
            if name.startswith("owner ") and name.endswith(" received"):
                user = name[len("owner ") : -len(" received")]
                parts[user] = max(parts.get(user, 0.0), sum(values))
    return sorted(parts, key=lambda user: -parts[user])[:_MOST_USERS]


def _over_time(figure: "Figure", axes: "Axes", comparison: Comparison, name: str, colours: _Colours) -> None:
    for number, day in enumerate(comparison.days):
        axes.plot(
            _times(day, name), day.charts[name], color=colours.lines[number], linestyle=_DASHES[number], linewidth=2.5
        )  # fmt: skip
    axes.set_ylim(bottom=0)
    _dates(axes)
    handles = [
        _line(colours.lines[number], _DASHES[number], f"{letter(number)}: {_label(label)}")
        for number, label in enumerate(comparison.labels)
    ]
    _legend(figure, handles, colours)


def _waiting_together(first: Day, other: Day) -> tuple[list[datetime], tuple[list[float], list[float]]]:
    """Return times up to the end of the shorter day, and the number of waiting tasks of each day at them."""
    charts = [day.charts["waiting"] for day in (first, other)]
    steps = [(day.end - day.start) / max(1, len(chart)) for day, chart in zip((first, other), charts, strict=True)]
    end = min(first.end, other.end)
    times = [first.start + steps[0] * (place + 0.5) for place in range(len(charts[0]))]
    shown = [time for time in times if time < end]
    rows = tuple(
        [chart[min(len(chart) - 1, int((time - day.start) / step))] for time in shown]
        for day, chart, step in zip((first, other), charts, steps, strict=True)
    )
    return [datetime.fromtimestamp(time) for time in shown], (rows[0], rows[1])


def _times(day: Day, name: str) -> list[datetime]:
    values = day.charts.get(name, ())
    step = (day.end - day.start) / max(1, len(values))
    return [datetime.fromtimestamp(day.start + step * (place + 0.5)) for place in range(len(values))]


# Looks ----------------------------------------------------------------------------------------------------------------


def _figure(colours: _Colours) -> "Figure":
    try:
        from matplotlib import rcParams  # optional dependency
        from matplotlib.figure import Figure  # optional dependency
        from matplotlib.layout_engine import ConstrainedLayoutEngine  # optional dependency
    except ImportError:
        raise InputError("charts are drawn by matplotlib: pip install 'qmon-tui[charts]'") from None
    rcParams.update({
        "font.size": 17, "axes.titlesize": 17, "font.family": "sans-serif", "svg.fonttype": "none",
        "axes.unicode_minus": False,
    })  # fmt: skip
    return Figure(
        (_WIDTH, _HEIGHT), facecolor=colours.background, layout=ConstrainedLayoutEngine(w_pad=0.25, h_pad=0.2)
    )


def _axes(axes: "Axes", colours: _Colours) -> "Axes":
    from matplotlib.ticker import MaxNLocator  # optional dependency

    axes.set_facecolor(colours.background)
    axes.grid(visible=True, color=colours.grid, linewidth=1)
    axes.set_axisbelow(True)
    axes.tick_params(colors=colours.text, length=0, pad=8)
    axes.xaxis.labelpad = axes.yaxis.labelpad = 10
    axes.yaxis.label.set_color(colours.text)
    axes.xaxis.label.set_color(colours.text)
    for place, spine in axes.spines.items():
        spine.set_visible(place == "bottom")
        spine.set_color(colours.text)
    axes.yaxis.set_major_locator(MaxNLocator(nbins=6, steps=[1, 2, 2.5, 5, 10], integer=True))
    axes.xaxis.set_major_locator(MaxNLocator(nbins=6, steps=[1, 2, 2.5, 5, 10]))
    return axes


def _dates(axes: "Axes") -> None:
    """Label the time axis: dates at midnight, else hours and minutes; without a midnight, the date below it."""
    from matplotlib.dates import AutoDateLocator, ConciseDateFormatter, num2date  # optional dependency

    locator = AutoDateLocator(minticks=3, maxticks=7)
    formats = ["%Y", "%d %b %Y", "%a %d %b", "%H:%M", "%H:%M", "%H:%M:%S"]
    zeros = ["", "%Y", "%a %d %b", "%a %d %b", "%H:%M", "%H:%M"]
    formatter = ConciseDateFormatter(locator, formats=formats, zero_formats=zeros, show_offset=False)
    axes.xaxis.set_major_locator(locator)
    axes.xaxis.set_major_formatter(formatter)
    axes.margins(x=0)
    labels = formatter.format_ticks(list(axes.xaxis.get_majorticklocs()))
    place = axes.get_subplotspec()
    if not any(sign.isalpha() for label in labels for sign in label) and (place is None or place.is_last_row()):
        days = (f"{num2date(edge):%a %d %b %Y}" for edge in axes.get_xlim())
        axes.set_xlabel(" to ".join(dict.fromkeys(days)))


def _title(figure: "Figure", title: str, colours: _Colours) -> None:
    figure.suptitle(title, color=colours.text, fontsize=24, x=0.02, ha="left", parse_math=False)


def _label(label: str) -> str:
    """Return a policy's label without parent folders, cut to its last 40 characters."""
    text = plain(label)
    folder, at, edits = text.partition("@")
    short = f"{folder.rstrip('/').rpartition('/')[2]}{at}{edits}"
    return short if len(short) <= 40 else f"…{short[-39:]}"


def _line(colour: str, dashes: Any, label: str) -> object:
    from matplotlib.lines import Line2D  # optional dependency

    return Line2D([], [], color=colour, linestyle=dashes, linewidth=3, label=label)


def _legend(figure: "Figure", handles: Sequence[Any], colours: _Colours, columns: int = 2) -> None:
    legend = figure.legend(handles=handles, loc="outside lower center", ncols=min(len(handles), columns), frameon=False)
    for text in legend.get_texts():
        text.set_color(colours.text)
        text.set_parse_math(False)


def _unit(lengths: Iterator[float]) -> tuple[str, int]:
    """Return a unit for durations in seconds, and its length in seconds."""
    longest = max(lengths, default=0.0)
    return ("hours", 3600) if longest >= 7200 else ("minutes", 60) if longest >= 120 else ("seconds", 1)


def _lines_of(figure: "Figure", salt: str) -> Iterator[str]:
    """Yield the SVG without the XML header; `salt` makes identifiers unique among the charts of a page."""
    from matplotlib import rc_context  # optional dependency

    text = StringIO()
    with rc_context({"svg.hashsalt": salt}):
        figure.savefig(text, format="svg", metadata={"Date": None, "Creator": None, "Format": None, "Type": None})
    lines = text.getvalue().splitlines()
    yield from lines[next(number for number, line in enumerate(lines) if line.startswith("<svg")) :]
