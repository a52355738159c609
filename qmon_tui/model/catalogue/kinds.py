"""All kinds of object in the order of the screen's list."""

from qmon_tui.model.catalogue.complexes import COMPLEX
from qmon_tui.model.catalogue.configuration import CONFIGURATION
from qmon_tui.model.catalogue.hosts import HOST, HOSTGROUP
from qmon_tui.model.catalogue.name_lists import ADMIN_HOSTS, MANAGERS, OPERATORS, SUBMIT_HOSTS
from qmon_tui.model.catalogue.pe_ckpt_calendar import CALENDAR, CKPT, PE
from qmon_tui.model.catalogue.queues import QUEUE
from qmon_tui.model.catalogue.quotas_and_sharetree import QUOTA, SHARETREE
from qmon_tui.model.catalogue.scheduler import SCHEDULER
from qmon_tui.model.catalogue.users_and_projects import PROJECT, USER, USERSET
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

SPECS: dict[Kind, KindSpec] = {spec.kind: spec for spec in _ALL}
