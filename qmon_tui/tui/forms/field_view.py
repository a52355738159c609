"""Content of one row of a form, computed from the cluster, and the sentences about the focused field."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from textwrap import wrap

from qmon_tui.checks import canonical, default_fits
from qmon_tui.model import (
    Cluster,
    ConfigObject,
    Field,
    Finding,
    Kind,
    Severity,
    State,
    ValueType,
    hosts_of,
    inherited,
    overrides_of,
)
from qmon_tui.report import Line, Span, TextRole, line, width
from qmon_tui.tui.forms.editors import (
    QUICK_CHOICES,
    TYPED,
    Editor,
    choices_of,
    editor_of,
    fields_of,
    resettable,
    value_type,
)
from qmon_tui.tui.forms.scopes import DEFAULT, ScopedValue, scoped_value
from qmon_tui.values import humane_memory, humane_time, is_group, is_number, parse_number, split_names
from qmon_tui.workspace import same_letters


@dataclass(frozen=True, slots=True)
class FormState:
    """All input of the rows of a form."""

    cluster: Cluster
    obj: ConfigObject
    """The object, including the text that is being typed."""
    saved: ConfigObject | None
    """The object as it was read; None for a new one."""
    stored: ConfigObject
    """`obj` as the qmaster would store it."""
    findings: tuple[Finding, ...]
    scope: str = DEFAULT
    read_only: bool = False
    moving: State | None = None
    """Jobs, loads and states with which the findings were computed."""
    original: ConfigObject | None = None
    """The object that a new one was copied from; None if it is no copy."""


@dataclass(frozen=True, slots=True)
class FieldView:
    """Content of one row: the field, its value in the scope, notes and findings."""

    field: Field
    editor: Editor
    value: str
    given: bool
    """False for a value from the template's default or inherited by the scope."""
    origin: str = ""
    """Where an inherited value comes from: default, a @hostgroup, or the global configuration."""
    ambiguous: bool = False
    """True if several hostgroups give the host different values."""
    overriding: bool = False
    """True if the scope has its own value, overriding the one for all hosts."""
    overrides: int = 0
    """Number of hosts and groups with a value of their own; 0 in a scope other than the default."""
    resettable: bool = False
    """True if the value can be left out: then the default or inherited value holds."""
    edited: bool = False
    hint: str = ""
    """The value in readable form, such as `2 h 05 min`; empty if it is plain enough."""
    stored: str | None = None
    """The value as the qmaster would store it; None if that is the same."""
    findings: tuple[Finding, ...] = ()
    options: tuple[str, ...] | None = None
    """The only values that are possible now; None for free text."""
    limited: str = ""
    """Why there are no other options; empty if nothing limits them."""
    locked: str = ""
    """Why it cannot be edited at all; empty if it can."""

    @property
    def worst(self) -> Severity | None:
        """The severity of the worst finding; None without findings."""
        return min((f.severity for f in self.findings), key=_RANK.__getitem__, default=None)


_RANK = {Severity.ERROR: 0, Severity.WARNING: 1, Severity.INFO: 2}
_WITH_GLOBAL = (Kind.HOST, Kind.CONFIGURATION)
READ_ONLY = "opened read-only: nothing can be changed"


def field_view(state: FormState, declared: Field) -> FieldView:
    """Return the row of one field."""
    obj, name = state.obj, declared.name
    shown = _shown_value(state, declared)
    choices = choices_of(state.cluster, obj, declared)
    text, kept = obj.text(name), state.stored.text(name)
    return FieldView(
        field=declared,
        editor=editor_of(obj, declared),
        value=shown.text,
        given=shown.own and (state.scope != DEFAULT or obj.given(name) is not None),
        origin=shown.origin,
        ambiguous=shown.ambiguous,
        overriding=shown.own and state.scope != DEFAULT,
        overrides=len(overrides_of(text).keyed) if declared.per_host and state.scope == DEFAULT else 0,
        resettable=shown.own and obj.given(name) is not None and resettable(obj, declared),
        edited=_edited(state, name),
        hint=hint(state.cluster, obj, declared, shown.text),
        stored=kept if kept != text else None,
        findings=tuple(f for f in state.findings if f.field == name),
        options=choices.options,
        limited=choices.reason,
        locked=_locked(state, declared, choices.options, shown.text),
    )


def _shown_value(state: FormState, declared: Field) -> ScopedValue:
    """Return the value of a row: that of the scope, or the one inherited from the global configuration."""
    if (value_and_origin := inherited(state.cluster, state.obj, declared.name)) is not None:
        text, origin = value_and_origin
        return ScopedValue(text, False, origin)
    return scoped_value(state.cluster, state.obj, declared, state.scope)


def group_marks(state: FormState, groups: Iterable[str]) -> Mapping[str, tuple[Severity | None, bool]]:
    """Return tab -> severity of its worst finding (None without one), and True if a field in it was edited."""
    fields = {field.name: field for field in fields_of(state.obj)}
    worst: dict[str, Severity] = {}
    for finding in state.findings:
        declared = fields.get(finding.field or "")
        if declared is not None and finding.severity is not Severity.INFO:
            before = worst.get(declared.group, Severity.INFO)
            worst[declared.group] = min(before, finding.severity, key=_RANK.__getitem__)
    edited = {field.group for field in fields.values() if _edited(state, field.name)}
    return {group: (worst.get(group), group in edited) for group in groups}


def _edited(state: FormState, name: str) -> bool:
    """Return True if saving would write the field; in a new copy, if it differs from the original."""
    if state.saved is None and state.original is not None:
        return not same_letters(state.original, state.obj, name)
    if state.saved is None:
        # A new configuration contains only the fields that are given.
        return state.obj.kind is not Kind.CONFIGURATION or state.obj.given(name) is not None
    return not same_letters(state.saved, state.obj, name)


def general_findings(state: FormState) -> tuple[Finding, ...]:
    """Return the findings about the object as a whole, or about fields that the form does not show."""
    fields = {field.name for field in fields_of(state.obj)}
    return tuple(f for f in state.findings if f.field not in fields)


def hint(cluster: Cluster, obj: ConfigObject, declared: Field, text: str) -> str:
    """Return a readable form of a value: `2 h 05 min`, `1.5 GiB`, `12 hosts`; empty if the value is plain enough."""
    kind = value_type(obj, declared)
    if is_number(text) and parse_number(text) == 0:
        return ""
    if kind is ValueType.TIME:
        return humane_time(text) or ""
    if kind is ValueType.MEMORY:
        return humane_memory(text) or ""
    if kind is ValueType.HOSTS:
        names = split_names(text, declared.separator)
        hosts = len(hosts_of(cluster, text, declared.separator))
        return _count(hosts, "host") if any(is_group(name) for name in names) or hosts > 3 else ""
    return ""


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _locked(state: FormState, declared: Field, options: tuple[str, ...] | None, value: str) -> str:
    if state.read_only:
        return READ_ONLY
    if state.scope != DEFAULT and not declared.per_host:
        return "the same on all hosts"
    if declared.type is ValueType.NAME and state.obj.kind in _WITH_GLOBAL and state.obj.name == "global":
        return "every cluster has the host global"
    if options is not None and len(options) == 1 and _is_only(state.obj, declared, value, options[0]):
        return choices_of(state.cluster, state.obj, declared).reason
    return ""


def _is_only(obj: ConfigObject, declared: Field, value: str, only: str) -> bool:
    """Return True if a value is the only possible one, in any spelling."""
    if obj.kind is not Kind.COMPLEX:
        return value == only
    return canonical(obj, declared.name) == only or (declared.name == "default" and default_fits(obj))


_KEYS = {
    Editor.TEXT: ("Enter edit",),
    Editor.TIME: ("Enter edit", "Space helper"),
    Editor.MEMORY: ("Enter edit", "Space helper"),
    Editor.LIST: ("Enter pick", "t text"),
    Editor.FLAGS: ("Enter pick", "t text"),
    Editor.ENTRIES: ("Enter table", "t text"),
    Editor.SUBORDINATES: ("Enter table", "t text"),
    Editor.LINES: ("Enter edit",),
}
_TYPING = ("Enter keep", "Esc cancel", "↑↓ next field")
HELP_LINES = 3
SHORT_TITLES = {
    "Execution": "Exec",
    "Checkpointing": "Ckpt",
    "Thresholds": "Thresh",
    "Parallel environments": "PE",
    "Subordinates": "Subord",
    "User access": "Users",
    "Project access": "Projects",
}
"""Tab -> its title if the full titles do not fit."""


def keys_of(view: FieldView, *, editing: bool) -> tuple[str, ...]:
    """Return hints for the keys of a field."""
    if editing:
        return (*_TYPING, *(("F4 helper",) if view.editor in (Editor.TIME, Editor.MEMORY) else ()))
    more = (f"{'F6' if view.editor in TYPED else 'v'} per host",) if view.field.per_host else ()
    if view.locked:
        return more
    if view.editor is Editor.CHOICE:
        few = len(view.options or ()) <= QUICK_CHOICES
        keys: tuple[str, ...] = ("Space next", "Enter list") if few else ("Enter list",)
    else:
        keys = _KEYS[view.editor]
        if view.editor is Editor.TEXT and view.field.choices:
            keys = (*keys, "Space list")
    words = "⌫ inherit" if view.overriding else "⌫ default"
    reset = (words,) if view.resettable else ()
    return (*keys, *reset, *more)


def key_lines(keys: Sequence[str], cells: int) -> tuple[Line, ...]:
    """Return key hints side by side; none is split over two lines."""
    lines: list[str] = []
    for key in keys:
        if lines and len(lines[-1]) + 3 + len(key) <= cells:
            lines[-1] += f" · {key}"
        else:
            lines.append(key)
    return tuple(line(Span(text, TextRole.DIM)) for text in lines)


def help_lines(view: FieldView, cells: int, *, editing: bool) -> tuple[Line, ...]:
    """Return the help of a field, why it is limited or locked, and its keys, in at most `HELP_LINES` lines."""
    sentences = view.field.help
    if view.locked:
        sentences += f" Fixed: {view.locked}."
    elif view.limited:
        sentences += f" Limited: {view.limited}."
    lines = [line(Span(text, TextRole.PLAIN)) for text in wrap(sentences, max(cells, 20))]
    keys = key_lines(keys_of(view, editing=editing), cells)
    if lines and len(keys) == 1 and width(lines[-1]) + 3 + width(keys[0]) <= cells:
        lines[-1] = (*lines[-1], Span("   "), *keys[0])
    else:
        lines = [*lines[: HELP_LINES - len(keys[:1])], *keys]
    return tuple(lines[:HELP_LINES])
