"""Loading the complexes from a file, shown as a difference first, and saving them, in the format of `qconf -sc`."""

from collections.abc import Sequence

from qmon_tui.checks import deletion_refusals
from qmon_tui.formats.qconf import read_complexes, write_complexes
from qmon_tui.model import Cluster, ConfigObject, Finding, Kind, Severity
from qmon_tui.report import count
from qmon_tui.sources.regular_file import read_regular
from qmon_tui.tui.base import ASKING
from qmon_tui.tui.dialogs import Answer, ChoiceDialog, NameDialog, typed_path, unreadable, write_to_file
from qmon_tui.tui.lists.object_load import FileDialogs, ObjectLoad, load_lines, object_load, refused_file, take_over


def complex_load(cluster: Cluster, entries: Sequence[ConfigObject]) -> ObjectLoad:
    """Compare the entries of a file, which are to be all, with those of the cluster; what may not go stays."""
    named = {entry.name for entry in entries}
    present = cluster.objects(Kind.COMPLEX)
    refusals = {
        name: refused
        for name in present
        if name not in named
        and (refused := [f for f in deletion_refusals(cluster, Kind.COMPLEX, name) if f.severity is Severity.ERROR])
    }
    objects = (*(present[name] for name in refusals), *entries)
    return object_load(cluster, Kind.COMPLEX, objects, [refused[0] for refused in refusals.values()])


_DEFAULT_NAME = "complexes.txt"


class ComplexFiles(FileDialogs):
    """The complexes loaded from a file, and saved to one."""

    def load(self) -> None:
        """Ask for a file, show how its entries differ from the present ones, and take them over."""
        self._screen.run_worker(self._load(), group=ASKING)

    def save(self) -> None:
        """Ask for a file and write all entries to it, as they are shown now."""
        self._screen.run_worker(self._save(), group=ASKING)

    async def _load(self) -> None:
        answer = await self._screen.app.push_screen_wait(
            NameDialog("Load complexes", "A file as `qconf -sc` prints it:", unreadable)
        )
        if answer is None:
            return
        path = typed_path(answer)
        try:
            entries, problems = read_complexes(read_regular(path).decode("utf-8"), path.name)
        except (OSError, UnicodeDecodeError) as error:
            self._say(f"{answer} cannot be read: {getattr(error, 'strerror', None) or error}")
            return
        await self.take_over(path.name, entries, problems)

    async def take_over(self, name: str, entries: Sequence[ConfigObject], problems: Sequence[Finding]) -> None:
        """Show how the entries of a file differ from the present ones, and put them in their place."""
        errors = [finding for finding in problems if finding.severity is Severity.ERROR]
        if errors or not entries:
            await self._screen.app.push_screen_wait(refused_file(f"{name} is not a complex table", errors))
            return
        load = complex_load(self._workspace.cluster, entries)
        if not load.changes:
            await self._nothing_to_load(name, load)
            return
        title = f"Load {name}: {count(len(load.changes), 'complex', 'complexes')} would change"
        await take_over(self._screen, self._post, load, title)

    async def _nothing_to_load(self, name: str, load: ObjectLoad) -> None:
        """Say that nothing differs, or that all that differs may not be deleted."""
        if not load.kept:
            self._screen.notify(f"{name} holds the complexes that are there already.", markup=False)
            return
        close = (Answer("c", "close", "", safe=True),)
        await self._screen.app.push_screen_wait(
            ChoiceDialog(f"{name}: nothing can be loaded", lambda cells: load_lines(load, cells), close, wide=True)
        )

    async def _save(self) -> None:
        entries = self._workspace.cluster.objects(Kind.COMPLEX)
        words, wrote = "It is written as `qconf -sc` prints it:", f"Wrote {count(len(entries), 'complex', 'complexes')}"
        text = write_complexes(entries.values())
        await write_to_file(self._screen.app, "Save complexes to a file", words, _DEFAULT_NAME, text, wrote)
