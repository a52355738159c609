"""The panel "Values" of an execution host: what is configured, in use and reported of each attribute."""

from collections.abc import Mapping

from qmon_tui.model import ComplexEntry, Kind, StateKind, complex_index
from qmon_tui.qmaster import host_values
from qmon_tui.report import VALUE_COLUMNS, value_rows
from qmon_tui.tui.base import JumpRequested, TablePanel
from qmon_tui.tui.dialogs import NameDialog
from qmon_tui.tui.forms.dialogs import Pick, PickOne
from qmon_tui.values import canonical, is_number
from qmon_tui.workspace import SetEntry, Workspace


class ValuesView(TablePanel):
    """A row per attribute; Enter goes to the attribute, `e` lets the simulated host report another value."""

    EMPTY = "Nothing is offered (complex_values) and nothing reported: a adds a reported value."

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace, VALUE_COLUMNS, empty=self.EMPTY)

    def refresh_from(self) -> None:
        result = self.workspace.result
        if self.object_name is not None and result is not None and result.explainer is not None:
            self.fill(value_rows(host_values(result.explainer.run, self.object_name)))
            self.draw_about()

    def opened(self, key: str) -> None:
        self.post_message(JumpRequested(Kind.COMPLEX, key))

    # Reported load ----------------------------------------------------------------------------------------------

    @property
    def _host(self) -> str:
        return canonical(self.object_name or "")

    @property
    def reported(self) -> Mapping[str, str]:
        """Attribute, by its full name -> what the host reports of it."""
        index = complex_index(self.workspace.cluster)
        texts = self.workspace.state.loads.get(self._host, {})
        return {entry.name if (entry := index.find(name)) else name: text for name, text in texts.items()}

    @property
    def chosen_value(self) -> str | None:
        """The reported value of the attribute under the cursor; None if the host does not report it."""
        return self.reported.get(self.grid.chosen or "")

    def report(self, attribute: str, text: str | None) -> None:
        """Change the reported value of an attribute; None removes it."""
        index = complex_index(self.workspace.cluster)
        texts = self.workspace.state.loads.get(self._host, {})
        entry = index.find(attribute)
        # In the file it keeps the name that it has there, which may be the shortcut.
        name = next((known for known in texts if index.find(known) == entry is not None), attribute)
        self.edit(SetEntry(StateKind.LOADS, self._host, ((name, text),)))


def ask_attribute(view: ValuesView) -> None:
    """Ask which other attribute the host reports, and then for its value."""
    reported = view.reported
    entries = [entry for entry in complex_index(view.workspace.cluster).entries.values() if entry.name not in reported]

    picks = [Pick(entry.name, entry.type) for entry in entries]
    PickOne(f"What else does {view.object_name} report?", picks).ask(view.app, lambda name: ask_value(view, name))


def ask_value(view: ValuesView, attribute: str) -> None:
    """Ask for the value of an attribute that the host reports."""
    entry = complex_index(view.workspace.cluster).find(attribute)

    explanation = "As in the host's load report, before load_scaling."
    title = f"{attribute} reported by {view.object_name}"
    value = view.reported.get(attribute, "")
    NameDialog(title, explanation, lambda text: _problem(entry, text), value).ask(
        view.app, lambda text: view.report(attribute, text)
    )


def _problem(entry: ComplexEntry | None, text: str) -> str | None:
    """Return why a reported value is invalid, else None."""
    if entry is None or entry.is_text or is_number(text):
        return None
    return f'"{text}" is not a value of type {entry.type}.'
