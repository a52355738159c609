"""The questions of the panel about the values of a host: another reported value, one more attribute."""

from typing import TYPE_CHECKING

from qmon_tui.model import ComplexEntry, complex_index
from qmon_tui.tui.dialogs import NameDialog
from qmon_tui.tui.forms.dialogs import Pick, PickOne
from qmon_tui.values import is_number

if TYPE_CHECKING:
    from qmon_tui.tui.hosts.host_values_panel import ValuesView


def ask_attribute(view: "ValuesView") -> None:
    """Ask which other attribute the host reports, and then for its value."""
    reported = view.reported
    entries = [entry for entry in complex_index(view.workspace.cluster).entries.values() if entry.name not in reported]

    def picked(name: str | None) -> None:
        if name is not None:
            ask_value(view, name)

    picks = [Pick(entry.name, entry.type) for entry in entries]
    view.app.push_screen(PickOne(f"What else does {view.object_name} report?", picks), picked)


def ask_value(view: "ValuesView", attribute: str) -> None:
    """Ask for the value of an attribute that the host reports."""
    entry = complex_index(view.workspace.cluster).find(attribute)

    def keep(text: str | None) -> None:
        if text is not None:
            view.report(attribute, text)

    explanation = "As in the host's load report, before load_scaling."
    title = f"{attribute} reported by {view.object_name}"
    value = view.reported.get(attribute, "")
    view.app.push_screen(NameDialog(title, explanation, lambda text: _problem(entry, text), value), keep)


def _problem(entry: ComplexEntry | None, text: str) -> str | None:
    """Return why a reported value is invalid, else None."""
    if entry is None or entry.is_text or is_number(text):
        return None
    return f'"{text}" is not a value of type {entry.type}.'
