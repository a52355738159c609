"""What a form says about the name of an object."""

import pytest

from qmon_tui.model import Cluster, Finding, Kind, Severity, config_object
from qmon_tui.model.jobs import AdvanceReservation, Job, Request, Task
from qmon_tui.model.state import State
from qmon_tui.workspace import Edit, RemoveObject, RenameObject, SetField, rename_everywhere
from qmon_tui.workspace.document import Document
from qmon_tui.workspace.findings import findings_of, name_finding, object_findings, reader_findings
from tests.unit.workspace.samples import cluster, queue

QUEUE = config_object(Kind.QUEUE, "a.q", {"qname": "a.q"})


def finding(severity: Severity, field: str | None, message: str, hint: str = "") -> Finding:
    return Finding("rule", severity, Kind.QUEUE, "a.q", field, message, hint)


@pytest.mark.parametrize(
    ("findings", "said"),
    [
        ((), None),
        ((finding(Severity.ERROR, "slots", "no number"), finding(Severity.WARNING, "qname", "odd")), None),
        ((finding(Severity.ERROR, "slots", "no number"), finding(Severity.ERROR, "qname", "taken")), "taken"),
        (
            (finding(Severity.ERROR, "qname", "first", "Mend it."), finding(Severity.ERROR, "qname", "x")),
            "first. Mend it.",
        ),
    ],
)
def test_the_first_error_of_the_name_is_said_with_its_hint(findings: tuple[Finding, ...], said: str | None) -> None:
    assert name_finding(QUEUE, findings) == said


def test_what_has_no_name_has_no_wrong_one() -> None:
    policies = config_object(Kind.SCHEDULER, "scheduler", {})
    assert name_finding(policies, [finding(Severity.ERROR, None, "wrong")]) is None


def test_what_reading_has_found_stays_while_its_field_is_as_it_was_saved() -> None:
    saved = config_object(Kind.QUEUE, "a.q", {"qname": "a.q", "slots": "x", "seq_no": "1"})
    candidate = saved.with_value("seq_no", "2")
    whole, slots, seq_no = (finding(Severity.ERROR, field, "wrong") for field in (None, "slots", "seq_no"))
    other = whole._replace(name="b.q")
    read = (whole, slots, seq_no, other)
    assert list(reader_findings(read, saved, candidate, "a.q")) == [whole, slots]
    assert list(reader_findings(read, None, candidate, "a.q")) == [whole, slots, seq_no]


HOSTS = {"@both": "@rest", "@rest": "n1"}
CLUSTER = cluster(
    queue("a.q", user_lists="staff", hostlist="@both"),
    config_object(Kind.USERSET, "staff", {"name": "staff", "type": "ACL", "entries": "ann"}),
    config_object(Kind.USERSET, "crew", {"name": "crew", "type": "ACL", "entries": "bob"}),
    config_object(Kind.HOST, "n1", {"hostname": "n1"}),
    *(config_object(Kind.HOSTGROUP, name, {"group_name": name, "hostlist": hosts}) for name, hosts in HOSTS.items()),
)
SPACE = "Space (' ') not allowed in objectname"


@pytest.mark.parametrize(
    ("kind", "name", "new", "found"),
    [
        (Kind.USERSET, "staff", "staff", []),
        (Kind.USERSET, "staff", "people", []),
        (Kind.USERSET, "staff", "bad name", [("name", SPACE)]),
        (Kind.USERSET, "staff", "crew", [("name", 'userset "crew" already exists')]),
        (Kind.USERSET, "crew", "crew", [(None, 'Nothing uses access list "crew"')]),
        (Kind.USERSET, "crew", "people", [(None, 'Nothing uses access list "people"')]),
        (Kind.HOSTGROUP, "@both", "@both", []),
        (Kind.HOSTGROUP, "@both", "@every", []),
        (Kind.HOSTGROUP, "@both", "@bad name", [("group_name", SPACE)]),
    ],
)
def test_an_object_under_a_new_name_is_looked_at_as_renamed_everywhere(
    kind: Kind, name: str, new: str, found: list[tuple[str | None, str]]
) -> None:
    candidate = CLUSTER.objects(kind)[name].renamed(new)
    assert [(each.field, each.message) for each in object_findings(CLUSTER, name, candidate)] == found


RESERVED = State(now=100, reservations=(AdvanceReservation(3, "ann", 100, 200, {"a.q@n1": 2}, state="r"),))
SAVED = CLUSTER.with_object(queue("a.q", hostlist="n1", slots="4"))


@pytest.mark.parametrize(
    ("edited", "state", "said"),
    [
        (SAVED.with_object(queue("a.q", hostlist="n1", slots="1")), RESERVED, ["slots"]),
        (SAVED.with_object(queue("a.q", hostlist="n1", slots="2")), RESERVED, []),
        (SAVED.with_object(queue("a.q", hostlist="n1", slots="1")), State(), []),
        (SAVED, RESERVED, []),
        # An advance reservation has slots of it: it is not deleted.
        (SAVED.without(Kind.QUEUE, "a.q"), RESERVED, [None]),
    ],
)
def test_edits_that_take_from_an_advance_reservation_are_told(
    edited: Cluster, state: State, said: list[str | None]
) -> None:
    findings = findings_of(edited, state, Document(SAVED, state))
    assert [each.field for each in findings if "a running qmaster refuses this edit" in each.message] == said


RUNNING = "There are still running jobs in the queue. Deletion denied."
LISTED = [
    'Host object "n1" is still referenced in cluster queue "a.q".',
    'Host object "n1" is still referenced in host group "@rest".',
]


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        (RemoveObject(Kind.HOST, "n1"), LISTED),
        (RenameObject(Kind.HOST, "n1", "n9"), LISTED),
        (RemoveObject(Kind.QUEUE, "a.q"), [RUNNING]),
        (rename_everywhere(SAVED, Kind.QUEUE, "a.q", "b.q").edit, [RUNNING]),
        (SetField(Kind.QUEUE, "a.q", "hostlist", "NONE"), []),
    ],
)  # fmt: skip
@pytest.mark.parametrize("letters", ["r", "t", "S", "Rr", "Rq", "z"])
def test_what_jobs_run_in_is_neither_deleted_nor_renamed(edit: Edit, said: list[str], letters: str) -> None:
    """8.1.9 refuses with these words: a host that lists name whatever runs there, a queue only if a job runs in it."""
    job = Job(1, "ada", 0, Request(), "x", tasks={1: Task(letters, {"a.q@n1": 1}, 0)})
    before = Document(SAVED, State(jobs=(job,)))
    after = edit.made(before)
    messages = [each.message for each in findings_of(after.cluster, after.state, before)]
    runs = letters not in ("Rq", "z")
    assert (said if runs or said is LISTED else []) == [
        text.removeprefix("a running qmaster refuses this edit: ") for text in messages if "refuses this edit" in text
    ]
    gone = any("runs in a.q@n1" in text for text in messages)
    assert gone is runs
