"""A no whose reason is in the configuration: its message as data, so that others can tell what would change it."""

from dataclasses import dataclass

from qmon_tui.scheduler import messages


@dataclass(frozen=True, slots=True)
class Refusal:
    """A message of the catalogue with what is inserted; the text is made when somebody wants to read it."""

    number: int
    inserts: tuple[str, ...]
    attribute: str | None = None
    """The attribute that decided, where one did."""

    @property
    def message(self) -> str:
        """The text for qstat -j."""
        return messages.message(self.number, *self.inserts)


def refused(number: int, *inserts: str, attribute: str | None = None) -> Refusal:
    """A refusal, written as the call of a message."""
    return Refusal(number, inserts, attribute)
