"""The names that only the program gives to files in a folder; nobody reads them, and the watcher ignores them."""

from typing import Final

TEMPORARY_PREFIX: Final = ".qmon-tui-"
"""Begins all of them, and those of unfinished files."""
LOG: Final = f"{TEMPORARY_PREFIX}saving"
"""The log of a save that is going on, or was killed."""
DONE: Final = f"{TEMPORARY_PREFIX}saved"
"""That of a save that is complete, whose old files are not yet gone."""
UNFINISHED: Final = f"{TEMPORARY_PREFIX}saving.new"
"""The log itself, half written: nothing has changed by then."""
