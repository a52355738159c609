"""qconf -aattr, -mattr, -rattr, -dattr and -purge: one attribute of an object (qconf.md#single-attributes)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from shlex import quote
from typing import Final, NamedTuple

from qmon_tui.checks import change_findings, stored
from qmon_tui.model import Cluster, ConfigObject, Kind, State, overrides_of, parse_rule, rules_of
from qmon_tui.model.catalogue import spec
from qmon_tui.model.catalogue.qconf_options import QCONF
from qmon_tui.qmaster.commands.command import Command, Reply
from qmon_tui.qmaster.commands.qconf import refused_by
from qmon_tui.values import (
    BLANK,
    BLANK_OR_COMMA,
    COMMA,
    Subordinates,
    is_none,
    join_names,
    parse_overrides,
    parse_subordinates,
    split_entries,
    split_names,
)

REPLACE: Final = "-rattr"
"""Replaces the whole value of a list."""
MODIFY: Final = "-mattr"
"""Changes only the given entries of a list."""
ADD: Final = "-aattr"
"""Adds entries to a list."""
DELETE: Final = "-dattr"
"""Removes entries from a list by name."""
PURGE: Final = "-purge"
"""Removes the setting of one host or hostgroup of a queue."""
OPTIONS: Final = (REPLACE, MODIFY, ADD, DELETE)
PARTS: Final = {Kind.QUEUE: "@", Kind.QUOTA: "/"}
"""Separator between a queue and one host, or a quota set and one rule, if only that part is changed."""
_ACCESS: Final = ("user_lists", "xuser_lists", "projects", "xprojects")
_NAMES: Final[Mapping[Kind, tuple[str, ...]]] = {
    Kind.QUEUE: ("hostlist", "pe_list", "ckpt_list", "owner_list", *_ACCESS),
    Kind.HOST: (*_ACCESS, "report_variables"),
    Kind.PE: _ACCESS[:2],
    Kind.HOSTGROUP: ("hostlist",),
    Kind.USERSET: ("entries",),
}
"""Fields that are lists of names; acl and xacl of projects are none for qconf, which replaces them in any case."""
_ACL: Final = (*_ACCESS, "acl", "xacl")
"""Fields that -mattr changes for queues only: elsewhere 8.1.9 refuses them like an unset list."""
_ENTRIES: Final[Mapping[Kind, tuple[str, ...]]] = {
    Kind.QUEUE: ("complex_values", "load_thresholds", "suspend_thresholds", "subordinate_list"),
    Kind.HOST: ("complex_values", "load_scaling", "usage_scaling"),
    Kind.QUOTA: ("limit",),
}
"""Fields that are lists of names with values."""
_SHORT: Final = "limit"
"""The field whose entries may be given by name alone, as those of hosts may."""
_OF_COMPLEX: Final = ("complex_values", "limit")
"""Fields in which -mattr moves an entry to the end even if its value is the same."""
_CALLED: Final = {"entries": "user_lists", "limit": "resource_quota_rules"}
"""qconf's name for a field if it differs."""
_ABSENT: Final = 'denied: {} "{}" does not exist'
_NO_LIST: Final = '"{}" is not a valid list attribute value for -mattr. Try using -rattr instead.'
_NO_RULE: Final = "no resource quota rule specified for modification"
_OF_INSTANCE: Final = "Queue domain/instance values are only allowed for cluster queues."
_NOUNS: Final = {
    Kind.QUEUE: "cluster queue", Kind.HOST: "exechost", Kind.HOSTGROUP: "host group", Kind.PE: "parallel environment",
    Kind.CKPT: "checkpoint interface", Kind.CALENDAR: "calendar", Kind.USERSET: "userset", Kind.PROJECT: "project",
    Kind.USER: "user", Kind.QUOTA: "resource quota set",
}  # fmt: skip


class RefusedError(Exception):
    """Raised if qconf refuses a command without asking the qmaster; the text is its message."""


class _Element(NamedTuple):
    """An element of a list: its name, and its text."""

    name: str
    text: str
    alone: Subordinates = Subordinates()
    """An element of a subordinate_list as a list with one element; the slots of the first apply to all."""


def adding_option(kind: Kind, field: str) -> str | None:
    """Return the option that adds an element to a field, or changes it there; None if the field is no list."""
    if field in _ENTRIES.get(kind, ()):
        return MODIFY
    return ADD if field in _NAMES.get(kind, ()) else None


def list_elements(kind: Kind, field: str, text: str) -> dict[str, str] | None:
    """Return the names of a list and the text of each element; None if it cannot be read or names one twice."""
    try:
        elements = QconfAttribute(kind, "", field, "")._elements(text, is_entries=field in _ENTRIES.get(kind, ()))
    except RefusedError:
        return None
    named = {element.name: element.text for element in elements}
    return named if len(named) == len(elements) else None


@dataclass(frozen=True, slots=True)
class QconfAttribute(Command):
    """A changed attribute of an object.

    -mattr would refuse NONE for lists; -Muser and -Mprj make 8.1.9 forget past usage. -rattr keeps host settings of
    queues that the new text lacks; `qconf -purge queue slots all.q@node01` removes one.
    """

    kind: Kind
    name: str
    """Name of the object; for queues also `all.q@node01` (one host), for quota sets `licences/1` (one rule)."""
    field: str
    value: str
    option: str = REPLACE
    others: tuple[str, ...] = ()
    """Further objects that get the same value."""

    @property
    def words(self) -> str:
        names = ", ".join((self.name, *self.others))
        return f"set {self.field} of {self.kind.value} {names}"

    @property
    def line(self) -> str:
        """Shell command line; empty if qconf cannot set one attribute of such an object."""
        attribute = QCONF[self.kind].attribute
        if attribute is None or "\n" in self.value:
            return ""
        value = "" if self.option == PURGE else f" {quote(self.value)}"
        names = " ".join(map(quote, (self.name, *self.others)))
        return f"qconf {self.option} {attribute} {quote(self.field)}{value} {names}"

    def apply(self, cluster: Cluster, state: State) -> Reply:
        """Set the attribute; of several objects only those are changed for which the qmaster accepts it."""
        reply = self._applied(cluster, state)
        for name in self.others:
            there = reply.cluster or cluster
            reply = reply.then(replace(self, name=name, others=())._applied(there, state))
        return reply

    def applied(self, cluster: Cluster) -> Cluster | None:
        """Return the cluster with the attribute set, without judging the object; None if the command changes nothing.

        Also None if qconf refuses it.
        """
        printed: list[str] = []
        try:
            changed = self._changed(cluster, printed.append)
        except RefusedError:
            return None
        return cluster.with_object(changed) if not printed else None

    def _applied(self, cluster: Cluster, state: State) -> Reply:
        printed: list[str] = []
        try:
            changed = self._changed(cluster, printed.append)
        except RefusedError as error:
            return Reply(state, (str(error),))
        before = cluster.objects(self.kind)[changed.name]
        if printed and changed.text(self.field) == before.text(self.field):
            return Reply(state, tuple(printed))
        refused = refused_by(change_findings(cluster, changed))
        if refused:
            return Reply(state, tuple(text.removeprefix("error: ") for text in refused))
        return Reply(state, tuple(printed), cluster=cluster.with_object(changed))

    def _changed(self, cluster: Cluster, say: Callable[[str], None]) -> ConfigObject:
        name, mark, part = self.name.partition(PARTS[self.kind]) if self.kind in PARTS else (self.name, "", "")
        if self.option == PURGE:
            if self.kind is not Kind.QUEUE:
                raise RefusedError(f'error: Modification of object "{QCONF[self.kind].attribute}" not supported')
            if not mark:
                raise RefusedError(f'error: Given object_instance "{self.name}" is incomplete')
        elif self.field not in spec(self.kind).by_name:
            raise RefusedError(f'The attribute name ("{self.field}") and/or value ("{self.value}") is invalid')
        if self.kind is Kind.QUEUE and self.field == "qname":
            raise RefusedError("qconf: cannot change qname")
        obj = cluster.get(self.kind, name)
        if obj is None:
            raise RefusedError(_ABSENT.format(_NOUNS[self.kind], name))
        if self.option == PURGE:
            return self._purged(obj, part)
        if self.field == "complex_values" and obj.given(self.field) is not None:
            obj = obj.with_value(self.field, stored(cluster, obj).text(self.field))  # by name, not by shortcut
        text = obj.text(self.field)
        if self.kind is Kind.QUEUE:
            return obj.with_value(self.field, self._queue_field(text, name, part, say))
        if self.kind is Kind.QUOTA and self.field == "limit" and not part:
            raise RefusedError(_NO_RULE)
        if self.kind is Kind.QUOTA and part:
            return obj.with_value(self.field, self._rules(text, part, say))
        return obj.with_value(self.field, self._value(text, self.value, str(QCONF[self.kind].attribute), say))

    def _purged(self, obj: ConfigObject, part: str) -> ConfigObject:
        known = self.field.split(",") if self.field != "*" else list(spec(Kind.QUEUE).by_name)
        changed = obj
        for field in known:
            if field == "hostlist" and self.field == "*":
                hosts = [host for host in split_names(obj.text(field), BLANK_OR_COMMA) if host != part]
                changed = changed.with_value(field, join_names(hosts, BLANK))
            elif field in spec(Kind.QUEUE).by_name and overrides_of(obj.text(field)).get(part) is not None:
                changed = changed.with_value(field, overrides_of(obj.text(field)).with_key(part, None).text())
        if changed == obj:
            raise RefusedError(f'Attribute name ("{self.field}") and/or value ("{part}") not found')
        return changed

    def _queue_field(self, text: str, name: str, part: str, say: Callable[[str], None]) -> str:
        """Return the field's new text; [host=value] settings not in the command's value stay."""
        overrides = overrides_of(text)
        given = [(part, self.value)]
        if "[" in self.value:
            try:
                read = parse_overrides(self.value)
            except ValueError as error:
                raise RefusedError(str(error).removeprefix("error: ")) from None
            if part:
                raise RefusedError(_OF_INSTANCE)
            given = [*read.keyed] if read.default is None else [("", read.default), *read.keyed]
        for key, value in given:
            if key:
                overrides = overrides.with_key(key, self._value(overrides.get(key) or "NONE", value, name, say))
            else:
                overrides = overrides.with_default(self._value(overrides.default or "NONE", value, name, say))
        return overrides.text()

    def _rules(self, text: str, part: str, say: Callable[[str], None]) -> str:
        rules = list(map(parse_rule, rules_of(text)))
        for index, rule in enumerate(rules):
            if part in (rule.name, str(index + 1) if rule.name is None else None):
                before = ",".join(f"{name}={value}" for name, value in rule.limits)
                limits = self._value(before or "NONE", self.value, "resource_quota", say)
                rules[index] = replace(rule, limits=split_entries(limits, COMMA))
                return "\n".join(rule.text() for rule in rules)
        raise RefusedError(_NO_RULE)

    # One value -------------------------------------------------------------------------------------------------------

    def _value(self, before: str, value: str, called: str, say: Callable[[str], None]) -> str:
        """Return the new text of a field, or of a host's setting; `called` is the object's name in messages."""
        is_entries = self.field in _ENTRIES.get(self.kind, ())
        is_list = is_entries or self.field in _NAMES.get(self.kind, ())
        refuses = self.option == MODIFY and self.field in _ACL and self.kind is not Kind.QUEUE
        if self.option == REPLACE or (not is_list and not refuses):
            return value
        if is_none(value):
            if self.option == MODIFY:
                raise RefusedError(_NO_LIST.format(value))
            return before
        if refuses:
            raise RefusedError(_NO_LIST.format("NONE"))
        kept = self._elements(before, is_entries=is_entries)
        where = f'"{_CALLED.get(self.field, self.field)}" of "{called}"'
        if self.option == MODIFY and not kept:
            say(f"{where} is empty - Adding new element(s).")
            return value
        given = self._elements(value, is_entries=is_entries, is_stored=False)
        names = {element.name for element in kept}
        there = [element.name for element in given if element.name in names]
        if self.option == ADD and there:
            say(f'No modification because "{there[0]}" already exists in {where}')
            return before
        for element in given:
            self._change(kept, element, where, say)
        if self.field == "subordinate_list":
            queues = tuple(queue for element in kept for queue in element.alone.queues)
            return Subordinates(queues, kept[0].alone.slots if kept else None).text()
        between = COMMA if is_entries or self.field == "entries" else BLANK
        return join_names((element.text for element in kept), between)

    def _change(self, kept: list[_Element], element: _Element, where: str, say: Callable[[str], None]) -> None:
        place = next((place for place, other in enumerate(kept) if other.name == element.name), None)
        if self.option == DELETE:
            if place is None:
                say(f'"{element.name}" does not exist in {where}')
            else:
                del kept[place]
        elif place is None or self.option == ADD:
            if self.option == MODIFY:
                say(f'Unable to find "{element.name}" in {where} - Adding new element.')
            kept.append(element)
        elif element != kept[place] or self.field in _OF_COMPLEX:  # modified entries come last
            del kept[place]
            kept.append(element)

    def _elements(self, text: str, *, is_entries: bool, is_stored: bool = True) -> list[_Element]:
        if not is_entries:
            # Commas separate users in the stored list, but not in a command.
            is_of_users = self.kind is Kind.USERSET and not is_stored
            only_blanks = spec(self.kind).by_name[self.field].separator == BLANK or is_of_users
            names = split_names(text, BLANK if only_blanks else BLANK_OR_COMMA)
            return [_Element(name, name) for name in (dict.fromkeys(names) if self.kind is Kind.QUEUE else names)]
        if is_none(text):
            return []
        elements: list[_Element] = []
        if self.field == "subordinate_list":
            try:
                queues, slots = parse_subordinates(text)
            except ValueError as error:
                raise RefusedError(str(error).removeprefix("error: ")) from None
            lists = [Subordinates((queue,), slots) for queue in queues]
            return [_Element(alone.queues[0].queue, alone.text(), alone) for alone in lists]
        for word in text.replace(",", " ").split():
            name, equals, _ = word.partition("=")
            if not equals and self.field != _SHORT and not (self.kind is Kind.HOST and self.option == DELETE):
                raise RefusedError(f'error parsing value "{word}"')
            elements.append(_Element(name, word))
        return elements
