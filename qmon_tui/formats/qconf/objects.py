"""Objects in `name value` files: queue, host, PE, ckpt, calendar, userset, project, user, hostgroup and configurations.

Source: formats.md#reading-rules and formats.md#name-value-files.
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import lru_cache, partial
from types import MappingProxyType
from typing import Final, NamedTuple

from qmon_tui.formats.format_findings import MOST_FINDINGS, problem
from qmon_tui.formats.qconf.attribute_lines import (
    Attribute,
    Shape,
    attributes,
    glue_of,
    unwrap,
    wrap_line,
)
from qmon_tui.formats.text_changes import LineIndex
from qmon_tui.model import (
    ONLY_SHOWN,
    ConfigObject,
    Field,
    Finding,
    Kind,
    KindSpec,
    Origin,
    Severity,
    ValueType,
    config_object,
    dialect,
    foreign_field,
    forks_without,
    lacks,
)
from qmon_tui.model.catalogue import single_name, spec
from qmon_tui.values import canonical, is_none, meant, split_names


def is_expected(kind: Kind, name: str) -> bool:
    """Return True for an attribute of the catalogue, of another dialect, or one that is only printed.

    A configuration may have any attribute.
    """
    if kind is Kind.CONFIGURATION or name in spec(kind).by_name:
        return True
    return (kind is Kind.HOST and name in ONLY_SHOWN) or foreign_field(kind, name) is not None


def missing_fields(kind: Kind, names: Collection[str]) -> tuple[Field, ...]:
    """Return the fields that a file with these attributes lacks, for which the qmaster refuses it."""
    if kind is Kind.CONFIGURATION:
        return ()
    absent = lacks(config_object(kind, "", dict.fromkeys(names, "")))
    return tuple(field for field in spec(kind).fields if field.name not in names and field.name not in absent)


_ATTRIBUTE: Final = re.compile(
    r"^([A-Za-z0-9_.\-]++)[ \t]++([^ \t\n\\#\r](?:[^\n\\#\r]++|(?<=[^ \t] |[^ \t],)\\\n[ \t]*+(?=[^ \t\n\\#\r]))*+)\n",
    re.MULTILINE,
)
"""Does not match what is unusual: comments, line ends of other systems, lines wrapped differently from qconf."""
_GAPS: Final = re.compile(r"[ \t]{2,}|\t")


class SimpleFile(NamedTuple):
    """Contents of a simple file: attribute -> value, and attribute -> 1-based line."""

    values: dict[str, str]
    lines: Mapping[str, int]


def read_simple_file(kind: Kind, text: str) -> SimpleFile | None:
    """Read a file without anything unusual; None if it must be read word by word."""
    values: dict[str, str] = dict(attributes := _ATTRIBUTE.findall(text))
    lines = _expected_lines(kind, tuple(values))
    continued = sum([value.count("\n") for value in values.values() if "\\" in value]) if "\\" in text else 0
    if continued and kind in _RAW_KINDS and any("\\" in value[:3] for value in values.values()):
        return None
    if lines is None or len(attributes) + continued != text.count("\n") or len(values) != len(attributes):
        return None
    if continued:
        lines = _counted(values)
        values |= {name: unwrap(value, glue_of(kind, name)) for name, value in values.items() if "\\" in value}
    if " \n" in text or "\t\n" in text:
        if kind is Kind.CONFIGURATION:
            return None
        values = {name: value.rstrip(" \t") for name, value in values.items()}
    if kind not in _RAW_KINDS:
        values |= {name: _GAPS.sub(" ", value) for name, value in values.items() if _GAPS.search(value)}
    return SimpleFile(values, lines) if text.endswith("\n") and all(values.values()) else None


@lru_cache(maxsize=256)
def _expected_lines(kind: Kind, names: tuple[str, ...]) -> Mapping[str, int] | None:
    """Return attribute -> line, one line each; None if an attribute is unexpected or missing."""
    if not names or not all(is_expected(kind, name) for name in names) or missing_fields(kind, names):
        return None
    return MappingProxyType({name: line for line, name in enumerate(names, 1)})


def _counted(values: Mapping[str, str]) -> Mapping[str, int]:
    """Return attribute -> line, if values may continue in the next line."""
    lines: dict[str, int] = {}
    line = 1
    for name, value in values.items():
        lines[name] = line
        line += 1 + value.count("\n")
    return lines


Read = tuple[ConfigObject | None, tuple[Finding, ...]]

_HEADER: Final = re.compile(r"\s*#([^\s:]+):[ \t]*(?:\n|\Z)")
_SWALLOWED: Final = (
    "a # after a blank starts a comment, which includes the line end, as an empty line after a backslash does: put "
    "comments on lines of their own"
)

_ONLY_BLANKS: Final = 'error: " " is the only character allowed between the attribute name and the value in line '

_MISSING: Final = 'error: required attribute "{}" is missing'
_NO_LINE_END: Final = 'error: each value in the attribute value list in line {} should end with "<NEWLINE>"'
_END_IT: Final = "end the last line"

_RAW_KINDS: Final = frozenset({Kind.QUEUE, Kind.CONFIGURATION})
"""Kinds whose values are read as written; in all other kinds a value consists of tokens."""

_LISTS: Final = frozenset({ValueType.ENTRIES, ValueType.NAMES, ValueType.HOSTS})

_EXACT: Final = frozenset(
    {ValueType.REFERENCE, ValueType.FLAGS, ValueType.CHOICE, ValueType.CALENDAR_YEAR, ValueType.CALENDAR_WEEK}
)
"""Types whose values the qmaster refuses with a blank at the end, which only the last value of a file can have."""

_EMPTY_ALLOWED: Final = frozenset({Kind.USERSET})
"""Kinds whose attributes may be empty; any text after the name is the value."""


def read_object(kind: Kind, text: str, file: str) -> Read:
    """Read the object of a file, and the findings about the file; None if it contains no object.

    A missing or empty attribute has the template's default; of a repeated one the first counts. A configuration, and an
    object without a name, is named by the file.
    """
    known = spec(kind)
    plain = read_simple_file(kind, text)
    if plain is not None:
        name = plain.values[known.name_field] if known.name_field else _fallback_name(known, text, file)
        return config_object(kind, name, plain.values, Origin(file, 1, plain.lines)), ()
    return read_word_by_word(kind, text, file)


def read_word_by_word(kind: Kind, text: str, file: str) -> Read:
    """Read the object of a file with any spacing and comments, and the findings about the file."""
    known = spec(kind)
    reader = _Reader(known, text, file, _fallback_name(known, text, file), LineIndex(text))
    for attribute in attributes(text, shape_in(kind)):
        reader.take(attribute)
    return reader.result()


def shape_in(kind: Kind) -> Callable[[str], Shape]:
    """Return a function: name of an attribute of this kind -> rules for reading its value."""
    return partial(_shape, kind)


def _shape(kind: Kind, name: str) -> Shape:
    field = spec(kind).by_name.get(name)
    return Shape(kind in _RAW_KINDS, field is not None and field.type in _LISTS, glue_of(kind, name))


def write_object(obj: ConfigObject, *, single_line: bool = False, dialect_name: str = "") -> str:
    """Format the object as `qconf -s*` prints it, in the catalogue's order, missing attributes with their defaults.

    Attributes that the catalogue does not know follow the one that they were read after. A configuration has only
    the attributes that were given, in their order. Attributes that the dialect lacks are written only if given.
    """
    known = spec(obj.kind)
    lacking = dialect(dialect_name).lacks.get(obj.kind, frozenset()) - obj.values.keys()
    names = (name for name in attribute_order(obj) if name not in lacking)
    body = "".join(write_attribute(known, name, obj.text(name), single_line) for name in names)
    return f"#{obj.name}:\n{body}\n" if obj.kind is Kind.CONFIGURATION else body


def write_attribute(known: KindSpec, name: str, value: str, single_line: bool) -> str:
    """Return the lines of one attribute, with their line ends."""
    start = max(known.name_width, len(name)) + 1
    line = name.ljust(start - 1) + " " + value
    return (line if single_line else wrap_line(line, start)) + "\n"


def attribute_order(obj: ConfigObject) -> tuple[str, ...]:
    """Return the names of the attributes in the order of printing."""
    known = spec(obj.kind)
    if obj.kind is Kind.CONFIGURATION:
        return tuple(obj.values)
    absent = lacks(obj)
    order = [field.name for field in known.fields if field.name not in absent]
    before = known.name_field
    for name in obj.values:
        if name not in known.by_name:
            order.insert(order.index(before) + 1 if before in order else len(order), name)
        before = name
    return tuple(order)


def _fallback_name(known: KindSpec, text: str, file: str) -> str:
    if known.single:
        return single_name(known.kind)
    header = _HEADER.match(text) if known.kind is Kind.CONFIGURATION else None
    return header.group(1) if header else file.rpartition("/")[2]


def _hint_to_add(kind: Kind, field: Field) -> str:
    forks = forks_without(kind, field.name)
    known = " or ".join(f"{fork.name} ({fork.title})" for fork in forks)
    other = f"; a cluster of another dialect has none: say dialect: {known} in a YAML file beside it" if forks else ""
    return f"add the line: {field.name} {field.default}{other}"


class _Reader:
    """Collects the attributes of one file."""

    def __init__(self, known: KindSpec, text: str, file: str, name: str, lines: LineIndex) -> None:
        self._known = known
        self._raw = known.kind in _RAW_KINDS
        self._text = text
        self._file = file
        self._name = name
        self._lines = lines
        self._values: dict[str, str] = {}
        self._where: dict[str, int] = {}
        self._swallowed = False
        self._findings: list[Finding] = []

    def take(self, attribute: Attribute) -> None:
        """Keep the value of an attribute, or report a finding."""
        if not attribute.is_word and not self._raw:
            message = f"error: line {attribute.line} should begin with an attribute name"
            self._say("format.line", message, None, attribute.start)
            return
        name = attribute.name
        value = attribute.value.rstrip(" \t") if self._known.kind is Kind.QUEUE else attribute.value
        self._swallowed = self._swallowed or attribute.swallowed is not None
        if value.endswith("\r") or self._text.startswith("\r\n", attribute.value_end):
            value = value.rstrip("\r")
            if not any(finding.rule == "format.crlf" for finding in self._findings):
                message = "the lines of this file end in CR LF, which the qmaster refuses"
                self._say("format.crlf", message, None, attribute.start, "save the file with LF line ends (dos2unix)")
        if name in self._where and (attribute.separated or self._known.kind in _EMPTY_ALLOWED):
            self._report_repeated(name, attribute.start)
            return
        # After a name without a value the scanner is on the next line already.
        place = attribute.value_start if value else attribute.start
        self._where.setdefault(name, self._lines.line(attribute.swallowed or place))
        if not is_expected(self._known.kind, name):
            hint = meant(name, self._known.by_name)
            self._say("format.unknown", f'error: unknown attribute name "{name}"', name, attribute.start, hint)
        elif not value and self._known.kind not in _EMPTY_ALLOWED:
            self._report_empty(name, attribute)
            return
        elif not attribute.separated and self._known.kind not in _EMPTY_ALLOWED:
            self._say("format.line", _ONLY_BLANKS + str(attribute.value_line), name, attribute.start)
        if self._known.kind is Kind.CONFIGURATION and attribute.end == attribute.value_end:
            self._say("format.line", _NO_LINE_END.format(attribute.value_line), name, attribute.start, _END_IT)
        self._values.setdefault(name, value)

    def result(self) -> Read:
        """Return the object (None if empty) and all findings, in the order in which the qmaster would meet them."""
        if not self._where:
            self._say("format.empty", f'error: error reading file: "{self._file}"', None, 0)
            return None, self._named(self._name)
        if not self._report_missing():
            self._report_last_blank()
        name_field = self._known.name_field
        name = (self._values.get(name_field, "") if name_field else "") or self._name
        if name_field:
            self._values[name_field] = name
        first = min(self._where.values(), default=1)
        origin = Origin(self._file, first, self._where)
        return config_object(self._known.kind, name, self._values, origin), self._named(name)

    def _named(self, name: str) -> tuple[Finding, ...]:
        return tuple(finding._replace(name=name) for finding in self._findings)

    def _report_missing(self) -> bool:
        missing = missing_fields(self._known.kind, self._where)
        for field in missing:
            hint = _SWALLOWED if self._swallowed else _hint_to_add(self._known.kind, field)
            self._say("format.missing", _MISSING.format(field.name), field.name, 0, hint)
        return bool(missing)

    def _report_last_blank(self) -> None:
        """Report a blank at the end of the file without a line end, if the qmaster refuses it in that attribute."""
        for name, value in self._values.items():
            field = self._known.by_name.get(name)
            if value.endswith(" ") and field is not None and field.type in _EXACT and not self._raw:
                message = f'the blank at the end of the file is part of the value of "{name}"'
                self._say("format.line", message, name, 0, "end the last line without a blank or a comment")

    def _report_repeated(self, name: str, position: int) -> None:
        if self._known.kind is Kind.CONFIGURATION:
            message = f'"{name}" is written twice: both lines are stored and the first counts'
            self._say("format.duplicate", message, name, position, severity=Severity.WARNING)
        else:
            self._say("format.duplicate", f'error: attribute "{name}" appears more than once', name, position)

    def _report_empty(self, name: str, attribute: Attribute) -> None:
        if self._known.kind is Kind.CONFIGURATION:
            message = f'value == NULL for attribute "{name}" in configuration list of "{self._name}"'
            if attribute.separated:
                message = f'no value given for configuration attribute "{name}"'
        elif attribute.separated:
            first = next((field.name for field in missing_fields(self._known.kind, self._where)), name)
            message = _MISSING.format(first)
        else:
            message = _ONLY_BLANKS + str(attribute.value_line)
        known = self._known.by_name.get(name)
        usual = (known and known.default) or "NONE"
        self._say("format.no_value", message, name, attribute.start, f"write {usual} where nothing else is meant")

    def _say(
        self,
        rule: str,
        message: str,
        field: str | None,
        position: int,
        hint: str = "",
        severity: Severity = Severity.ERROR,
    ) -> None:
        if len(self._findings) > MOST_FINDINGS:
            return
        line, column = self._lines.line(position), self._lines.column(position)
        finding = problem(rule, message, file=self._file, line=line, column=column, kind=self._known.kind)
        self._findings.append(finding._replace(field=field, hint=hint, severity=severity))


FIELD = "entries"
_NOTHING = ("no manager defined", "no operator defined", "no administrative host", "no submit host")


def read_list(kind: Kind, text: str, file: str) -> tuple[ConfigObject, tuple[Finding, ...]]:
    """Read a list of names, separated by line ends or blanks; NONE for an empty file."""
    lines = [line for line in text.split("\n") if not line.lower().startswith(_NOTHING)]
    names = [name for line in lines for name in line.split()]
    origin = Origin(file, 1, {FIELD: 1})
    return config_object(kind, single_name(kind), {FIELD: " ".join(names) or "NONE"}, origin), ()


def write_list(obj: ConfigObject) -> str:
    """Return the names, one per line."""
    field = spec(obj.kind).by_name[FIELD]
    return "".join(name + "\n" for name in split_names(obj.text(FIELD), field.separator))


def reported_loads(hosts: Iterable[ConfigObject]) -> dict[str, Mapping[str, str]]:
    """Return host -> load value name -> text, from the attribute load_values of hosts that report any."""
    loads: dict[str, Mapping[str, str]] = {}
    for host in hosts:
        text = host.given("load_values")
        if text is None or is_none(text):
            continue
        pairs = [part.strip().partition("=") for part in text.split(",")]
        loads[canonical(host.name)] = MappingProxyType({name: value for name, _, value in pairs if name and value})
    return loads
