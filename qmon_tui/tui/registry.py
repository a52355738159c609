"""Every action of the main screen, once, with the keys that it has unless the user gives it others (`registry`).

What belongs to a place or a panel is declared with it (`pages.PAGES`, `panels.PANELS`) and gathered here.
"""

from dataclasses import replace

from qmon_tui.tui.keys.action import Action, Group
from qmon_tui.tui.keys.action_context import Pane, Requirement
from qmon_tui.tui.keys.key_registry import KeyRegistry
from qmon_tui.tui.pages import PAGES
from qmon_tui.tui.panels import PANELS

_EVERYWHERE = (Pane.KINDS, Pane.PAGE, Pane.LIST, Pane.FORM, Pane.LIVE)

_GENERAL: tuple[Action, ...] = (
    Action("edit", ("e",), "edit", "Edit the chosen object in its form", Group.OBJECTS,
           (Requirement.OBJECTS, Requirement.OBJECT,), footer=(Pane.LIST,)),
    Action("add", ("a",), "add", "Add an object of this kind", Group.OBJECTS,
           (Requirement.ADDING, Requirement.ROOM,), dangerous=True, footer=(Pane.LIST, Pane.KINDS)),
    Action("clone", ("c",), "clone", "Add a copy of the chosen object under another name", Group.OBJECTS,
           (Requirement.OBJECTS, Requirement.NO_LIST, Requirement.MANY, Requirement.OBJECT), dangerous=True),
    Action("rename", ("n", "f2"), "rename", "Give the chosen object another name", Group.OBJECTS,
           (Requirement.OBJECTS, Requirement.NO_LIST, Requirement.MANY, Requirement.OBJECT), dangerous=True),
    Action("delete", ("d", "delete"), "delete", "Delete the chosen object, after asking", Group.OBJECTS,
           (Requirement.OBJECTS, Requirement.NO_LIST, Requirement.MANY, Requirement.OBJECT), dangerous=True,
           footer=(Pane.LIST,)),
    Action("revert", ("x",), "revert", "Set the chosen object back to what was saved", Group.OBJECTS,
           (Requirement.OBJECTS, Requirement.OBJECT, Requirement.OBJECT_CHANGED), dangerous=True),
    Action("definition", ("D", "f12"), "definition", "Go to what is named here: a host, a user set, an attribute",
           Group.OBJECTS, (Requirement.NAMED,), footer=(Pane.FORM,)),
    Action("used-by", ("B", "shift+f12"), "used by", "Go to one of all that name this object, or wait for this job",
           Group.OBJECTS, (Requirement.NAMED,)),
    Action("load", ("L",), "load", "Load the complexes from a file as qconf -sc prints them", Group.OBJECTS,
           (Requirement.COMPLEXES,), dangerous=True),
    Action("export", ("E",), "export", "Write the complexes to a file as qconf -sc prints them", Group.OBJECTS,
           (Requirement.COMPLEXES,)),
    Action("filter", ("slash",), "filter", "Show only the rows that contain a text", Group.OBJECTS,
           (Requirement.FILTERED,), footer=(Pane.LIST, Pane.LIVE)),
    Action("undo", ("u", "ctrl+z"), "undo", "Take the last edit back", Group.CHANGES,
           (Requirement.UNDO,), dangerous=True, footer=_EVERYWHERE),
    Action("redo", ("U", "ctrl+y"), "redo", "Make the edit again that was taken back", Group.CHANGES,
           (Requirement.REDO,), dangerous=True),
    Action("save", ("s", "ctrl+s"), "save", "Show the difference, then save it", Group.CHANGES,
           (Requirement.CHANGES,), dangerous=True, footer=_EVERYWHERE),
    Action("changes", ("C",), "changes", "All unsaved edits: revert any of them, go to it, see the lines of the files",
           Group.CHANGES, (Requirement.CHANGES,)),
    Action("versions", ("V",), "versions", "Earlier versions: what each save left, and named snapshots; restore one",
           Group.CHANGES),
    Action("findings", ("f", "f8"), "findings", "List all findings; Enter jumps to the field", Group.CHANGES,
           (Requirement.FINDINGS,), footer=(Pane.FORM,)),
    Action("reload", ("r", "f5"), "reload", "Read the folder again; with unsaved edits: merge, reload or keep",
           Group.CHANGES),
    Action("why", ("w",), "why", "Everything about the chosen job: its priority term by term and why it waits",
           Group.LIVE, (Requirement.JOB,), footer=(Pane.LIVE,)),
    Action("formulas", ("F",), "formulas",
           "Compute priorities by other formulas, for comparison: these are not Grid Engine's", Group.LIVE),
    Action("lower", ("i",), "instances", "Switch between the chosen job and the queue instances", Group.LIVE,
           footer=(Pane.LIVE,)),
    Action("kinds", ("1",), "kinds", "Go to the kinds of object", Group.VIEW, footer=(Pane.LIST,)),
    Action("objects", ("2",), "objects", "Go to the middle: the list of objects, or the place shown there",
           Group.VIEW, footer=(Pane.KINDS, Pane.LIVE)),
    Action("live", ("3",), "live", "Go to the live schedule", Group.VIEW,
           footer=(Pane.PAGE, Pane.LIST, Pane.KINDS, Pane.FORM)),
    Action("pane-left", ("left", "h"), "left", "Go to the pane on the left", Group.VIEW),
    Action("pane-right", ("right", "l"), "right", "Go to the pane on the right", Group.VIEW),
    Action("zoom", ("z",), "zoom", "Give the whole screen to this pane, or take it back", Group.VIEW,
           footer=(Pane.LIVE,)),
    Action("back", ("escape",), "back", "Leave the form, clear the filter, or end the zoom", Group.VIEW,
           footer=(Pane.FORM,)),
    Action("return", ("H",), "before", "Go back to where the last jump came from", Group.VIEW,
           (Requirement.JUMPED,)),
    Action("copy", ("y",), "copy", "Copy what is chosen: as text, YAML, qconf's file or the command", Group.VIEW),
    Action("theme", ("T",), "theme", "Next theme: dark, light, high contrast, terminal colours", Group.VIEW),
    Action("redraw", ("R", "ctrl+l"), "redraw", "Draw the screen again", Group.VIEW),
    Action("palette", ("colon", "ctrl+p"), "go to",
           "Go to anything by a few letters of its name: object, field, job, host, queue instance, finding, action",
           Group.PROGRAM, footer=_EVERYWHERE),
    Action("help", ("question_mark", "f1"), "help", "What can be done here, with its keys", Group.PROGRAM,
           footer=_EVERYWHERE),
    Action("about", (), "about", "Version, cluster folder and where things are kept", Group.PROGRAM),
    Action("quit", ("q", "ctrl+q"), "quit", "Leave, asking first if there are unsaved edits", Group.PROGRAM),
)  # fmt: skip

ACTIONS: tuple[Action, ...] = (
    *_GENERAL,
    *(Action(f"go-{page.id}", page.keys, page.title.lower(), f"Go to {page.title}", Group.VIEW) for page in PAGES),
    *(replace(action, where=page.id) for page in PAGES for action in page.actions),
    *(replace(action, where=panel.id) for panel in PANELS for action in panel.actions),
)
"""What is the same everywhere, the way to each place, then what belongs to a place or panel."""

TITLES: dict[str, str] = {
    **{page.id: page.title for page in PAGES},
    **{panel.id: panel.title for panel in PANELS},
}
"""Place or panel -> its title."""

REGISTRY = KeyRegistry(ACTIONS)
"""With the keys that everything has unless the user gives it others."""
