"""Actions of the Learn page."""

from typing import TYPE_CHECKING

from qmon_tui.tui.keys import ActionSet, Pane

if TYPE_CHECKING:
    from qmon_tui.tui.learn.view import LearnView

_HERE = (Pane.PAGE,)
_NO_LESSON = "No lesson is open: Enter opens the one under the cursor."

LEARN_ACTIONS: "ActionSet[LearnView]" = ActionSet("learn")


def _in_lesson(view: "LearnView") -> str | None:
    return None if view.lesson is not None else _NO_LESSON


def _before_next(view: "LearnView") -> str | None:
    if view.lesson is None:
        return _NO_LESSON
    return None if view.has_next else "This is the last step."


def _after_first(view: "LearnView") -> str | None:
    if view.lesson is None:
        return _NO_LESSON
    return None if view.number else "This is the first step."


def _has_hint(view: "LearnView") -> str | None:
    if view.lesson is None:
        return _NO_LESSON
    return None if view.has_hint else "There is no further hint."


def _has_explained(view: "LearnView") -> str | None:
    if view.session is None:
        return _NO_LESSON
    return None if view.session.has_explained else "No explanation here is about another cluster than this one."


def _has_question(view: "LearnView") -> str | None:
    if view.lesson is None:
        return _NO_LESSON
    return None if view.is_asking else "This step has no open question."


@LEARN_ACTIONS.action("answer", "space", text="Answer the question of this step", refused=_has_question, footer=_HERE)
def _answer(view: "LearnView") -> None:
    view.begin_answer()


@LEARN_ACTIONS.action(
    "next",
    "right_square_bracket",
    text="Go to the next step, or from a finished lesson to the next one",
    refused=_before_next,
    footer=_HERE,
)
def _next(view: "LearnView") -> None:
    view.go_on()


@LEARN_ACTIONS.action(
    "before", "left_square_bracket", label="back", text="Go to the step before", refused=_after_first,
    footer=_HERE,
)  # fmt: skip
def _before(view: "LearnView") -> None:
    view.go_to_step(view.number - 1)


@LEARN_ACTIONS.action("hint", "t", text="Open a hint", refused=_has_hint, footer=_HERE)
def _hint(view: "LearnView") -> None:
    view.open_hint()


@LEARN_ACTIONS.action(
    "revert",
    "x",
    text="Begin this step again: the cluster as it was, answers stay",
    refused=_in_lesson,
    dangerous=True,
    footer=_HERE,
)
def _revert(view: "LearnView") -> None:
    view.begin_again()


@LEARN_ACTIONS.action("export", "E", text="Write your answers and edits to a file to hand in", refused=_in_lesson)
def _export(view: "LearnView") -> None:
    view.write_submission()


@LEARN_ACTIONS.action(
    "leave",
    "X",
    text="Leave this lesson; it continues here the next time",
    refused=_in_lesson,
    footer=_HERE,
)
def _leave(view: "LearnView") -> None:
    view.leave_lesson()


@LEARN_ACTIONS.action(
    "cluster",
    "v",
    text="Show in the live schedule what is explained: the next cluster of the explanation, or your own",
    refused=_has_explained,
    footer=_HERE,
)
def _cluster(view: "LearnView") -> None:
    if view.session is not None:
        view.session.show_next_explained()
