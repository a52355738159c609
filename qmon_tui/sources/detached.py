"""A process that outlives the terminal and the ssh session in which it was started."""

import os
import subprocess
from collections.abc import Sequence

from qmon_tui.sources.source import SourceError


def start_detached(words: Sequence[str], log: str) -> int:
    """Start a process in its own session, with its output in a file; return its pid. Raises SourceError."""
    try:
        with open(log, "ab", opener=lambda path, flags: os.open(path, flags, 0o600)) as output:
            process = subprocess.Popen(
                list(words), stdin=subprocess.DEVNULL, stdout=output, stderr=output, start_new_session=True, cwd="/"
            )
    except OSError as error:
        raise SourceError(f"{words[0]} cannot be started: {error.strerror}") from None
    return process.pid
