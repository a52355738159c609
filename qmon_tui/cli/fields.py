"""List the fields of one kind of object with type, default, choices and help; without a kind, the kinds."""

import argparse
from collections.abc import Iterable, Mapping

from qmon_tui.cli.answer import Answer, InputError
from qmon_tui.cli.text import Width, paragraph, table
from qmon_tui.model import Field, KindSpec, foreign_fields
from qmon_tui.model.catalogue import specs


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("kind", nargs="?", help="a kind of object: queue, complex, pe, or the key of a YAML file")


def answer(options: argparse.Namespace) -> Answer:
    """Look into the catalogue that the forms are made from; what only other dialects have comes last."""
    if options.kind is None:
        every = tuple(specs().values())
        return Answer({"kinds": [_kind(spec) for spec in every]}, lambda width: _kinds(every, width))
    spec = _named(options.kind)
    data = {**_kind(spec), "fields": [_field(field) for field in (*spec.fields, *foreign_fields(spec.kind))]}
    return Answer(data, lambda width: _fields(spec, width))


def _named(word: str) -> KindSpec:
    """The kind that a word means: its name or its key in YAML. Raises Refusal."""
    for spec in specs().values():
        if word.lower() in (spec.kind.value, spec.yaml_key):
            return spec
    known = ", ".join(spec.kind.value for spec in specs().values())
    raise InputError(f"there is no kind of object called {word!r}; there are {known}.")


def _kind(spec: KindSpec) -> Mapping[str, object]:
    return {
        "kind": spec.kind.value,
        "title": spec.title,
        "yaml_key": spec.yaml_key,
        "folder": spec.folder,
        "single": spec.single,
        "source": spec.source,
        "help": spec.help,
    }


def _field(field: Field) -> Mapping[str, object]:
    return {
        "name": field.name,
        "type": field.type.value,
        "default": field.default,
        "choices": list(field.choices),
        "refers_to": field.refers_to.value if field.refers_to else None,
        "per_host": field.per_host,
        "minimum": field.minimum,
        "maximum": field.maximum,
        "group": field.group,
        "dialects": list(field.dialects),
        "source": field.source,
        "help": field.help,
    }


def _kinds(every: Iterable[KindSpec], width: Width) -> Iterable[str]:
    rows = [(spec.kind.value, spec.yaml_key, spec.source, spec.help) for spec in every]
    yield from table(("kind", "YAML key", "document", "what it is"), rows, width, droppable=("document",))


def _fields(spec: KindSpec, width: Width) -> Iterable[str]:
    """Two paragraphs a field: what may stand there, and what it means."""
    yield from paragraph(f"{spec.title}: {spec.help} ({spec.source})", width)
    fields = (*spec.fields, *foreign_fields(spec.kind))
    size = max(len(field.name) for field in fields)
    indent = " " * (size + 4)
    for group in dict.fromkeys((*spec.groups, *(field.group for field in fields))):
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
    """The grammar in words, and what may stand there."""
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
