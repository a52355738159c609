"""One file with objects as qconf prints them, outside of any folder."""

import os
from typing import Final

from qmon_tui.formats import HOW_TO_TELL, Printed, is_yaml, read_printed, records
from qmon_tui.sources.folder_files import read_text
from qmon_tui.sources.source import SourceError

_FEW_WORDS: Final = 3


def read_object_file(path: str | os.PathLike[str]) -> Printed:
    """Return the objects of a file in the format of qconf.

    Raises SourceError if it cannot be read or the kind of its objects is unknown.
    """
    text = read_text(path)
    name = os.path.basename(os.fspath(path))
    if is_yaml(name):
        raise SourceError(f"{os.fspath(path)}: a YAML file is a part of a cluster folder: give the folder")
    printed = read_printed(text, name)
    if printed is None:
        raise SourceError(f"{os.fspath(path)}: {unrecognised(text)}")
    return printed


def unrecognised(text: str) -> str:
    """Return a sentence: why qconf did not print this text, and what would be recognised."""
    if not text.strip():
        return "there is nothing in it"
    if (record := records.record_words(text.encode())) is not None:
        return f"this is {record}, which is about jobs: qmon-tui convert makes a folder of it"
    lines = [line.split() for line in text.splitlines() if line.strip()]
    if all(len(words) < _FEW_WORDS for words in lines) and not any("=" in line[0] for line in lines):
        return f"a list of names does not say what they are. Of what qconf prints, {HOW_TO_TELL}"
    return f"this is not what qconf prints of an object: {HOW_TO_TELL}"
