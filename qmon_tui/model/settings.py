"""Settings within a field: `params` of the scheduler configuration, `qmaster_params` of the global one.

Source: sched_conf(5), sge_conf(5); validation/others.md section 11. 8.1.9 reads both alike.
"""

import re
from typing import Final, NamedTuple

_SEPARATORS: Final = re.compile(r"[,;\s]+")
_DURATION: Final = "DURATION"
"""Of the name of DURATION_OFFSET no more than these letters are looked at."""


class Setting(NamedTuple):
    """One word of such a field."""

    word: str
    """As it is written."""
    name: str
    """In capitals, as any are allowed."""
    value: str | None
    """What follows the equals sign; None where there is none."""

    @property
    def is_on(self) -> bool:
        """How the qmaster reads a switch: by its name alone, 1 or true; anything else, and nothing, is off."""
        return self.value is None or self.value.startswith("1") or self.value.lower() == "true"


def settings_of(text: str) -> dict[str, Setting]:
    """The settings by name: the last one counts."""
    return {setting.name: setting for setting in all_settings(text)}


def all_settings(text: str) -> tuple[Setting, ...]:
    """The settings in the order in which they are written; the word none is nowhere one."""
    return tuple(_setting(word) for word in _SEPARATORS.split(text) if word and word.lower() != "none")


def _setting(word: str) -> Setting:
    name, equals, value = word.partition("=")
    name = name.upper()
    if name.startswith(_DURATION):
        name = "DURATION_OFFSET"
    return Setting(word, name, value if equals else None)
