"""Where the fields of an item of a state are read, and how what is wrong with them is said."""

from dataclasses import dataclass
from typing import Final, NoReturn

from qmon_tui.formats.state.job_times import JobTimes
from qmon_tui.formats.state.node_reader import NodeReader
from qmon_tui.formats.yaml import Node
from qmon_tui.model import StateField

MOST_TASKS_LISTED: Final = 1_000_000


class Left(Exception):
    """A text that says nothing: the field has its default."""


class Unreadable(Exception):
    """A text that cannot be read, which is said: the field has its default, or the item is left out."""


@dataclass(frozen=True, slots=True)
class ItemReading:
    """Where the fields of an item are read, and how what is wrong with them is said."""

    notes: NodeReader
    clock: JobTimes
    rule: str
    base: int
    """The time of a field whose time cannot be read."""
    job: int | None = None
    part: str | None = None
    """The field of the job that findings name; None for the one that is read."""

    def say(self, field: StateField, text: str, node: Node) -> None:
        """Note that the text of a field cannot be read."""
        name = None if self.job is None else self.part or field.name
        self.notes.say(self.rule, field.wrong.format(text=text), node, self.job, name)

    def refuse(self, field: StateField, text: str, node: Node) -> NoReturn:
        """Note that the text of a field cannot be read, and leave the field out. Raises Unreadable."""
        self.say(field, text, node)
        raise Unreadable

    def word(self, node: Node) -> str:
        """A text; raises Left where there is none."""
        text = self.notes.word(node)
        if not text:
            raise Left
        return text
