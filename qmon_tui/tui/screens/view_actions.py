"""Actions on the live schedule, the view and the program that work everywhere on the main screen."""

from functools import partial
from typing import TYPE_CHECKING

from qmon_tui.model.catalogue import spec
from qmon_tui.tui.keys import SHARED_KEYS, ActionSet, Group, Need, Pane
from qmon_tui.tui.pages import PAGES
from qmon_tui.tui.screens import (
    action_dialogs,
    copy_selection,
    pane_layout,
    reference_help,
    saving,
    screen_state,
    starting_over,
)
from qmon_tui.tui.screens.object_actions import EVERYWHERE

if TYPE_CHECKING:
    from qmon_tui.tui.screens.action_screen import ActionScreen

VIEW_ACTIONS: "ActionSet[ActionScreen]" = ActionSet(group=Group.VIEW)

# Live schedule ------------------------------------------------------------------------------------------------------


@VIEW_ACTIONS.action(
    "why",
    *SHARED_KEYS["why"],
    text="Everything about the chosen job: its priority term by term and why it waits",
    group=Group.LIVE,
    footer=(Pane.LIVE,),
    needs=(Need(lambda now: now.job_chosen, "No job is chosen in the live pane."),),
)
def _why(screen: "ActionScreen") -> None:
    action_dialogs.explain_job(screen)


@VIEW_ACTIONS.action(
    "formulas",
    "F",
    group=Group.LIVE,
    text="Compute priorities by other formulas, for comparison: these are not Grid Engine's",
)
def _formulas(screen: "ActionScreen") -> None:
    action_dialogs.choose_formulas(screen)


@VIEW_ACTIONS.action(
    "figures",
    "number_sign",
    text="Next figures: now → next run, next run, now; on every page",
    group=Group.LIVE,
    footer=(Pane.PAGE, Pane.LIVE),
)
def _figures(screen: "ActionScreen") -> None:
    action_dialogs.next_figures(screen)


@VIEW_ACTIONS.action(
    "time",
    text="Set the time of the state, at which the next scheduling run takes place (now)",
    group=Group.LIVE,
)
def _time(screen: "ActionScreen") -> None:
    action_dialogs.ask_time(screen)


@VIEW_ACTIONS.action(
    "pin",
    "p",
    text="Pin this schedule, so that the marks ▲ ▼ compare with it; again: no longer",
    group=Group.LIVE,
    footer=(Pane.LIVE,),
)
def _pin(screen: "ActionScreen") -> None:
    action_dialogs.pin_schedule(screen)


@VIEW_ACTIONS.action(
    "compare",
    text="Baseline of the marks ▲ ▼: the last change, the opened or saved state, a pinned schedule",
    group=Group.LIVE,
)
def _compare(screen: "ActionScreen") -> None:
    action_dialogs.choose_baseline(screen)


@VIEW_ACTIONS.action(
    "lower",
    "i",
    label="instances",
    text="Switch between the chosen job and the queue instances",
    group=Group.LIVE,
    footer=(Pane.LIVE,),
)
def _lower(screen: "ActionScreen") -> None:
    screen.live.switch_lower()


# View ---------------------------------------------------------------------------------------------------------------


@VIEW_ACTIONS.action("kinds", "1", text="Go to the kinds of object", footer=(Pane.LIST,))
def _kinds(screen: "ActionScreen") -> None:
    pane_layout.focus_pane(screen, Pane.KINDS, screen.kinds)


@VIEW_ACTIONS.action(
    "objects",
    "2",
    text="Go to the middle: the list of objects, or the place shown there",
    footer=(Pane.KINDS, Pane.LIVE),
)
def _objects(screen: "ActionScreen") -> None:
    if screen.pages.page:
        pane_layout.focus_pane(screen, Pane.PAGE, screen.pages)
    elif spec(screen.kind).single:
        pane_layout.focus_pane(screen, Pane.FORM, screen.form)
    else:
        pane_layout.focus_pane(screen, Pane.LIST, screen.list)


@VIEW_ACTIONS.action(
    "live",
    "3",
    text="Go to the live schedule",
    footer=(Pane.PAGE, Pane.LIST, Pane.KINDS, Pane.FORM),
)
def _live(screen: "ActionScreen") -> None:
    pane_layout.focus_pane(screen, Pane.LIVE, screen.live)


@VIEW_ACTIONS.action("pane-left", "left", "h", label="left", text="Go to the pane on the left")
def _pane_left(screen: "ActionScreen") -> None:
    _step_pane(screen, -1)


@VIEW_ACTIONS.action("pane-right", "right", "l", label="right", text="Go to the pane on the right")
def _pane_right(screen: "ActionScreen") -> None:
    _step_pane(screen, 1)


def _step_pane(screen: "ActionScreen", by: int) -> None:
    """Go to the pane on the left or on the right: kinds, the middle, live schedule."""
    at = {Pane.KINDS: 0, Pane.LIVE: 2}.get(screen.pane, 1)
    (_kinds, _objects, _live)[max(0, min(2, at + by))](screen)


@VIEW_ACTIONS.action(
    "zoom",
    "z",
    text="Zoom this pane to the whole screen, or back",
    footer=(Pane.LIVE,),
)
def _zoom(screen: "ActionScreen") -> None:
    screen.toggle_class("-zoom")


@VIEW_ACTIONS.action(
    "back",
    "escape",
    text="Leave the form, clear the filter, or end the zoom",
    footer=(Pane.FORM,),
)
def _back(screen: "ActionScreen") -> None:
    pane = screen.pane
    if welcome := screen.query("#welcome"):
        welcome.remove()
    elif pane is Pane.LIVE and screen.live.filtered:
        screen.live.clear_filter()
    elif pane is Pane.LIST and (screen.list.filter or screen.list.has_class("-filtering")):
        screen.list.action_clear_filter()
    elif ((pane is Pane.LIST and screen.list.unmark()) or (pane is Pane.LIVE and screen.live.unmark())) or (
        (view := screen_state.here(screen)[1]) is not None and view.leave()
    ):
        return
    elif screen.has_class("-zoom"):
        screen.remove_class("-zoom")
    elif pane is Pane.FORM and not spec(screen.kind).single:
        pane_layout.focus_pane(screen, Pane.LIST, screen.list)
    elif pane is Pane.LIVE:
        _objects(screen)
    else:
        _kinds(screen)


@VIEW_ACTIONS.action(
    "return",
    "H",
    label="before",
    text="Go back to where the last jump came from",
    needs=(Need(lambda now: now.jumped, "There was no jump to go back from."),),
)
def _return(screen: "ActionScreen") -> None:
    screen.navigation.back()


@VIEW_ACTIONS.action(
    "copy",
    "y",
    "ctrl+insert",
    text="Copy the chosen item: as text, YAML, qconf's file or the command",
)
def _copy(screen: "ActionScreen") -> None:
    copy_selection.copy(screen)


@VIEW_ACTIONS.action("theme", "T", text="Next theme: dark, light, high contrast, terminal colours")
def _theme(screen: "ActionScreen") -> None:
    action_dialogs.next_theme(screen)


@VIEW_ACTIONS.action("redraw", "R", "ctrl+l", text="Draw the screen again")
def _redraw(screen: "ActionScreen") -> None:
    screen.app.refresh(repaint=True, layout=True)


# Program ------------------------------------------------------------------------------------------------------------


@VIEW_ACTIONS.action(
    "palette",
    "colon",
    "ctrl+p",
    label="go to",
    group=Group.PROGRAM,
    footer=EVERYWHERE,
    text="Go to anything by a few letters of its name: object, field, job, host, queue instance, finding, action",
)
def _palette(screen: "ActionScreen") -> None:
    action_dialogs.open_palette(screen)


@VIEW_ACTIONS.action(
    "help",
    "question_mark",
    text="What can be done here, with its keys",
    group=Group.PROGRAM,
    footer=EVERYWHERE,
)
def _help(screen: "ActionScreen") -> None:
    action_dialogs.open_help(screen)


@VIEW_ACTIONS.action(
    "explain",
    "f1",
    text="Show the reference on the item under the cursor: a field, a value, a job, a kind",
    group=Group.PROGRAM,
)
def _explain(screen: "ActionScreen") -> None:
    reference_help.explain_here(screen)


@VIEW_ACTIONS.action("about", text="Version, cluster folder and where things are kept", group=Group.PROGRAM)
def _about(screen: "ActionScreen") -> None:
    action_dialogs.open_about(screen)


@VIEW_ACTIONS.action("quit", "q", "ctrl+q", text="Quit; asks first if there are unsaved edits", group=Group.PROGRAM)
def _quit(screen: "ActionScreen") -> None:
    saving.Saving(screen).quit()


@VIEW_ACTIONS.action(
    "start-over",
    text="Begin again with the private teaching cluster, as it was at first; the old one is kept beside it",
    group=Group.PROGRAM,
    refused=lambda screen: starting_over.refusal(screen),
    dangerous=True,
)
def _start_over(screen: "ActionScreen") -> None:
    starting_over.start_over(screen)


# Pages --------------------------------------------------------------------------------------------------------------


def _go_to(page: str, screen: "ActionScreen") -> None:
    screen.go_to_page(page)


for _page in PAGES:
    VIEW_ACTIONS.action(f"go-{_page.id}", *_page.keys, label=_page.title.lower(), text=f"Go to {_page.title}")(
        partial(_go_to, _page.id)
    )
