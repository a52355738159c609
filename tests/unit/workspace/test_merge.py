from dataclasses import replace

import pytest
from hypothesis import assume, given, strategies as st

from qmon_tui.model.cluster import Cluster, Origin, config_object
from qmon_tui.model.jobs import Task
from qmon_tui.model.kinds import Kind
from qmon_tui.model.state import State
from qmon_tui.workspace import Document, Edit, RemoveObject, RenameObject, SetField
from qmon_tui.workspace.difference import changes, document_changes
from qmon_tui.workspace.merge import Conflict, Side, document_conflicts, overlay, overlay_document
from tests.unit.scheduler.building import job
from tests.unit.workspace.samples import applied, cluster, clusters, conflicts, edits, queue

BASE = cluster(queue("a.q", slots="1"), queue("b.q", slots="1"))


def slots(name: str, text: str) -> SetField:
    return SetField(Kind.QUEUE, name, "slots", text)


def taken(conflict: Conflict, merged: Cluster) -> Cluster:
    """The cluster in which theirs counts."""
    here = Document(merged, State())
    return conflict.taking(Side.THEIRS, here).made(here).cluster


@given(clusters, st.lists(edits, max_size=5), st.lists(edits, max_size=5))
def test_disjoint_edits_commute(base: Cluster, mine_edits: list[Edit], their_edits: list[Edit]) -> None:
    mine, theirs = applied(base, mine_edits), applied(base, their_edits)
    assume(not conflicts(base, mine, theirs))
    one = overlay(changes(base, mine), theirs)
    other = overlay(changes(base, theirs), mine)
    assert changes(one, other) == ()


@given(clusters, st.lists(edits, max_size=5))
def test_merging_with_no_change_is_the_change(base: Cluster, some: list[Edit]) -> None:
    edited = applied(base, some)
    assert changes(overlay(changes(base, edited), base), edited) == ()
    assert conflicts(base, edited, base) == conflicts(base, base, edited) == conflicts(base, edited, edited) == ()


@given(clusters, st.lists(edits, max_size=5), st.lists(edits, max_size=5))
def test_conflicts_are_the_same_seen_from_the_other_side(
    base: Cluster, mine_edits: list[Edit], their_edits: list[Edit]
) -> None:
    mine, theirs = applied(base, mine_edits), applied(base, their_edits)
    places = {(c.kind, c.name, c.field) for c in conflicts(base, mine, theirs)}
    assert places == {(c.kind, c.name, c.field) for c in conflicts(base, theirs, mine)}


@given(clusters, st.lists(edits, max_size=5), st.lists(edits, max_size=5))
def test_taking_theirs_everywhere_leaves_only_what_they_did_not_touch(
    base: Cluster, mine_edits: list[Edit], their_edits: list[Edit]
) -> None:
    mine, theirs = applied(base, mine_edits), applied(base, their_edits)
    merged = overlay(changes(base, mine), theirs)
    for conflict in conflicts(base, mine, theirs):
        merged = taken(conflict, merged)
    # Whatever they did is done: their changes would change nothing more.
    for change in changes(base, theirs):
        assert (Document(merged, State()).get(change.kind, change.name) is None) == (change.after is None)
    assert changes(overlay(changes(base, theirs), merged), merged) == ()


def test_different_fields_of_one_object_merge() -> None:
    theirs = SetField(Kind.QUEUE, "a.q", "seq_no", "7").apply(BASE)
    merged = overlay(changes(BASE, slots("a.q", "2").apply(BASE)), theirs)
    assert merged.objects(Kind.QUEUE)["a.q"].values == {"qname": "a.q", "slots": "2", "seq_no": "7"}


def test_one_field_changed_differently_is_a_conflict_that_shows_all_three_texts() -> None:
    (conflict,) = conflicts(BASE, slots("a.q", "2").apply(BASE), slots("a.q", "3").apply(BASE))
    assert (conflict.label, conflict.base, conflict.mine, conflict.theirs) == ("slots of queue a.q", "1", "2", "3")


def test_removing_what_the_other_side_changed_is_a_conflict_of_the_whole_object() -> None:
    mine, theirs = RemoveObject(Kind.QUEUE, "a.q").apply(BASE), slots("a.q", "3").apply(BASE)
    (conflict,) = conflicts(BASE, mine, theirs)
    assert (conflict.label, conflict.field, conflict.mine) == ("queue a.q", None, None)
    assert conflict.theirs == theirs.objects(Kind.QUEUE)["a.q"]
    merged = overlay(changes(BASE, mine), theirs)
    assert "a.q" not in merged.objects(Kind.QUEUE)
    assert taken(conflict, merged).objects(Kind.QUEUE)["a.q"].text("slots") == "3"


def test_the_same_change_on_both_sides_is_none() -> None:
    assert conflicts(BASE, slots("a.q", "2").apply(BASE), slots("a.q", "2").apply(BASE)) == ()
    gone = RemoveObject(Kind.QUEUE, "b.q").apply(BASE)
    assert conflicts(BASE, gone, gone) == ()


def test_a_renamed_object_stays_where_its_old_name_is_now_read() -> None:
    base = cluster(queue("a.q", file="queues.yaml"), queue("b.q"))
    moved = replace(base.objects(Kind.QUEUE)["a.q"], origin=Origin("queues.yaml", 40))
    merged = overlay(changes(base, RenameObject(Kind.QUEUE, "a.q", "z.q").apply(base)), base.with_object(moved))
    assert merged.objects(Kind.QUEUE)["z.q"].origin == Origin("queues.yaml", 40)
    assert "a.q" not in merged.objects(Kind.QUEUE)


def test_renaming_what_the_other_side_removed_is_a_conflict_of_the_whole_object() -> None:
    base = cluster(queue("a.q", file="queues.yaml"), queue("b.q"))
    mine, theirs = RenameObject(Kind.QUEUE, "a.q", "z.q").apply(base), RemoveObject(Kind.QUEUE, "a.q").apply(base)
    (conflict,) = conflicts(base, mine, theirs)
    assert (conflict.label, conflict.field, conflict.theirs) == ("queue a.q, renamed z.q", None, None)
    assert conflict.mine == mine.objects(Kind.QUEUE)["z.q"]
    assert set(taken(conflict, overlay(changes(base, mine), theirs)).objects(Kind.QUEUE)) == {"b.q"}


def test_the_same_new_name_on_both_sides_is_no_conflict() -> None:
    base = cluster(queue("a.q", file="queues.yaml"), queue("b.q"))
    renamed = RenameObject(Kind.QUEUE, "a.q", "z.q").apply(base)
    assert conflicts(base, renamed, renamed) == ()


def both(base: State, mine: State, theirs: State) -> tuple[State, int]:
    """What is merged of two changes of a state, and how many conflicts there are."""
    before, here, there = (Document(Cluster(), state) for state in (base, mine, theirs))
    merged = overlay_document(document_changes(before, here), there).state
    return merged, len(document_conflicts(before, here, there))


@pytest.mark.parametrize(
    ("base", "mine", "theirs", "merged"),
    [(1, 5, 9, 9), (1, 9, 5, 9), (1, 10, 9, 10), (8, 9, 10, 10), (0, 3, 2, 3), (0, 2, 3, 3), (5, 3, 2, 3)],
)
def test_of_two_last_numbers_the_higher_one_counts(base: int, mine: int, theirs: int, merged: int) -> None:
    before, here, there = (State(jobseqnum=number) for number in (base, mine, theirs))
    assert both(before, here, there) == (State(jobseqnum=merged), 0)


def test_of_two_times_of_a_change_the_later_one_counts() -> None:
    base, mine, theirs = (State(changed={"a.q@n1": time}) for time in (1_800_000_000, 1_800_000_060, 1_800_000_030))
    assert both(base, mine, theirs) == both(base, theirs, mine) == (mine, 0)


def test_jobs_that_go_leave_those_that_change_and_come() -> None:
    base = State(jobs=(job(1), job(2), job(3)))
    other = replace(job(2), owner="ben")
    mine = State(jobs=(other, job(3), job(4)))
    theirs = State(jobs=(job(1), job(2), job(3), job(5)))
    merged, number = both(base, mine, theirs)
    assert sorted((one.id, one.owner) for one in merged.jobs) == [(2, "ben"), (3, "anna"), (4, "anna"), (5, "anna")]
    assert number == 0
    assert [one.id for one in both(base, State(), theirs)[0].jobs] == [5]
    assert both(base, base, theirs) == (theirs, 0)


def test_what_goes_there_and_changes_here_is_as_it_is_here() -> None:
    mine, theirs = slots("b.q", "2").apply(BASE), RemoveObject(Kind.QUEUE, "b.q").apply(BASE)
    assert overlay(changes(BASE, mine), theirs).objects(Kind.QUEUE)["b.q"].text("slots") == "2"
    before, here, there = State(jobs=(job(1), job(2))), State(jobs=(job(1), job(2, owner="ben"))), State(jobs=(job(1),))
    merged, number = both(before, here, there)
    assert ([(each.id, each.owner) for each in merged.jobs], number) == ([(1, "anna"), (2, "ben")], 1)


def test_objects_that_change_keep_their_place_in_the_list() -> None:
    other = SetField(Kind.QUEUE, "b.q", "seq_no", "7").apply(BASE)
    assert list(overlay(changes(BASE, slots("a.q", "2").apply(BASE)), other).objects(Kind.QUEUE)) == ["a.q", "b.q"]


def test_each_object_is_saved_where_it_is_read_now_whatever_else_goes() -> None:
    read = cluster(*(replace(obj, origin=Origin("q.yaml", 9)) for obj in BASE.objects(Kind.QUEUE).values()))
    mine = slots("b.q", "2").apply(RemoveObject(Kind.QUEUE, "a.q").apply(BASE))
    merged = overlay(changes(BASE, mine), read.with_object(replace(read.objects(Kind.QUEUE)["a.q"], origin=None)))
    assert merged.objects(Kind.QUEUE)["b.q"].origin == Origin("q.yaml", 9)


def test_lists_of_a_configuration_merge_only_where_all_give_them() -> None:
    def configuration(**values: str) -> Cluster:
        return cluster(config_object(Kind.CONFIGURATION, "node1", values))

    base, mine, theirs = (configuration(user_lists=text) for text in ("a b", "a b c", "b"))
    assert conflicts(base, mine, theirs) == ()
    merged = overlay(changes(base, mine), theirs).objects(Kind.CONFIGURATION)["node1"]
    assert merged.values == {"user_lists": "b c"}
    base, mine, theirs = (
        configuration(mailer="m", **values) for values in ({}, {"user_lists": "a"}, {"user_lists": "b"})
    )
    (conflict,) = conflicts(base, mine, theirs)
    assert (conflict.base, conflict.mine, conflict.theirs, conflict.key) == (None, "a", "b", ())


def test_a_field_that_grid_engine_does_not_know_is_a_conflict_as_a_whole() -> None:
    base, mine, theirs = (cluster(queue("a.q", wish=text)) for text in ("a", "a b", "a c"))
    (conflict,) = conflicts(base, mine, theirs)
    assert (conflict.base, conflict.mine, conflict.theirs, conflict.key) == ("a", "a b", "a c", ())


def test_each_renamed_object_that_they_removed_is_a_conflict() -> None:
    base = cluster(*(replace(queue(name), origin=Origin("q.yaml", line)) for line, name in enumerate("abc", 1)))
    mine = slots("a", "2").apply(base)
    for name in "bc":
        mine = RenameObject(Kind.QUEUE, name, f"new-{name}").apply(mine)
    theirs = RemoveObject(Kind.QUEUE, "c").apply(slots("b", "3").apply(base))
    assert [conflict.label for conflict in conflicts(base, mine, theirs)] == ["queue b", "queue c, renamed new-c"]


@pytest.mark.parametrize(
    ("base", "mine", "theirs", "merged", "number"),
    [
        ("-p 1", "-p 2", "-p 1 -N n", "-p 2 -N n", 0),
        ("-p 1", "-p 2", "-p 3", "-p 2", 1),
    ],
)
def test_options_of_a_job_merge_where_they_do_not_overlap(
    base: str, mine: str, theirs: str, merged: str, number: int
) -> None:
    before, here, there = (State(jobs=(job(1, line),)) for line in (base, mine, theirs))
    result, conflicting = both(before, here, there)
    assert ([each.qsub for each in result.jobs], conflicting) == ([f"{merged} sleep 60"], number)


@pytest.mark.parametrize("lines", [("", "a", "b"), ("a", "", "b"), ("a", "b", "")])
def test_options_that_one_side_has_taken_away_are_a_conflict(lines: tuple[str, str, str]) -> None:
    base, mine, theirs = (State(jobs=(job(1, qsub=line),)) for line in lines)
    merged, number = both(base, mine, theirs)
    assert ([each.qsub for each in merged.jobs], number) == ([lines[1]], 1)


def test_two_new_jobs_of_one_number_are_a_conflict() -> None:
    merged, number = both(State(), State(jobs=(job(1, "-p 2"),)), State(jobs=(job(1, "-p 3"),)))
    assert ([each.qsub for each in merged.jobs], number) == (["-p 2 sleep 60"], 1)


def test_no_other_field_of_a_job_merges() -> None:
    base, mine, theirs = (State(jobs=(job(1, owner=owner),)) for owner in ("anna", "ben", "carl"))
    merged, number = both(base, mine, theirs)
    assert ([each.owner for each in merged.jobs], number) == (["ben"], 1)


def test_tasks_that_an_array_has_no_more_leave_the_job_as_it_is_here() -> None:
    base, mine = State(jobs=(job(1, "-t 1-5"),)), State(jobs=(job(1, "-t 1-3"),))
    theirs = State(jobs=(job(1, "-t 1-5", tasks={5: Task("hqw", hold="u")}),))
    merged, _ = both(base, mine, theirs)
    assert merged.jobs == mine.jobs
