"""Fields as qconf prints them once they are stored."""

import pytest

from qmon_tui.checks.printed_texts import printed_text
from qmon_tui.model.catalogue import spec
from qmon_tui.model.kinds import Kind


@pytest.mark.parametrize(
    ("kind", "field", "text", "printed"),
    [
        (Kind.SCHEDULER, "job_load_adjustments", "np_load_avg,mem=2", "np_load_avg=0.000000,mem=2"),
        (Kind.SCHEDULER, "load_formula", "a + b", "a+b"),
        (Kind.SCHEDULER, "queue_sort_method", "SEQNO9", "seqno"),
        (Kind.SCHEDULER, "queue_sort_method", "x", "load"),
        (Kind.QUEUE, "load_thresholds", "a=NONE,b=2", "a=,b=2"),
        (Kind.QUEUE, "complex_values", "a=NONE", "a=NONE"),
        (Kind.QUEUE, "qtype", "interactive batch", "BATCH INTERACTIVE"),
        (Kind.QUEUE, "qtype", "x", "NONE"),
        (Kind.QUEUE, "pe_list", "a b a,c", "a b c"),
        (Kind.QUEUE, "hostlist", "H1 h1 h2", "h1 h2"),
        (Kind.QUEUE, "slots", "1,[H1=02]", "1,[h1=2]"),
        (Kind.QUEUE, "slots", "x", "x"),
        (Kind.QUEUE, "rerun", "1", "TRUE"),
        (Kind.QUEUE, "seq_no", "", "0"),
        (Kind.CKPT, "when", "n", "n"),
        (Kind.CKPT, "when", "rsx", "xsr"),
        (Kind.CKPT, "when", "xz", "NONE"),
        (Kind.HOST, "load_scaling", "a=2,b", "a=2.000000,b=0.000000"),
        (Kind.HOST, "load_scaling", "a=b=c", "a=b=c"),
    ],
)
def test_printed(kind: Kind, field: str, text: str, printed: str) -> None:
    assert printed_text(spec(kind).by_name[field], text) == printed
