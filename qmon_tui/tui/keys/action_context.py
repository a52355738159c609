"""What is the case on the main screen right now, as far as it decides which actions are possible."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class Pane(StrEnum):
    """Where the focus is."""

    KINDS = "kinds"
    PAGE = "place"
    LIST = "list"
    FORM = "form"
    LIVE = "live"


@dataclass(frozen=True, slots=True)
class ActionContext:
    """The facts at one moment."""

    pane: Pane = Pane.LIST
    page: str = ""
    """The id of the place that is shown instead of list and form; empty while those are."""
    adds: bool = False
    """Something can be added to that place."""
    here: str = ""
    """The id of the place or panel that has the focus, whose own actions are possible; empty outside of them."""
    refusals: Mapping[str, str] = field(default_factory=dict)
    """Action id -> why the place or panel cannot do it now, as a sentence."""
    typing: bool = False
    """What has the focus takes letters as text: they are no keys now."""
    read_only: bool = False
    single: bool = False
    """The chosen kind has exactly one object."""
    names: bool = False
    """That object is a list of names: what is added to the kind is one of them."""
    complexes: bool = False
    """The chosen kind is that of the complexes."""
    object_chosen: bool = False
    object_changed: bool = False
    changes: int = 0
    undo: str | None = None
    redo: str | None = None
    findings: int = 0
    job_chosen: bool = False
    jumped: bool = False
    """There was a jump that can be taken back."""


class Requirement(StrEnum):
    """A condition of an action."""

    WRITABLE = "writable"
    OBJECTS = "objects"
    ADDING = "adding"
    FILTERED = "filtered"
    MANY = "many"
    ROOM = "room for more"
    NO_LIST = "no list of names"
    COMPLEXES = "complexes"
    OBJECT = "object"
    OBJECT_CHANGED = "object changed"
    CHANGES = "changes"
    UNDO = "undo"
    REDO = "redo"
    FINDINGS = "findings"
    JOB = "job"
    NAMED = "named"
    JUMPED = "jumped"


_TESTS: dict[Requirement, tuple[Callable[[ActionContext], bool], str]] = {
    Requirement.WRITABLE: (lambda now: not now.read_only, "The cluster is open read-only: nothing can be changed."),
    Requirement.OBJECTS: (lambda now: not now.page, "This is done to objects: choose a kind of object first."),
    Requirement.ADDING: (lambda now: now.adds or not now.page, "Nothing is added here: choose a kind of object first."),
    Requirement.FILTERED: (lambda now: now.pane is not Pane.PAGE, "There is no filter here."),
    Requirement.MANY: (lambda now: not now.single, "There is always exactly one of these: Enter edits it."),
    Requirement.ROOM: (
        lambda now: now.names or not now.single,
        "There is always exactly one of these: Enter edits it.",
    ),
    Requirement.NO_LIST: (lambda now: not now.names, "This is one list of names: Enter on its entries picks them."),
    Requirement.COMPLEXES: (lambda now: now.complexes, "Only complexes are kept in such a file: choose them first."),
    Requirement.OBJECT: (lambda now: now.object_chosen, "No object is chosen in the list."),
    Requirement.OBJECT_CHANGED: (lambda now: now.object_changed, "This object is as it was saved."),
    Requirement.CHANGES: (lambda now: now.changes > 0, "Nothing has changed since the last save."),
    Requirement.UNDO: (lambda now: now.undo is not None, "There is nothing to undo."),
    Requirement.REDO: (lambda now: now.redo is not None, "There is nothing to redo."),
    Requirement.FINDINGS: (lambda now: now.findings > 0, "There are no findings: everything checked is in order."),
    Requirement.NAMED: (lambda now: now.object_chosen or now.job_chosen, "Neither an object nor a job is chosen."),
    Requirement.JUMPED: (lambda now: now.jumped, "There was no jump to go back from."),
    Requirement.JOB: (lambda now: now.job_chosen, "No job is chosen in the live pane."),
}


def unmet_requirement(needs: tuple[Requirement, ...], now: ActionContext) -> str | None:
    """Why an action with these needs is not possible now, as a sentence; None where it is."""
    for need in needs:
        fulfilled, reason = _TESTS[need]
        if not fulfilled(now):
            return reason
    return None
