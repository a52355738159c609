"""Write a cluster folder from scratch, or edit its texts with as few changes as possible."""

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from qmon_tui.formats.folder_reader import Contents, read_texts
from qmon_tui.formats.layout import LISTS, Layout, file_of
from qmon_tui.formats.object_differences import differing, object_edits
from qmon_tui.formats.qconf import edited_qconf, new_file, write_complexes, write_list, write_sharetree
from qmon_tui.formats.state import StateEditRefused, edited_state, state_text
from qmon_tui.formats.yaml import edited_yaml, new_section, removed_lines
from qmon_tui.model import (
    ONLY_SHOWN,
    Cluster,
    ConfigObject,
    Kind,
    State,
    default_complexes,
    default_objects,
    recognised,
)
from qmon_tui.model.catalogue import specs

JOBS_FILE = "jobs.yaml"


def without_reports(cluster: Cluster) -> Cluster:
    """Return the cluster without what hosts have reported, which YAML keeps in `loads` of the state."""
    reported = [host for host in cluster.objects(Kind.HOST).values() if not host.values.keys().isdisjoint(ONLY_SHOWN)]
    kept = [
        replace(
            host, values=MappingProxyType({name: text for name, text in host.values.items() if name not in ONLY_SHOWN})
        )
        for host in reported
    ]
    return cluster.with_objects(kept) if kept else cluster


def folder_texts(layout: Layout, cluster: Cluster, state: State) -> dict[str, str]:
    """Return file -> text of a folder that describes the cluster and its state."""
    texts = _qconf(cluster) if layout is Layout.QCONF else _yaml(without_reports(cluster))
    if cluster.dialect != recognised(cluster.kinds):
        texts["dialect.yaml"] = f"dialect: {cluster.dialect}\n"
    jobs = state_text(state)
    return {**texts, JOBS_FILE: jobs} if jobs else texts


def _qconf(cluster: Cluster) -> dict[str, str]:
    """Return file -> text in qconf's layout: one quota set per file, lines wrapped as qconf wraps them."""
    texts: dict[str, str] = {}
    for kind in specs():
        objects = cluster.objects(kind).values()
        if kind is Kind.COMPLEX:
            texts[file_of(kind, "")] = write_complexes(objects)
            continue
        for obj in objects:
            if kind in LISTS:
                text = write_list(obj)
            elif kind is Kind.SHARETREE:
                text = write_sharetree(obj)
            else:
                text = new_file(obj, single_line=False, dialect_name=cluster.dialect)
            if text:
                texts[file_of(kind, obj.name)] = text
    return texts


def _yaml(cluster: Cluster) -> dict[str, str]:
    """Return file -> text, a file per kind; default objects are left out, and listed as removed if missing."""
    texts: dict[str, str] = {}
    defaults = {(obj.kind, obj.name): obj for obj in (*default_complexes(), *default_objects())}
    for kind, known in specs().items():
        objects = cluster.objects(kind)
        written = [obj for obj in objects.values() if not _is_default(obj, defaults.get((kind, obj.name)))]
        removed = [] if known.single else [name for k, name in defaults if k is kind and name not in objects]
        if written or removed:
            texts[known.yaml_key + ".yaml"] = new_section(kind, written) + removed_lines(removed)
    return texts


def _is_default(obj: ConfigObject, default: ConfigObject | None) -> bool:
    return default is not None and dict(obj.values) == dict(default.values)


class EditRefused(Exception):
    """Raised if an edit cannot be written without changing something else; the message says which and where."""


def edited_texts(
    layout: Layout, texts: Mapping[str, str], before: Cluster, after: Cluster, known: Contents | None = None
) -> dict[str, str | None]:
    """Return file -> new text of the files that must change; None for a file to delete.

    `before` is the cluster that the texts describe; `known`, their contents, saves parsing unchanged files again.
    Raises EditRefused if the new texts, read back, would not describe exactly `after`.
    """
    if layout is Layout.FILES:
        if wrong := _edited_objects(before, after):
            raise _refusal(layout, wrong, before)
        return {}
    try:
        changed = (edited_qconf if layout is Layout.QCONF else edited_yaml)(texts, before, after)
    except ValueError as error:
        if layout is Layout.QCONF:
            raise EditRefused(str(error)) from None
        # In a legal but unusual text, an edit may find no place.
        raise _refusal(layout, _edited_objects(before, after), before) from None
    if changed:
        merged = {name: text for name, text in {**texts, **changed}.items() if text is not None}
        if wrong := list(differing(read_texts(layout, after.name, merged, known).cluster, after)):
            raise _refusal(layout, wrong, before)
    return {name: text for name, text in changed.items() if text != texts.get(name)}


def texts_with_state(
    layout: Layout, name: str, texts: Mapping[str, str], wanted: State, known: Contents | None = None
) -> dict[str, str]:
    """Return file -> new text of the files that must change so that the folder's state is the wanted one.

    `known` is an earlier reading of such texts. Raises EditRefused if a change cannot be expressed.
    """

    def read(now: Mapping[str, str]) -> State:
        return read_texts(layout, name, now, known).state

    try:
        return edited_state(layout, texts, wanted, read)
    except StateEditRefused as error:
        raise EditRefused(str(error)) from None


def _edited_objects(before: Cluster, after: Cluster) -> list[tuple[Kind, str]]:
    return [(edit.kind, obj.name) for edit in object_edits(before, after) if (obj := edit.before or edit.after)]


_IN_THE_WAY: Final = {
    Layout.YAML: "an alias, a merged mapping or a broken part of the file prevents it: edit the file itself",
    Layout.FILES: "single files of qconf are only read: `qmon-tui convert FOLDER NEW --to yaml` (or qconf) makes a"
    " folder that can be edited",
    Layout.QCONF: "a file of this layout cannot hold such a value, or is broken: fix what check reports first",
}


def _refusal(layout: Layout, wrong: list[tuple[Kind, str]], before: Cluster) -> EditRefused:
    names = ", ".join(f'{kind} "{name}"' for kind, name in wrong[:3])
    places = ", ".join(sorted({_place(before.get(kind, name)) for kind, name in wrong[:3]} - {""}))
    return EditRefused(f"{names}{f' ({places})' if places else ''} cannot be saved as it is; {_IN_THE_WAY[layout]}")


def _place(obj: ConfigObject | None) -> str:
    return f"{obj.origin.file} line {obj.origin.line}" if obj and obj.origin else ""
