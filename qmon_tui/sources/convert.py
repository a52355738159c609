"""Writing a cluster in the other layout, without loss."""

import os
from pathlib import Path

from qmon_tui.formats.folder import Layout
from qmon_tui.formats.whole import written
from qmon_tui.sources.atomic import replace_file
from qmon_tui.sources.errors import SourceError
from qmon_tui.sources.folder import Reading, read_folder


def convert(reading: Reading, dst: str | os.PathLike[str], layout: str) -> Reading:
    """Write what was read into a folder that is new or empty, in the layout `yaml` or `qconf`; returns it read again.

    Raises SourceError where the folder holds something, or cannot be written.
    """
    target = Path(dst)
    try:
        if target.exists() and any(target.iterdir()):
            raise SourceError(f"{target} is not empty; give a new folder")
        texts = written(Layout(layout), reading.cluster, reading.state)
        target.mkdir(parents=True, exist_ok=True)
        for name, text in texts.items():
            replace_file(target / name, text)
    except NotADirectoryError:
        raise SourceError(f"{target} is a file; give a new folder") from None
    except OSError as error:
        raise SourceError(f"cannot write {target}: {error.strerror}") from error
    return read_folder(target)
