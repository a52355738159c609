"""Changes to a YAML folder: which file an edit touches, and its new text."""

from collections.abc import Mapping

from qmon_tui.formats.changes import ObjectEdit, object_edits
from qmon_tui.formats.layout import is_yaml
from qmon_tui.formats.yaml.edit import edit_yaml
from qmon_tui.formats.yaml.reader import read_file
from qmon_tui.model.catalogue import spec
from qmon_tui.model.cluster import Cluster
from qmon_tui.model.defaults import default_complexes, default_objects
from qmon_tui.model.kinds import Kind

Texts = dict[str, str | None]

_BUILT_IN = frozenset((obj.kind, obj.name) for obj in (*default_complexes(), *default_objects()))


def edited_yaml(texts: Mapping[str, str], before: Cluster, after: Cluster) -> Texts:
    """The new texts of the files that an edit touches; raises ValueError where a file offers no place for an edit."""
    by_file: dict[str, list[ObjectEdit]] = {}
    sections: dict[str, frozenset[Kind]] = {}
    for edit in object_edits(before, after):
        origin = edit.before.origin if edit.before else None
        if origin is None or origin.file not in texts:
            sections = sections or _sections(texts)
            file = file_for(edit.kind, sections)
        else:
            file = origin.file
        by_file.setdefault(file, []).append(edit)
    return {file: edit_yaml(texts.get(file, ""), edits, _BUILT_IN) for file, edits in by_file.items()}


def file_for(kind: Kind, sections: Mapping[str, frozenset[Kind]]) -> str:
    """The file for a new object: the last that has its kind, else the only one with objects, else one of its own."""
    having = [file for file, kinds in sections.items() if kind in kinds]
    if having:
        return having[-1]
    own = spec(kind).yaml_key + ".yaml"
    configured = [file for file, kinds in sections.items() if kinds]
    return configured[0] if len(configured) == 1 and own not in sections else own


def _sections(texts: Mapping[str, str]) -> dict[str, frozenset[Kind]]:
    """File -> the kinds that have a section in it."""
    return {
        file: frozenset(section.kind for section in read_file(text, file).sections)
        for file, text in sorted(texts.items())
        if is_yaml(file)
    }
