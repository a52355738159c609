"""What a node of the share tree can be called, and what its shares can be; no Textual here."""

from collections.abc import Sequence

from qmon_tui.model.cluster import Cluster
from qmon_tui.model.kinds import Kind
from qmon_tui.model.sharetree_editing import TreeRow


def names_for(cluster: Cluster, rows: Sequence[TreeRow]) -> tuple[tuple[str, str], ...]:
    """Names that a node can have, those that are not in the tree yet first; any other is that of a group of nodes."""
    there = {row.name for row in rows}
    names = [
        ("default", "everybody without a node of his own"),
        *((name, "project") for name in cluster.objects(Kind.PROJECT)),
        *((name, "user") for name in cluster.objects(Kind.USER)),
    ]
    return tuple(
        sorted(
            ((name, _note(name, note, there)) for name, note in names),
            key=lambda name_and_note: name_and_note[0] in there,
        )
    )


def _note(name: str, note: str, there: set[str]) -> str:
    return f"{note}, is in the tree" if name in there else note
