"""Actions on objects that work everywhere on the main screen."""

from typing import TYPE_CHECKING

from qmon_tui import qmaster
from qmon_tui.formats import LISTS
from qmon_tui.model import Kind, instances_of
from qmon_tui.model.catalogue import spec
from qmon_tui.tui import cluster, jobs, lists
from qmon_tui.tui.keys import ADDING, SHARED_KEYS, ActionSet, Group, Need, Pane
from qmon_tui.tui.screens import object_prompts, pane_layout, reference_navigation

if TYPE_CHECKING:
    from qmon_tui.tui.screens.action_screen import ActionScreen

EVERYWHERE = (Pane.KINDS, Pane.PAGE, Pane.LIST, Pane.FORM, Pane.LIVE)

_ONE = "There is exactly one of these: Enter edits it."
_OBJECTS = Need(lambda now: not now.page, "This works on objects: choose a kind of object first.")
_CHOSEN = Need(lambda now: now.object_chosen, "No object is chosen in the list.")
_NO_NAMES = Need(lambda now: not now.names, "This is a list of names: Enter on its entries chooses them.")
_WHOLE = (
    _OBJECTS,
    _NO_NAMES,
    Need(lambda now: not now.single, _ONE),
    _CHOSEN,
)
"""Needs of actions on a whole object; kinds with exactly one object do not have them."""
_DELETED = (
    *(Need(lambda now, need=need: now.pane is Pane.LIVE or need.fulfilled(now), need.reason) for need in _WHOLE),  # type: ignore[misc]
    Need(lambda now: now.pane is not Pane.LIVE or now.job_chosen, "No job is chosen in the live pane."),
)
"""Needs of `delete`: in the live pane a job under the cursor, elsewhere an object."""
_IN_LIST = Need(
    lambda now: now.pane in (Pane.LIST, Pane.LIVE), "This works in the list of objects and in the live schedule."
)
_NAMED = Need(lambda now: now.object_chosen or now.job_chosen, "Neither an object nor a job is chosen.")
_INSTANCES = Need(lambda now: now.has_instances, "This works on queue instances: choose hosts, hostgroups or queues.")
_COMPLEXES = Need(lambda now: now.complexes, "Only complexes are kept in such a file: choose them first.")
_NO_FILTER = "There is no filter here."
_MARKED_IN_CLUSTER = "Queue instances are marked on the page Cluster, which has the commands for them."

OBJECT_ACTIONS: "ActionSet[ActionScreen]" = ActionSet(group=Group.OBJECTS)

# Objects ------------------------------------------------------------------------------------------------------------


@OBJECT_ACTIONS.action(
    "mark",
    *SHARED_KEYS["mark"],
    text="Mark this object or job: edit and delete then apply to all marked ones",
    needs=(*_DELETED, _IN_LIST),
)
def _mark(screen: "ActionScreen") -> None:
    if screen.pane is Pane.LIVE and not screen.live.at_jobs:
        screen.notify(_MARKED_IN_CLUSTER, severity="warning", markup=False)
    elif screen.pane is Pane.LIVE:
        screen.live.mark()
    else:
        screen.list.mark()


@OBJECT_ACTIONS.action(
    "mark-all",
    *SHARED_KEYS["mark-all"],
    text="Mark all objects that match the filter, or none",
    needs=(*_DELETED, _IN_LIST),
)
def _mark_all(screen: "ActionScreen") -> None:
    if screen.pane is Pane.LIVE and not screen.live.at_jobs:
        screen.notify(_MARKED_IN_CLUSTER, severity="warning", markup=False)
    elif screen.pane is Pane.LIVE:
        screen.live.mark(everything=True)
    else:
        screen.list.mark_all()


@OBJECT_ACTIONS.action(
    "edit",
    "e",
    text="Edit the chosen object in its form; one field of all marked objects",
    needs=(_OBJECTS, _CHOSEN),
    footer=(Pane.LIST,),
)
def _edit(screen: "ActionScreen") -> None:
    if screen.pane is not Pane.FORM and screen.list.marked:
        object_prompts.ObjectPrompts(screen).edit_marked()
    elif screen.pane is Pane.FORM and screen.form.field:
        screen.form.edit_field(screen.form.field)
    else:
        pane_layout.focus_pane(screen, Pane.FORM, screen.form)


@OBJECT_ACTIONS.action(
    "text",
    "ctrl+e",
    text="Edit the chosen object as qconf prints it in $EDITOR, as qconf -mq and others do",
    needs=(_OBJECTS, _NO_NAMES, _CHOSEN),
    dangerous=True,
)
def _text(screen: "ActionScreen") -> None:
    if screen.chosen is not None:
        lists.ObjectFiles(screen, screen.workspace, screen.post_message).edit(screen.kind, screen.chosen)


@OBJECT_ACTIONS.action(
    "add",
    "a",
    text="Add an object of this kind",
    needs=(ADDING, Need(lambda now: now.names or not now.single, _ONE)),
    dangerous=True,
    footer=(Pane.LIST, Pane.KINDS),
)
def _add(screen: "ActionScreen") -> None:
    view = screen.pages.view
    if view is not None:
        view.actions.run(f"{screen.pages.page}.add")
    elif screen.kind in LISTS:
        pane_layout.focus_pane(screen, Pane.FORM, screen.form)
        screen.form.edit_field("entries")
    else:
        object_prompts.ObjectPrompts(screen).add()


@OBJECT_ACTIONS.action(
    "clone",
    "c",
    text="Add a copy of the chosen object under a new name",
    needs=_WHOLE,
    dangerous=True,
)
def _clone(screen: "ActionScreen") -> None:
    object_prompts.ObjectPrompts(screen).clone()


@OBJECT_ACTIONS.action(
    "rename",
    "n",
    "f2",
    text="Rename the chosen object, or the marked ones to the names of a node set",
    needs=_WHOLE,
    dangerous=True,
)
def _rename(screen: "ActionScreen") -> None:
    object_prompts.ObjectPrompts(screen).rename()


@OBJECT_ACTIONS.action(
    "delete",
    *SHARED_KEYS["delete"],
    text="Delete the chosen or the marked objects, in the live pane the chosen job, after asking",
    needs=_DELETED,
    dangerous=True,
    footer=(Pane.LIST, Pane.LIVE),
)
def _delete(screen: "ActionScreen") -> None:
    row = screen.live.chosen
    if screen.pane is Pane.LIVE and not screen.live.at_jobs:
        screen.notify("A queue instance goes with its queue or its host: they are deleted in their lists.",
                      severity="warning", markup=False)  # fmt: skip
    elif screen.pane is Pane.LIVE and screen.live.marked:
        targets = tuple(map(qmaster.Target, screen.live.marked))
        jobs.ask_delete(screen.live, screen.workspace, targets, screen.live.hidden_marks)
    elif screen.pane is Pane.LIVE and row is not None:
        tasks = tuple(range(row.task.task, row.last + 1)) if row.several else None
        jobs.ask_delete(screen.live, screen.workspace, (qmaster.Target(row.job.id, tasks),))
    else:
        object_prompts.ObjectPrompts(screen).delete()


@OBJECT_ACTIONS.action(
    "disable",
    "X",
    text="Disable the queue instances of the chosen or marked hosts, hostgroups or queues for a reason, or enable them",
    needs=(*_WHOLE, _INSTANCES),
    dangerous=True,
)
def _disable(screen: "ActionScreen") -> None:
    instances, hidden = _instances(screen)
    cluster.toggle_disabled(screen, screen.workspace, instances, screen.apply, hidden)


@OBJECT_ACTIONS.action(
    "clear",
    "K",
    label="clear error",
    text="Clear the error state of the queue instances of the chosen or marked hosts, hostgroups or queues",
    needs=(*_WHOLE, _INSTANCES),
    dangerous=True,
)
def _clear_error(screen: "ActionScreen") -> None:
    instances, hidden = _instances(screen)
    command = qmaster.InstanceCommand.CLEAR_ERROR
    cluster.give_command(screen, screen.workspace, command, instances, screen.apply, hidden)


def _instances(screen: "ActionScreen") -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the queue instances of the chosen or marked objects, and of the marked ones that the filter hides."""
    targets = object_prompts.ObjectPrompts(screen).targets
    names, hidden = (instances_of(screen.workspace.cluster, screen.kind, part) for part in targets)
    return names, hidden


@OBJECT_ACTIONS.action(
    "revert",
    "x",
    text="Reset the chosen object to the saved one",
    dangerous=True,
    needs=(_OBJECTS, _CHOSEN, Need(lambda now: now.object_changed, "This object has not changed since the last save.")),
)
def _revert(screen: "ActionScreen") -> None:
    if screen.chosen is not None:
        screen.workspace.revert(screen.kind, screen.chosen)


@OBJECT_ACTIONS.action(
    "definition",
    "D",
    "f12",
    text="Go to the object that is named here: a host, a userset, an attribute",
    needs=(_NAMED,),
    footer=(Pane.FORM,),
)
def _definition(screen: "ActionScreen") -> None:
    reference_navigation.ReferenceNavigation(screen).definition()


@OBJECT_ACTIONS.action(
    "used-by",
    "B",
    "shift+f12",
    text="Go to an object or job that uses this object, or waits for this job",
    needs=(_NAMED,),
)
def _used_by(screen: "ActionScreen") -> None:
    reference_navigation.ReferenceNavigation(screen).used_by()


@OBJECT_ACTIONS.action(
    "load",
    "L",
    text="Load objects from a file as qconf prints them; pasting does the same",
    needs=(_OBJECTS,),
    dangerous=True,
)
def _load(screen: "ActionScreen") -> None:
    files = lists.ComplexFiles if screen.kind is Kind.COMPLEX else lists.ObjectFiles
    files(screen, screen.workspace, screen.post_message).load()


@OBJECT_ACTIONS.action(
    "export",
    "E",
    text="Write the complexes to a file as qconf -sc prints them",
    needs=(_COMPLEXES,),
)
def _export(screen: "ActionScreen") -> None:
    lists.ComplexFiles(screen, screen.workspace, screen.post_message).save()


@OBJECT_ACTIONS.action(
    "filter",
    *SHARED_KEYS["filter"],
    text="Show only some rows: state=E host=@rack complex_values=gpu node[01-08] words",
    needs=(Need(lambda now: now.pane is not Pane.PAGE, _NO_FILTER),),
    footer=(Pane.LIST, Pane.LIVE),
)
def _filter(screen: "ActionScreen") -> None:
    page, view = screen.pages.page, screen.pages.view
    if screen.pane is Pane.LIVE:
        screen.live.start_filter()
    elif view is not None and f"{page}.filter" in view.actions.ids:
        pane_layout.focus_pane(screen, Pane.PAGE, screen.pages)
        screen.call_after_refresh(view.actions.run, f"{page}.filter")
    elif page:
        screen.notify(_NO_FILTER, severity="warning", markup=False)
    elif not spec(screen.kind).single:
        pane_layout.focus_pane(screen, Pane.LIST, screen.list)
        screen.call_after_refresh(screen.list.action_filter)
