"""The questions of the panels about the share tree: shares, names, new parents of nodes, and past usage."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from textual.widget import Widget

from qmon_tui.checks import check_object
from qmon_tui.model import Cluster, Kind, NodePosition, TreeRow, sharetree_editing as editing, tree_rows
from qmon_tui.report import moment, shares_problem
from qmon_tui.tui.base import EditRequested
from qmon_tui.tui.dialogs import Answer, ChoiceDialog, NameDialog, paragraphs
from qmon_tui.tui.forms.dialogs import LinesDialog, Pick, PickOne
from qmon_tui.workspace import ClearUsage, SetUsage, UsageOwner, Workspace, parse_usage, usage_line, usage_of

if TYPE_CHECKING:
    from qmon_tui.tui.sharetree.sharetree_panels import TreeView

_NEW_SHARES = 10


def ask_shares(view: "TreeView", row: TreeRow) -> None:
    """Ask for the shares of a node."""

    explanation = "A whole number, relative to the shares of its siblings."
    NameDialog(f"Shares of {row.path}", explanation, shares_problem, str(row.shares)).ask(
        view.app, lambda shares: view.replace_tree(editing.with_field(view.text, row.place, "shares", shares))
    )


def ask_new_node(view: "TreeView", row: TreeRow) -> None:
    """Ask for the name of a new child node, or the paths and shares of several nodes."""
    parent = row if _may_have_nodes(view, row) else next(up for up in view.rows if up.place == row.place[:-1])

    def keep(text: str) -> None:
        nodes = (editing.TypedNode((text,)),) if _meant(view, parent, text) is None else editing.typed_nodes(text)
        tree, places = editing.with_nodes(view.text, parent.place, nodes, _NEW_SHARES)
        view.replace_tree(tree, places[-1])

    dialog = PickOne(
        f"Add below {parent.path}",
        _names(view),
        free=True,
        meant=lambda text: _meant(view, parent, text),
        placeholder="a name, or paths with shares: anna=40 /physics/chen=20",
    )
    dialog.ask(view.app, keep)


def _may_have_nodes(view: "TreeView", row: TreeRow) -> bool:
    """Return False for a user or `default`, which have no nodes below; any other leaf may get some."""
    if not row.is_leaf or not row.place or view.workspace.cluster.get(Kind.PROJECT, row.name) is not None:
        return True
    return row.name != "default" and view.workspace.cluster.get(Kind.USER, row.name) is None


def _meant(view: "TreeView", parent: TreeRow, text: str) -> list[Pick] | str | None:
    """Return the nodes that a text with paths or shares adds or changes; a sentence if invalid; None for a name."""
    if not set(text) & set("/=, \t"):
        return None
    try:
        nodes = editing.typed_nodes(text)
    except ValueError as error:
        return str(error)
    before = {row.path: row for row in view.rows}
    tree, places = editing.with_nodes(view.text, parent.place, nodes, _NEW_SHARES)
    picks = []
    for row in tree_rows(tree):
        there = before.get(row.path)
        if there is None:
            picks.append(Pick(row.path, f"new, shares {row.shares}"))
        elif row.place in places:
            changed = f"shares {there.shares} → {row.shares}" if there.shares != row.shares else "is there already"
            picks.append(Pick(row.path, changed))
    return picks


def ask_name(view: "TreeView", row: TreeRow) -> None:
    """Ask for another name of a node."""

    PickOne(f"Rename {row.path}", _names(view), row.name, free=True).ask(
        view.app, lambda name: view.replace_tree(editing.with_field(view.text, row.place, "name", name))
    )


def _names(view: "TreeView") -> list[Pick]:
    return [Pick(name, note) for name, note in names_for(view.workspace.cluster, view.rows)]


def ask_to_move(view: "TreeView", row: TreeRow) -> None:
    """Ask for the new parent of a node."""
    goals = [goal for goal in _goals(view) if not editing.is_below(goal.place, row.place)]
    _pick_goal(view, f"Move {row.path} below", goals, lambda goal: editing.moved(view.text, row.place, goal))


def ask_to_copy(view: "TreeView", row: TreeRow) -> None:
    """Ask for the parent of a node's copy."""
    goals = _goals(view)
    _pick_goal(view, f"Copy {row.path} below", goals, lambda goal: editing.copied(view.text, row.place, goal))


def _goals(view: "TreeView") -> list[TreeRow]:
    """Return the nodes that may have nodes below them."""
    users = view.workspace.cluster.objects(Kind.USER)
    return [row for row in view.rows if row.name != "default" and row.name not in users]


def _pick_goal(
    view: "TreeView",
    title: str,
    goals: Sequence[TreeRow],
    change: Callable[[NodePosition], tuple[str, NodePosition]],
) -> None:
    places = {row.path: row.place for row in goals}

    PickOne(title, [Pick(path) for path in places]).ask(view.app, lambda path: view.replace_tree(*change(places[path])))


def find_node(view: "TreeView") -> None:
    """Ask for a part of a node's path, and go to it."""
    places = {row.path: row.place for row in view.rows}

    PickOne("Find a node", [Pick(path) for path in places]).ask(view.app, lambda path: view.move_to(places[path]))


def ask_tree_as_text(view: "TreeView") -> None:
    """Edit the whole tree as text."""
    cluster, tree = view.workspace.cluster, view.workspace.cluster.single(Kind.SHARETREE)

    dialog = LinesDialog(
        "The share tree", tree.text("tree"), lambda text: check_object(cluster, tree.with_value("tree", text))
    )
    dialog.ask(view.app, view.replace_tree)


def names_for(cluster: Cluster, rows: Sequence[TreeRow]) -> tuple[tuple[str, str], ...]:
    """Return names for a node with notes, those that are not in the tree yet first; other names are allowed as well."""
    in_tree = {row.name for row in rows}
    names = [
        ("default", "all users without a node of their own"),
        *((name, "project") for name in cluster.objects(Kind.PROJECT)),
        *((name, "user") for name in cluster.objects(Kind.USER)),
    ]
    return tuple(
        sorted(
            ((name, f"{note}, is in the tree" if name in in_tree else note) for name, note in names),
            key=lambda name_and_note: name_and_note[0] in in_tree,
        )
    )


_FORGET = "Clears all past usage of users and projects, as qconf -clearusage does."
_FORGET_ONE = "Or only that of {0}, within projects too, as qconf -clearusage {0} does; projects keep theirs."


def ask_usage(view: Widget, workspace: Workspace, holder: UsageOwner) -> None:
    """Ask for all kinds of usage in one line: cpu in seconds, mem in gigabyte seconds, io in gigabytes."""
    amounts, time = usage_of(workspace.state, holder)
    when = f", as of {moment(time)}, fading since" if time is not None else ""
    words = f"cpu in seconds, mem in GB seconds, io in GB{when}; 0 is none:"

    def check(text: str) -> str | None:
        usage = parse_usage(text)
        return usage if isinstance(usage, str) else None

    NameDialog(f"Past usage of {holder.words}", words, check, usage_line(amounts)).ask(
        view.app, lambda text: view.post_message(EditRequested(SetUsage(holder, text)))
    )


def ask_to_clear_usage(view: Widget, workspace: Workspace, holder: UsageOwner | None) -> None:
    """Ask whether to clear all past usage, only that of the user `holder` (if there is some), or none."""
    user = holder.user if holder is not None else None

    def chosen(edit: ClearUsage | None) -> None:
        if edit is not None:
            view.post_message(EditRequested(edit))

    answers: list[Answer[ClearUsage | None]] = [Answer("n", "no", None, safe=True)]
    texts = [_FORGET]
    if user is not None and user in workspace.state.usage.users:
        answers.append(Answer("o", f"only that of {user}", ClearUsage(user)))
        texts.append(_FORGET_ONE.format(user))
    answers.append(Answer("f", "forget it", ClearUsage()))
    view.app.push_screen(ChoiceDialog("Clear all past usage?", paragraphs(*texts), answers), chosen)
