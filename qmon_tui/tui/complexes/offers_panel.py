"""The panel "Offers" of an attribute: on which hosts and queues it has which value in complex_values."""

from qmon_tui.checks import check_object
from qmon_tui.model import Severity
from qmon_tui.report import OFFER_COLUMNS, offer_rows
from qmon_tui.tui.base import TablePanel
from qmon_tui.tui.dialogs import NameDialog
from qmon_tui.workspace import Offer, Workspace, offers_of, text_with_offer

_FIELD = "complex_values"


class OffersView(TablePanel):
    """A row per host and queue, the host global first; Enter or `e` types a value there."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace, OFFER_COLUMNS)
        self._offers: dict[str, Offer] = {}

    def refresh_from(self) -> None:
        """List the places as they are now."""
        if self.object_name is not None:
            offers = offers_of(self.workspace.cluster, self.object_name)
            self._offers = {f"{offer.kind} {offer.place}": offer for offer in offers}
            self.grid.show_rows(offer_rows(self._offers))
            self.draw_about()

    @property
    def chosen_offer(self) -> Offer | None:
        """The place under the cursor."""
        return self._offers.get(self.grid.chosen or "")

    def opened(self, key: str) -> None:
        """Ask for the value there."""
        self.ask()

    def ask(self) -> None:
        """Ask which value the attribute has in the place under the cursor."""
        offer = self.chosen_offer
        if offer is None or self.object_name is None:
            return

        def keep(text: str | None) -> None:
            if text is not None:
                self.offer(text)

        title = f"{self.object_name} of {offer.kind} {offer.place}"
        explanation = "Its value in complex_values there; of a consumable, the amount."
        self.app.push_screen(NameDialog(title, explanation, self._problem, offer.text or ""), keep)

    def offer(self, text: str | None) -> None:
        """Give the attribute another value in the place under the cursor, or take it out there."""
        offer = self.chosen_offer
        if offer is None or self.object_name is None:
            return
        try:
            after = text_with_offer(self.workspace.cluster, self.object_name, offer, text)
        except ValueError as error:
            self.app.notify(f"{_FIELD} of {offer.place} cannot be read: {error}", severity="warning", markup=False)
            return
        self.edit_field(offer.kind, offer.name, _FIELD, after)

    def _problem(self, text: str) -> str | None:
        """Return the qmaster's objection to the value there, else None."""
        offer, cluster = self.chosen_offer, self.workspace.cluster
        obj = cluster.get(offer.kind, offer.name) if offer is not None else None
        if offer is None or obj is None or self.object_name is None:
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
