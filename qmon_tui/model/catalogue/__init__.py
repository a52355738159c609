"""Every field of every object kind, declared once: parser, printer, checks, forms, pickers and help read it here."""

from functools import cache

from qmon_tui.model.catalogue.kinds import SPECS
from qmon_tui.model.fields import KindSpec
from qmon_tui.model.kinds import Kind


@cache
def specs() -> dict[Kind, KindSpec]:
    """All kinds in the order of the screen's list."""
    return SPECS


def spec(kind: Kind) -> KindSpec:
    """The description of one kind."""
    return specs()[kind]


def single_name(kind: Kind) -> str:
    """The name of the only object of a kind that has exactly one: the kind's own word."""
    return kind.value
