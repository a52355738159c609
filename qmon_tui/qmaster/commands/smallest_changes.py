"""Smallest commands that change one object: elements of lists, single attributes, else the object as a whole.

Changes of other elements and fields made meanwhile are kept (qconf.md#order-of-changes).
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from qmon_tui.checks import change_findings, is_same_field
from qmon_tui.model import Cluster, ConfigObject, Kind, State, overrides_of, parse_rule, rules_of
from qmon_tui.model.catalogue import spec
from qmon_tui.model.catalogue.qconf_options import QCONF
from qmon_tui.qmaster.commands.command import Command
from qmon_tui.qmaster.commands.qconf import QconfAccess, QconfDelete, QconfModify, refused_by
from qmon_tui.qmaster.commands.qconf_attribute import (
    ADD,
    DELETE,
    MODIFY,
    PURGE,
    REPLACE,
    QconfAttribute,
    adding_option,
    list_elements,
)
from qmon_tui.qmaster.commands.share_nodes import node_commands
from qmon_tui.values import BLANK, COMMA, join_names, split_names

_MOST: Final = 8
"""Most commands to one object; instead of more, the whole object is given as a file."""
_MOST_OF_FIELD: Final = 4
"""Most commands to one field; instead of more, the whole field is replaced."""
_KEEPS_USAGE: Final = frozenset({Kind.USER, Kind.PROJECT})
"""Kinds whose past usage is lost if a file is given."""
_RULES: Final = "limit"
"""The field of a quota set to which -aattr adds no rule: only limits of known rules are changed singly."""
_SUBORDINATES: Final = "subordinate_list"
"""A list of which the qmaster stores more than it prints, so that it is replaced as a whole."""
_Single = QconfAttribute | QconfAccess
_ORDER: Final = (ADD, MODIFY, REPLACE, DELETE, PURGE)


def object_changes(cluster: Cluster, before: ConfigObject, after: ConfigObject) -> tuple[Command, ...]:
    """Return the commands that change `before`, an object of the cluster, into `after`; both as from `with_names`.

    All objects that `after` refers to must be in the cluster. If `after` is accepted, so is each command.
    """
    if after.kind is Kind.SHARETREE:
        return _tree_changes(cluster, before, after)
    fields = changed_fields(before, after)
    if not fields:
        return ()
    singly = _attributes(before, after, fields)
    if singly and (len(singly) <= _MOST or after.kind in _KEEPS_USAGE) and _leads(cluster, singly, after, fields):
        return singly
    return (QconfModify(after),)


def changed_fields(before: ConfigObject, after: ConfigObject) -> list[str]:
    """Return the fields whose values differ, ignoring spellings and values that change without an edit."""
    known = spec(before.kind)
    names = dict.fromkeys((*known.by_name, *before.values, *after.values))
    return [name for name in names if name != known.name_field and not is_same_field(before, after, name)]


def _tree_changes(cluster: Cluster, before: ConfigObject, after: ConfigObject) -> tuple[Command, ...]:
    if not after.text("tree"):
        return (QconfDelete(after.kind, after.name),)
    tried = node_commands(before.text("tree"), after.text("tree"))
    return next((commands for commands in tried if _leads(cluster, commands, after, ("tree",))), (QconfModify(after),))


def _leads(cluster: Cluster, commands: Sequence[Command], after: ConfigObject, fields: Iterable[str]) -> bool:
    """True if our qmaster accepts each command and the object is then `after` in these fields."""
    # A single command makes `after` itself; and if `after` has errors, so has each object on the way to it.
    judges = len(commands) > 1 and not refused_by(change_findings(cluster, after))
    for command in commands:
        made = _made(command, cluster, judges=judges)
        if made is None:
            return False
        cluster = made
    changed = cluster.get(after.kind, after.name)
    return changed is not None and all(is_same_field(changed, after, field) for field in fields)


def _made(command: Command, cluster: Cluster, *, judges: bool) -> Cluster | None:
    """Return the cluster after a command; None if it is refused. With `judges` the checks of objects may refuse it."""
    if not judges and isinstance(command, QconfAttribute):
        return command.applied(cluster)
    reply = command.apply(cluster, State())
    return reply.cluster if not reply.messages else None


def _attributes(before: ConfigObject, after: ConfigObject, fields: Sequence[str]) -> tuple[_Single, ...]:
    """Return the commands for single attributes, additions first, removals last; empty if they cannot do it."""
    plain = fields if after.kind is not Kind.QUOTA else [field for field in fields if field != _RULES]
    if QCONF[after.kind].attribute is None or not _can_be_set(after, plain):
        return ()
    made = [command for field in plain for command in _of_field(before, after, field)]
    if len(plain) < len(fields):
        limits = _limits(after.name, *(rules_of(obj.text(_RULES)) for obj in (before, after)))
        if limits is None:
            return ()
        made += limits
    return tuple(_together(sorted(made, key=_rank)))


def _limits(name: str, old: Sequence[str], new: Sequence[str]) -> list[QconfAttribute] | None:
    """Return the commands that change limits of rules; None if rules or their filters differ."""
    made: list[QconfAttribute] = []
    if len(old) != len(new):
        return None
    try:
        pairs = list(zip(map(parse_rule, old), map(parse_rule, new), strict=True))
    except ValueError:
        return None
    for number, (before, after) in enumerate(pairs, start=1):
        if (before.name, before.filters) != (after.name, after.filters) or "/" in (after.name or ""):
            return None
        if before.limits == after.limits:
            continue
        # -mattr would put changed limits last.
        text = ",".join(f"{attribute}={value}" for attribute, value in after.limits)
        made.append(QconfAttribute(Kind.QUOTA, f"{name}/{after.name or number}", _RULES, text))
    return made


def _rank(command: _Single) -> int:
    if isinstance(command, QconfAccess):
        return _ORDER.index(DELETE)
    return _ORDER.index(command.option)


def _can_be_set(after: ConfigObject, fields: Iterable[str]) -> bool:
    known = spec(after.kind).by_name
    return all(field in known and after.text(field) and "\n" not in after.text(field) for field in fields)


def _of_field(before: ConfigObject, after: ConfigObject, field: str) -> Sequence[_Single]:
    kind, name = after.kind, after.name
    old, new = before.text(field), after.text(field)
    if kind is Kind.USERSET and field == "entries":
        return tuple(_users(name, old, new))
    if not spec(kind).by_name[field].per_host:
        single = list(_of_scope(kind, name, field, old, new))
        return single if len(single) <= _MOST_OF_FIELD else [QconfAttribute(kind, name, field, new)]
    scopes, wanted = overrides_of(old), overrides_of(new)
    made: list[_Single] = []
    if wanted.default is not None:
        made += _of_scope(kind, name, field, scopes.default, wanted.default)
    for key, value in wanted.keyed:
        made += _of_scope(kind, f"{name}@{key}", field, scopes.get(key), value)
    if len(made) > _MOST_OF_FIELD:
        made = [QconfAttribute(kind, name, field, new)]
    gone = [key for key, _ in scopes.keyed if wanted.get(key) is None]
    return [*made, *(QconfAttribute(kind, f"{name}@{key}", field, "", PURGE) for key in gone)]


def _users(name: str, before: str, after: str) -> Iterator[_Single]:
    """Yield the commands that add users to a userset and take others out.

    -au would write the whole list; in -aattr blanks separate users, and a,b would be one element.
    """
    old, new = (split_names(text, COMMA) for text in (before, after))
    if added := [user for user in new if user not in old]:
        yield QconfAttribute(Kind.USERSET, name, "entries", join_names(added, BLANK), ADD)
    if removed := tuple(user for user in old if user not in new):
        yield QconfAccess(removed, (name,), adds=False)


def _of_scope(kind: Kind, name: str, field: str, before: str | None, after: str) -> Iterator[_Single]:
    """Yield the commands that change a text (a whole field, or its setting for one host) from `before` to `after`."""
    if before == after:
        return
    old = list_elements(kind, field, before) if before is not None else None
    new = list_elements(kind, field, after)
    option = adding_option(kind, field)
    if field == _SUBORDINATES or old is None or new is None or option is None or not _is_led(option, old, new):
        yield QconfAttribute(kind, name, field, after)
        return
    added = [text for word, text in new.items() if word not in old]
    changed = [text for word, text in new.items() if word in old and old[word] != text]
    removed = [word if kind is Kind.HOST else text for word, text in old.items() if word not in new]
    # If only blanks separate names, qconf takes a,b for one name.
    between = COMMA if option == MODIFY else spec(kind).by_name[field].separator
    for verb, texts in ((ADD, added), (MODIFY, changed), (DELETE, removed)):
        if texts:
            yield QconfAttribute(kind, name, field, join_names(texts, between), verb)


def _is_led(option: str, old: Iterable[str], new: Iterable[str]) -> bool:
    """True if additions at the end and removals change `old` into `new`; with -mattr the order does not matter."""
    names = list(new)
    kept = [name for name in old if name in names]
    return option == MODIFY or names[: len(kept)] == kept


def _together(commands: Iterable[_Single]) -> Iterator[_Single]:
    """Yield the commands, with all purges of one host joined into one."""
    purged: dict[str, QconfAttribute] = {}
    for command in commands:
        if isinstance(command, QconfAccess) or command.option != PURGE:
            yield command
        elif command.name in purged:
            first = purged[command.name]
            purged[command.name] = QconfAttribute(first.kind, first.name, f"{first.field},{command.field}", "", PURGE)
        else:
            purged[command.name] = command
    yield from purged.values()
