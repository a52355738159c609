"""Which attributes belong into the file of one kind of object."""

from collections.abc import Collection
from typing import Final

from qmon_tui.model import Field, Kind, config_object, foreign_field, lacks
from qmon_tui.model.catalogue import spec

PRINTED_ONLY: Final = ("load_values", "processors")
"""Attributes of an exec host that `qconf -se` prints and the qmaster does not read."""


def is_expected(kind: Kind, name: str) -> bool:
    """An attribute of the catalogue, one that is only printed, or one that another dialect has.

    A configuration may have any.
    """
    if kind is Kind.CONFIGURATION or name in spec(kind).by_name:
        return True
    return (kind is Kind.HOST and name in PRINTED_ONLY) or foreign_field(kind, name) is not None


def missing_fields(kind: Kind, names: Collection[str]) -> tuple[Field, ...]:
    """The fields without which the qmaster refuses a file that has these attributes."""
    if kind is Kind.CONFIGURATION:
        return ()
    absent = lacks(config_object(kind, "", dict.fromkeys(names, "")))
    return tuple(field for field in spec(kind).fields if field.name not in names and field.name not in absent)
