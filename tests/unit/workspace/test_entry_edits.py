"""Edits of items of the state by their texts, one by one, and steps as lines for a shell."""

from dataclasses import replace

import pytest

from qmon_tui.formats.qsub import parse_qsub
from qmon_tui.formats.state import entry
from qmon_tui.model.cluster import ConfigObject, Origin
from qmon_tui.model.jobs import Job
from qmon_tui.model.kinds import Kind
from qmon_tui.model.state import State
from qmon_tui.model.state_fields import StateEntry, StateKind
from qmon_tui.report import command_lines
from qmon_tui.workspace import Batch, Conflict, Document, Edit, EditError, Workspace
from qmon_tui.workspace.commands import unsaved_commands
from qmon_tui.workspace.edits import RemoveObject, ReplaceDocument, RevertObject, SetField
from qmon_tui.workspace.shown_document import moved
from qmon_tui.workspace.state_edits import RemoveEntry, RevertEntry, SetEntry, revert_edits
from qmon_tui.workspace.undo_history import Step
from tests.unit.workspace.samples import cluster, queue, reading

JOB, LOADS = StateKind.JOB, StateKind.LOADS


def job(number: int, qsub: str = "sleep 5") -> Job:
    return Job(number, "anna", 5, parse_qsub(qsub).request, "x", runtime=5, qsub=qsub)


STATE = State(now=9, jobs=(job(1), job(2, "-p -5 sleep 5"), job(3)), loads={"n1": {"a": "1", "b": "2"}})
DOCUMENT = Document(cluster(), STATE)


def texts(document: Document, kind: StateKind, name: str) -> dict[str, str] | None:
    found = entry(document.state, kind, name)
    return None if found is None else dict(found.values)


def item(kind: StateKind, name: str) -> StateEntry:
    found = entry(STATE, kind, name)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("edit", "label"),
    [
        (SetEntry(JOB, "2", (("qsub", "x"), ("owner", "ben"))), "set qsub, owner of job 2"),
        (RemoveEntry(LOADS, "n1"), "delete load values of n1"),
        (RevertEntry(item(JOB, "2")), "revert job 2"),
        (RevertEntry(item(JOB, "2"), (), "qsub"), "revert qsub of job 2"),
    ],
)
def test_labels(edit: Edit, label: str) -> None:
    assert edit.label == label


def test_values_are_set_and_left_out_and_a_host_without_any_reports_nothing() -> None:
    assert texts(SetEntry(LOADS, "n1", (("a", "7"), ("b", None))).made(DOCUMENT), LOADS, "n1") == {"a": "7"}
    assert texts(SetEntry(LOADS, "n2", (("a", "7"),)).made(DOCUMENT), LOADS, "n2") == {"a": "7"}
    assert texts(SetEntry(LOADS, "n1", (("a", None), ("b", None))).made(DOCUMENT), LOADS, "n1") is None
    assert RemoveEntry(LOADS, "n2").made(DOCUMENT) is DOCUMENT
    with pytest.raises(EditError, match=r"There is no job 9 any more\."):
        SetEntry(JOB, "9", (("owner", "ben"),)).made(DOCUMENT)
    with pytest.raises(EditError, match="job 2 cannot be so: "):
        SetEntry(JOB, "2", (("submitted", "soon"),)).made(DOCUMENT)


def test_one_field_or_the_whole_item_is_put_back() -> None:
    changed = SetEntry(JOB, "2", (("owner", "ben"), ("qsub", "-p -7 sleep 5"))).made(DOCUMENT)
    once = RevertEntry(item(JOB, "2"), (), "qsub").made(changed)
    assert [(one.owner, one.request.priority) for one in once.state.jobs] == [("anna", 0), ("ben", -5), ("anna", 0)]
    assert RevertEntry(item(JOB, "2"), (), "owner").made(once).state.jobs == STATE.jobs
    gone = RemoveEntry(JOB, "2").made(DOCUMENT)
    for field in (None, "owner"):
        back = RevertEntry(item(JOB, "2"), ("1", "2", "3"), field).made(gone)
        assert [one.id for one in back.state.jobs] == [1, 2, 3]


def test_steps_are_told_from_the_last_moment_on_at_which_all_was_saved() -> None:
    documents = [Document(cluster(), replace(STATE, now=now)) for now in (9, 10, 9, 11, 11, 12)]
    edits: list[Edit | None] = [RemoveEntry(JOB, "1"), RemoveEntry(JOB, "2"), RemoveEntry(JOB, "3"), None, None]
    steps = [
        Step(f"step {number}", before, after, edit)
        for number, (before, after, edit) in enumerate(zip(documents[:-1], documents[1:], edits, strict=True))
    ]
    remark = "# no command does this: "
    later = [f"{remark}delete job 3", f"{remark}step 4"]
    assert list(command_lines(unsaved_commands(documents[0], documents[-1], steps))) == later
    assert list(command_lines(unsaved_commands(documents[1], documents[-1], steps))) == [
        f"{remark}delete job 2",
        *later,
    ]
    assert list(command_lines(unsaved_commands(documents[4], documents[-1], steps))) == [f"{remark}step 4"]
    assert list(command_lines(unsaved_commands(documents[-1], documents[-1], steps))) == []
    unknown = list(command_lines(unsaved_commands(Document(cluster(), State(now=1)), documents[-1], steps)))
    assert unknown[0].endswith("before the files were read again is not known any more")
    assert unknown[1:] == [f"{remark}delete job 1", f"{remark}delete job 2", *later]
    both = [
        Step(
            "both", documents[0], documents[1], Batch("two", (RemoveEntry(JOB, "1"), ReplaceDocument("all", DOCUMENT)))
        )
    ]
    assert list(command_lines(unsaved_commands(documents[0], documents[1], both))) == [
        f"{remark}delete job 1",
        f"{remark}all",
    ]


def test_a_moment_follows_the_configuration_and_gets_new_jobs_no_earlier_than_it_is() -> None:
    before = Document(cluster(), replace(STATE, now=5))
    shown = Document(cluster(), replace(STATE, now=100, jobs=(job(3), job(8))))
    early, late = replace(job(4), submitted=50), replace(job(5), submitted=150)
    more = before.with_state(replace(before.state, jobs=(*before.state.jobs, job(8), early, late)))
    assert moved(None, before, more) is None
    assert moved(shown, before, before) is shown
    assert moved(shown, more, before) is shown
    after = moved(shown, before, more)
    assert after is not None
    assert [(one.id, one.submitted) for one in after.state.jobs] == [(3, 5), (8, 5), (4, 100), (5, 150)]
    assert after.cluster is shown.cluster
    other = before.with_cluster(cluster(queue("a.q")))
    followed = moved(shown, before, other)
    assert followed is not None
    assert (followed.cluster, followed.state) == (other.cluster, shown.state)


def test_the_text_of_a_conflict_is_empty_where_there_is_nothing() -> None:
    document = Document(cluster(queue("a.q", slots="3")), STATE)
    texts_in = {
        name: Conflict(kind, name, field, None, None, None).text_in(document)
        for kind, name, field in (
            (Kind.QUEUE, "a.q", "slots"),
            (Kind.QUEUE, "gone.q", "slots"),
            (JOB, "2", "qsub"),
            (JOB, "9", "qsub"),
        )
    }
    assert texts_in == {"a.q": "3", "gone.q": "", "2": "-p -5 sleep 5", "9": ""}
    assert Conflict(Kind.QUEUE, "a.q", None, None, None, None).text_in(document) == ""
    assert Conflict(JOB, "2", "group", None, None, None).text_in(document) == "staff"


def test_objects_and_items_are_reverted_to_what_was_read() -> None:
    def read_queue(name: str, line: int, **values: str) -> ConfigObject:
        return replace(queue(name, **values), origin=Origin("c.yaml", line))

    first, second = read_queue("a.q", 1, slots="1"), read_queue("b.q", 2, slots="2")
    read = Document(cluster(first, second), STATE)
    now = Document(
        cluster(replace(first, values={**first.values, "slots": "9"}), second.renamed("x.q"), queue("new.q")), STATE
    )

    def edit(*names: str, field: str | None = None, kind: Kind | StateKind = Kind.QUEUE) -> Edit | None:
        return revert_edits(read, now, kind, names, field)

    assert edit("a.q") == RevertObject(first, ("a.q", "b.q"))
    assert edit("a.q", field="slots") == RevertObject(first, ("a.q", "b.q"), "slots")
    assert edit("new.q") == RemoveObject(Kind.QUEUE, "new.q")
    assert edit("new.q", field="slots") is None
    assert edit("x.q", field="slots") == SetField(Kind.QUEUE, "x.q", "slots", "2")
    back = edit("x.q")
    assert isinstance(back, Batch)
    assert (back.label, list(back.made(now).cluster.objects(Kind.QUEUE))) == (
        "revert queue b.q",
        ["a.q", "b.q", "new.q"],
    )
    several = edit("a.q", "new.q", "x.q")
    assert several is not None
    assert several.label == "revert queue a.q and 2 more"
    assert edit("a.q", "new.q", field="slots") == edit("a.q", field="slots")
    assert edit() is None
    assert edit("2", kind=JOB) == RevertEntry(item(JOB, "2"), ("1", "2", "3"))
    assert (edit("9", kind=JOB), edit("9", kind=JOB, field="qsub")) == (RemoveEntry(JOB, "9"), None)


def test_other_formulas_are_another_revision_and_the_same_ones_are_none() -> None:
    workspace = Workspace(reading(cluster(queue("a.q"))))
    revision, usual = workspace.revision, workspace.formulas
    workspace.compute_by(usual)
    assert workspace.revision == revision
    workspace.compute_by("other")
    assert (workspace.formulas, workspace.revision) == ("other", revision + 1)
