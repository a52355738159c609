"""Edits of one field by its input, and the typed text until it is kept or dropped; no Textual here."""

from collections.abc import Mapping
from dataclasses import dataclass

from qmon_tui.checks import implied_values
from qmon_tui.model import ConfigObject, Field, Kind, ValueType
from qmon_tui.tui.forms.scopes import with_scoped


@dataclass(slots=True)
class FieldInput:
    """One field while its input is open."""

    field: Field
    scope: str
    whole: bool
    """The text is that of all hosts together, brackets included."""
    before: str | None
    """The field's value when the input was opened; None if it had none."""
    shown: str
    """The input's text when it was opened."""
    text: str | None = None
    """The field's value with the text typed until now."""
    typed: bool = False
    """A key was pressed."""
    passed_on: bool = False
    """The schedule has seen some of it."""


def typed_text(obj: ConfigObject, typing: FieldInput, text: str) -> str | None:
    """Return the field's value for the input's text; None (default or inherited value) for an empty input."""
    text = expand_node_sets(typing.field, text)
    if typing.whole:
        return text or None
    return with_scoped(obj, typing.field, typing.scope, text or None)


def expand_node_sets(field: Field, text: str) -> str:
    """A host list with its node sets taken apart, as a YAML file may have them: node[01-03] is three hosts."""
    if field.type is not ValueType.HOSTS or "[" not in text:
        return text
    from qmon_tui.formats.yaml import expand_hosts  # late: most forms never need it

    try:
        return expand_hosts(text, field.separator)
    except ValueError:
        return text  # not yet a node set, or none: the qmaster's rules say what is wrong


def already_holds(obj: ConfigObject, field: Field, text: str | None) -> bool:
    """Whether a field holds a text already, be it as the template's default, which saving would not write out."""
    given = obj.given(field.name)
    if text is None or obj.kind is Kind.CONFIGURATION:
        return text == given
    return text == obj.text(field.name)


def changes_for(obj: ConfigObject, field: Field, scope: str, value: str | None) -> Mapping[str, str | None]:
    """All fields to set when one gets a value in a scope: in a complex entry one choice entails others."""
    text = with_scoped(obj, field, scope, value)
    if already_holds(obj, field, text):
        return {}
    if obj.kind is Kind.COMPLEX and field.type is ValueType.CHOICE and text is not None:
        return {**implied_values(obj, field.name, text)}
    return {field.name: text}


def next_choice(options: tuple[str, ...], value: str) -> str:
    """The choice after the present one, whatever its case; the first where the value is none of them."""
    words = [option.upper() for option in options]
    return options[(words.index(value.upper()) + 1) % len(options)] if value.upper() in words else options[0]
