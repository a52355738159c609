"""Past usage changed in the text of a YAML file: `usage:` with a section for users and one for projects."""

from collections.abc import Mapping

from qmon_tui.formats.state.entries import usage_text
from qmon_tui.formats.state.field_values import rendered
from qmon_tui.formats.state.item_edit import edit_fields, edit_keyed, pairs_of
from qmon_tui.formats.text_changes import TextChange
from qmon_tui.formats.yaml import (
    INDENT,
    Mapping as MappingNode,
    MappingEdit,
    Node,
    SharedKey,
    braces,
    named_lines,
    rewritten,
)
from qmon_tui.model import StateEntry
from qmon_tui.model.catalogue.state import USAGE

Pairs = Mapping[str, tuple[StateEntry | None, StateEntry | None]]
"""`user anna` -> her usage before and after."""
_Section = dict[str, tuple[StateEntry | None, StateEntry | None]]
_Fields = tuple[tuple[str, str], ...]


def new_usage(pairs: Pairs) -> list[str]:
    """The lines below `usage:` where there are none yet."""
    sections = _sections(pairs).items()
    return [line for section, entries in sections for line in named_lines(section, _texts(entries), INDENT)]


def usage_changes(usage: MappingEdit, pairs: Pairs, newline: str) -> list[TextChange]:
    """The changes inside `usage:`; who is not concerned keeps the lines."""
    places = {key.text: (key, value) for key, value in pairs_of(usage.node)}
    changes: list[TextChange] = []
    fresh: list[tuple[int | None, str]] = []
    for section, entries in _sections(pairs).items():
        key, value = places.get(section, (None, None))
        if key is None or value is None:
            indent = "" if usage.node.flow else usage.indent(INDENT)
            fresh.append((None, f"{indent}{section}: {braces(_texts(entries))}"))
        elif isinstance(value, MappingNode):
            changes += _section_changes(MappingEdit(usage.text, value, key), entries, newline)
        else:
            changes.append(rewritten(usage.text, key, value, f" {braces(_texts(entries))}"))
    return [*changes, *(usage.update(set(), fresh, newline) if fresh else ())]


def _section_changes(container: MappingEdit, entries: _Section, newline: str) -> list[TextChange]:
    wanted = {name: tuple(after.values.items()) if after else None for name, (_, after) in entries.items()}

    def token(value: Node) -> _Fields:
        # A value that is not edited stays unchanged: its own position distinguishes it from all others.
        return (("", str(value.start)),)

    def change(pair: SharedKey, _: str, fields: _Fields) -> list[TextChange]:
        before, _after = entries[pair.key.text]
        old = before.values if before is not None else {}
        return edit_fields(container.text, pair.key, pair.value, old, dict(fields), _written, newline)

    def render(fields: _Fields, _: bool) -> str:
        return usage_text(dict(fields))

    keyed = [SharedKey((name.text,), name, value) for name, value in pairs_of(container.node)]
    return edit_keyed(container, keyed, wanted, tuple, token, change, render, newline)


def _written(name: str, text: str, flow: bool, style: str) -> str:
    return rendered(USAGE, name, text, flow=flow, style=style)


def _texts(entries: _Section) -> dict[str, str]:
    """Name -> usage afterwards in curly braces."""
    return {name: usage_text(after.values) for name, (_, after) in entries.items() if after}


def _sections(pairs: Pairs) -> dict[str, _Section]:
    """`users` and `projects` -> name -> usage before and after."""
    sections: dict[str, _Section] = {}
    for name, pair in pairs.items():
        what, _, who = name.partition(" ")
        sections.setdefault(f"{what}s", {})[who] = pair
    return sections
