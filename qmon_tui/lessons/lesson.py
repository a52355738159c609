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
    """A quantity that the engine computes: name, arguments, options, and its line in the lesson's file."""

    name: str
    argument: tuple[str, ...]
    options: Mapping[str, str] = field(default_factory=dict)
    line: int | None = field(default=None, compare=False)

    @property
    def word(self) -> str:
        """The first argument; empty without arguments."""
        return self.argument[0] if self.argument else ""


@dataclass(frozen=True, slots=True)
class Condition:
    """Required value of a quantity; without comparisons: yes, or the order of its arguments."""

    quantity: Quantity
    comparisons: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """is, is_not, above, below, at_least, at_most or says -> words; `within` is the tolerance of `is`."""
    within: float | None = None


@dataclass(frozen=True, slots=True)
class FieldEdit:
    """Set a field of an object or of an item of the state; `text` None removes it."""

    key: str
    """Top-level key of a YAML file, such as queues or jobs."""
    name: str
    attribute: str
    text: str | None
    line: int | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class CommandLine:
    """A command of Grid Engine; `owner` is the user who types it, which qsub needs."""

    words: str
    owner: str = ""
    line: int | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class AddObjects:
    """Add objects, written as in a cluster file; they replace objects of the same names."""

    text: str
    line: int | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class RemoveObject:
    """Remove an object."""

    key: str
    name: str
    line: int | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class SetTime:
    """Set the time of the scheduling run."""

    text: str
    line: int | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class WholeCluster:
    """Replace the whole cluster, for instance by a folder that a student has edited."""

    cluster: Cluster
    state: State
    findings: tuple[Finding, ...] = ()
    """Errors in its files."""
    line: int | None = field(default=None, compare=False)

    @classmethod
    def of(cls, read: Contents | Reading, line: int | None = None) -> "WholeCluster":
        """Return the edit that replaces the cluster by the one that was read."""
        errors = tuple(finding for finding in read.findings if finding.severity is Severity.ERROR)
        return cls(read.cluster, read.state, errors, line)


LessonEdit = FieldEdit | CommandLine | AddObjects | RemoveObject | SetTime | WholeCluster
SOLUTION = "solution"
After = tuple[LessonEdit, ...] | None
"""Edits after which a value is computed; None for those of the step's solution."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several answers: right if `condition` holds, or, without conditions, if it is the computed value."""

    text: str
    condition: Condition | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """A question; its right answer is `of` after the edits `after`, within a tolerance (None: five decimals)."""

    ask: str
    of: Quantity | None
    """None if the choices have conditions."""
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
    """Output of the engine in an explanation; `what` is derive, why, table or shows (a quantity)."""

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
    """One step: a text, with a question, a goal, both or neither; `given` are edits made before it."""

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
    """Name of the formulas that compute the priorities of the step."""
    may_change: tuple[str, ...] = ()
    """Patterns of the paths that may be changed to reach the goal; if empty, any except facts."""
    tells_why: bool = True
    """True if the screen explains jobs and offers changes before the step is done."""
    line: int | None = field(default=None, compare=False)

    @property
    def points(self) -> float:
        """Maximum points of the step."""
        return (self.question.points if self.question else 0.0) + (self.goal_points if self.goal else 0.0)


@dataclass(frozen=True, slots=True)
class Lesson:
    """A whole lesson in the variant of one student."""

    name: str
    """Name of its file, without the ending."""
    title: str
    subject: str
    about: str
    source: str
    needed: float
    """The fraction of all points that is needed to pass, 0 to 1."""
    cluster: Cluster
    state: State
    steps: tuple[Step, ...]
    findings: tuple[Finding, ...] = ()
    """Findings reported when its cluster was read."""
    variants: int = 1
    """The number of variants in which each value occurs at least once."""
    drawn: Mapping[str, str] = field(default_factory=dict)
    """Name of a draw, or its number if it has none -> value drawn for this student."""
    minutes: int = 0
    """Expected duration in minutes; 0 if not given."""
    order: int = 0
    """Place in the list of lessons, from 1; 0 if not given: after all lessons with a place."""
    after: tuple[str, ...] = ()
    """Names of the lessons that should be done before it."""

    @property
    def points(self) -> float:
        """Maximum points of the lesson."""
        return sum(step.points for step in self.steps)
