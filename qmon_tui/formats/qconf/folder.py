"""Changes to a qconf folder: which files an edit of the cluster touches, and their new texts."""

from collections.abc import Mapping

from qmon_tui.formats.changes import ObjectEdit, object_edits
from qmon_tui.formats.layout import LISTS, file_of, kind_of_file
from qmon_tui.formats.qconf.edit import edit_complexes, edit_object, edit_quotas, new_file
from qmon_tui.formats.qconf.lists import write_list
from qmon_tui.formats.qconf.scan import is_single_line, is_wrapped
from qmon_tui.formats.qconf.sharetree import write_sharetree
from qmon_tui.model.cluster import Cluster, ConfigObject
from qmon_tui.model.kinds import Kind

Texts = dict[str, str | None]


def edited_qconf(texts: Mapping[str, str], before: Cluster, after: Cluster) -> Texts:
    """The new texts of the files that an edit touches, None for one to delete."""
    edits = object_edits(before, after)
    changed: Texts = {}
    single_line = _printed_single_line(texts)
    for kind in dict.fromkeys(edit.kind for edit in edits):
        of_kind = [edit for edit in edits if edit.kind is kind]
        if kind is Kind.COMPLEX:
            table = edit_complexes(
                texts.get(file_of(kind, ""), ""), before.objects(kind).values(), after.objects(kind).values()
            )
            changed[file_of(kind, "")] = table
        elif kind is Kind.QUOTA:
            changed |= _quotas(texts, of_kind, single_line)
        elif kind in LISTS or kind is Kind.SHARETREE:
            changed[file_of(kind, "")] = _plain(after.single(kind))
        elif not any(kind_of_file(file) is kind for file in texts):
            # Where the folder has its first object of a kind, what a new cluster has of it must be written too.
            objects = after.objects(kind).values()
            changed |= {
                file_of(kind, obj.name): new_file(obj, single_line=single_line, dialect_name=after.dialect)
                for obj in objects
            }
        else:
            for edit in of_kind:
                changed |= _object(texts, edit, single_line, after.dialect)
    return changed


def _plain(obj: ConfigObject) -> str | None:
    if obj.kind is Kind.SHARETREE:
        return write_sharetree(obj) or None
    return write_list(obj)


def _object(texts: Mapping[str, str], edit: ObjectEdit, single_line: bool, dialect_name: str) -> Texts:
    """One object that has a file for itself."""
    old_file = edit.before.origin.file if edit.before and edit.before.origin else None
    text = texts.get(old_file) if old_file else None
    if edit.after is None:
        return {old_file: None} if old_file else {}
    file = old_file if old_file and not edit.renamed else file_of(edit.kind, edit.after.name)
    if edit.before is None or text is None:
        return {file: new_file(edit.after, single_line=single_line, dialect_name=dialect_name)}
    own = is_single_line(text) or (single_line and not is_wrapped(text))
    changed: Texts = {file: edit_object(text, edit.before, edit.after, single_line=own)}
    return {old_file: None, **changed} if old_file and old_file != file else changed


def _quotas(texts: Mapping[str, str], edits: list[ObjectEdit], single_line: bool) -> Texts:
    """Quota sets: a file may hold several, so its unchanged ones stay as they are."""
    changed: Texts = {}
    for edit in edits:
        origin = edit.before.origin if edit.before else None
        if edit.before is None or origin is None:
            assert edit.after is not None
            file = file_of(edit.kind, edit.after.name)
            before, after = {}, {edit.after.name: edit.after}
        else:
            file = origin.file
            before = {edit.before.name: edit.before}
            after = {edit.before.name: edit.after} if edit.after else {}
        text = changed.get(file, texts.get(file)) or ""
        new = edit_quotas(text, before, after, single_line=single_line)
        if edit.renamed and edit.after and file == file_of(edit.kind, edit.before.name if edit.before else ""):
            changed[file] = None
            file = file_of(edit.kind, edit.after.name)
        changed[file] = new if new.strip() else None
    return changed


def _printed_single_line(texts: Mapping[str, str]) -> bool:
    """Tell whether the files were printed with SGE_SINGLE_LINE set, as far as they show it."""
    kinds = {file: kind_of_file(file) for file in texts}
    wrappable = [texts[file] for file, kind in kinds.items() if kind not in (None, Kind.COMPLEX, Kind.SHARETREE)]
    return not any(map(is_wrapped, wrappable)) and any(map(is_single_line, wrappable))
