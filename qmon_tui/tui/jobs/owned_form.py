"""The form of something that has an owner: the user with a group behind a colon stands above the line."""

from collections.abc import Sequence
from typing import Generic

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.widgets import Input as TextInput
from textual.widgets import Static

from qmon_tui.tui.base.inputs import QInput
from qmon_tui.tui.jobs.job_form import JobForm, Result, Tried
from qmon_tui.tui.present.jobtable.job_drafts import AnyDraft
from qmon_tui.tui.present.jobtable.job_form_fields import FormField


class OwnedForm(JobForm[Result, Tried], Generic[Result, Tried]):
    """The form with a row for the owner."""

    def __init__(self, title: str, verb: str, fields: Sequence[FormField], draft: AnyDraft, owner: str) -> None:
        super().__init__(title, verb, fields, draft)
        self._owner = QInput(owner, id="submit-owner")

    def head(self) -> ComposeResult:
        """The user."""
        with Horizontal(classes="submit-row"):
            yield Static("user   ", classes="submit-label")
            yield self._owner

    @on(TextInput.Changed, "#submit-owner")
    def _owner_typed(self, event: TextInput.Changed) -> None:
        event.stop()
        self.changed()

    def owner_and_group(self, otherwise: str) -> tuple[str, str]:
        """Who is typed; somebody else where nobody is."""
        owner, _, group = self._owner.value.strip().partition(":")
        return owner or otherwise, group or "staff"
