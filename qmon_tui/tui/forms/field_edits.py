"""Edits of one field by its input, and the text while it is being typed; no Textual here."""

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
    """True if the text is the whole field with the overrides of hosts in brackets."""
    before: str | None
    """The field's value when the input was opened; None if it had none."""
    shown: str
    """The input's text when it was opened."""
    text: str | None = None
    """The field's value with the text typed until now; None to leave the field out."""
    typed: bool = False
    """True if the user has typed."""
    passed_on: bool = False
    """True if some of the text was passed on to the schedule."""


def typed_text(obj: ConfigObject, typing: FieldInput, text: str) -> str | None:
    """Return the field's value for the input's text; None (default or inherited value) for an empty input."""
    text = expand_node_sets(typing.field, text)
    if typing.whole:
        return text or None
    return with_scoped(obj, typing.field, typing.scope, text or None)


def expand_node_sets(field: Field, text: str) -> str:
    """Return a host list with its node sets expanded, as in YAML files: node[01-03] is three hosts."""
    if field.type is not ValueType.HOSTS or "[" not in text:
        return text
    from qmon_tui.formats.yaml import expand_hosts  # late: most forms never need it

    try:
        return expand_hosts(text, field.separator)
    except ValueError:
        return text  # incomplete or invalid: the qmaster's rules say what is wrong


def already_holds(obj: ConfigObject, field: Field, text: str | None) -> bool:
    """Return True if a field has this text already, given or as the default of the template."""
    given = obj.given(field.name)
    if text is None or obj.kind is Kind.CONFIGURATION:
        return text == given
    return text == obj.text(field.name)


def changes_for(obj: ConfigObject, field: Field, scope: str, value: str | None) -> Mapping[str, str | None]:
    """Return the fields to set if one gets a value in a scope: in a complex entry one choice implies others."""
    text = with_scoped(obj, field, scope, value)
    if already_holds(obj, field, text):
        return {}
    if obj.kind is Kind.COMPLEX and field.type is ValueType.CHOICE and text is not None:
        return {**implied_values(obj, field.name, text)}
    return {field.name: text}


def next_choice(options: tuple[str, ...], value: str) -> str:
    """Return the option after `value`, ignoring case; the first one if `value` is not an option."""
    words = [option.upper() for option in options]
    return options[(words.index(value.upper()) + 1) % len(options)] if value.upper() in words else options[0]
