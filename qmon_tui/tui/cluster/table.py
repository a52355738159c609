"""The table of the place of the cluster: on the map its cursor also moves from queue to queue."""

from typing import ClassVar

from textual.binding import Binding, BindingType

from qmon_tui.tui.base.bindings import local_bindings
from qmon_tui.tui.panes.table import LineTable


class ClusterTable(LineTable):
    """What its keys mean, its view knows: `move_column`, `order_next` and `turn_order`."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left,h", "tell('move_column', -1)", "Queue to the left", show=False),
        Binding("right,l", "tell('move_column', 1)", "Queue to the right", show=False),
        *local_bindings({
            "sort-next": "tell('order_next', 1)",
            "sort-before": "tell('order_next', -1)",
            "sort-reverse": "tell('turn_order', 0)",
        }),
    ]  # fmt: skip

    def action_tell(self, name: str, by: int) -> None:
        """Pass a key on."""
        getattr(self.parent, name)(by)
