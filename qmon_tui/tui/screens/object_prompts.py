"""Dialogs that add, rename, edit and delete objects, and show the consequences for other objects and jobs."""

from collections.abc import Coroutine, Sequence
from typing import TYPE_CHECKING

from qmon_tui.checks import check_object, deletion_refusals, exists, job_refusals
from qmon_tui.formats import fold_hosts
from qmon_tui.model import (
    Cluster,
    ConfigObject,
    Finding,
    Kind,
    ObjectKey,
    Severity,
    State,
    config_object,
    jobs_naming,
    references_to,
)
from qmon_tui.model.catalogue import spec
from qmon_tui.qmaster.commands import adding_option
from qmon_tui.report import count, crop, deletion_lines, renaming_lines
from qmon_tui.tui.base import ASKING
from qmon_tui.tui.dialogs import Answer, ChoiceDialog, NameDialog
from qmon_tui.tui.forms.dialogs import Pick, PickMany, PickOne
from qmon_tui.tui.keys import Pane
from qmon_tui.workspace import (
    Batch,
    Document,
    Edit,
    EditError,
    RemoveObject,
    RenameInState,
    RenameObject,
    add_all,
    change_all,
    delete_everywhere,
    existing,
    host_lists,
    jobs_to_update,
    name_finding,
    name_problem,
    named_objects,
    object_words,
    rename_all_everywhere,
    rename_everywhere,
    renamed_in_state,
)

if TYPE_CHECKING:
    from qmon_tui.tui.screens.action_screen import ActionScreen


class ObjectPrompts:
    """Dialogs about objects. Each method opens one and returns."""

    def __init__(self, screen: "ActionScreen") -> None:
        self._screen = screen
        self._workspace = screen.workspace

    def add(self, name: str = "") -> None:
        """Ask for the name of a new object of the chosen kind; `name` is the text in the input."""
        self._start(self._add(None, name))

    def clone(self) -> None:
        self._start(self._add(self._screen.chosen))

    def rename(self) -> None:
        """Ask for a new name of the chosen object, or for new names of the marked ones."""
        names, hidden = self.targets
        self._start(
            self._rename_all(names, self._hidden_words() if hidden else "") if len(names) > 1 else self._rename()
        )

    def rename_to(self, kind: Kind, name: str, new: str) -> None:
        self._start(self._rename_to(kind, name, new))

    @property
    def targets(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Names of the marked objects, or of the chosen one; and those of them that the filter hides."""
        marked = self._screen.list.marked if self._screen.pane is Pane.LIST else ()
        chosen = (self._screen.chosen,) if self._screen.chosen is not None else ()
        return (marked, self._screen.list.hidden_marks) if marked else (chosen, ())

    def delete(self) -> None:
        names, hidden = self.targets
        if names:
            self._start(self._delete(names, self._hidden_words() if hidden else ""))

    def delete_objects(self, kind: Kind, names: Sequence[str]) -> None:
        """Go to a kind and delete some of its objects."""
        self._screen.go_to(kind, names[0])
        self._start(self._delete(tuple(names)))

    def edit_marked(self) -> None:
        self._start(self._edit_marked(self._screen.list.marked))

    def _start(self, dialog: Coroutine[None, None, None]) -> None:
        self._screen.run_worker(dialog, group=ASKING)

    # Objects ----------------------------------------------------------------------------------------------------

    async def _add(self, template: str | None, typed: str = "") -> None:
        kind = self._screen.kind
        words = f"a copy of {object_words(kind, template)}" if template else f"a new {kind}"
        name = await self._screen.app.push_screen_wait(
            NameDialog(f"Add {words}", _NAMES.get(kind, "Its name:"), lambda text: self._names_problem(kind, text),
                       template or typed)
        )  # fmt: skip
        if name is None:
            return
        cluster = self._workspace.cluster
        names, pattern = named_objects(kind, name), cluster.get(kind, template) if template else None
        lists: Sequence[ObjectKey] = ()
        if len(names) > 1:
            chosen = await self._screen.app.push_screen_wait(_lists_dialog(cluster, name, len(names), template))
            if chosen is None:
                return
            lists = [key for key in host_lists(cluster) if key[1] in chosen.split()]
        objects = [_new_object(kind, new, pattern) for new in names]
        if self._screen.apply(add_all(cluster, name, objects, pattern, lists)):
            self._screen.go_to(kind, names[0], _first_field(kind) if len(names) == 1 else None)

    async def _rename(self) -> None:
        kind, name = self._screen.kind, self._screen.chosen
        if name is None:
            return
        new = await self._screen.app.push_screen_wait(
            NameDialog(
                f"Rename {object_words(kind, name)}",
                _RENAMING.get(kind, "The new name (references to the old one are shown next):"),
                lambda text: None if text == name else self._renaming_problem(kind, name, text),
                name,
            )
        )
        if new is None or new == name:
            return
        old, _, others = new.partition(" ")
        if others:
            await self._rename_all(named_objects(kind, old), "", others.strip())
        else:
            await self._rename_to(kind, name, new)

    def _renaming_problem(self, kind: Kind, name: str, text: str) -> str | None:
        """Return why an object cannot get the name in a text, or its hosts the names of a node set; None if it can."""
        old, _, others = text.partition(" ")
        if kind not in _RENAMING or not others:
            return self._new_name_problem(kind, name, text)
        return self._absent(kind, old) or self._new_names_problem(kind, named_objects(kind, old), others)

    def _absent(self, kind: Kind, text: str) -> str | None:
        """Return a sentence about the objects in a text that do not exist; None if all do."""
        try:
            names = _names_in(kind, text)
        except ValueError as error:
            return f"{error}."
        absent = [name for name in names if self._workspace.cluster.get(kind, name) is None]
        return f"There is no {kind} {_named(absent)}." if absent else None

    async def _rename_all(self, names: Sequence[str], hidden: str, typed: str | None = None) -> None:
        """Ask for a new name of each object unless `typed` has them, and show where the old names are used."""
        kind, cluster, state = self._screen.kind, self._workspace.cluster, self._workspace.state
        title = f"Rename {count(len(names), kind.value)}: {_named(names)}{hidden}"
        words = "As many new names, such as new[01-08], or with blanks between them:"
        if typed is None:
            typed = await self._screen.app.push_screen_wait(
                NameDialog(title, words, lambda text: self._new_names_problem(kind, names, text))
            )
        if typed is None:
            return
        new = dict(zip(names, _names_in(kind, typed), strict=True))
        following = rename_all_everywhere(cluster, kind, new)
        jobs = [job for name in names for job in jobs_to_update(cluster, state, kind, name, new[name])]
        refusals = [
            finding for name in names for finding in job_refusals(cluster, state, existing(cluster, kind, name))
        ]
        is_live = self._workspace.reading.live is not None  # no command renames hosts and queues in the state
        in_state = [] if is_live else [RenameInState(kind, name, new[name]) for name in names]
        answers: list[Answer[Edit | None]] = [
            Answer("n", "no", None),
            Answer("f", "follow", Batch(following.edit.label, (*in_state, following.edit)), safe=True),
        ]
        dialog = ChoiceDialog(
            f"{title} to {typed}",
            lambda cells: renaming_lines(_named(names), typed, refusals, following, jobs, cells),
            answers, wide=True,
        )  # fmt: skip
        edit = await self._screen.app.push_screen_wait(dialog)
        if edit is not None and self._screen.apply(edit):
            self._screen.list.unmark()
            self._screen.go_to(kind, new[names[0]])

    def _new_names_problem(self, kind: Kind, names: Sequence[str], text: str) -> str | None:
        """Return why objects cannot get the names in a text; None if they can."""
        try:
            new = _names_in(kind, text)
        except ValueError as error:
            return f"{error}."
        if len(new) != len(names) or len(set(new)) != len(new):
            return f"{count(len(names), kind.value)} need {len(names)} different names: these are {len(set(new))}."
        problems = (self._new_name_problem(kind, name, fresh) for name, fresh in zip(names, new, strict=True))
        return next((f"{problem}" for problem in problems if problem), None)

    async def _rename_to(self, kind: Kind, name: str, new: str) -> None:
        cluster, state = self._workspace.cluster, self._workspace.state
        following, only = rename_everywhere(cluster, kind, name, new), RenameObject(kind, name, new)
        jobs = jobs_to_update(cluster, state, kind, name, new)
        refusals = tuple(job_refusals(cluster, state, existing(cluster, kind, name)))
        # Jobs, load values and states of queue instances follow to the new name.
        label = f"{following.edit.label} and in {count(len(jobs), 'job')}" if jobs else following.edit.label
        everywhere = Batch(label, (RenameInState(kind, name, new), following.edit))
        is_live = self._workspace.reading.live is not None
        is_in_state = not is_live and renamed_in_state(cluster, state, kind, name, new) is not state
        edit: Edit | None = everywhere if is_in_state else only
        if following.changes or following.left or jobs or refusals:
            answers: list[Answer[Edit | None]] = [Answer("n", "no", None)]
            if following.changes or is_in_state:
                edit_all = everywhere if is_in_state else following.edit
                answers.append(Answer("f", "follow", edit_all, safe=True))
            if jobs and following.changes:
                answers.append(Answer("c", "not in jobs", following.edit))
            answers.append(Answer("o", "only the name", only))
            edit = await self._screen.app.push_screen_wait(
                ChoiceDialog(
                    f"Rename {object_words(kind, name)} to {new}",
                    lambda cells: renaming_lines(name, new, refusals, following, jobs, cells),
                    answers,
                    wide=True,
                )
            )
        if edit is not None and self._screen.apply(edit):
            self._screen.go_to(kind, new)
        else:
            self._screen.refresh_all()

    def _names_problem(self, kind: Kind, text: str) -> str | None:
        """Return why objects cannot be added with the names in a text; None if they can."""
        try:
            names = named_objects(kind, text)
        except ValueError as error:
            return f"{error}."
        cluster, first = self._workspace.cluster, _new_object(kind, names[0], None)
        for name in names:
            if taken := exists(cluster, _new_object(kind, name, None)):
                return taken.message
        return name_finding(first, check_object(cluster, first))

    def _new_name_problem(self, kind: Kind, name: str, new: str) -> str | None:
        return name_problem(self._workspace.cluster, name, existing(self._workspace.cluster, kind, name).renamed(new))

    async def _edit_marked(self, names: Sequence[str]) -> None:
        screen, kind = self._screen, self._screen.kind
        document = Document(self._workspace.cluster, self._workspace.state)
        fields = [field for field in spec(kind).fields if field.name != spec(kind).name_field]
        title = f"Edit {count(len(names), kind.value)}{self._hidden_words()}"
        picks = [Pick(field.name, crop(field.help, 50)) for field in fields]
        field = await screen.app.push_screen_wait(PickOne(f"{title}: which field?", picks))
        if field is None:
            return
        words = _LIST_WORDS if adding_option(kind, field) else "The value that all of them get:"

        def problem(text: str) -> str | None:
            try:
                change_all(document, kind, names, field, text)
            except EditError as error:
                return str(error)
            return None

        text = await screen.app.push_screen_wait(NameDialog(f"{field} of {_named(names)}", words, problem))
        if text is not None and screen.apply(edit := change_all(document, kind, names, field, text)):
            screen.notify(edit.label, timeout=3, markup=False)

    def _hidden_words(self) -> str:
        """Return words about the marked objects that the filter hides; empty if it hides none."""
        hidden = self._screen.list.hidden_marks
        return f" ({len(hidden)} hidden by the filter: {_named(hidden)})" if hidden else ""

    async def _delete(self, names: Sequence[str], hidden: str = "") -> None:
        kind, cluster, state = self._screen.kind, self._workspace.cluster, self._workspace.state
        following = delete_everywhere(cluster, kind, *names)
        refusals = _refusals_of_deletion(cluster, kind, names, state)
        uses = [reference for name in names for reference in references_to(cluster, kind, name)]
        references = list({(use.kind, use.name, use.field): use for use in uses}.values()) if len(names) > 1 else uses
        jobs = [job for name in names for job in jobs_naming(cluster, state, kind, name)]
        words, it = object_words(kind, names[0]), "it"
        if len(names) > 1:
            words, it = f"{count(len(names), kind.value)}: {_named(names)}", "them"
        answers: list[Answer[Edit | str | None]] = [Answer("n", f"no, keep {it}", None, safe=True)]
        if kind in _DELETING:
            answers.append(Answer("o", "others: a node set", _OTHERS))
        refused_then = _refused(_refusals_of_deletion(following.cluster, kind, names, state))
        if following.changes and not refused_then:
            answers.append(Answer("t", f"remove {it} there, then delete {it}", following.edit))
        if not _refused(refusals):
            edits = tuple(RemoveObject(kind, name) for name in names)
            only = edits[0] if len(edits) == 1 else Batch(f"delete {len(edits)} objects", edits)
            answers.append(Answer("y", f"only delete {it}" if references else f"delete {it}", only))
        dialog = ChoiceDialog(
            f"Delete {words}{hidden}?",
            lambda cells: deletion_lines(
                words, refusals, references, jobs, following, cells, is_offered=not refused_then
            ),
            answers,
            wide=bool(references or jobs or len(names) > 1),
        )
        edit = await self._screen.app.push_screen_wait(dialog)
        if isinstance(edit, str):
            asked = NameDialog(f"Delete {kind}s", _DELETING[kind], lambda text: self._absent(kind, text), names[0])
            typed = await self._screen.app.push_screen_wait(asked)
            if typed is not None:
                await self._delete(_names_in(kind, typed))
        elif edit is not None:
            self._screen.apply(edit)


_LIST_WORDS = (
    "An element is added or changed; -element removes it; =list replaces the whole list "
    "(qconf -mattr or -aattr, -dattr, -rattr):"
)
_NAMES_CELLS = 60
"""Width in cells for the names of several objects."""


def _named(names: Sequence[str]) -> str:
    return crop(" ".join(fold_hosts(names)), _NAMES_CELLS)


def _names_in(kind: Kind, text: str) -> tuple[str, ...]:
    """Return the names in a text, with node sets of hosts expanded. Raises ValueError with a sentence."""
    return tuple(name for word in text.split() for name in named_objects(kind, word))


def _refusals_of_deletion(cluster: Cluster, kind: Kind, names: Sequence[str], state: State) -> tuple[Finding, ...]:
    return tuple(finding for name in names for finding in deletion_refusals(cluster, kind, name, state))


def _refused(findings: Sequence[Finding]) -> bool:
    return any(finding.severity is Severity.ERROR for finding in findings)


_NAMES = {Kind.HOST: "Its name, or several as node[09-28]:"}
"""The question for names, by kind; kinds without one take a single name."""
_RENAMING = {Kind.HOST: "Its new name; or hosts and as many new names: node[09-28] new[01-20]"}
"""The question for new names, by kind; kinds without one take a single name."""
_DELETING = {Kind.HOST: "Which, such as node[09-28] node40:"}
_OTHERS = "others"


def _lists_dialog(cluster: Cluster, text: str, hosts: int, template: str | None) -> PickMany:
    """Return the dialog for the hostgroups and queues of new hosts; those of the copied host are preselected."""
    picks = [Pick(name, "queue" if kind is Kind.QUEUE else "") for kind, name in host_lists(cluster)]
    chosen = [name for _, name in host_lists(cluster, template)] if template is not None else []
    dialog = PickMany(
        f"Add {count(hosts, 'host')} {text}: also to which lists?", picks, chosen, " ".join, lambda _: (),
        free=False, sides=("hostgroups and queues", "they are added to"),
    )  # fmt: skip
    dialog.is_new = True
    return dialog


_INITIAL_VALUES = {Kind.COMPLEX: {"requestable": "YES"}}
"""Initial values of a new object by its kind: a new attribute can be requested."""


def _new_object(kind: Kind, name: str, pattern: ConfigObject | None) -> ConfigObject:
    values = dict(pattern.values) if pattern else dict(_INITIAL_VALUES.get(kind, {}))
    if kind is Kind.COMPLEX:  # shortcuts are unique, and the name is not used yet
        values["shortcut"] = name
    if name_field := spec(kind).name_field:
        values[name_field] = name
    return config_object(kind, name, values)


def _first_field(kind: Kind) -> str | None:
    """Return the first field of a kind besides the name; None if there is no other."""
    declared = spec(kind)
    return next((field.name for field in declared.fields if field.name != declared.name_field), None)
