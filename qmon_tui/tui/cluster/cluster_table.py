"""The table of the Cluster page; on the map its cursor also moves from queue to queue."""

from typing import ClassVar

from textual.binding import BindingType
from textual.geometry import Region
from textual.strip import Strip

from qmon_tui.report.cluster import ClusterMap
from qmon_tui.tui.base import LineTable, local_bindings


class ClusterTable(LineTable):
    """Table whose keys call methods of its view: `move_column`, `order_next` and `turn_order`."""

    BINDINGS: ClassVar[list[BindingType]] = local_bindings({
        "queue-left": "tell('move_column', -1)",
        "queue-right": "tell('move_column', 1)",
        "sort-next": "tell('order_next', 1)",
        "sort-before": "tell('order_next', -1)",
        "sort-reverse": "tell('turn_order', 0)",
    })  # fmt: skip

    def render_lines(self, crop: Region) -> list[Strip]:
        """Render lines; on the map mark the cell under the cursor."""
        if isinstance(self.rows, ClusterMap):
            self.rows.row = self.cursor
        return super().render_lines(crop)

    def action_tell(self, name: str, by: int) -> None:
        """Call a method of the view with a direction, 1 or -1."""
        getattr(self.parent, name)(by)
