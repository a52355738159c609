"""Read the text of a lesson. Errors are reported with their line; nothing is executed."""

from collections.abc import Callable, Iterator
from typing import Final

from qmon_tui.formats import Layout, read_texts
from qmon_tui.lessons.conditions import COMPARISONS, number_of
from qmon_tui.lessons.data import Datum, LessonError, quoted
from qmon_tui.lessons.draws import FIRST, Variant, drawn
from qmon_tui.lessons.edits import KINDS, field_edit, is_command
from qmon_tui.lessons.lesson import (
    SOLUTION,
    AddObjects,
    After,
    AnswerKind,
    Choice,
    CommandLine,
    Condition,
    Lesson,
    LessonEdit,
    Markdown,
    Quantity,
    Question,
    RemoveObject,
    SetTime,
    Step,
    Unfold,
    WholeCluster,
)
from qmon_tui.lessons.quantities import COLUMNS, QUANTITIES, is_time, seconds_of
from qmon_tui.model.catalogue import single_name, spec
from qmon_tui.scheduler.priority import FORMULAS, GRID_ENGINE
from qmon_tui.values import meant, whole_number

MOST_STEPS: Final = 100
_LESSON: Final = (
    *("title", "subject", "about", "source", "order", "minutes", "after", "pass", "why", "draws", "cluster", "steps"),
)
_STEP: Final = (
    *("title", "text", "from", "given", "question", "goal", "may_change", "points", "solution", "hints", "explain"),
    *("formulas", "why"),
)  # fmt: skip
_QUESTION: Final = ("ask", "of", "kind", "choices", "after", "within", "answer", "points")
_UNFOLDED: Final = ("derive", "why", "table", "shows")


ReadFolder = Callable[[str], WholeCluster]
"""Reads the cluster folder with the name that a lesson gives. Raises LessonError."""


def read_lesson(text: str, name: str, read_folder: ReadFolder, variant: Variant = FIRST) -> Lesson:
    """Return the lesson in a text; `name` is its file's name without ending. Raises LessonError for the first error."""
    text, root, variants, values = drawn(text, variant)
    keys = root.only(_LESSON, "a lesson")
    for needed in ("title", "cluster", "steps"):
        if needed not in keys:
            raise LessonError(f"a lesson needs `{needed}:`", root.line)
    read = _cluster(text, keys["cluster"], name, read_folder)
    steps = keys["steps"].items
    if not 0 < len(steps) <= MOST_STEPS:
        raise LessonError(f"a lesson has 1 to {MOST_STEPS} steps", keys["steps"].line)
    needed_part = keys["pass"].number if "pass" in keys else 0.5
    if not 0 <= needed_part <= 1:
        raise LessonError("`pass` is a part of all points, 0 to 1", keys["pass"].line)
    return Lesson(
        name, _text(keys, "title"), _text(keys, "subject"), _text(keys, "about"), _text(keys, "source"), needed_part,
        read.cluster, read.state, tuple(_step(step, text, keys) for step in steps), read.findings, variants, values,
        _whole_number_or_zero(keys, "minutes"), _whole_number_or_zero(keys, "order"),
        tuple(item.text.strip() for item in keys["after"].items) if "after" in keys else (),
    )  # fmt: skip


def _whole_number_or_zero(keys: dict[str, Datum], key: str) -> int:
    """Return a whole number from 1 to 999; 0 if the key is missing. Raises LessonError."""
    if key not in keys:
        return 0
    number = whole_number(keys[key].text, 1, 999)
    if number is None:
        raise LessonError(f"`{key}:` is a whole number from 1 to 999", keys[key].line)
    return number


def step_errors(text: str) -> list[LessonError]:
    """Return the first error of each step; empty if the text has no steps."""
    errors: list[LessonError] = []
    try:
        text, root, *_ = drawn(text, FIRST)
        keys = root.pairs
        steps = keys["steps"].items
    except (LessonError, KeyError):
        return []
    for step in steps[:MOST_STEPS]:
        try:
            _step(step, text, keys)
        except LessonError as error:
            errors.append(error)
    return errors


def snippet(text: str, datum: Datum) -> str:
    """Return the text of a datum, padded so that its lines and columns stay the same."""
    return "\n" * (datum.line - 1) + " " * (datum.column - 1) + text[datum.start : datum.end] + "\n"


def _cluster(text: str, datum: Datum, name: str, read_folder: ReadFolder) -> WholeCluster:
    if isinstance(datum.value, str):
        try:
            return read_folder(datum.value)
        except LessonError as error:
            raise LessonError(error.message, datum.line, error.hint) from None
    datum.pairs  # noqa: B018 - raises LessonError for a list
    read = WholeCluster.of(read_texts(Layout.YAML, name, {"lesson.yaml": snippet(text, datum)}))
    if read.findings and read.findings[0].rule.startswith("format.yaml"):
        first = read.findings[0]
        raise LessonError(first.message, first.line, first.hint)
    return read


def _text(keys: dict[str, Datum], key: str) -> str:
    return keys[key].text.strip() if key in keys else ""


def _step(datum: Datum, text: str, lesson: dict[str, Datum]) -> Step:
    """Read a step; `lesson` has the keys of the whole lesson. Raises LessonError."""
    keys = datum.only(_STEP, "a step")
    start = _text(keys, "from") or "before"
    if start not in ("before", "start"):
        raise LessonError("`from:` is start, or left out", keys["from"].line)
    goal = tuple(read_condition(item) for item in keys["goal"].items) if "goal" in keys else ()
    solution = read_edits(keys["solution"], text) if "solution" in keys else ()
    if goal and not solution:
        raise LessonError("a goal needs a `solution:`, which proves that it can be reached", keys["goal"].line)
    may_change = tuple(item.text.strip() for item in keys["may_change"].items) if "may_change" in keys else ()
    if "may_change" in keys and not (goal and may_change and all(may_change)):
        raise LessonError(
            "`may_change:` lists what may be changed to reach the goal of a step", keys["may_change"].line,
            "write paths such as jobs.*.-p or queues.all.q.slots",
        )  # fmt: skip
    if "points" in keys and not goal:
        raise LessonError(
            "`points:` of a step are those of its goal; a question has points of its own", keys["points"].line
        )
    question = _question(keys["question"], text) if "question" in keys else None
    formulas = _text(keys, "formulas") or GRID_ENGINE.name
    if formulas not in FORMULAS:
        hint = meant(formulas, FORMULAS) or f"known are {', '.join(FORMULAS)}"
        raise LessonError(f'there are no formulas "{quoted(formulas)}"', keys["formulas"].line, hint)
    return Step(
        _text(keys, "title"), _text(keys, "text"), start == "start",
        read_edits(keys["given"], text) if "given" in keys else (),
        question, goal, _points(keys), solution,
        tuple(hint.text.strip() for hint in keys["hints"].items) if "hints" in keys else (),
        tuple(_explanation(item, text) for item in keys["explain"].items) if "explain" in keys else (),
        formulas, may_change, _is_on((lesson | keys).get("why")), datum.line,
    )  # fmt: skip


def _is_on(datum: Datum | None) -> bool:
    """Return True for on, or without a datum. Raises LessonError for other words than on and off."""
    word = datum.text.strip() if datum is not None else "on"
    if word not in ("on", "off"):
        raise LessonError("`why:` is on or off", datum.line if datum is not None else None)
    return word == "on"


def _points(keys: dict[str, Datum]) -> float:
    points = keys["points"].number if "points" in keys else 1.0
    if not 0 <= points <= 1000:
        raise LessonError("points are 0 to 1000", keys["points"].line)
    return points


def _question(datum: Datum, text: str) -> Question:
    keys = datum.only(_QUESTION, "a question")
    if not _text(keys, "ask"):
        raise LessonError("a question needs `ask:`", datum.line)
    quantity = read_quantity(keys["of"]) if "of" in keys else None
    choices = tuple(_choice(item) for item in keys["choices"].items) if "choices" in keys else ()
    if len(choices) > 26 or len({choice.text for choice in choices}) < len(choices):
        raise LessonError("choices are at most 26, each another one", keys["choices"].line)
    if quantity is None and not (len(choices) > 1 and all(choice.condition for choice in choices)):
        raise LessonError("a question needs `of:`, or choices that each have an `if:`", datum.line)
    if quantity is not None and any(choice.condition for choice in choices):
        raise LessonError("choices have an `if:` only where there is no `of:`", keys["choices"].line)
    kind = _answer_kind(keys, quantity, bool(choices))
    within = _tolerance(keys["within"], quantity) if "within" in keys else None
    answer = tuple(item.text for item in keys["answer"].items) if "answer" in keys else None
    after = _after(keys, text)
    return Question(_text(keys, "ask"), quantity, kind, choices, after, within, answer, _points(keys), datum.line)


def _answer_kind(keys: dict[str, Datum], quantity: Quantity | None, has_choices: bool) -> AnswerKind:
    usual = AnswerKind.CHOICE if has_choices or quantity is None else QUANTITIES[quantity.name].kind
    if "kind" not in keys:
        return usual
    word = keys["kind"].text
    if word not in list(AnswerKind):
        raise LessonError(f'there is no kind "{quoted(word)}"', keys["kind"].line, f"known are {', '.join(AnswerKind)}")
    kind = AnswerKind(word)
    if kind is AnswerKind.CHOICE and not has_choices and usual is not AnswerKind.CHOICE:
        raise LessonError("a choice needs `choices:`", keys["kind"].line)
    if kind is not AnswerKind.CHOICE and has_choices:
        raise LessonError("choices are for `kind: choice`", keys["kind"].line)
    return kind


def _choice(datum: Datum) -> Choice:
    if isinstance(datum.value, str):
        return Choice(datum.value.strip())
    keys = datum.only(("text", "if"), "a choice")
    if not _text(keys, "text") or "if" not in keys:
        raise LessonError("a choice is a text, or {text: ..., if: {...}}", datum.line)
    return Choice(_text(keys, "text"), read_condition(keys["if"]))


def _after(keys: dict[str, Datum], text: str) -> After:
    if "after" not in keys:
        return ()
    return None if keys["after"].value == SOLUTION else read_edits(keys["after"], text)


def read_quantity(datum: Datum) -> Quantity:
    """Read a quantity. Raises LessonError."""
    quantity, others = _quantity(datum)
    if others:
        key, value = next(iter(others.items()))
        raise LessonError(
            f'"{quoted(key)}" does not belong to {quantity.name}', value.line, _options_hint(quantity.name)
        )
    return quantity


def _options_hint(name: str) -> str:
    options = QUANTITIES[name].options
    return f"to it belong {', '.join(options)}" if options else "nothing belongs to it"


def _quantity(datum: Datum) -> tuple[Quantity, dict[str, Datum]]:
    """Return the quantity of a mapping, and the keys that do not belong to it. Raises LessonError."""
    pairs = datum.pairs
    name = next((key for key in pairs if key in QUANTITIES), None)
    if name is None:
        hint = next(filter(None, (meant(key, QUANTITIES) for key in pairs)), "") or f"known are {', '.join(QUANTITIES)}"
        raise LessonError("it does not say what is computed", datum.line, hint)
    known = QUANTITIES[name]
    argument = tuple(item.text.strip() for item in pairs[name].items)
    if not argument or (len(argument) > 1 and not known.many) or not all(argument):
        raise LessonError(f"{name} needs {'a list' if known.many else 'one word'}", pairs[name].line)
    if known.arguments and argument[0] not in known.arguments:
        hint = meant(argument[0], known.arguments) or f"known are {', '.join(known.arguments)}"
        raise LessonError(f'{name} cannot be "{quoted(argument[0])}"', pairs[name].line, hint)
    options = {key: pairs[key].text.strip() for key in known.options if key in pairs}
    for needed in known.needed:
        if not options.get(needed):
            raise LessonError(f"{name} needs `{needed}:`", datum.line)
    rest = {key: value for key, value in pairs.items() if key != name and key not in known.options}
    return Quantity(name, argument, options, datum.line), rest


def read_condition(datum: Datum) -> Condition:
    """Read a quantity and its required values. Raises LessonError."""
    quantity, rest = _quantity(datum)
    comparisons: dict[str, tuple[str, ...]] = {}
    within = None
    for key, value in rest.items():
        if key == "within":
            within = _tolerance(value, quantity)
        elif key in COMPARISONS:
            comparisons[key] = tuple(_in_seconds(item.text.strip(), quantity) for item in value.items)
            if key not in ("is", "is_not", "says") and number_of(", ".join(comparisons[key])) is None:
                raise LessonError(f"{key} needs a number", value.line)
        else:
            known = (*COMPARISONS, "within", *QUANTITIES[quantity.name].options)
            raise LessonError(
                f'"{quoted(key)}" does not belong to {quantity.name}', value.line,
                meant(key, known) or f"compare with {', '.join(COMPARISONS)}",
            )  # fmt: skip
    kind = QUANTITIES[quantity.name].kind
    if not comparisons and kind not in (AnswerKind.ORDER, AnswerKind.CHOICE):
        raise LessonError(f"it does not say what {quantity.name} must be", datum.line, f"add {', '.join(COMPARISONS)}")
    return Condition(quantity, comparisons, within)


def _in_seconds(text: str, quantity: Quantity | None) -> str:
    """Return a time such as 90m, 8h, 7d as seconds if the quantity is a time; other texts unchanged."""
    if quantity is None or not is_time(quantity) or number_of(text) is not None:
        return text
    try:
        return str(seconds_of(text))
    except LessonError:
        return text


def _tolerance(datum: Datum, quantity: Quantity | None) -> float:
    """Return the tolerance of an answer, in seconds for a time. Raises LessonError."""
    number = number_of(_in_seconds(datum.text.strip(), quantity))
    return datum.number if number is None else number


def read_edits(datum: Datum, text: str) -> tuple[LessonEdit, ...]:
    """Read a list of edits. Raises LessonError."""
    return tuple(_edits(datum, text))


def _edits(datum: Datum, text: str) -> Iterator[LessonEdit]:
    for item in datum.items:
        if isinstance(item.value, str):
            words = item.value.strip()
            if is_command(words):
                yield CommandLine(words, line=item.line)
            else:
                yield field_edit(words, item.line)
            continue
        yield _keyed_edit(item, text)


def _keyed_edit(item: Datum, text: str) -> LessonEdit:
    keys = item.pairs
    lead = next(iter(keys), "")
    match lead:
        case "qsub":
            item.only(("qsub", "owner"), "a qsub")
            return CommandLine(f"qsub {keys['qsub'].text.strip()}", _text(keys, "owner"), item.line)
        case "command":
            item.only(("command", "owner"), "a command")
            if not is_command(keys["command"].text):
                raise LessonError("this is no command of Grid Engine", item.line)
            return CommandLine(keys["command"].text.strip(), _text(keys, "owner"), item.line)
        case "add":
            item.only(("add",), "an edit")
            keys["add"].pairs  # noqa: B018 - raises LessonError for a list
            return AddObjects(snippet(text, keys["add"]), item.line)
        case "remove":
            item.only(("remove",), "an edit")
            key, _, name = keys["remove"].text.strip().partition(".")
            if key not in KINDS or (not name and not spec(KINDS[key]).single):
                raise LessonError("write {remove: KEY.NAME}", item.line, meant(key, KINDS))
            return RemoveObject(key, name or single_name(KINDS[key]), item.line)
        case "now":
            item.only(("now",), "an edit")
            return SetTime(keys["now"].text.strip(), item.line)
    raise LessonError(
        "this is no edit", item.line, "write KEY.NAME.FIELD=VALUE, a command, {qsub: ..., owner: ...}, {add: ...}, "
        "{remove: ...} or {now: ...}",
    )  # fmt: skip


def _explanation(datum: Datum, text: str) -> Markdown | Unfold:
    if isinstance(datum.value, str):
        return Markdown(datum.value.strip())
    pairs = datum.pairs
    what = next((key for key in pairs if key in _UNFOLDED), None)
    after = _after(pairs, text)
    match what:
        case "derive":
            datum.only(("derive", "number", "after"), "derive")
            return Unfold(what, pairs[what].text.strip(), _text(pairs, "number"), after=after, line=datum.line)
        case "why":
            datum.only(("why", "after"), "why")
            return Unfold(what, pairs[what].text.strip(), after=after, line=datum.line)
        case "table":
            datum.only(("table", "jobs", "after"), "table")
            columns = tuple(item.text.strip() for item in pairs[what].items)
            for column in columns:
                if column not in COLUMNS:
                    raise LessonError(f'there is no column "{quoted(column)}"', datum.line, meant(column, COLUMNS))
            jobs = tuple(item.text.strip() for item in pairs["jobs"].items) if "jobs" in pairs else ()
            return Unfold(what, columns=columns, jobs=jobs, after=after, line=datum.line)
        case "shows":
            datum.only(("shows", "after"), "shows")
            return Unfold(what, quantity=read_quantity(pairs[what]), after=after, line=datum.line)
    raise LessonError("an explanation is a text, or {derive:}, {why:}, {table:} or {shows:}", datum.line)
