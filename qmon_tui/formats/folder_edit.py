"""From one cluster to another in the texts of its folder, changing nothing that need not change."""

from collections.abc import Mapping
from typing import Final

from qmon_tui.formats.folder_reader import Contents, read_texts
from qmon_tui.formats.layout import Layout
from qmon_tui.formats.object_differences import differing, object_edits
from qmon_tui.formats.qconf import edited_qconf
from qmon_tui.formats.state import StateEditRefused, edited_state
from qmon_tui.formats.yaml import edited_yaml
from qmon_tui.model import Cluster, ConfigObject, Kind, State


class EditRefused(Exception):
    """An edit cannot be written without changing something else; the text says which and where."""


def edited_texts(
    layout: Layout, texts: Mapping[str, str], before: Cluster, after: Cluster, known: Contents | None = None
) -> dict[str, str | None]:
    """The new texts of the files that must change, None for one to delete.

    `before` is what the texts describe; `known`, what was read from them, saves reading the unchanged ones again.
    Raises EditRefused where an edit cannot be expressed: the new texts are read, and must describe exactly `after`.
    """
    changed = _edited_qconf(texts, before, after) if layout is Layout.QCONF else _edited_yaml(texts, before, after)
    if changed:
        merged = {name: text for name, text in {**texts, **changed}.items() if text is not None}
        wrong = list(differing(read_texts(layout, after.name, merged, known).cluster, after))
        if wrong:
            raise _refusal(wrong, before, _IN_THE_WAY[layout])
    return {name: text for name, text in changed.items() if text != texts.get(name)}


def texts_with_state(
    layout: Layout, name: str, texts: Mapping[str, str], wanted: State, known: Contents | None = None
) -> dict[str, str]:
    """The new texts of the files that must change so that the folder's jobs, loads and states are those wanted.

    `known` is what was read from texts like these. Raises EditRefused where a change cannot be expressed.
    """

    def read(now: Mapping[str, str]) -> State:
        return read_texts(layout, name, now, known).state

    try:
        return edited_state(layout, texts, wanted, read)
    except StateEditRefused as error:
        raise EditRefused(str(error)) from None


def _edited_qconf(texts: Mapping[str, str], before: Cluster, after: Cluster) -> dict[str, str | None]:
    try:
        return edited_qconf(texts, before, after)
    except ValueError as error:
        raise EditRefused(str(error)) from None


def _edited_yaml(texts: Mapping[str, str], before: Cluster, after: Cluster) -> dict[str, str | None]:
    try:
        return edited_yaml(texts, before, after)
    except ValueError:
        # A legal but odd text can be such that an edit finds no place in it.
        wrong = [(edit.kind, obj.name) for edit in object_edits(before, after) if (obj := edit.before or edit.after)]
        raise _refusal(wrong, before, _IN_THE_WAY[Layout.YAML]) from None


_IN_THE_WAY: Final = {
    Layout.YAML: "an alias, a merged mapping or a broken part of the file is in the way: edit the file itself",
    Layout.QCONF: "a file of this layout cannot hold such a value, or is broken: mend what check says of it first",
}


def _refusal(wrong: list[tuple[Kind, str]], before: Cluster, reason: str) -> EditRefused:
    names = ", ".join(f'{kind} "{name}"' for kind, name in wrong[:3])
    places = ", ".join(sorted({_place(before.get(kind, name)) for kind, name in wrong[:3]} - {""}))
    return EditRefused(f"{names}{f' ({places})' if places else ''} cannot be saved as it is; {reason}")


def _place(obj: ConfigObject | None) -> str:
    return f"{obj.origin.file} line {obj.origin.line}" if obj and obj.origin else ""
