"""Objects and built-in attributes that a new Grid Engine 8.1.9 cluster has.

Source: complex(5), complex.md#built-in-attributes, `qconf -sc` and `qconf -su` of a new cluster.
"""

from functools import cache

from qmon_tui.model.catalogue import single_name, spec
from qmon_tui.model.cluster import ConfigObject, config_object
from qmon_tui.model.kinds import Kind

_COMPLEX_TABLE = """
arch             a      STRING == YES NO  NONE  0
calendar         c      STRING == YES NO  NONE  0
cpu              cpu    DOUBLE >= YES NO  0     0
display_win_gui  dwg    BOOL   == YES NO  0     0
h_core           h_core MEMORY <= YES NO  0     0
h_cpu            h_cpu  TIME   <= YES NO  0:0:0 0
h_data           h_data MEMORY <= YES NO  0     0
h_fsize          h_fsize MEMORY <= YES NO 0     0
h_rss            h_rss  MEMORY <= YES NO  0     0
h_rt             h_rt   TIME   <= YES NO  0:0:0 0
h_stack          h_stack MEMORY <= YES NO 0     0
h_vmem           h_vmem MEMORY <= YES NO  0     0
hostname         h      HOST   == YES NO  NONE  0
load_avg         la     DOUBLE >= NO  NO  0     0
load_long        ll     DOUBLE >= NO  NO  0     0
load_medium      lm     DOUBLE >= NO  NO  0     0
load_short       ls     DOUBLE >= NO  NO  0     0
m_core           core   INT    <= YES NO  0     0
m_socket         socket INT    <= YES NO  0     0
m_thread         thread INT    <= YES NO  0     0
m_topology       topo   STRING == YES NO  NONE  0
m_topology_inuse utopo  STRING == YES NO  NONE  0
mem_free         mf     MEMORY <= YES NO  0     0
mem_total        mt     MEMORY <= YES NO  0     0
mem_used         mu     MEMORY >= YES NO  0     0
min_cpu_interval mci    TIME   <= NO  NO  0:0:0 0
np_load_avg      nla    DOUBLE >= NO  NO  0     0
np_load_long     nll    DOUBLE >= NO  NO  0     0
np_load_medium   nlm    DOUBLE >= NO  NO  0     0
np_load_short    nls    DOUBLE >= NO  NO  0     0
num_proc         p      INT    == YES NO  0     0
qname            q      STRING == YES NO  NONE  0
rerun            re     BOOL   == NO  NO  0     0
s_core           s_core MEMORY <= YES NO  0     0
s_cpu            s_cpu  TIME   <= YES NO  0:0:0 0
s_data           s_data MEMORY <= YES NO  0     0
s_fsize          s_fsize MEMORY <= YES NO 0     0
s_rss            s_rss  MEMORY <= YES NO  0     0
s_rt             s_rt   TIME   <= YES NO  0:0:0 0
s_stack          s_stack MEMORY <= YES NO 0     0
s_vmem           s_vmem MEMORY <= YES NO  0     0
seq_no           seq    INT    == NO  NO  0     0
slots            s      INT    <= YES YES 1     1000
swap_free        sf     MEMORY <= YES NO  0     0
swap_rate        sr     MEMORY >= YES NO  0     0
swap_rsvd        srsv   MEMORY >= YES NO  0     0
swap_total       st     MEMORY <= YES NO  0     0
swap_used        su     MEMORY >= YES NO  0     0
tmpdir           tmp    STRING == NO  NO  NONE  0
virtual_free     vf     MEMORY <= YES NO  0     0
virtual_total    vt     MEMORY <= YES NO  0     0
virtual_used     vu     MEMORY >= YES NO  0     0
"""

_LIMITS = ("rt", "cpu", "fsize", "data", "stack", "core", "rss", "vmem")

_OTHER_QUEUE_FIELDS = ("qname", "hostname", "slots", "tmpdir", "seq_no", "rerun", "calendar", "min_cpu_interval")

QUEUE_COMPLEXES = frozenset(_OTHER_QUEUE_FIELDS) | {f"{kind}_{limit}" for limit in _LIMITS for kind in "sh"}
"""The built-in attributes whose value is a queue field."""

EXCHANGEABLE_TYPES = ("STRING", "CSTRING", "RESTRING")
"""Types that a built-in attribute with one of them may change to."""

NUMERIC_TYPES = ("INT", "DOUBLE", "TIME", "MEMORY")
TEXT_TYPES = ("STRING", "CSTRING", "RESTRING", "HOST")

# The qmaster's own table truncates min_cpu_interval, so this name is protected, too, although no entry has it.
_HIDDEN_TYPES = {"min_cpu_inter": "TIME"}


@cache
def default_complexes() -> tuple[ConfigObject, ...]:
    """Return the complex entries of a new cluster, sorted by name as `qconf -sc` prints them."""
    columns = [field.name for field in spec(Kind.COMPLEX).fields]
    rows = (line.split() for line in _COMPLEX_TABLE.strip().splitlines())
    return tuple(config_object(Kind.COMPLEX, row[0], dict(zip(columns, row, strict=True))) for row in rows)


@cache
def default_objects() -> tuple[ConfigObject, ...]:
    """Return the other objects of a new cluster: three usersets and the manager root."""

    def userset(name: str, set_type: str) -> ConfigObject:
        fields = {"name": name, "type": set_type, "fshare": "0", "oticket": "0", "entries": "NONE"}
        return config_object(Kind.USERSET, name, fields)

    return (
        userset("arusers", "ACL"),
        userset("deadlineusers", "ACL"),
        userset("defaultdepartment", "DEPT"),
        config_object(Kind.MANAGERS, single_name(Kind.MANAGERS), {"entries": "root"}),
    )


@cache
def _built_in_types() -> dict[str, str]:
    return {entry.name: entry.text("type") for entry in default_complexes()} | _HIDDEN_TYPES


def is_built_in(name: str) -> bool:
    """True if the attribute is built in: it cannot be deleted, and its type is fixed."""
    return name in _built_in_types()


def built_in_type(name: str) -> str | None:
    """Return the type of a built-in attribute; None for any other."""
    return _built_in_types().get(name)


def allowed_types(name: str) -> tuple[str, ...] | None:
    """Return the types that a built-in attribute may have; None for other attributes, which may have any."""
    declared = built_in_type(name)
    if declared is None:
        return None
    return EXCHANGEABLE_TYPES if declared in EXCHANGEABLE_TYPES else (declared,)


def is_load_value(name: str) -> bool:
    """True if the attribute is a built-in load value, which every execution daemon reports."""
    return is_built_in(name) and name not in QUEUE_COMPLEXES and name not in _HIDDEN_TYPES
