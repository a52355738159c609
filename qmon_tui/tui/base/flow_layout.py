"""A row of widgets that wraps to the next line when it is full."""

from textual.geometry import Region, Size
from textual.layout import ArrangeResult, Layout, WidgetPlacement
from textual.layouts.horizontal import HorizontalLayout
from textual.widget import Widget


class FlowLayout(HorizontalLayout):
    """Side by side, then below."""

    name = "flow"

    def arrange(self, parent: Widget, children: list[Widget], size: Size, greedy: bool = True) -> ArrangeResult:
        """Side by side where there is room for all; else on several lines, one below the other as in a table."""
        row = super().arrange(parent, children, size, greedy)
        if not row or row[-1].region.right <= size.width:
            return row
        step = max(placement.region.width + placement.margin.right for placement in row)
        columns = max(1, size.width // step)
        placed: list[WidgetPlacement] = []
        for index, placement in enumerate(row):
            width, height = placement.region.size
            place = Region(index % columns * step, index // columns * height, width, height)
            placed.append(placement._replace(region=place))
        return placed


class Flow(Widget):
    """A container whose children flow; it is as high as they need."""

    DEFAULT_CSS = """
    Flow { width: 1fr; height: auto; }
    """

    @property
    def layout(self) -> Layout:
        """The names of layouts in styles are fixed, and this is none of them."""
        return _FLOW


_FLOW = FlowLayout()
