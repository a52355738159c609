"""The Cluster page: a map of queues and hosts, and the listings of qstat and qhost, with qmod's commands."""

from textual import events, on
from textual.app import ComposeResult
from textual.content import Content

from qmon_tui.model import Kind
from qmon_tui.qmaster import Command, InstanceCommand, QmodQueues
from qmon_tui.report import Line, Span, TextRole, count, fit, title_words, visible
from qmon_tui.report.cluster import ClusterMap, ListingTable, MapCell, SortOrder
from qmon_tui.tui.base import (
    FilteredView,
    KeptRows,
    LatestWorker,
    Lines,
    LineTable,
    OneLine,
    SelectionMoved,
    TablePage,
    ViewSettings,
    key_of,
)
from qmon_tui.tui.cluster.cluster_table import ClusterTable
from qmon_tui.tui.cluster.cluster_view_model import (
    FIRST_RUN,
    ListingKind,
    ViewInput,
    ViewModel,
    build_view_model,
    detail_lines,
    first_column,
    letter_lines,
    order_named,
    tab_at,
    tab_spans,
)
from qmon_tui.tui.dialogs import TextDialog
from qmon_tui.workspace import Workspace

_ORDER = tuple(ListingKind)
_EMPTY = "No queue instances: give a queue hosts in its field hostlist."


class ClusterView(TablePage, FilteredView):
    """One listing at a time; the queue instance under the cursor is explained below."""

    DEFAULT_CSS = """
    ClusterView #cluster-table { height: 1fr; }
    ClusterView #cluster-detail { height: auto; max-height: 9; border-top: solid $line; padding: 0 1; }
    ClusterView.-low #cluster-detail { max-height: 3; }
    """

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self._view_settings = ViewSettings(workspace)
        remembered = self._view_settings.get("cluster listing")
        self.listing = ListingKind(remembered) if remembered in list(ListingKind) else ListingKind.MAP
        self.marked: frozenset[str] = frozenset()
        self.filter = self._view_settings.get("cluster filter")
        self._kept_rows = KeptRows()
        self._column = 0
        self._orders = {kind: order_named(self._view_settings.get(f"cluster order {kind.name}")) for kind in _ORDER}
        self._letters: TextDialog | None = None
        """The open explanation of the state letters; None if it is closed."""
        self.model: ViewModel | None = None
        """All listings of the last run; None before the first."""
        self._pending_choice = ""
        """Name of the row to choose when the table is made."""
        self._tables: LatestWorker[ViewInput, ViewModel] = LatestWorker(
            build_view_model, self._show, pause=0.02, patience=0.1
        )
        self._typing = self.filter_input("state=E queue=all.q host=@rack load>20 words")
        self._title = OneLine(self._title_words, id="cluster-title")
        self._table = ClusterTable(ClusterMap(), empty=FIRST_RUN, id="cluster-table")
        self._detail = Lines(id="cluster-detail")

    def compose(self) -> ComposeResult:
        yield self._title
        yield self._typing
        yield self._table
        yield self._detail

    def on_mount(self) -> None:
        self._detail.can_focus = False
        self.run_worker(self._tables.run(), group="cluster")
        self.refresh_from()

    # Drawing ----------------------------------------------------------------------------------------------------

    def refresh_from(self) -> None:
        result, workspace = self.workspace.result, self.workspace
        self._draw()
        if result is not None and result.outcome is not None:
            self._tables.ask(ViewInput(workspace.cluster, workspace.state, result.outcome))

    def _show(self, _: ViewInput, model: ViewModel) -> None:
        if self.model is None:
            self._column = first_column(model)
        self.model = model
        self.marked &= model.now.by_name.keys() | model.after.by_name.keys()
        self._draw()
        if self._pending_choice:
            self.choose(self._pending_choice)
            self._pending_choice = ""

    def _draw(self) -> None:
        if self.model is not None:
            self._column = max(0, min(self._column, len(self.model.now.queues) - 1))
            empty = f"Nothing matches {self.filter} — {key_of(self, 'back')} shows all." if self.filter else _EMPTY
            rows = self._rows(self.model)
            if self.filter and not self.has_class("-filtering"):
                self._kept_rows.keep(rows.key(index) for index in range(len(rows)))
            self._table.show(rows, empty=empty)
        self._title.refresh()
        problem = self.model.filter(self.filter).problem if self.model is not None else ""
        filtered = f"  /{visible(self.filter)}{f'  ✗ {visible(problem)}' if problem else ''}" if self.filter else ""
        hidden = f", {len(self.hidden_marks)} hidden" if self.hidden_marks else ""
        marked = f"  ✓ {count(len(self.marked), 'instance')} marked{hidden}" if self.marked else ""
        self.border_title = Content(f"Cluster{title_words(self.workspace.figures)}{marked}{filtered}")
        self._show_detail()
        if self._letters is not None:
            self._letters.show(self._story)

    def _rows(self, model: ViewModel) -> ClusterMap | ListingTable:
        order, figures = self._orders[self.listing], self.workspace.figures
        kept = self._kept_rows.of(self.listing, self.filter, self.workspace.state.now)
        return model.rows(self.listing, self.filter, self._column, self.marked, order, figures, kept)

    @property
    def awaits_first_run(self) -> bool:
        result = self.workspace.result
        return self.model is None and (result is None or result.outcome is not None)

    @property
    def busy(self) -> bool:
        return self._tables.busy

    @property
    def instances(self) -> tuple[str, ...]:
        """The queue instances under the cursor: one, or all of a cluster queue or host."""
        key, model = self._table.cursor_key, self.model
        if key is None or model is None:
            return ()
        if self.listing is ListingKind.MAP:
            name = MapCell(str(key), model.now.queues[self._column].name).instance if model.now.queues else ""
            return (name,) if name in model.now.by_name else ()
        if self.listing is ListingKind.INSTANCES:
            return (str(key),)
        return tuple(model.of_queue(str(key)) if self.listing is ListingKind.QUEUES else model.of_host(str(key)))

    @property
    def usual_command(self) -> Command | None:
        return QmodQueues(InstanceCommand.DISABLE, self.targets) if self.targets else None

    @property
    def targets(self) -> tuple[str, ...]:
        """Queue instances that a command changes: the marked ones, or those under the cursor."""
        return tuple(sorted(self.marked)) or self.instances

    @property
    def states(self) -> dict[str, str]:
        """Queue instance -> its state letters, for the targets of a command."""
        by_name = self.model.now.by_name if self.model is not None else {}
        return {name: by_name[name].state for name in self.targets if name in by_name}

    @property
    def filtered_instances(self) -> frozenset[str]:
        """All queue instances that the filter lets through."""
        if self.model is None:
            return frozenset()
        rows = self.model.rows(ListingKind.INSTANCES, self.filter)
        return frozenset(str(rows.key(index)) for index in range(len(rows)))

    @property
    def hidden_marks(self) -> tuple[str, ...]:
        """The marked queue instances that the filter hides."""
        if not self.marked or self.model is None:
            return ()
        rows, part = self._rows(self.model), {ListingKind.QUEUES: 0, ListingKind.INSTANCES: None}.get(self.listing, 2)
        keys = {name: name if part is None else name.partition("@")[part] for name in sorted(self.marked)}
        return tuple(name for name, key in keys.items() if rows.find(key) is None)

    def _title_words(self, cells: int) -> Line:
        spans = [Span(" "), *tab_spans(self.listing)]
        hidden = self._table_hidden()
        if hidden:
            spans.append(Span(f"  {count(hidden, 'queue')} more at the sides ← →", TextRole.DIM))
        return fit(spans, cells)

    def _table_hidden(self) -> int:
        rows = self._rows(self.model) if self.model else None
        return rows.hidden(self._table.inner_width - 1) if isinstance(rows, ClusterMap) else 0

    def _show_detail(self) -> None:
        names, model, figures = self.instances, self.model, self.workspace.figures
        self._detail.show(lambda cells: detail_lines(names, model, figures, self.workspace.document, cells))
        self.post_message(SelectionMoved())

    def on_resize(self, event: events.Resize) -> None:
        """Shorten the explanation on low terminals."""
        self.set_class(event.size.height < 20, "-low")
        self.call_after_refresh(self._show_detail)

    # Choosing ---------------------------------------------------------------------------------------------------

    @property
    def selected(self) -> str | None:
        names = self.instances
        if len(names) == 1:
            return names[0]
        return str(self._table.cursor_key) if self._table.cursor_key is not None else None

    def choose(self, key: str) -> bool:
        if self.model is None:
            self._pending_choice = key
            return True
        queue, at, host = key.rpartition("@")
        if at and self.listing is ListingKind.MAP:
            names = [line.name for line in self.model.now.queues]
            self._column = names.index(queue) if queue in names else self._column
            self._draw()
            return self._table.move_to(host)
        return self._table.move_to(key)

    @property
    def cursor_key(self) -> str | None:
        """The name on the row under the cursor: a host, a cluster queue or a queue instance; None if there is none."""
        key = self._table.cursor_key
        return None if key is None else str(key)

    def mark(self, keys: frozenset[str]) -> None:
        self.marked = keys
        self._draw()

    def move_column(self, by: int) -> None:
        """Move to the queue to the left or right on the map; in a list, to the pane on that side."""
        if self.listing is not ListingKind.MAP:
            self.screen.call_later(self.screen.run_action, f"do('pane-{'left' if by < 0 else 'right'}')")
        elif self.model is not None:
            self._column = max(0, min(self._column + by, len(self.model.now.queues) - 1))
            self._draw()

    # Listings and their order -----------------------------------------------------------------------------------

    def next_listing(self) -> None:
        self.show_listing(_ORDER[(_ORDER.index(self.listing) + 1) % len(_ORDER)])

    def show_listing(self, kind: ListingKind) -> None:
        """Show a listing, and remember it."""
        self.listing = kind
        self._view_settings.keep("cluster listing", kind.value)
        self._draw()

    def order_next(self, by: int) -> None:
        rows = self._rows(self.model) if self.model else None
        if isinstance(rows, ListingTable):
            now = self._orders[self.listing]
            titles = rows.titles(self._table.inner_width - 1)
            place = titles.index(now.title) + by if now and now.title in titles else (0 if by > 0 else -1)
            self._order(SortOrder(titles[place % len(titles)]))
        else:
            words = f"The map is in the order of host names: {key_of(self, 'cluster.listing')} switches to the lists."
            self.notify(words, severity="warning", markup=False)

    def turn_order(self, _: int) -> None:
        rows, now = self._rows(self.model) if self.model else None, self._orders[self.listing]
        if isinstance(rows, ListingTable):
            self._order(
                SortOrder(now.title, not now.descending) if now else SortOrder(rows.titles(0)[0], descending=True)
            )

    def _order(self, order: SortOrder | None) -> None:
        self._orders[self.listing] = order
        text = f"{order.title}{'-' * order.descending}" if order else ""
        self._view_settings.keep(f"cluster order {self.listing.name}", text)
        self._draw()

    def on_click(self, event: events.Click) -> None:
        """Show the listing of a clicked title; sort by a clicked column; on the map choose the clicked queue."""
        title, table = event.get_content_offset(self._title), event.get_content_offset(self._table)
        if title is not None:
            kind = tab_at(title.x - 1, self.listing)
            if kind is not None:
                self.show_listing(kind)
        elif table is not None and self.model is not None:
            self._table_clicked(self._rows(self.model), table.x - 1, table.y)

    def _table_clicked(self, rows: ClusterMap | ListingTable, cell: int, line: int) -> None:
        width = self._table.inner_width - 1
        if isinstance(rows, ClusterMap):
            column = rows.column_at(cell, width)
            if column is not None:
                self._column = column
                self._draw()
        elif line == 0 and (title := rows.title_at(cell, width)):
            now = self._orders[self.listing]
            # A second click reverses the order, a third one restores that of qstat and qhost.
            same = now is not None and now.title == title
            self._order(None if same and now is not None and now.descending else SortOrder(str(title), same))

    @on(LineTable.Moved)
    def _moved(self, event: LineTable.Moved) -> None:
        event.stop()
        self._show_detail()

    @on(LineTable.Opened)
    def _row_opened(self, event: LineTable.Opened) -> None:
        event.stop()
        self.open_form()

    def open_form(self) -> None:
        key = self.cursor_key
        if key is None:
            return
        if self.listing is ListingKind.HOSTS or (self.listing is ListingKind.MAP and not self.instances):
            self.jump(Kind.HOST, key)
        elif self.instances or self.listing is ListingKind.QUEUES:
            self.jump(Kind.QUEUE, key if self.listing is ListingKind.QUEUES else self.instances[0].rpartition("@")[0])

    # State letters ----------------------------------------------------------------------------------------------

    def explain(self) -> None:
        """Open a dialog about the state letters under the cursor, and all others; it is updated while it is open."""

        def closed(_: None) -> None:
            self._letters = None

        self._letters = TextDialog("State letters", self._story)
        self.app.push_screen(self._letters, closed)

    def _story(self, cells: int) -> tuple[Line, ...]:
        return letter_lines(self.instances, self.model, self.workspace.figures, self.workspace.document, cells)

    # The filter -------------------------------------------------------------------------------------------------

    def filter_by(self, text: str) -> None:
        self.filter = text
        self._draw()

    def filter_given(self) -> None:
        self._view_settings.keep("cluster filter", self.filter)
