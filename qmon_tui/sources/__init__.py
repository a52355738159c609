"""Sources of a document: the protocol `Source`, the cluster folder, and the running cluster.

Other modules (journal of unsaved edits, earlier versions, XDG folders) are imported by name, since most commands need
none of them.
"""

from typing import TYPE_CHECKING

from qmon_tui.late import late_names

if TYPE_CHECKING:
    from qmon_tui.sources.folder import (
        FolderSource as FolderSource,
        read_folder as read_folder,
        source_of as source_of,
    )
    from qmon_tui.sources.source import (
        ConflictError as ConflictError,
        Cost as Cost,
        FileChange as FileChange,
        Live as Live,
        Part as Part,
        Reading as Reading,
        SavePlan as SavePlan,
        Source as Source,
        SourceError as SourceError,
        job_place as job_place,
        planned_files as planned_files,
        reading_of as reading_of,
    )
else:
    __getattr__ = late_names(__name__, __file__, modules=True)
