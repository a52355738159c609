"""Every field of every object kind, declared once: parser, printer, checks, forms, pickers and help read it here."""

from qmon_tui.model.catalogue.complexes import COMPLEX
from qmon_tui.model.catalogue.configuration import CONFIGURATION
from qmon_tui.model.catalogue.hosts import HOST, HOSTGROUP
from qmon_tui.model.catalogue.pe_ckpt_calendar import CALENDAR, CKPT, PE
from qmon_tui.model.catalogue.queues import QUEUE
from qmon_tui.model.catalogue.quotas_and_sharetree import QUOTA, SHARETREE
from qmon_tui.model.catalogue.scheduler import SCHEDULER
from qmon_tui.model.catalogue.users_and_projects import (
    ADMIN_HOSTS,
    MANAGERS,
    OPERATORS,
    PROJECT,
    SUBMIT_HOSTS,
    USER,
    USERSET,
)
from qmon_tui.model.fields import KindSpec
from qmon_tui.model.kinds import Kind

_ALL = (
    COMPLEX,
    QUEUE,
    HOST,
    HOSTGROUP,
    PE,
    CKPT,
    CALENDAR,
    USERSET,
    PROJECT,
    USER,
    QUOTA,
    SHARETREE,
    SCHEDULER,
    CONFIGURATION,
    MANAGERS,
    OPERATORS,
    ADMIN_HOSTS,
    SUBMIT_HOSTS,
)
_SPECS = {known.kind: known for known in _ALL}


def specs() -> dict[Kind, KindSpec]:
    """Return kind -> description, in the order of the screen's list."""
    return _SPECS


def spec(kind: Kind) -> KindSpec:
    """Return the description of one kind."""
    return _SPECS[kind]


def single_name(kind: Kind) -> str:
    """Return the name of the only object of a kind that has exactly one: the kind's value."""
    return kind.value
