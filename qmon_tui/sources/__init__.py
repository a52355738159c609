"""Where a document comes from and is saved to: `Source`, and the folder that is one.

What is kept beside it (journal of unsaved edits, earlier versions, places as XDG says) are modules to import by name,
since most commands need none of them.
"""

from qmon_tui.sources.folder import FolderSource as FolderSource, read_folder as read_folder
from qmon_tui.sources.source import (
    ConflictError as ConflictError,
    FileChange as FileChange,
    Reading as Reading,
    SavePlan as SavePlan,
    Source as Source,
    SourceError as SourceError,
    planned_files as planned_files,
    reading_of as reading_of,
)
