"""Names of temporary files of the program in a folder; the watcher ignores them."""

from typing import Final

TEMPORARY_PREFIX: Final = ".qmon-tui-"
"""Begins all of them, and those of unfinished files."""
LOG: Final = f"{TEMPORARY_PREFIX}saving"
"""Log of a save that is under way or was killed."""
DONE: Final = f"{TEMPORARY_PREFIX}saved"
"""Log of a complete save whose old files are not removed yet."""
UNFINISHED: Final = f"{TEMPORARY_PREFIX}saving.new"
"""The log itself, half written: nothing has changed by then."""
