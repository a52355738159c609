"""Writing a cluster in the other layout, without loss."""

import os
from pathlib import Path

from qmon_tui.formats import Layout, differing, folder_texts, read_texts
from qmon_tui.sources.atomic_write import replace_file
from qmon_tui.sources.errors import SourceError
from qmon_tui.sources.folder import read_folder
from qmon_tui.sources.source import Reading


def convert(reading: Reading, dst: str | os.PathLike[str], layout: str) -> Reading:
    """Write what was read into a folder that is new or empty, in the layout `yaml` or `qconf`; returns it read again.

    Raises SourceError where the folder holds something or cannot be written, or where the layout cannot hold an object.
    """
    target = Path(dst)
    try:
        if target.exists() and any(target.iterdir()):
            raise SourceError(f"{target} is not empty; give a new folder")
        texts = _texts(reading, Layout(layout), target.name)
        target.mkdir(parents=True, exist_ok=True)
        for name, text in texts.items():
            replace_file(target / name, text)
    except NotADirectoryError:
        raise SourceError(f"{target} is a file; give a new folder") from None
    except OSError as error:
        raise SourceError(f"cannot write {target}: {error.strerror}") from error
    return read_folder(target)


def _texts(reading: Reading, layout: Layout, name: str) -> dict[str, str]:
    """The files to write; read again they give the same objects."""
    try:
        texts = folder_texts(layout, reading.cluster, reading.state)
    except ValueError as error:
        raise SourceError(str(error)) from None
    lost = [f'{kind} "{name}"' for kind, name in differing(read_texts(layout, name, texts).cluster, reading.cluster)]
    if lost:
        raise SourceError(
            f"the {layout} layout cannot hold {', '.join(lost)} as it is: mend what check says of it first"
        )
    return texts
