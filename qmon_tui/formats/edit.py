"""From one cluster to another in the texts of its folder, changing nothing that need not change."""

from collections.abc import Iterable, Mapping

from qmon_tui.formats.compare import differing
from qmon_tui.formats.folder import Layout, read_texts
from qmon_tui.formats.qconf.folder import edited_qconf
from qmon_tui.formats.yaml.folder import edited_yaml
from qmon_tui.model.cluster import Cluster, ConfigObject


def edited_texts(layout: Layout, texts: Mapping[str, str], before: Cluster, after: Cluster) -> dict[str, str | None]:
    """The new texts of the files that must change, None for one to delete.

    `before` is what the texts describe. Raises ValueError with a plain sentence where an edit cannot be expressed: the
    new texts are read again, and must describe exactly `after`.
    """
    edit = edited_qconf if layout is Layout.QCONF else edited_yaml
    changed = edit(texts, before, after)
    if changed:
        merged = {name: text for name, text in {**texts, **changed}.items() if text is not None}
        _refuse_differences(read_texts(layout, after.name, merged).cluster, after, before)
    return {name: text for name, text in changed.items() if text != texts.get(name)}


def _refuse_differences(found: Cluster, wanted: Cluster, before: Cluster) -> None:
    wrong = list(differing(found, wanted))
    if not wrong:
        return
    names = ", ".join(f"{kind} {name}" for kind, name in wrong[:3])
    places = ", ".join(sorted({_place(before, kind, name) for kind, name in wrong[:3]} - {""}))
    raise ValueError(
        f"{names} cannot be saved without changing something else{' in ' + places if places else ''}; "
        "an alias, a merged mapping or a broken part of the file is in the way: edit the file itself"
    )


def _place(cluster: Cluster, kind: object, name: str) -> str:
    found: Iterable[ConfigObject] = (obj for obj in cluster if obj.kind is kind and obj.name == name)
    return next((f"{obj.origin.file} line {obj.origin.line}" for obj in found if obj.origin), "")
