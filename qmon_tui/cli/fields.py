"""List the fields of one kind of object with type, default, choices and help; without a kind, the kinds."""

import argparse
from collections.abc import Iterable, Mapping, Sequence

from qmon_tui.cli.answer import Answer, InputError, paragraph, table
from qmon_tui.model import Field, KindSpec, foreign_fields
from qmon_tui.model.catalogue import specs
from qmon_tui.report import picked
from qmon_tui.values import meant


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("kind", nargs="?", help="a kind of object: queue, complex, pe, or the key of a YAML file")
    parser.add_argument("field", nargs="?", help="one of its fields")


def answer(options: argparse.Namespace) -> Answer:
    """Return kinds or fields from the catalogue; fields of other dialects come last."""
    if options.kind is None:
        every = tuple(specs().values())
        return Answer({"kinds": [_kind(spec) for spec in every]}, lambda width: _kinds(every, width))
    spec = _named(options.kind)
    fields = (*spec.fields, *foreign_fields(spec.kind))
    if options.field is not None:
        fields = (_named_field(spec, fields, options.field),)
    data = {**_kind(spec), "fields": [_field(field) for field in fields]}
    return Answer(data, lambda width: _fields(spec, fields, width))


def _named(word: str) -> KindSpec:
    """Return the kind with this name or YAML key. Raises InputError."""
    for spec in specs().values():
        if word.lower() in (spec.kind.value, spec.yaml_key):
            return spec
    every = tuple(specs().values())
    known = ", ".join(spec.kind.value for spec in every)
    having = [spec.kind.value for spec in every if word.lower() in spec.by_name]
    advice = f"that is a field: qmon-tui fields {having[0]} {word.lower()}" if having else ""
    advice = advice or meant(word.lower(), (name for spec in every for name in (spec.kind.value, spec.yaml_key)))
    raise InputError(f"there is no kind of object {word!r}; {advice or f'there are {known}.'}")


def _named_field(spec: KindSpec, fields: Iterable[Field], word: str) -> Field:
    """Return the field with this name. Raises InputError."""
    by_name = {field.name.lower(): field for field in fields}
    if word.lower() in by_name:
        return by_name[word.lower()]
    advice = meant(word.lower(), by_name) or f"without a name all {len(by_name)} are listed."
    raise InputError(f"a {spec.kind} has no field {word!r}; {advice}")


def _kind(spec: KindSpec) -> Mapping[str, object]:
    names = ("title", "yaml_key", "folder", "single", "source", "help")
    return {"kind": spec.kind.value, **picked(spec, names)}


def _field(field: Field) -> Mapping[str, object]:
    return {
        "name": field.name,
        "type": field.type.value,
        "default": field.default,
        "choices": list(field.choices),
        "refers_to": field.refers_to.value if field.refers_to else None,
        **picked(field, ("per_host", "minimum", "maximum", "group")),
        "dialects": list(field.dialects),
        **picked(field, ("source", "help")),
    }


def _kinds(every: Iterable[KindSpec], width: int) -> Iterable[str]:
    rows = [(spec.kind.value, spec.yaml_key, spec.source, spec.help) for spec in every]
    yield from table(("kind", "YAML key", "document", "what it is"), rows, width, droppable=("document",))


def _fields(spec: KindSpec, fields: Sequence[Field], width: int) -> Iterable[str]:
    """Yield two paragraphs for each field: its allowed values, and its meaning."""
    yield from paragraph(f"{spec.title}: {spec.help} ({spec.source})", width)
    size = max(len(field.name) for field in fields)
    indent = " " * (size + 4)
    groups = {field.group for field in fields}
    for group in dict.fromkeys((*spec.groups, *(field.group for field in fields))):
        if group not in groups:
            continue
        yield ""
        yield group
        for field in fields:
            if field.group == group:
                first = f"  {field.name:<{size}}  "
                yield from paragraph(
                    f"{_type(field)}; default {field.default or 'none'}", width, first=first, rest=indent
                )
                yield from paragraph(field.help, width, first=indent, rest=indent)


def _type(field: Field) -> str:
    words = field.type.value
    if field.refers_to is not None:
        words += f" of {field.refers_to.value}"
    if field.choices:
        words += f": {' '.join(field.choices)}"
    if field.minimum is not None or field.maximum is not None:
        words += f" {_end(field.minimum)}..{_end(field.maximum)}"
    return f"{words}, per host" if field.per_host else words


def _end(limit: int | None) -> str:
    return "" if limit is None else str(limit)
