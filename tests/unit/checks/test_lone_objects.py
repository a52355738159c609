"""What is said of objects by themselves: of a table of attributes too, where it is among them."""

from qmon_tui.checks.lone_objects import lone_findings
from qmon_tui.model import Kind, config_object

ATTRIBUTE = config_object(Kind.COMPLEX, "gpu", {"name": "gpu", "shortcut": "g", "type": "INT", "relop": "<="})
TWIN = config_object(Kind.COMPLEX, "gpus", {"name": "gpus", "shortcut": "g", "type": "INT", "relop": "<="})
QUEUE = config_object(Kind.QUEUE, "a.q", {"qname": "a.q", "hostlist": "@nobody", "slots": "x"})


def test_attributes_are_looked_at_together_and_other_objects_by_themselves() -> None:
    said = {finding.name for finding in lone_findings([ATTRIBUTE, TWIN])}
    assert said & {"gpu", "gpus"}
    assert {finding.kind for finding in lone_findings([QUEUE])} == {Kind.QUEUE}
    assert not lone_findings([ATTRIBUTE])
