"""Actions are declared above the functions that do them."""

import pytest

from qmon_tui.tui.keys import ActionContext, ActionSet, Group, KeyRegistry, Need, Pane

NAMES: ActionSet[list[str]] = ActionSet("names")


def nobody(names: list[str]) -> str | None:
    return None if names else "There is nobody."


@NAMES.action("add", "a", "insert", label="add", text="Add a name", dangerous=True, footer=(Pane.PAGE,))
def add(names: list[str]) -> None:
    names.append("bela")


@NAMES.action("clear", "c", label="clear", text="Forget all names", refused=nobody)
def clear(names: list[str]) -> None:
    names.clear()


def test_an_action_is_what_was_declared() -> None:
    first, second = NAMES.actions
    assert (first.id, first.keys, first.label, first.description) == ("names.add", ("a", "insert"), "add", "Add a name")
    assert (first.where, first.group, first.footer) == ("names", Group.HERE, (Pane.PAGE,))
    assert first.dangerous
    assert not second.dangerous


def test_it_is_done_to_what_it_belongs_to() -> None:
    names: list[str] = []
    actions = NAMES.of(names)
    assert actions.ids == {"names.add", "names.clear"}
    assert actions.refusal("names.clear") == "There is nobody."
    actions.run("names.add")
    assert names == ["bela"]
    assert actions.refusal("names.clear") is None
    actions.run("names.clear")
    assert names == []


def test_what_belongs_to_something_else_is_not_refused_here() -> None:
    assert NAMES.of([]).refusal("jobs.hold") is None


def test_the_footer_shows_nothing_of_a_place_that_can_do_nothing() -> None:
    general: ActionSet[list[str]] = ActionSet()
    general.action("undo", "u", label="undo", text="Undo", footer=(Pane.PAGE,))(clear)
    places: ActionSet[list[str]] = ActionSet("places")
    for name in ("answer", "leave"):
        places.action(name, name[0], label=name, text=name, refused=nobody, footer=(Pane.PAGE,))(clear)
    registry = KeyRegistry((*places.actions, *general.actions))

    def shown(names: list[str]) -> list[str]:
        now = ActionContext(pane=Pane.PAGE, here="places", refusal=places.of(names).refusal)
        return [action.id for action in registry.footer(now)]

    assert shown(["bela"]) == ["places.answer", "places.leave", "undo"]
    assert shown([]) == ["undo"]


def test_reasons_of_the_screen_come_before_those_of_the_place() -> None:
    _, action = NAMES.actions
    refusal = NAMES.of([]).refusal
    assert action.disabled_reason(ActionContext(here="names", refusal=refusal)) == "There is nobody."
    assert "names" in (action.disabled_reason(ActionContext(here="jobs", refusal=refusal)) or "")


def test_the_first_need_that_is_not_met_is_told() -> None:
    general: ActionSet[list[str]] = ActionSet()
    needs = (Need(lambda now: now.jumped, "No jump."), Need(lambda now: now.job_chosen, "No job."))
    general.action("back", label="back", text="Go back", needs=needs)(clear)
    (action,) = general.actions
    assert action.disabled_reason(ActionContext()) == "No jump."
    assert action.disabled_reason(ActionContext(jumped=True)) == "No job."
    assert action.disabled_reason(ActionContext(jumped=True, job_chosen=True)) is None


def test_sets_are_joined_in_their_order_and_no_name_is_declared_twice() -> None:
    more: ActionSet[list[str]] = ActionSet("names")
    more.action("sort", "o", label="sort", text="Sort the names")(list.sort)
    assert [action.id for action in (NAMES | more).actions] == ["names.add", "names.clear", "names.sort"]
    with pytest.raises(ValueError, match=r"names\.sort is declared twice"):
        more.action("sort", "s", label="sort", text="Sort the names again")
