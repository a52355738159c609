"""F1: the paragraph of the reference about the item under the cursor."""

from functools import cache
from typing import TYPE_CHECKING

from qmon_tui.model import Finding, Kind
from qmon_tui.model.catalogue import spec
from qmon_tui.report import help_topics
from qmon_tui.report.jobtable import COLUMNS
from qmon_tui.tui.keys import Pane
from qmon_tui.tui.screens.screen_state import here

if TYPE_CHECKING:
    from textual.app import App

    from qmon_tui.tui.screens.action_screen import ActionScreen

_LETTERS = "lifecycle.md#letters-of-tasks"
_PAGES = {
    "attention": "lifecycle.md#states-of-queue-instances",
    "jobs": _LETTERS,
    "cluster": "lifecycle.md#states-of-queue-instances",
    "reservations": "reservation.md#advance-reservations",
    "monitor": "lifecycle.md",
    "compare": "measures.md",
    "sweep": "measures.md",
    "learn": "priority.md",
}
"""Page -> its reference document."""
_PANELS = {
    "offers": "matching.md#value-on-one-level",
    "resolved": "hostgroup.md",
    "rules": "quotas.md",
    "usage": "quotas.md#counters",
    "hit": "quotas.md#rules-and-sets",
    "week": "calendar.md",
    "tree": "tickets.md#share-tree-tickets",
    "forecast": "tickets.md#decay",
    "shares": "tickets.md#functional-tickets",
    "policy": "priority.md#the-formula",
    "values": "matching.md#one-value-over-all-levels",
}
"""Panel -> its reference document, for when no field is chosen in it."""


def open_reference(app: "App[object]", topic: help_topics.HelpTopic) -> None:
    """Show a topic in the reference dialog."""
    from qmon_tui.tui.dialogs import ReferenceDialog  # late: Markdown is loaded with the first reference dialog

    app.push_screen(ReferenceDialog(topic.name, topic.place, help_topics.text_of(topic), help_topics.paragraph_at))


def explain_here(screen: "ActionScreen") -> None:
    """Show the paragraph of the reference about the item under the cursor."""
    open_reference(screen.app, topic_here(screen))


@cache
def jobs_topic() -> help_topics.HelpTopic:
    """Return the topic with the letters of states and the columns of Jobs."""
    rows = "".join(f"| {column.title} | {column.help} |\n" for column in COLUMNS)
    letters = help_topics.paragraph_at(_LETTERS).lstrip("# ").replace("](#", f"]({_LETTERS.partition('#')[0]}#")
    text = f"# Jobs\n\n## {letters}\n## Columns\n\n`v` chooses columns.\n\n| column | shows |\n|---|---|\n{rows}\n"
    return help_topics.HelpTopic("Jobs", "states and columns of jobs", "", text, more="priority.md#the-formula")


def topic_of(finding: Finding) -> help_topics.HelpTopic:
    """Return the topic of the rule that a finding breaks; the one on file formats if the rule has none."""
    topic = help_topics.rule_topic(finding.rule)
    return topic if topic is not None else help_topics.place_topic("formats.md")


def topic_here(screen: "ActionScreen") -> help_topics.HelpTopic:
    """Return the help topic of the item under the cursor."""
    where, view = here(screen)
    if screen.pane is Pane.LIVE:
        row = screen.live.chosen if screen.live.at_jobs else None
        waits = row is not None and not row.task.granted
        place = "priority.md" if row else _PAGES["cluster"]
        return help_topics.place_topic("messages.md" if waits else place)
    if screen.pane is Pane.PAGE and where == "jobs":
        return jobs_topic()
    if screen.pane is Pane.PAGE:
        return help_topics.place_topic(_PAGES.get(where, "README.md"))
    if screen.pane is Pane.FORM:
        field = getattr(view, "field", None) if view is not None else screen.form.field
        declared = spec(screen.kind)
        if isinstance(field, str) and field in declared.by_name:
            return help_topics.field_topic(declared, declared.by_name[field])
        if view is not None and where in _PANELS:
            return help_topics.place_topic(_PANELS[where])
    return help_topics.kind_topic(screen.kind if isinstance(screen.kind, Kind) else Kind.QUEUE)
