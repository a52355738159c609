"""A tiny application around a list and a form, and a small cluster made by hand."""

from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import cast

from textual.app import App, ComposeResult
from textual.containers import Vertical
from textual.message import Message

from qmon_tui.model.cluster import Cluster, ConfigObject, config_object
from qmon_tui.model.defaults import default_complexes, default_objects
from qmon_tui.model.kinds import Kind
from qmon_tui.model.state import State
from qmon_tui.sources import Reading
from qmon_tui.tui.base.messages import (
    EditRequested,
    FieldEdited,
    JumpRequested,
    ObjectChosen,
    OpenRequested,
)
from qmon_tui.tui.base.themes import THEMES
from qmon_tui.tui.forms.object_form import ObjectForm
from qmon_tui.tui.lists.object_list import ObjectList
from qmon_tui.tui.panels import PANEL_TABLE
from qmon_tui.workspace import Workspace
from qmon_tui.workspace.edits import Edit, SetField


def entry(name: str, **values: str) -> ConfigObject:
    """A complex entry: INT, consumable and requestable where nothing else is said."""
    base = dict(shortcut=name, type="INT", relop="<=", requestable="YES", consumable="YES", default="0", urgency="0")
    return config_object(Kind.COMPLEX, name, {"name": name, **base, **values})


def small_cluster() -> Cluster:
    """Three hosts in two groups, two queues with overrides, and the objects that they refer to."""

    def objects(kind: Kind, field: str, named: Mapping[str, Mapping[str, str]]) -> list[ConfigObject]:
        return [config_object(kind, name, {field: name, **values}) for name, values in named.items()]

    return Cluster("small").with_objects(
        [
            *default_complexes(),
            *default_objects(),
            entry("gpu", urgency="100"),
            entry("arch_note", type="RESTRING", relop="==", consumable="NO", default="NONE"),
            *objects(
                Kind.HOST,
                "hostname",
                {"global": {}, "node01": {"complex_values": "gpu=2"}, "node02": {}, "node03": {}},
            ),
            *objects(
                Kind.HOSTGROUP,
                "group_name",
                {"@all": {"hostlist": "node01 node02 node03"}, "@big": {"hostlist": "node01"}},
            ),
            *objects(Kind.PE, "pe_name", {"mpi": {"slots": "99"}, "smp": {"slots": "99"}}),
            *objects(Kind.CKPT, "ckpt_name", {"blcr": {}}),
            *objects(Kind.CALENDAR, "calendar_name", {"night": {"week": "mon-fri=8-18=off"}}),
            *objects(Kind.USERSET, "name", {"staff": {"entries": "usera"}, "guests": {}}),
            *objects(Kind.PROJECT, "name", {"blue": {}, "green": {}}),
            *objects(
                Kind.QUEUE,
                "qname",
                {
                    "all.q": {
                        "hostlist": "@all",
                        "slots": "1,[node01=4],[@big=8],[node99=2]",
                        "h_rt": "24:00:00",
                        "complex_values": "gpu=1",
                        "pe_list": "mpi smp",
                    },
                    "low.q": {"hostlist": "node02", "seq_no": "10", "prolog": "[/foo]"},
                },
            ),
        ]
    )


def workspace_of(cluster: Cluster, *, read_only: bool = False) -> Workspace:
    """A workspace on a cluster that was read nowhere."""
    reading = SimpleNamespace(
        folder=Path("small"),
        layout="yaml",
        cluster=cluster,
        state=State(),
        findings=(),
        files={},
        warnings=(),
        live=None,
    )
    return Workspace(cast(Reading, reading), read_only=read_only)


class Harness(App[None]):
    """List above form; applies what they post, as the main screen does, and remembers it in `facts`."""

    CSS_PATH = "../../qmon_tui/tui/qmon.tcss"
    CSS = """
    ObjectList { height: 40%; border: solid $panel; }
    ObjectForm { height: 1fr; border: solid $panel; }
    """

    def __init__(self, workspace: Workspace, kind: Kind = Kind.COMPLEX) -> None:
        super().__init__()
        for theme in THEMES.values():
            self.register_theme(theme)
        self.theme = "dark"
        self.workspace = workspace
        self.list = ObjectList(workspace, kind)
        self.form = ObjectForm(workspace, panels=PANEL_TABLE)
        self.facts: list[Message] = []

    def compose(self) -> ComposeResult:
        with Vertical():
            yield self.list
            yield self.form

    async def on_mount(self) -> None:
        await self.list.mount_deferred()

    def on_object_chosen(self, event: ObjectChosen) -> None:
        self.facts.append(event)
        self.form.show(event.kind, event.name)

    def on_open_requested(self, event: OpenRequested) -> None:
        self.form.focus()

    def on_jump_requested(self, event: JumpRequested) -> None:
        self.facts.append(event)
        self.list.show(event.kind)
        self.list.select(event.name)

    def on_field_edited(self, event: FieldEdited) -> None:
        self.facts.append(event)
        self._apply(SetField(event.kind, event.name, event.field, event.text))
        if not event.typing:
            self.workspace.end_typing()

    def on_edit_requested(self, event: EditRequested) -> None:
        self.facts.append(event)
        self._apply(event.edit)

    def _apply(self, edit: Edit) -> None:
        self.workspace.apply(edit, typing=isinstance(edit, SetField))
        self.list.refresh_from()
        self.form.refresh_from()
