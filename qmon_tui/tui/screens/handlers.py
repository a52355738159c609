"""What each action of the registry does on the main screen; those that ask something are in `object_prompts`."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from qmon_tui.explain import Change
from qmon_tui.formats.layout import LISTS
from qmon_tui.model.catalogue import spec
from qmon_tui.model.kinds import Kind
from qmon_tui.sources.xdg import state_folder
from qmon_tui.tui.base.bindings import key_of
from qmon_tui.tui.base.saved_settings import save_setting
from qmon_tui.tui.base.themes import THEMES
from qmon_tui.tui.dialogs.dialog import Answer
from qmon_tui.tui.dialogs.findings import FindingsDialog
from qmon_tui.tui.dialogs.help import HelpDialog
from qmon_tui.tui.dialogs.palette import PaletteDialog
from qmon_tui.tui.dialogs.question_dialogs import ChoiceDialog
from qmon_tui.tui.dialogs.reading_dialogs import TextDialog, WhyDialog
from qmon_tui.tui.keys.action_context import Pane
from qmon_tui.tui.lists.complex_files import ComplexFiles
from qmon_tui.tui.pages import PAGES
from qmon_tui.tui.present.about import about_lines
from qmon_tui.tui.present.formula_choices import formula_lines
from qmon_tui.tui.present.fuzzy_search import SearchTarget
from qmon_tui.tui.present.help import legend, local_entries, navigation_entries, registry_entries
from qmon_tui.tui.present.spans import Line
from qmon_tui.tui.screens.copy_selection import copy
from qmon_tui.tui.screens.object_prompts import ObjectPrompts
from qmon_tui.tui.screens.palette_targets import PaletteTargets
from qmon_tui.tui.screens.pane_layout import focus_pane, step_pane
from qmon_tui.tui.screens.reference_navigation import ReferenceNavigation
from qmon_tui.tui.screens.saving import Saving
from qmon_tui.tui.screens.screen_state import add_action_id, here
from qmon_tui.workspace.edits import Batch, Edit, SetField
from qmon_tui.workspace.reason_text import all_changes

if TYPE_CHECKING:
    from qmon_tui.tui.screens.main import MainScreen


class ActionHandlers:
    """The actions by id."""

    def __init__(self, screen: "MainScreen") -> None:
        self._screen = screen
        self.object_prompts = object_prompts = ObjectPrompts(screen)
        saving, going = Saving(screen), ReferenceNavigation(screen)
        files = ComplexFiles(screen, screen.workspace, screen.post_message)
        self._handlers: dict[str, Callable[[], None]] = {
            "edit": self._edit,
            "add": self._add,
            "clone": object_prompts.clone,
            "rename": object_prompts.rename,
            "delete": object_prompts.delete,
            "revert": self._revert,
            "load": files.load,
            "export": files.save,
            "filter": self._filter,
            "undo": self._undo,
            "redo": self._redo,
            "save": saving.save,
            "changes": saving.changes,
            "versions": saving.versions,
            "definition": going.definition,
            "used-by": going.used_by,
            "findings": self._findings,
            "reload": saving.reload,
            "why": self._why,
            "formulas": self._formulas,
            "lower": self._lower,
            "kinds": lambda: focus_pane(screen, Pane.KINDS, screen.kinds),
            "objects": self._objects,
            "live": lambda: focus_pane(screen, Pane.LIVE, screen.live),
            "pane-left": partial(step_pane, screen, -1),
            "pane-right": partial(step_pane, screen, 1),
            "zoom": self._zoom,
            "back": self._back,
            "return": screen.navigation.back,
            "copy": partial(copy, screen),
            "theme": self._theme,
            "redraw": self._redraw,
            "palette": self._palette,
            "help": self._help,
            "about": self._about,
            "quit": saving.quit,
            **{f"go-{page.id}": partial(screen.go_to_page, page.id) for page in PAGES},
        }

    def do(self, action_id: str) -> None:
        """Do it; whether it is possible was looked at before."""
        self._handlers[action_id]()

    def _add(self) -> None:
        view = self._screen.pages.view
        if view is None and self._screen.kind in LISTS:
            focus_pane(self._screen, Pane.FORM, self._screen.form)
            self._screen.form.edit_field("entries")
        elif view is None:
            self.object_prompts.add()
        else:
            view.handlers[add_action_id(self._screen)]()

    def _edit(self) -> None:
        screen = self._screen
        if screen.action_context().pane is Pane.FORM and screen.form.field:
            screen.form.edit_field(screen.form.field)
        else:
            focus_pane(screen, Pane.FORM, screen.form)

    def _objects(self) -> None:
        screen = self._screen
        if screen.pages.page:
            focus_pane(screen, Pane.PAGE, screen.pages)
        elif spec(screen.kind).single:
            focus_pane(screen, Pane.FORM, screen.form)
        else:
            focus_pane(screen, Pane.LIST, screen.list)

    def _zoom(self) -> None:
        self._screen.toggle_class("-zoom")

    def _redraw(self) -> None:
        self._screen.app.refresh(repaint=True, layout=True)

    def _revert(self) -> None:
        name = self._screen.chosen
        if name is not None:
            self._screen.workspace.revert(self._screen.kind, name)

    def _undo(self) -> None:
        self._tell("Undone", self._screen.workspace.undo())

    def _redo(self) -> None:
        self._tell("Done again", self._screen.workspace.redo())

    def _tell(self, what: str, label: str | None) -> None:
        if label:
            self._screen.notify(f"{what}: {label}", timeout=2, markup=False)

    def _filter(self) -> None:
        screen = self._screen
        if screen.action_context().pane is Pane.LIVE:
            screen.live.start_filter()
        elif not spec(screen.kind).single:
            focus_pane(screen, Pane.LIST, screen.list)
            screen.call_after_refresh(screen.list.action_filter)

    def _back(self) -> None:
        screen, pane = self._screen, self._screen.action_context().pane
        if pane is Pane.LIVE and screen.live.filtered:
            screen.live.clear_filter()
        elif pane is Pane.LIST and (screen.list.filter or screen.list.has_class("-filtering")):
            screen.list.action_clear_filter()
        elif (view := here(screen)[1]) is not None and view.leave():
            return
        elif screen.has_class("-zoom"):
            screen.remove_class("-zoom")
        elif pane is Pane.FORM and not spec(screen.kind).single:
            focus_pane(screen, Pane.LIST, screen.list)
        elif pane is Pane.LIVE:
            self._objects()
        else:
            focus_pane(screen, Pane.KINDS, screen.kinds)

    def _lower(self) -> None:
        self._screen.live.switch_lower()

    def _findings(self) -> None:
        def chosen(finding: object) -> None:
            from qmon_tui.model.findings import Finding

            if isinstance(finding, Finding):
                self._screen.go_to_finding(finding)

        self._screen.app.push_screen(FindingsDialog(self._screen.findings), chosen)

    def _why(self) -> None:
        screen = self._screen
        row = screen.live.chosen
        if row is None:
            return
        dialog = WhyDialog(f"Job {row.number} {row.job.name}", self._why_lines, lambda: len(screen.live.changes))

        def explained() -> None:
            if dialog.is_mounted:
                dialog.show(self._why_lines)

        def closed(number: int | None) -> None:
            screen.on_explained = None
            if number is not None and number <= len(screen.live.changes):
                self._make(screen.live.changes[number - 1])

        screen.on_explained = explained
        screen.app.push_screen(dialog, closed)
        screen.running.explain()

    def _make(self, change: Change) -> None:
        """Make a change of the configuration, of jobs or of states as one edit; say what cannot be made here."""
        from qmon_tui.workspace.commands import edit_of_change

        screen = self._screen
        edits: list[Edit] = []
        others: list[str] = []
        for part in all_changes(change):
            order = None if part.kind in set(Kind) else edit_of_change(screen.workspace.cluster, part)
            if part.kind in set(Kind):
                edits.append(SetField(Kind(part.kind), part.name, part.field, part.after))
            elif order is not None:
                edits.append(order)
            else:
                others.append(part.command)
        if edits:
            edit = edits[0] if len(edits) == 1 else Batch(change.description, tuple(edits))
            if screen.apply(edit):
                screen.workspace.end_typing()
                words = f"{change.description}: not saved yet, {key_of(screen, 'undo')} takes it back"
                screen.notify(words, timeout=5, markup=False)
        if others:
            screen.notify(f"{change.description}: change it where the job or the state is written", markup=False)

    def _formulas(self) -> None:
        """Choose the formulas of the priorities."""
        from qmon_tui.scheduler.priority import FORMULAS

        screen = self._screen
        now = screen.workspace.formulas
        letters = ("g", "z", "p", "a", "r")
        answers = [Answer(letter, name, name, safe=name == now) for letter, name in zip(letters, FORMULAS, strict=True)]

        def content(cells: int) -> tuple[Line, ...]:
            return formula_lines(
                [(formulas.name, formulas.words, formulas.is_grid_engine) for formulas in FORMULAS.values()], now, cells
            )

        def chosen(name: str | None) -> None:
            if name is not None:
                screen.workspace.compute_by(name)

        screen.app.push_screen(
            ChoiceDialog("By which formulas are priorities computed?", content, answers, wide=True), chosen
        )

    def _why_lines(self, cells: int) -> tuple[Line, ...]:
        return self._screen.live.explanation_lines(cells, in_full=True)

    def _theme(self) -> None:
        names = list(THEMES)
        name = names[(names.index(self._screen.app.theme) + 1) % len(names)]
        self._screen.app.theme = name
        save_setting("theme", name)
        self._screen.notify(f"Theme: {name}", timeout=2, markup=False)

    def _help(self) -> None:
        def chosen(action_id: str | None) -> None:
            if action_id:
                self._screen.do(action_id)

        registry, now = self._screen.registry, self._screen.action_context()
        bound = {active.binding.id or "" for active in self._screen.active_bindings.values()}
        entries = (*local_entries(registry, bound), *registry_entries(registry, now), *navigation_entries(registry))
        self._screen.app.push_screen(HelpDialog(entries, legend()), chosen)

    def _palette(self) -> None:
        def chosen(target: SearchTarget | None) -> None:
            if target is not None:
                target.go()

        self._screen.app.push_screen(PaletteDialog(PaletteTargets(self._screen)), chosen)

    def _about(self) -> None:
        screen = self._screen
        reading = screen.workspace.reading
        lines = about_lines(
            str(reading.path.resolve()),
            reading.layout,
            screen.workspace.cluster.dialect,
            screen.app.theme,
            str(state_folder()),
        )
        screen.app.push_screen(TextDialog("About", lambda _: lines))
