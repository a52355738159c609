"""The panel "Offers" of an attribute: its value in complex_values of each host and queue."""

from qmon_tui.checks import check_object
from qmon_tui.model import Severity
from qmon_tui.report import OFFER_COLUMNS, count, offer_rows
from qmon_tui.tui.base import TablePanel
from qmon_tui.tui.dialogs import NameDialog, confirm
from qmon_tui.workspace import Batch, Offer, SetField, Workspace, offers_of, text_with_offer

_FIELD = "complex_values"


class OffersView(TablePanel):
    """A row per host and queue, the host global first; Enter or `e` asks for its value, or that of all marked ones."""

    MARKS = True

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace, OFFER_COLUMNS)
        self._offers: dict[str, Offer] = {}

    def refresh_from(self) -> None:
        if self.object_name is not None:
            offers = offers_of(self.workspace.cluster, self.object_name)
            self._offers = {f"{offer.kind} {offer.place}": offer for offer in offers}
            self.fill(offer_rows(self._offers))
            self.draw_about()

    @property
    def targets(self) -> tuple[Offer, ...]:
        """The marked places, or the one under the cursor."""
        keys = self.marked or ((self.grid.chosen,) if self.grid.chosen else ())
        return tuple(self._offers[key] for key in keys if key in self._offers)

    @property
    def _places(self) -> str:
        """The targets in words, naming those that the filter hides."""
        targets = self.targets
        if len(targets) == 1:
            return f"{targets[0].kind} {targets[0].place}"
        hidden = [self._offers[key].place for key in self.hidden_marks]
        more = f" ({len(hidden)} hidden by the filter: {', '.join(hidden)})" if hidden else ""
        return f"{count(len(targets), 'place')}{more}"

    def opened(self, key: str) -> None:
        self.ask()

    def ask(self) -> None:
        """Ask for the value of the attribute in the targets."""
        targets = self.targets
        if not targets or self.object_name is None:
            return

        title = f"{self.object_name} of {self._places}"
        explanation = "Its value in complex_values there; of a consumable, the amount."
        NameDialog(title, explanation, self._problem, targets[0].text or "").ask(self.app, self.offer)

    def delete(self) -> None:
        """Remove the attribute from the targets; ask first if there are several."""
        if len(self.targets) < 2:
            self.offer(None)
            return

        names = ", ".join(offer.place for offer in self.targets if offer.text is not None)
        question = confirm(f"No longer offer {self.object_name} in {self._places}?", "remove it", names)
        question.ask(self.app, lambda _: self.offer(None))

    def offer(self, text: str | None) -> None:
        """Set the attribute's value in the targets, or remove it (None), in one undo step."""
        cluster, name = self.workspace.cluster, self.object_name
        edits: list[SetField] = []
        for offer in self.targets if name is not None else ():
            try:
                after = text_with_offer(cluster, name or "", offer, text)
            except ValueError as error:
                self.app.notify(f"{_FIELD} of {offer.place} cannot be read: {error}", severity="warning", markup=False)
                return
            edits.append(SetField(offer.kind, offer.name, _FIELD, after))
            cluster = edits[-1].apply(cluster)
        if len(edits) == 1:
            self.edit_field(edits[0].kind, edits[0].name, _FIELD, edits[0].text)
        elif edits:
            self.edit(Batch(f"offer {name} in {len(edits)} places", tuple(edits)))

    def _problem(self, text: str) -> str | None:
        """Return the qmaster's first objection to the value in the targets, else None."""
        problems = (self._problem_in(offer, text) for offer in self.targets)
        return next((problem for problem in problems if problem), None)

    def _problem_in(self, offer: Offer, text: str) -> str | None:
        cluster = self.workspace.cluster
        obj = cluster.get(offer.kind, offer.name)
        if obj is None or self.object_name is None:
            return None
        try:
            after = obj.with_value(_FIELD, text_with_offer(cluster, self.object_name, offer, text))
        except ValueError as error:
            return str(error)
        known = {finding.message for finding in check_object(cluster, obj)}
        return next(
            (
                finding.message
                for finding in check_object(cluster, after)
                if finding.severity is Severity.ERROR and finding.field == _FIELD and finding.message not in known
            ),
            None,
        )
