"""Attributes with == that an inner level gives another value (matching.md#one-level-at-a-time)."""

import pytest

from qmon_tui.checks import check
from qmon_tui.formats import Contents, Layout, read_texts
from qmon_tui.qmaster import schedule

CLUSTER = """
complexes:
  number: {{shortcut: nr, type: INT, relop: ==, requestable: YES}}
  secret: {{shortcut: se, type: INT, relop: ==, requestable: NO}}
  most: {{shortcut: mo, type: INT, relop: <=, requestable: YES}}
  flag: {{shortcut: fl, type: BOOL, relop: ==, requestable: YES}}
  word: {{shortcut: wo, type: STRING, relop: ==, requestable: YES, default: NONE}}
  other: {{shortcut: ot, type: STRING, relop: "!=", requestable: YES, default: NONE}}
  any: {{shortcut: an, type: CSTRING, relop: ==, requestable: YES, default: NONE}}
hosts:
  global: {{complex_values: "{everywhere}"}}
  a: {{complex_values: "{host}"}}
  b: {{}}
loads:
  a: {{{loads}}}
queues:
  q: {{hostlist: a b, load_thresholds: NONE, slots: 2, complex_values: "{queue}"}}
jobs:
- {{id: 1, owner: ada, qsub: "-l {request} sleep 9"}}
"""


def read(text: str) -> Contents:
    contents = read_texts(Layout.YAML, "cluster", {"c.yaml": text})
    assert contents.findings == ()
    return contents


def differences(everywhere: str, host: str, queue: str, loads: str = "") -> list[tuple[str, str]]:
    reading = read(CLUSTER.format(everywhere=everywhere, host=host, queue=queue, loads=loads, request="flag=TRUE"))
    findings = check(reading.cluster, reading.state)
    return [(finding.name, finding.message) for finding in findings if finding.rule.endswith(".differs")]


@pytest.mark.parametrize(
    ("everywhere", "host", "queue", "loads"),
    [
        ("NONE", "number=1,flag=TRUE,word=x", "number=1,flag=1,wo=x", ""),
        ("NONE", "any=X", "any=x", ""),
        ("NONE", "most=4,other=x,secret=1", "most=2,other=y,secret=2", ""),
        ("NONE", "word=x", "NONE,[a=NONE],[b=word=y]", ""),
        ("word=x", "NONE", "NONE", "word: x"),
        ("NONE", "word=x", "word=x", "word: y"),
    ],
)
def test_nothing_is_said_of_what_fits(everywhere: str, host: str, queue: str, loads: str) -> None:
    assert differences(everywhere, host, queue, loads) == []


@pytest.mark.parametrize(
    ("everywhere", "host", "queue", "loads", "name", "message"),
    [
        ("NONE", "nr=1", "number=2", "", "q", 'number=2, but host "a" has number=1: no request fits both'),
        ("flag=0", "flag=TRUE", "NONE", "", "a", "flag=TRUE, but the host global has flag=0: no request fits both"),
        ("word=x", "NONE", "wo=y", "", "q", "no request but an expression such as x|y fits both"),
        ("NONE", "NONE", "NONE,[a=word=y]", "word: x", "q", 'word=y, but host "a" has word=x'),
    ],
)
def test_another_value_further_in_is_told(
    everywhere: str, host: str, queue: str, loads: str, name: str, message: str
) -> None:
    ((place, said),) = differences(everywhere, host, queue, loads)
    assert place == name
    assert message in said


@pytest.mark.parametrize(
    ("asked", "state"),
    [("flag=TRUE", "qw"), ("flag=FALSE", "qw"), ("word=x", "qw"), ("word=y", "qw"), ("word='x|y'", "t")],
)
def test_so_no_job_that_asks_for_it_starts(asked: str, state: str) -> None:
    values = {"everywhere": "flag=TRUE,word=x", "host": "NONE", "queue": "flag=FALSE,word=y", "loads": ""}
    reading = read(CLUSTER.format(request=asked, **values))
    (job,) = schedule(reading.cluster, reading.state).jobs
    assert job.tasks[0].state == state
