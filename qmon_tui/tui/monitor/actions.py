"""Actions of the monitor: play and stop the simulated time, move in it, show details."""

from typing import TYPE_CHECKING

from qmon_tui.tui.keys import ActionSet, Pane
from qmon_tui.tui.monitor import prompts

if TYPE_CHECKING:
    from qmon_tui.tui.monitor.view import MonitorView

_HERE = (Pane.PAGE,)

MONITOR_ACTIONS: "ActionSet[MonitorView]" = ActionSet("monitor")


@MONITOR_ACTIONS.action("play", "space", label="play/stop", text="Play or pause the simulated time", footer=_HERE)
def _play(view: "MonitorView") -> None:
    view.player.toggle()


@MONITOR_ACTIONS.action("run", "full_stop", text="Go to the next scheduling run", footer=_HERE)
def _run(view: "MonitorView") -> None:
    view.player.next_run()


@MONITOR_ACTIONS.action(
    "chart", "t", label="next chart", text="Next: Gantt chart, events, use, shares, alarms", footer=_HERE
)
def _chart(view: "MonitorView") -> None:
    view.next_chart()


@MONITOR_ACTIONS.action("run-before", "comma", text="Go back one scheduling run")
def _run_before(view: "MonitorView") -> None:
    view.player.previous_run()


@MONITOR_ACTIONS.action("event", "right_square_bracket", label="next event", text="Go to the next event", footer=_HERE)
def _event(view: "MonitorView") -> None:
    view.player.next_event()


@MONITOR_ACTIONS.action("event-before", "left_square_bracket", text="Go back one event", footer=_HERE)
def _event_before(view: "MonitorView") -> None:
    view.player.previous_event()


@MONITOR_ACTIONS.action("faster", "right_curly_bracket", text="Play faster", footer=_HERE)
def _faster(view: "MonitorView") -> None:
    view.player.speed_up(1)


@MONITOR_ACTIONS.action("slower", "left_curly_bracket", text="Play slower")
def _slower(view: "MonitorView") -> None:
    view.player.speed_up(-1)


@MONITOR_ACTIONS.action(
    "time",
    "at",
    label="go to time",
    text="Go to a time, earlier or later: 10:30, +2h, -10m; or to the start of a job",
    footer=_HERE,
)
def _time(view: "MonitorView") -> None:
    prompts.ask_time(view)


@MONITOR_ACTIONS.action("filter", "slash", text="Show only the events that contain these words")
def _filter(view: "MonitorView") -> None:
    view.start_filter()


@MONITOR_ACTIONS.action("nearer", "plus", text="Gantt chart: a shorter time in more detail")
def _nearer(view: "MonitorView") -> None:
    view.gantt.zoom(-1)


@MONITOR_ACTIONS.action("farther", "minus", text="Gantt chart: a longer time in less detail")
def _farther(view: "MonitorView") -> None:
    view.gantt.zoom(1)


@MONITOR_ACTIONS.action("earlier", "less_than_sign", text="Gantt chart: look at an earlier time")
def _earlier(view: "MonitorView") -> None:
    view.gantt.scroll_time(-1)


@MONITOR_ACTIONS.action("later", "greater_than_sign", text="Gantt chart: look at a later time")
def _later(view: "MonitorView") -> None:
    view.gantt.scroll_time(1)


@MONITOR_ACTIONS.action("follow", "equals_sign", text="Gantt chart: follow the time again")
def _follow(view: "MonitorView") -> None:
    view.gantt.follow()


@MONITOR_ACTIONS.action("why", "w", text="Everything about the chosen job at this moment", footer=_HERE)
def _why(view: "MonitorView") -> None:
    view.explain()


@MONITOR_ACTIONS.action("export", "E", text="Write the charts to an SVG file as they are drawn")
def _export(view: "MonitorView") -> None:
    prompts.ask_export(view)


@MONITOR_ACTIONS.action(
    "leave", "X", label="leave the day", text="Stop and show the cluster of the folder again, with its edits"
)
def _leave(view: "MonitorView") -> None:
    view.player.leave()
