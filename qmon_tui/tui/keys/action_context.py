"""Facts about the main screen that decide which actions are possible."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple


class Pane(StrEnum):
    """Areas of the main screen that can have the focus."""

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
    """Id of the page shown instead of list and form; empty while those are shown."""
    adds: bool = False
    """True if the page has an action that adds an item."""
    here: str = ""
    """Id of the page or panel with the focus, whose own actions are possible; empty outside of them."""
    refusal: Callable[[str], str | None] = lambda _: None
    """Action id -> sentence why the page or panel cannot run it now; None if it can."""
    typing: bool = False
    """True if the focused widget takes letters as text: they are not keys now."""
    on_text: bool = False
    """True if a typed character begins to edit the focused field: only `? : , .` and non-characters are keys now."""
    read_only: bool = False
    live: bool = False
    """True if a running cluster is shown, not a folder."""
    rights_refusal: str = ""
    """Sentence why the qmaster would refuse commands on what the page has chosen; empty if it may accept them."""
    single: bool = False
    """True if the chosen kind has exactly one object."""
    names: bool = False
    """True if the chosen kind is a list of names, such as the managers: adding means adding a name."""
    complexes: bool = False
    """True if the chosen kind is the complexes."""
    has_instances: bool = False
    """True if objects of the chosen kind have queue instances: hosts, hostgroups, queues."""
    object_chosen: bool = False
    object_changed: bool = False
    changes: int = 0
    """Number of changed objects."""
    undo: str | None = None
    """Label of the step that undo reverts; None if there is none."""
    redo: str | None = None
    """Label of the step that redo repeats; None if there is none."""
    findings: int = 0
    job_chosen: bool = False
    jumped: bool = False
    """True if there is a jump to return from."""


class Need(NamedTuple):
    """A condition of an action that the facts of the screen decide."""

    fulfilled: Callable[[ActionContext], bool]
    reason: str
    """Why the action is not possible without it, as a sentence."""


WRITABLE = Need(lambda now: not now.read_only, "The cluster is open read-only: nothing can be changed.")
ADDING = Need(lambda now: now.adds or not now.page, "Nothing can be added here: choose a kind of object first.")
"""Need of adding; unlike other actions, one with this need is hidden in the footer if it is not met."""


def unmet_need(needs: tuple[Need, ...], now: ActionContext) -> str | None:
    """Return the reason of the first need that is not met; None if all are."""
    return next((need.reason for need in needs if not need.fulfilled(now)), None)
