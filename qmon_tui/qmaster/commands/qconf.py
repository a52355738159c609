"""qconf as values: objects added, changed as a whole or in one attribute, and deleted; and the lines that show them."""

from dataclasses import dataclass, replace
from shlex import quote
from typing import Final

from qmon_tui.checks import addition_findings, change_findings, deletion_refusals, entry_addition, entry_removal
from qmon_tui.formats.qconf import new_file, write_sharetree
from qmon_tui.model import (
    SGE,
    Cluster,
    ConfigObject,
    Finding,
    Kind,
    Severity,
    State,
    config_object,
    overrides_of,
    parse_rule,
    rules_of,
)
from qmon_tui.model.catalogue import spec
from qmon_tui.model.catalogue.qconf_options import QCONF
from qmon_tui.qmaster.commands.command import Command, Reply
from qmon_tui.values import BLANK, BLANK_OR_COMMA, COMMA, join_entries, join_names, split_entries, split_names

NAME_LISTS: Final = frozenset({Kind.MANAGERS, Kind.OPERATORS, Kind.ADMIN_HOSTS, Kind.SUBMIT_HOSTS})
"""Lists to which single names are added."""
ONLY_SHOWN: Final = frozenset({"load_values", "processors"})
"""What qconf -se prints of a host and no file may have (exec-host.md#load-values)."""
_PARTS: Final = {Kind.QUEUE: "@", Kind.QUOTA: "/"}
"""What stands before a host of a queue, or a rule of a quota set, where only that is changed."""
REPLACE: Final = "-rattr"
"""The value of a list is replaced as a whole."""
MODIFY: Final = "-mattr"
"""Of a list only the entries that are given change."""


def show_line(kind: Kind, name: str) -> str:
    """The line that prints an object: `qconf -sq all.q`."""
    return f"qconf {QCONF[kind].show}" + (f" {quote(name)}" if QCONF[kind].is_named else "")


def editor_line(kind: Kind, name: str) -> str | None:
    """The line that opens an object in an editor: `qconf -mq all.q`; None for lists of names."""
    options = QCONF[kind]
    return (
        None if options.modify is None else f"qconf {options.modify}" + (f" {quote(name)}" if options.is_named else "")
    )


def _refused(findings: tuple[Finding, ...]) -> tuple[str, ...]:
    """What is said where something is an error: as the qmaster, only the first."""
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


@dataclass(frozen=True, slots=True)
class QconfAdd(Command):
    """A new object, as a file has it."""

    obj: ConfigObject

    @property
    def words(self) -> str:
        """What it does."""
        return f"add {spec(self.obj.kind).title} {self.obj.name}"

    @property
    def line(self) -> str:
        """The file is called as the object; see `text`. Empty where qconf adds no such object from a file."""
        option = None if self.obj.kind in NAME_LISTS else QCONF[self.obj.kind].add_file
        return f"qconf {option} {quote(self.obj.name)}" if option is not None else ""

    @property
    def text(self) -> str:
        """What the file of the line holds."""
        return _file_text(self.obj)

    def apply(self, cluster: Cluster, state: State) -> Reply:
        """Add it unless the qmaster refuses."""
        said = _refused(addition_findings(cluster, self.obj))
        return Reply(state, said) if said else Reply(state, cluster=cluster.with_object(self.obj))


@dataclass(frozen=True, slots=True)
class QconfModify(Command):
    """An object that is there already changed into another one, as a file has it."""

    obj: ConfigObject

    @property
    def words(self) -> str:
        """What it does."""
        return f"change {spec(self.obj.kind).title} {self.obj.name}"

    @property
    def line(self) -> str:
        """The file is called as the object; see `text`. Empty for lists of names, of which each is added by itself."""
        option, name = QCONF[self.obj.kind].modify_file, quote(self.obj.name)
        if option is None:
            return ""
        # Without its name the file would be all quota sets that there are.
        return f"qconf {option} {name} {name}" if self.obj.kind is Kind.QUOTA else f"qconf {option} {name}"

    @property
    def text(self) -> str:
        """What the file of the line holds."""
        return _file_text(self.obj)

    def apply(self, cluster: Cluster, state: State) -> Reply:
        """Change it unless the qmaster refuses."""
        said = _refused(change_findings(cluster, self.obj))
        return Reply(state, said) if said else Reply(state, cluster=cluster.with_object(self.obj))


@dataclass(frozen=True, slots=True)
class QconfAttribute(Command):
    """One attribute of an object given another value.

    -mattr would refuse NONE for lists; -Muser and -Mprj let 8.1.9 forget what the user or project has used. Host
    settings of queues that the text does not have any more are left alone by qconf 8.1.9; `qconf -purge queue slots
    all.q@node01` takes one away.
    """

    kind: Kind
    name: str
    """Of the object; of queues also `all.q@node01`, for one host, of quota sets `licences/1`, for one rule."""
    field: str
    value: str
    option: str = REPLACE

    @property
    def words(self) -> str:
        """What it does."""
        return f"set {self.field} of {spec(self.kind).title} {self.name}"

    @property
    def line(self) -> str:
        """Empty where qconf cannot set one attribute of such an object."""
        attribute = QCONF[self.kind].attribute
        if attribute is None or "\n" in self.value:
            return ""
        return f"qconf {self.option} {attribute} {quote(self.field)} {quote(self.value)} {quote(self.name)}"

    def apply(self, cluster: Cluster, state: State) -> Reply:
        """Set it unless the qmaster refuses."""
        name, _, part = self.name.partition(_PARTS[self.kind]) if self.kind in _PARTS else (self.name, "", "")
        obj = cluster.get(self.kind, name)
        after = self._after(obj.text(self.field), part) if obj is not None else None
        if obj is None or after is None:
            return Reply(state, (f'{spec(self.kind).title} "{self.name}" does not exist',))
        changed = obj.with_value(self.field, after)
        said = _refused(change_findings(cluster, changed))
        return Reply(state, said) if said else Reply(state, cluster=cluster.with_object(changed))

    def _after(self, before: str, part: str) -> str | None:
        """The text of the field afterwards; `part` is the host of a queue or the rule of a set. None: no such rule."""
        if not part:
            return self._changed(before)
        if self.kind is Kind.QUEUE:
            overrides = overrides_of(before)
            here = overrides.get(part)
            return overrides.with_key(part, self._changed(here if here is not None else overrides.default or "")).text()
        rules = list(map(parse_rule, rules_of(before)))
        for index, rule in enumerate(rules):
            if part in (rule.name, str(index + 1) if rule.name is None else None):
                limits = ",".join(f"{name}={value}" for name, value in rule.limits)
                rules[index] = replace(rule, limits=split_entries(self._changed(limits), COMMA))
                return "\n".join(rule.text() for rule in rules)
        return None

    def _changed(self, before: str) -> str:
        """The value; with -mattr the entries that it does not name stay as they are."""
        if self.option != MODIFY or "=" not in self.value:
            return self.value
        return join_entries(
            {**dict(split_entries(before, COMMA)), **dict(split_entries(self.value, COMMA))}.items(), COMMA
        )


@dataclass(frozen=True, slots=True)
class QconfDelete(Command):
    """An object deleted."""

    kind: Kind
    name: str

    @property
    def words(self) -> str:
        """What it does."""
        return f"delete {spec(self.kind).title} {self.name}"

    @property
    def line(self) -> str:
        """By the name of the object; empty for what is always there."""
        options = QCONF[self.kind]
        if options.delete is None or self.kind in NAME_LISTS:
            return ""
        return f"qconf {options.delete}" + (f" {quote(self.name)}" if options.is_named else "")

    def apply(self, cluster: Cluster, state: State) -> Reply:
        """Delete it unless the qmaster refuses."""
        said = _refused(deletion_refusals(cluster, self.kind, self.name, state))
        return Reply(state, said) if said else Reply(state, cluster=cluster.without(self.kind, self.name))


@dataclass(frozen=True, slots=True)
class QconfListName(Command):
    """A name added to, or taken from, the managers, operators, administrative or submit hosts."""

    kind: Kind
    name: str
    adds: bool = True

    @property
    def words(self) -> str:
        """What it does."""
        listed = spec(self.kind).title
        return f"add {self.name} to {listed}" if self.adds else f"take {self.name} from {listed}"

    @property
    def line(self) -> str:
        """`qconf -am anna`."""
        options = QCONF[self.kind]
        return f"qconf {options.add_file if self.adds else options.delete} {quote(self.name)}"

    def apply(self, cluster: Cluster, state: State) -> Reply:
        """Change the list unless the qmaster refuses."""
        refusal = (entry_addition if self.adds else entry_removal)(cluster, self.kind, self.name)
        if refusal is not None:
            return Reply(state, (refusal.message,))
        obj = cluster.single(self.kind)
        names = split_names(obj.text("entries"), BLANK_OR_COMMA)
        after = (*names, self.name) if self.adds else tuple(name for name in names if name != self.name)
        return Reply(state, cluster=cluster.with_object(obj.with_value("entries", join_names(after, BLANK))))
