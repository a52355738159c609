"""qconf commands as values: objects added, changed as a whole or in one attribute, and deleted; and show commands."""

from dataclasses import dataclass, replace
from shlex import quote
from typing import Final

from qmon_tui.checks import (
    addition_findings,
    change_findings,
    deletion_refusals,
    entry_addition,
    entry_removal,
    is_same_name,
    name_in_list,
)
from qmon_tui.formats.qconf import new_file, write_sharetree
from qmon_tui.model import (
    ONLY_SHOWN,
    SGE,
    Cluster,
    ConfigObject,
    Finding,
    Kind,
    Severity,
    State,
    config_object,
)
from qmon_tui.model.catalogue import spec
from qmon_tui.model.catalogue.qconf_options import QCONF
from qmon_tui.qmaster.commands.command import Command, Reply
from qmon_tui.values import BLANK, BLANK_OR_COMMA, COMMA, join_names, split_names

NAME_LISTS: Final = frozenset({Kind.MANAGERS, Kind.OPERATORS, Kind.ADMIN_HOSTS, Kind.SUBMIT_HOSTS})
"""Lists to which single names are added."""


def show_line(kind: Kind, name: str) -> str:
    """Return the command that prints an object: `qconf -sq all.q`."""
    return f"qconf {QCONF[kind].show}" + (f" {quote(name)}" if QCONF[kind].is_named else "")


def editor_line(kind: Kind, name: str) -> str | None:
    """Return the command that opens an object in an editor: `qconf -mq all.q`; None for lists of names."""
    options = QCONF[kind]
    return (
        None if options.modify is None else f"qconf {options.modify}" + (f" {quote(name)}" if options.is_named else "")
    )


def refused_by(findings: tuple[Finding, ...]) -> tuple[str, ...]:
    """Return the message of the first error, as the qmaster does; empty without errors."""
    return tuple(finding.message for finding in findings if finding.severity is Severity.ERROR)[:1]


def _file_text(obj: ConfigObject) -> str:
    if obj.kind is Kind.SHARETREE:
        return write_sharetree(obj)
    name_field = spec(obj.kind).name_field
    if name_field is not None:
        obj = obj.with_value(name_field, obj.name)
    if obj.kind is Kind.HOST:
        obj = config_object(
            obj.kind, obj.name, {name: obj.values[name] for name in obj.values if name not in ONLY_SHOWN}
        )
    return new_file(obj, single_line=False, dialect_name=SGE)


def _called(kind: Kind, name: str) -> str:
    return kind.value if spec(kind).single else f"{kind.value} {name}"


@dataclass(frozen=True, slots=True)
class QconfAdd(Command):
    """Addition of an object, as in a file."""

    obj: ConfigObject

    @property
    def words(self) -> str:
        return f"add {_called(self.obj.kind, self.obj.name)}"

    @property
    def line(self) -> str:
        """The file is called like the object; see `text`. Empty if qconf cannot add such an object from a file."""
        option = None if self.obj.kind in NAME_LISTS else QCONF[self.obj.kind].add_file
        return f"qconf {option} {quote(self.obj.name)}" if option is not None else ""

    @property
    def text(self) -> str:
        """The content of that file."""
        return _file_text(self.obj)

    def apply(self, cluster: Cluster, state: State) -> Reply:
        printed = refused_by(addition_findings(cluster, self.obj))
        return Reply(state, printed) if printed else Reply(state, cluster=cluster.with_object(self.obj))


@dataclass(frozen=True, slots=True)
class QconfModify(Command):
    """Replacement of an existing object, as in a file."""

    obj: ConfigObject

    @property
    def words(self) -> str:
        return f"change {_called(self.obj.kind, self.obj.name)}"

    @property
    def line(self) -> str:
        """The file is called like the object; see `text`. Empty for lists of names, which are changed name by name."""
        option, name = QCONF[self.obj.kind].modify_file, quote(self.obj.name)
        if option is None:
            return ""
        # Without a name the file would replace all quota sets.
        return f"qconf {option} {name} {name}" if self.obj.kind is Kind.QUOTA else f"qconf {option} {name}"

    @property
    def text(self) -> str:
        """The content of that file."""
        return _file_text(self.obj)

    def apply(self, cluster: Cluster, state: State) -> Reply:
        printed = refused_by(change_findings(cluster, self.obj))
        return Reply(state, printed) if printed else Reply(state, cluster=cluster.with_object(self.obj))


@dataclass(frozen=True, slots=True)
class QconfDelete(Command):
    """Deletion of an object."""

    kind: Kind
    name: str

    @property
    def words(self) -> str:
        return f"delete {_called(self.kind, self.name)}"

    @property
    def line(self) -> str:
        """Shell command line; empty for objects that always exist."""
        options = QCONF[self.kind]
        if options.delete is None or self.kind in NAME_LISTS:
            return ""
        return f"qconf {options.delete}" + (f" {quote(self.name)}" if options.is_named else "")

    def apply(self, cluster: Cluster, state: State) -> Reply:
        if self.kind is Kind.SHARETREE and not cluster.objects(self.kind):
            return Reply(state, ("sharetree does not exist",))
        refusals = deletion_refusals(cluster, self.kind, self.name, state)
        # The qmaster names all references to a userset, and the first one to other objects.
        is_listed = self.kind is Kind.USERSET
        printed = tuple(refusal.message for refusal in refusals) if is_listed else refused_by(refusals)
        return Reply(state, printed) if printed else Reply(state, cluster=cluster.without(self.kind, self.name))


@dataclass(frozen=True, slots=True)
class QconfListName(Command):
    """Addition or removal of a name in the managers, operators, administrative or submit hosts."""

    kind: Kind
    name: str
    """One name, or several separated by commas."""
    adds: bool = True

    @property
    def words(self) -> str:
        listed = spec(self.kind).title.lower()
        return f"add {self.name} to {listed}" if self.adds else f"take {self.name} from {listed}"

    @property
    def line(self) -> str:
        options = QCONF[self.kind]
        return f"qconf {options.add_file if self.adds else options.delete} {quote(self.name)}"

    def apply(self, cluster: Cluster, state: State) -> Reply:
        reply = Reply(state)
        for name in self.name.split(","):
            reply = reply.then(replace(self, name=name)._applied(reply.cluster or cluster, state))
        return reply

    def _applied(self, cluster: Cluster, state: State) -> Reply:
        refusal = (entry_addition if self.adds else entry_removal)(cluster, self.kind, self.name)
        if refusal is not None:
            return Reply(state, (refusal.message,))
        obj = cluster.single(self.kind)
        names = split_names(obj.text("entries"), BLANK_OR_COMMA)
        others = tuple(name for name in names if not is_same_name(self.kind, name, self.name))
        after = (*names, name_in_list(self.kind, self.name)) if self.adds else others
        return Reply(state, cluster=cluster.with_object(obj.with_value("entries", join_names(after, BLANK))))


@dataclass(frozen=True, slots=True)
class QconfAccess(Command):
    """Addition of users and groups to access lists, created if missing; or their removal."""

    users: tuple[str, ...]
    lists: tuple[str, ...]
    adds: bool = True

    @property
    def words(self) -> str:
        users, lists = ", ".join(self.users), ", ".join(self.lists)
        return f"add {users} to userset {lists}" if self.adds else f"take {users} from userset {lists}"

    @property
    def line(self) -> str:
        return f"qconf {'-au' if self.adds else '-du'} {quote(','.join(self.users))} {quote(','.join(self.lists))}"

    def apply(self, cluster: Cluster, state: State) -> Reply:
        """Change the lists; names already in them, or missing, are reported."""
        printed: list[str] = []
        changed = cluster
        for name in self.lists:
            obj = changed.get(Kind.USERSET, name)
            if obj is None and not self.adds:
                printed.append(f'access list "{name}" doesn\'t exist')
                continue
            obj = obj or config_object(Kind.USERSET, name, {"name": name, "type": "ACL"})
            entries = list(split_names(obj.text("entries"), BLANK_OR_COMMA))
            for user in self.users:
                if (user in entries) is self.adds:
                    is_there = f'"{user}" is already in access list "{name}"'
                    printed.append(is_there if self.adds else f'user "{user}" is not in access list "{name}"')
                elif self.adds:
                    entries.append(user)
                else:
                    entries.remove(user)
            after = obj.with_value("entries", join_names(entries, COMMA))
            if after != obj or name not in changed.objects(Kind.USERSET):
                changed = changed.with_object(after)
        return Reply(state, tuple(printed), cluster=None if changed is cluster else changed)
