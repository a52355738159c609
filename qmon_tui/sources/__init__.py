"""Where a document comes from and is saved to: `Source`, and the folder that is one.

What is kept beside it (journal of unsaved edits, earlier versions, places as XDG says) are modules to import by name,
since most commands need none of them.
"""

from qmon_tui.sources.folder import FolderSource, read_folder
from qmon_tui.sources.source import (
    ConflictError,
    FileChange,
    Reading,
    SavePlan,
    Source,
    SourceError,
    planned_files,
    reading_of,
)

__all__ = [
    "ConflictError",
    "FileChange",
    "FolderSource",
    "Reading",
    "SavePlan",
    "Source",
    "SourceError",
    "planned_files",
    "read_folder",
    "reading_of",
]
