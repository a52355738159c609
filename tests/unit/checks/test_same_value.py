"""When two texts of a field are one value, and what is stored (values.md#when-two-texts-are-the-same)."""

import pytest
from hypothesis import example, given, strategies as st

from qmon_tui.checks.stored_objects import same_value, stored
from qmon_tui.model.catalogue import spec
from qmon_tui.model.cluster import config_object
from qmon_tui.model.fields import Field, ValueType
from qmon_tui.model.kinds import Kind
from tests.unit.checks.recorded import context


@pytest.mark.parametrize(
    ("kind", "field", "a", "b", "same"),
    [
        (Kind.QUEUE, "h_rt", "0:0:10", "00:00:10", True),
        (Kind.QUEUE, "h_rt", "3600", "1:0:0", True),
        (Kind.QUEUE, "h_rt", "INFINITY", "infinity", True),
        (Kind.QUEUE, "h_rt", "10", "11", False),
        (Kind.QUEUE, "h_vmem", "1G", "1024M", True),
        (Kind.QUEUE, "h_vmem", "1G", "1g", False),
        (Kind.QUEUE, "calendar", "none", "NONE", True),
        (Kind.QUEUE, "calendar", "none", "night", False),
        (Kind.QUEUE, "slots", "1e1", "10", True),
        (Kind.QUEUE, "slots", "010", "10", True),
        (Kind.QUEUE, "slots", "4,[vs1=2],[@g=3]", "4, [@g=3] ,[VS1=2]", True),
        (Kind.QUEUE, "slots", "4,[vs1=2]", "4", False),
        (Kind.QUEUE, "slots", "4,[vs1", "4,[vs1=2]", False),
        (Kind.QUEUE, "rerun", "true", "1", True),
        (Kind.QUEUE, "rerun", "true", "0", False),
        (Kind.QUEUE, "pe_list", "mpi,smp", "mpi smp", True),
        (Kind.QUEUE, "pe_list", "mpi", "smp", False),
        (Kind.QUEUE, "hostlist", "A,b", "a b", True),
        (Kind.QUEUE, "qtype", "interactive,batch", "BATCH INTERACTIVE", True),
        (Kind.QUEUE, "complex_values", "m=1G, n=2", "m=1024M,n=2", True),
        (Kind.QUEUE, "complex_values", "m=1G", "m=2G", False),
        (Kind.QUEUE, "subordinate_list", "a=0 b", "a,b", True),
        (Kind.QUEUE, "shell_start_mode", "POSIX_compliant", "posix_compliant", True),
        (Kind.QUEUE, "tmpdir", "/tmp", "/Tmp", False),
        (Kind.COMPLEX, "requestable", "y", "YES", True),
        (Kind.COMPLEX, "consumable", "j", "JOB", True),
        (Kind.COMPLEX, "type", "int", "INT", True),
        (Kind.COMPLEX, "default", "0", "0:0:0", True),
        (Kind.COMPLEX, "default", "none", "NONE", True),
        (Kind.COMPLEX, "urgency", "1000", "1e3", True),
        (Kind.COMPLEX, "shortcut", "a", "A", False),
        (Kind.SCHEDULER, "weight_ticket", "1", "1.000000", True),
        (Kind.SCHEDULER, "weight_ticket", "0.5x", "0.5", True),
        (Kind.SCHEDULER, "usage_weight_list", "cpu=1", "cpu=1.000000", True),
        (Kind.SCHEDULER, "queue_sort_method", "SEQNO", "seqno", True),
        (Kind.SCHEDULER, "load_formula", "a + b", "a+b", True),
        (Kind.HOSTGROUP, "hostlist", "a  b", "a b", True),
        (Kind.QUOTA, "limit", "users {!a,b} to slots=1", "users {b,!a} to slots=1", True),
        (Kind.CONFIGURATION, "load_report_time", "0:0:40", "00:00:40", True),
        (Kind.CONFIGURATION, "qmaster_params", "none", "NONE", True),
    ],
)
def test_spellings(kind: Kind, field: str, a: str, b: str, same: bool) -> None:
    declared = spec(kind).by_name[field]
    assert same_value(declared, a, b) is same
    assert same_value(declared, b, a) is same


# A queue that is subordinated twice is printed twice, but read once.
FIELDS = [f for kind in Kind for f in spec(kind).fields if f.type is not ValueType.SUBORDINATES]
TEXTS = st.text(alphabet="abAB01.:,= []@!{}-+KMG\"'\t\n$*/#", max_size=20)


@given(st.sampled_from(FIELDS), TEXTS)
@example(spec(Kind.SCHEDULER).by_name["usage_weight_list"], "==")
def test_what_is_stored_stays_as_it_is(field: Field, text: str) -> None:
    kind = next(kind for kind in Kind if field in spec(kind).fields)
    once = stored(context(), config_object(kind, "x", {field.name: text})).text(field.name)
    assert stored(context(), config_object(kind, "x", {field.name: once})).text(field.name) == once
    assert same_value(field, text, text)
