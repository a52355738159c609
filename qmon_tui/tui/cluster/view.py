"""The place of the cluster: a map of queues and hosts, and the listings of qstat and qhost, with qmod's commands."""

from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Input

from qmon_tui.model import kinds
from qmon_tui.model.state_entry import StateKind
from qmon_tui.simulation.commands import InstanceCommand
from qmon_tui.tui.base.inputs import QInput
from qmon_tui.tui.cluster.making import Kind, Made, Wanted, make
from qmon_tui.tui.latest import Latest
from qmon_tui.tui.messages import EditWanted, JumpRequested, PlaceMoved
from qmon_tui.tui.panes.lines import Lines, OneLine
from qmon_tui.tui.panes.table import LineTable
from qmon_tui.tui.present.cluster.letters import state_lines
from qmon_tui.tui.present.cluster.map import ClusterMap, MapCell
from qmon_tui.tui.present.spans import Idea, Line, Span, fit
from qmon_tui.tui.present.words import count
from qmon_tui.tui.remembered import recall, remember
from qmon_tui.tui.views import PlaceView
from qmon_tui.workspace import orders
from qmon_tui.workspace.workspace import Workspace

_ORDER = tuple(Kind)


class MapTable(LineTable):
    """A table whose cursor also moves from column to column."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left,h", "column(-1)", "Queue to the left"),
        Binding("right,l", "column(1)", "Queue to the right"),
    ]

    def action_column(self, by: int) -> None:
        """Go to a neighbouring queue."""
        view = self.parent
        if isinstance(view, ClusterView):
            view.move_column(by)


class ClusterView(PlaceView):
    """One listing at a time; the queue instance under the cursor is explained below."""

    DEFAULT_CSS = """
    ClusterView #cluster-typing { display: none; height: 1; }
    ClusterView.-filtering #cluster-typing { display: block; }
    ClusterView #cluster-table { height: 1fr; }
    ClusterView #cluster-detail { height: auto; max-height: 9; border-top: solid $line; padding: 0 1; }
    ClusterView.-low #cluster-detail { max-height: 3; }
    """

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self.deeds = {
            "cluster.listing": self._next_listing,
            "cluster.disable": lambda: self._toggle("d", InstanceCommand.DISABLE, InstanceCommand.ENABLE),
            "cluster.suspend": lambda: self._toggle("s", InstanceCommand.SUSPEND, InstanceCommand.UNSUSPEND),
            "cluster.clear": lambda: self._order(InstanceCommand.CLEAR_ERROR),
            "cluster.revert": self._revert,
            "cluster.mark": self._mark,
            "cluster.mark-all": self._mark_all,
            "cluster.filter": self.start_filter,
            "cluster.open": self._open,
            "cluster.why": self._explain,
        }
        remembered = recall("cluster.listing")
        self.listing = Kind(remembered) if remembered in list(Kind) else Kind.MAP
        self.marked: frozenset[str] = frozenset()
        self.filter = ""
        self._column = 0
        self._made: Made | None = None
        self._wanted = ""
        """What is to be chosen as soon as the table is there."""
        self._tables: Latest[Wanted, Made] = Latest(make, self._show, pause=0.02, patience=0.1)
        self._typing = QInput(placeholder="words that must occur: all.q node0 aoACDS…", id="cluster-typing")
        self._title = OneLine(self._title_words, id="cluster-title")
        self._table = MapTable(ClusterMap(), empty="No queue instances.", id="cluster-table")
        self._detail = Lines(id="cluster-detail")

    def compose(self) -> ComposeResult:
        """What is listed, the filter, the table, the explanation."""
        yield self._title
        yield self._typing
        yield self._table
        yield self._detail

    def on_mount(self) -> None:
        """Draw for the first time."""
        self._detail.can_focus = False
        self.border_title = "Cluster"
        self.run_worker(self._tables.run(), group="cluster")
        self.refresh_from()

    # What is shown ----------------------------------------------------------------------------------------------

    def refresh_from(self) -> None:
        """Have the listings made anew from the last run."""
        result, workspace = self.workspace.result, self.workspace
        if result is not None and result.outcome is not None:
            self._tables.ask(Wanted(workspace.cluster, workspace.state, result.outcome))

    def _show(self, _: Wanted, made: Made) -> None:
        if self._made is None:
            self._column = _first_column(made)
        self._made = made
        self._draw()
        if self._wanted:
            self.choose(self._wanted)
            self._wanted = ""

    def _draw(self) -> None:
        if self._made is not None:
            self._column = max(0, min(self._column, len(self._made.queues) - 1))
            empty = f"Nothing contains {self.filter} — Esc shows all." if self.filter else "No queue instances."
            self._table.show(self._made.rows(self.listing, self.filter, self._column, self.marked), empty=empty)
        self._title.refresh()
        self._show_detail()

    @property
    def busy(self) -> bool:
        """The listings are being made."""
        return self._tables.busy

    @property
    def instances(self) -> tuple[str, ...]:
        """The queue instances under the cursor: one, or all of a cluster queue or host."""
        key, made = self._table.cursor_key, self._made
        if key is None or made is None:
            return ()
        if self.listing is Kind.MAP:
            name = MapCell(str(key), made.queues[self._column].name).instance if made.queues else ""
            return (name,) if name in made.by_name else ()
        if self.listing is Kind.INSTANCES:
            return (str(key),)
        return tuple(made.of_queue(str(key)) if self.listing is Kind.QUEUES else made.of_host(str(key)))

    @property
    def targets(self) -> tuple[str, ...]:
        """What a command is for: what is marked, or what is under the cursor."""
        return tuple(sorted(self.marked)) or self.instances

    def _title_words(self, cells: int) -> Line:
        spans = [Span(" ")]
        for kind in _ORDER:
            here = kind is self.listing
            name = kind.value.split(" (", maxsplit=1)[0]
            spans += [Span(f"[{kind.value}]" if here else f" {name} ", Idea.ACCENT if here else Idea.DIM), Span(" ")]
        if self.filter:
            spans.append(Span(f" / {self.filter}", Idea.STRONG))
        if self.marked:
            spans.append(Span(f"  ✓ {count(len(self.marked), 'instance')} marked", Idea.ACCENT))
        hidden = self._table_hidden()
        if hidden:
            spans.append(Span(f"  {count(hidden, 'queue')} more at the sides ← →", Idea.DIM))
        return fit(spans, cells)

    def _table_hidden(self) -> int:
        rows = self._made.rows(Kind.MAP, "", self._column, frozenset()) if self._made else None
        here = self.listing is Kind.MAP and isinstance(rows, ClusterMap)
        return rows.hidden(self._table.inner_width - 1) if here and isinstance(rows, ClusterMap) else 0

    def _show_detail(self) -> None:
        names, made = self.instances, self._made
        self._detail.show(lambda cells: self._detail_lines(names, made, cells))
        self.post_message(PlaceMoved())

    def _detail_lines(self, names: tuple[str, ...], made: Made | None, cells: int) -> tuple[Line, ...]:
        if made is None or not names:
            return ((Span("No queue instance here.", Idea.DIM),),)
        if len(names) > 1:
            slots = sum(made.by_name[name].total for name in names if name in made.by_name)
            return ((Span(f"{count(len(names), 'queue instance')}, {count(slots, 'slot')}", Idea.DIM),),)
        line, outcome = made.by_name[names[0]], made.outcomes[names[0]]
        head = fit(
            (
                Span(line.name, Idea.STRONG),
                Span(f"  {line.qtype}  resv/used/tot. {line.slots_text}  load_avg {line.load_text}", Idea.DIM),
            ),
            cells,
        )
        return (head, *state_lines(self.workspace.cluster, self.workspace.state, outcome, cells))

    def on_resize(self, event: events.Resize) -> None:
        """The explanation gives way on low terminals."""
        self.set_class(event.size.height < 20, "-low")
        self.call_after_refresh(self._show_detail)

    # Choosing ---------------------------------------------------------------------------------------------------

    def focus(self, scroll_visible: bool = True, from_app_focus: bool = False) -> "ClusterView":
        """Give the focus to the table."""
        self._table.focus(scroll_visible)
        return self

    @property
    def selected(self) -> str | None:
        """What is under the cursor."""
        names = self.instances
        if len(names) == 1:
            return names[0]
        return str(self._table.cursor_key) if self._table.cursor_key is not None else None

    @property
    def copied(self) -> str:
        """The row under the cursor."""
        return self._table.cursor_text

    def choose(self, key: str) -> bool:
        """Go to a queue instance, a cluster queue or a host by its name."""
        if self._made is None:
            self._wanted = key
            return True
        queue, at, host = key.rpartition("@")
        if at and self.listing is Kind.MAP:
            names = [line.name for line in self._made.queues]
            self._column = names.index(queue) if queue in names else self._column
            self._draw()
            return self._table.move_to(host)
        return self._table.move_to(key)

    def move_column(self, by: int) -> None:
        """Go to the queue to the left or right."""
        if self.listing is Kind.MAP and self._made is not None:
            self._column = max(0, min(self._column + by, len(self._made.queues) - 1))
            self._draw()

    @on(LineTable.Moved)
    def _moved(self, event: LineTable.Moved) -> None:
        event.stop()
        self._show_detail()

    @on(LineTable.Opened)
    def _row_opened(self, event: LineTable.Opened) -> None:
        event.stop()
        self._open()

    # What is done -----------------------------------------------------------------------------------------------

    def _next_listing(self) -> None:
        self.listing = _ORDER[(_ORDER.index(self.listing) + 1) % len(_ORDER)]
        remember("cluster.listing", self.listing.value)
        self._draw()

    def _toggle(self, letter: str, sets: InstanceCommand, takes: InstanceCommand) -> None:
        """Take the letter away where all of them have it, else set it."""
        made = self._made
        states = [made.by_name[name].state for name in self.targets if made and name in made.by_name]
        self._order(takes if states and all(letter in state for state in states) else sets)

    def _order(self, command: InstanceCommand) -> None:
        made = self._made
        if made is not None and self.targets:
            standing = {name: made.by_name[name].state for name in self.targets if name in made.by_name}
            self.post_message(EditWanted(orders.change_queue_instances(command, self.targets, standing)))

    def _revert(self) -> None:
        changed = [name for name in self.targets if self.workspace.is_dirty(StateKind.INSTANCE, name)]
        for name in changed:
            self.workspace.revert(StateKind.INSTANCE, name)
        if not changed:
            self.notify("This is as it was saved.", severity="warning", markup=False)

    def _mark(self) -> None:
        names = frozenset(self.instances)
        self.marked = self.marked - names if names <= self.marked else self.marked | names
        self._draw()
        self._table.action_move(1)

    def _mark_all(self) -> None:
        made = self._made
        if made is None:
            return
        rows = made.rows(Kind.INSTANCES, self.filter, 0, frozenset())
        everything = frozenset(str(rows.key(index)) for index in range(len(rows)))
        self.marked = frozenset() if self.marked >= everything else everything
        self._draw()

    def _open(self) -> None:
        key = self._table.cursor_key
        if key is None:
            return
        if self.listing is Kind.HOSTS or (self.listing is Kind.MAP and not self.instances):
            self.post_message(JumpRequested(kinds.Kind.HOST, str(key)))
        elif self.instances or self.listing is Kind.QUEUES:
            queue = str(key) if self.listing is Kind.QUEUES else self.instances[0].rpartition("@")[0]
            self.post_message(JumpRequested(kinds.Kind.QUEUE, queue))

    def _explain(self) -> None:
        from qmon_tui.tui.dialogs.text import TextDialog

        names, made = self.instances, self._made

        def lines(cells: int) -> tuple[Line, ...]:
            found: list[Line] = []
            for name in names:
                found += [*self._detail_lines((name,), made, cells), ()]
            return tuple(found)

        self.app.push_screen(TextDialog("State letters", lines))

    # The filter -------------------------------------------------------------------------------------------------

    def start_filter(self) -> None:
        """Type a filter."""
        self.add_class("-filtering")
        self._typing.value = self.filter
        self._typing.focus()

    def leave(self) -> bool:
        """Esc: leave the filter's line, unmark, drop the filter."""
        if self.has_class("-filtering"):
            self.remove_class("-filtering")
            self.focus()
        elif self.marked:
            self.marked = frozenset()
            self._draw()
        elif self.filter:
            self.filter = ""
            self._draw()
        else:
            return False
        return True

    @on(Input.Changed, "#cluster-typing")
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        if self.has_class("-filtering"):
            self.filter = event.value
            self._draw()

    @on(Input.Submitted, "#cluster-typing")
    def _kept(self, event: Input.Submitted) -> None:
        event.stop()
        self.remove_class("-filtering")
        self.focus()


def _first_column(made: Made) -> int:
    """The first cluster queue with an instance on the first host: there the map is entered."""
    rows = made.rows(Kind.MAP, "", 0, frozenset())
    host = str(rows.key(0)) if len(rows) else ""
    names = enumerate(queue.name for queue in made.queues)
    return next((number for number, name in names if MapCell(host, name).instance in made.by_name), 0)
