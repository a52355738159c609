"""The panel "Values" of an execution host: what is configured, in use and reported of each attribute."""

from collections.abc import Mapping

from qmon_tui.model.complex_entry import ComplexEntry, complex_index
from qmon_tui.model.kinds import Kind
from qmon_tui.model.state_entry import StateKind
from qmon_tui.scheduler.matching import host_values
from qmon_tui.tui.base.messages import EditRequested, JumpRequested
from qmon_tui.tui.base.table_panel import TablePanel
from qmon_tui.tui.dialogs.question_dialogs import NameDialog
from qmon_tui.tui.forms.dialogs.pick_dialogs import Pick, PickOne
from qmon_tui.tui.present.host_values import VALUE_COLUMNS, value_rows
from qmon_tui.tui.present.number_steps import stepped
from qmon_tui.values.hosts import canonical
from qmon_tui.values.number import is_number
from qmon_tui.workspace.state_edits import SetEntry
from qmon_tui.workspace.workspace import Workspace

_EMPTY = "Nothing is configured in complex_values, and nothing is reported."
_NOTHING = "The host reports no value of this attribute: e gives one."
_NO_STEP = "This is no plain number: e types another value."


class ValuesView(TablePanel):
    """A row per attribute; Enter goes to the attribute, `e` lets the simulated host report another value."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace, VALUE_COLUMNS, empty=_EMPTY)
        self.handlers = {
            "values.edit": self._edit,
            "values.add": self._add,
            "values.delete": lambda: self._report(self.grid.chosen, None),
            "values.more": lambda: self._step(1),
            "values.less": lambda: self._step(-1),
        }

    def refresh_from(self) -> None:
        """List the values that the last run left."""
        result = self.workspace.result
        if self.object_name is not None and result is not None and result.explainer is not None:
            self.grid.show_rows(value_rows(host_values(result.explainer.run, self.object_name)))
            self.draw_about()

    def opened(self, key: str) -> None:
        """Go to the attribute."""
        self.post_message(JumpRequested(Kind.COMPLEX, key))

    # What the host reports --------------------------------------------------------------------------------------

    @property
    def _host(self) -> str:
        return canonical(self.object_name or "")

    @property
    def _reported(self) -> Mapping[str, str]:
        """Attribute, by its full name -> what the host reports of it."""
        index = complex_index(self.workspace.cluster)
        texts = self.workspace.state.loads.get(self._host, {})
        return {entry.name if (entry := index.find(name)) else name: text for name, text in texts.items()}

    def refusals(self) -> Mapping[str, str]:
        """What needs a row, a reported value, or a number."""
        chosen = self.grid.chosen
        if chosen is None:
            return dict.fromkeys(("values.edit", "values.delete", "values.more", "values.less"), _EMPTY)
        text = self._reported.get(chosen)
        if text is None:
            return dict.fromkeys(("values.delete", "values.more", "values.less"), _NOTHING)
        return {} if stepped(text, 1) is not None else dict.fromkeys(("values.more", "values.less"), _NO_STEP)

    def _report(self, attribute: str | None, text: str | None) -> None:
        if attribute is None:
            return
        index = complex_index(self.workspace.cluster)
        texts = self.workspace.state.loads.get(self._host, {})
        entry = index.find(attribute)
        # In the file it keeps the name that it has there, which may be the shortcut.
        name = next((known for known in texts if index.find(known) == entry is not None), attribute)
        self.post_message(EditRequested(SetEntry(StateKind.LOADS, self._host, ((name, text),))))

    def _step(self, by: int) -> None:
        chosen = self.grid.chosen
        text = stepped(self._reported.get(chosen or "", ""), by)
        if text is not None:
            # As load reports have it: two digits behind the point, none of a whole number.
            self._report(chosen, f"{float(text):.2f}" if "." in text else text)

    def _edit(self) -> None:
        if (chosen := self.grid.chosen) is not None:
            self._ask(chosen)

    def _add(self) -> None:
        reported = self._reported
        entries = [
            entry for entry in complex_index(self.workspace.cluster).entries.values() if entry.name not in reported
        ]

        def picked(name: str | None) -> None:
            if name is not None:
                self._ask(name)

        picks = [Pick(entry.name, entry.type) for entry in entries]
        self.app.push_screen(PickOne(f"What else does {self.object_name} report?", picks), picked)

    def _ask(self, attribute: str) -> None:
        entry = complex_index(self.workspace.cluster).find(attribute)

        def keep(text: str | None) -> None:
            if text is not None:
                self._report(attribute, text)

        explanation = "As the host's load report has it, before load_scaling."
        title = f"{attribute} reported by {self.object_name}"
        value = self._reported.get(attribute, "")
        self.app.push_screen(NameDialog(title, explanation, lambda text: _problem(entry, text), value), keep)


def _problem(entry: ComplexEntry | None, text: str) -> str | None:
    """What is wrong with a reported value."""
    if entry is None or entry.is_text or is_number(text):
        return None
    return f'"{text}" is no value of type {entry.type}.'
