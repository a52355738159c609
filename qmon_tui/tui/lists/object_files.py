"""Objects loaded from a file, or pasted, as qconf prints them: compared first, then taken over in one step."""

from collections.abc import Callable
from typing import Any

from textual.message import Message
from textual.screen import Screen

from qmon_tui.checks import check_object
from qmon_tui.formats import Printed, read_printed
from qmon_tui.model import Kind, Severity
from qmon_tui.report import count
from qmon_tui.sources import SourceError
from qmon_tui.sources.object_file import read_object_file, unrecognised
from qmon_tui.tui.base import ASKING
from qmon_tui.tui.dialogs import NameDialog, typed_path, unreadable
from qmon_tui.tui.lists.complex_files import ComplexFiles
from qmon_tui.tui.lists.object_load import ObjectLoad, object_load, refused_file, take_over
from qmon_tui.workspace import Workspace

_PASTED = "what is pasted"


class ObjectFiles:
    """The dialogs; what is loaded is posted as one `KindReplaced`, so that it can be undone."""

    def __init__(self, screen: Screen[Any], workspace: Workspace, post: Callable[[Message], object]) -> None:
        self._screen = screen
        self._workspace = workspace
        self._post = post

    def load(self) -> None:
        """Ask for a file, show how its objects differ from the present ones, and take them over."""
        self._screen.run_worker(self._load(), group=ASKING)

    def paste(self, text: str) -> None:
        """Load pasted text."""
        printed = read_printed(text, _PASTED)
        if printed is None:
            self._say(f"What was pasted cannot be loaded: {unrecognised(text)}")
        else:
            self._screen.run_worker(self._take(printed, _PASTED), group=ASKING)

    async def _load(self) -> None:
        answer = await self._screen.app.push_screen_wait(
            NameDialog("Load objects", "A file as `qconf -sq`, `-se`, `-srqs` ... prints it:", unreadable)
        )
        if answer is None:
            return
        path = typed_path(answer)
        try:
            printed = read_object_file(path)
        except SourceError as error:
            self._say(str(error))
            return
        await self._take(printed, path.name)

    async def _take(self, printed: Printed, name: str) -> None:
        errors = [finding for finding in printed.findings if finding.severity is Severity.ERROR]
        if printed.instance:
            obj = printed.objects[0]
            self._say(f"{name}: these are the values of {obj.name}@{obj.text('hostlist')} alone, not a whole queue")
        elif printed.kind is Kind.COMPLEX:
            await ComplexFiles(self._screen, self._workspace, self._post).take_over(
                name, printed.objects, printed.findings
            )
        elif errors or not printed.objects:
            await self._screen.app.push_screen_wait(refused_file(f"{name} cannot be loaded", errors))
        else:
            await self._take_over(printed, name)

    async def _take_over(self, printed: Printed, name: str) -> None:
        load = loaded(self._workspace, printed)
        if not load.changes:
            self._screen.notify(f"{name} contains no changes.", markup=False)
            return
        title = f"Load {name}: {count(len(load.changes), 'object')} would change"
        await take_over(self._screen, self._post, load, title)

    def _say(self, sentence: str) -> None:
        self._screen.notify(sentence, severity="error", markup=False)


def loaded(workspace: Workspace, printed: Printed) -> ObjectLoad:
    """All objects of the kind as they would be: what is not in the text stays as it is."""
    cluster, state = workspace.cluster, workspace.state
    fresh = {obj.name: obj for obj in printed.objects}
    present = cluster.objects(printed.kind)
    objects = (*(fresh.pop(name, obj) for name, obj in present.items()), *fresh.values())
    return object_load(cluster, printed.kind, objects, check=lambda after, obj: check_object(after, obj, state))
