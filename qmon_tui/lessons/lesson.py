"""A lesson as a value: a cluster, and steps with questions, goals and explanations."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from qmon_tui.formats import Contents
from qmon_tui.model import Cluster, Finding, Severity, State
from qmon_tui.sources import Reading


class AnswerKind(StrEnum):
    """Kind of answer that a question expects."""

    NUMBER = "number"
    ORDER = "order"
    PLACE = "place"
    CHOICE = "choice"
    TEXT = "text"


@dataclass(frozen=True, slots=True)
class Quantity:
    """A quantity that the engine computes: its name, its arguments and its options."""

    name: str
    argument: tuple[str, ...]
    options: Mapping[str, str] = field(default_factory=dict)
    line: int | None = field(default=None, compare=False)

    @property
    def word(self) -> str:
        """The argument where it is one word."""
        return self.argument[0] if self.argument else ""


@dataclass(frozen=True, slots=True)
class Condition:
    """Required value of a quantity; without comparisons: true, or in the order of its arguments."""

    quantity: Quantity
    comparisons: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """is, is_not, above, below, at_least, at_most, says -> words."""
    within: float | None = None


@dataclass(frozen=True, slots=True)
class FieldEdit:
    """Set a field of an object or of an item of the state; `text` None removes it."""

    key: str
    """Top-level key of a YAML file: queues, jobs."""
    name: str
    attribute: str
    text: str | None
    line: int | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class CommandLine:
    """A command of Grid Engine; qsub is typed by `owner`."""

    words: str
    owner: str = ""
    line: int | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class AddObjects:
    """Put objects, written as in a cluster file, in the place of those of that name, or beside the others."""

    text: str
    line: int | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class RemoveObject:
    """Take an object away."""

    key: str
    name: str
    line: int | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class SetTime:
    """Another time of the scheduling run."""

    text: str
    line: int | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class WholeCluster:
    """Another cluster altogether, for instance a folder that a student has edited."""

    cluster: Cluster
    state: State
    findings: tuple[Finding, ...] = ()
    """The faults that its files have."""
    line: int | None = field(default=None, compare=False)

    @classmethod
    def of(cls, read: Contents | Reading, line: int | None = None) -> "WholeCluster":
        """Return what was read."""
        errors = tuple(finding for finding in read.findings if finding.severity is Severity.ERROR)
        return cls(read.cluster, read.state, errors, line)


LessonEdit = FieldEdit | CommandLine | AddObjects | RemoveObject | SetTime | WholeCluster
SOLUTION = "solution"
After = tuple[LessonEdit, ...] | None
"""Edits after which something is computed; None for those of the step's solution."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several answers; the right one says itself when it is right, or is what the engine computes."""

    text: str
    condition: Condition | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """Asked before the answer shows."""

    ask: str
    of: Quantity | None
    """None where the choices say themselves when they are right."""
    kind: AnswerKind
    choices: tuple[Choice, ...] = ()
    after: After = ()
    within: float | None = None
    answer: tuple[str, ...] | None = None
    """Answer expected by the author."""
    points: float = 1.0
    line: int | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Markdown:
    """A text of an explanation."""

    text: str


@dataclass(frozen=True, slots=True)
class Unfold:
    """Output of the engine in an explanation: `derive`, `why`, `table` or `shows`."""

    what: str
    job: str = ""
    number: str = ""
    columns: tuple[str, ...] = ()
    jobs: tuple[str, ...] = ()
    quantity: Quantity | None = None
    after: After = ()
    line: int | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Step:
    """One step: a text, and what is to be answered or done."""

    title: str
    text: str
    from_start: bool
    given: tuple[LessonEdit, ...]
    question: Question | None
    goal: tuple[Condition, ...]
    goal_points: float
    solution: tuple[LessonEdit, ...]
    hints: tuple[str, ...]
    explain: tuple[Markdown | Unfold, ...]
    formulas: str
    """By which the priorities of the step are computed."""
    may_change: tuple[str, ...] = ()
    """Patterns of the paths that may differ when the goal counts; empty for any but facts."""
    tells_why: bool = True
    """The screen explains jobs and offers changes before the step is done."""
    line: int | None = field(default=None, compare=False)

    @property
    def points(self) -> float:
        """Points that the step can give."""
        return (self.question.points if self.question else 0.0) + (self.goal_points if self.goal else 0.0)


@dataclass(frozen=True, slots=True)
class Lesson:
    """A whole lesson in the variant of one student."""

    name: str
    """That of its file, without the ending."""
    title: str
    subject: str
    about: str
    source: str
    needed: float
    """The part of all points that passes."""
    cluster: Cluster
    state: State
    steps: tuple[Step, ...]
    findings: tuple[Finding, ...] = ()
    """Findings of reading its cluster."""
    variants: int = 1
    """How many indices of a Variant show each value that is drawn."""
    drawn: Mapping[str, str] = field(default_factory=dict)
    """Name of a draw, or its number if it has none -> the value of this student."""
    minutes: int = 0
    """How long it takes; 0 if it does not say."""
    order: int = 0
    """Its place among the lessons; 0 for after all that have one."""
    after: tuple[str, ...] = ()
    """Names of the lessons that should be done before."""

    @property
    def points(self) -> float:
        """Points that the lesson can give."""
        return sum(step.points for step in self.steps)
