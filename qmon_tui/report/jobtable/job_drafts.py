"""The draft that a job form edits (a qsub line, a qrsub line or options of qalter), and the form's rows."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from qmon_tui.formats import (
    DATES,
    NOT_ALTERED,
    altered,
    holds_after,
    options_given,
    parse_qsub,
    qalter_options,
    split_options,
    with_years,
    without,
)
from qmon_tui.model import Job
from qmon_tui.report.jobtable.job_form import FormField, is_soft, value_of, with_value
from qmon_tui.report.spans import Line, Span, TextRole, fit, left
from qmon_tui.report.table_rows import ListRows

_COMMAND: Final = "command"


@dataclass(frozen=True, slots=True)
class NewJob:
    """A job to be submitted; `typed` is its qsub line."""

    program = "qsub"
    dates = DATES
    typed: str
    first: str = ""
    """The line with which the form was opened."""
    now: int = 0
    """Gives the year to dates without one."""

    @property
    def line(self) -> str:
        """The qsub line, with years added to its dates."""
        return with_years(self.typed, self.now, self.dates)

    def is_changed(self, key: str) -> bool:
        """Return True if a field differs from the line with which the form was opened."""
        return value_of(self.line, key) != value_of(with_years(self.first, self.now, self.dates), key)

    def is_fixed(self, key: str) -> bool:
        """Return False: a new job can have every option."""
        return False

    def with_typed(self, text: str) -> "NewJob":
        return replace(self, typed=text)

    def with_value(self, key: str, text: str, *, soft: bool | None = None) -> tuple["NewJob", str | None]:
        return replace(self, typed=with_value(self.typed, key, text, soft=soft)), None


@dataclass(frozen=True, slots=True)
class NewReservation(NewJob):
    """An advance reservation to be made; `typed` are the options of qrsub."""

    program = "qrsub"
    dates = ("-a", "-e")


@dataclass(frozen=True, slots=True)
class AlteredJob:
    """Changes of an existing job; `typed` are the options of qalter."""

    program = "qalter"
    before: str
    """The job's qsub line before the change, with its current holds."""
    typed: str = ""
    now: int = 0
    """Gives the year to dates without one."""

    @property
    def line(self) -> str:
        """The qsub line that the job would have after the change."""
        after = altered(self.before, without(with_years(self.typed, self.now), "-h"))
        if "-h" not in options_given(self.typed):
            return after
        holds = holds_after(parse_qsub(self.before).request.hold, _hold_letters(self.typed))
        return altered(after, f"-h {holds or 'n'}")

    def is_changed(self, key: str) -> bool:
        return value_of(self.line, key) != value_of(self.before, key)

    def is_fixed(self, key: str) -> bool:
        """Return True if qalter cannot change the field."""
        return key == _COMMAND or key in NOT_ALTERED

    def with_typed(self, text: str) -> "AlteredJob":
        return replace(self, typed=text)

    def with_value(self, key: str, text: str, *, soft: bool | None = None) -> tuple["AlteredJob", str | None]:
        """Return a copy with this value of a field, and a sentence if qalter cannot do that, else None."""
        if self.is_fixed(key):
            return self, f"qalter cannot change {'the command' if key == _COMMAND else key} of a job."
        between = qalter_options(self.before, with_value(self.line, key, text, soft=soft))
        after = replace(self, typed=between.options)
        if between.lasting:
            return after, f"qalter cannot remove {', '.join(between.lasting)}: give a new value."
        if not text.strip() and (nearest := value_of(after.line, key)):
            return after, f"qalter cannot remove {key}: {nearest} comes closest."
        return after, None


AnyDraft = NewJob | AlteredJob


class FormRows(ListRows[FormField]):
    """The fields as rows of a table: title, value, help."""

    def __init__(self, fields: Sequence[FormField], draft: AnyDraft) -> None:
        super().__init__(fields)
        self._draft = draft
        line = draft.line
        self._values = [value_of(line, field.key) for field in fields]

    def key(self, index: int) -> Hashable:
        return self.items[index].key

    def line(self, index: int, cells: int) -> Line:
        field, value = self.items[index], self._values[index]
        soft = value and field.key.startswith("-l ") and is_soft(self._draft.line, field.key)
        room = max(12, min(34, cells // 3 - 4))
        fixed, changed = self._draft.is_fixed(field.key), self._draft.is_changed(field.key)
        role = TextRole.DIM if fixed or not value else TextRole.CHANGED if changed else TextRole.PLAIN
        return fit(
            (
                Span("● " if changed else "  ", TextRole.CHANGED),
                Span(left(field.title, 14), TextRole.DIM if fixed else TextRole.STRONG if value else TextRole.PLAIN),
                Span(" "),
                Span(left(("~ " if soft else "") + (value or "·"), room), role),
                Span(f" {'qalter cannot change it' if fixed else field.help}", TextRole.DIM),
            ),
            cells,
        )

    def text(self, index: int) -> str:
        return f"{self.items[index].title} {self._values[index]} {self.items[index].help}"


def altered_job(job: Job, holds: str, now: int = 0) -> AlteredJob:
    """Return the draft of an existing job; `holds` are the hold letters of its tasks."""
    line = with_years(job.qsub, job.submitted)
    if parse_qsub(line).request.hold != holds:
        line = altered(line, f"-h {holds or 'n'}")
    return AlteredJob(line, now=now)


def _hold_letters(options: str) -> str:
    words = next(piece.words for piece in split_options(options) if piece.option == "-h")
    return words[1] if len(words) > 1 else "u"
