"""A program in a terminal of its own: what it paints, and how soon it answers keys."""

import fcntl
import os
import pty
import resource
import select
import signal
import struct
import termios
import time
from collections.abc import Sequence
from types import TracebackType

LIMIT = 60.0
"""Seconds after which something that does not come is given up."""


class Terminal:
    """Starts a program in a terminal of 120 columns and 36 lines; it is killed at the end."""

    def __init__(self, arguments: Sequence[str]) -> None:
        self._child, self._terminal = pty.fork()
        if self._child == 0:
            os.environ.update(TERM="xterm-256color", COLORTERM="truecolor", TEXTUAL_ANIMATIONS="none")
            os.execvp(arguments[0], list(arguments))
        fcntl.ioctl(self._terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 36, 120, 0, 0))

    def __enter__(self) -> "Terminal":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.kill()

    def wait_for(self, text: bytes) -> float:
        """Seconds until the program has painted a text."""
        start = time.perf_counter()
        seen = b""
        while text not in seen:
            left = start + LIMIT - time.perf_counter()
            if left <= 0:
                raise TimeoutError(f"{text!r} did not appear: {seen[-300:]!r}")
            seen += self._read(left)
        return time.perf_counter() - start

    def press(self, keys: bytes, expected: bytes) -> float:
        """Seconds from a key to the text that it brings."""
        while self._read(0.0):
            pass
        os.write(self._terminal, keys)
        return self.wait_for(expected)

    def idle(self, seconds: float) -> None:
        """Let the program go on; what it paints is thrown away."""
        end = time.perf_counter() + seconds
        while (left := end - time.perf_counter()) > 0:
            self._read(left)

    def kill(self) -> resource.struct_rusage | None:
        """End the program at once; what it has used, None where it was ended before."""
        if not self._child:
            return None
        os.kill(self._child, signal.SIGKILL)
        _, _, used = os.wait4(self._child, 0)
        os.close(self._terminal)
        self._child = 0
        return used

    def _read(self, seconds: float) -> bytes:
        if not select.select([self._terminal], [], [], seconds)[0]:
            return b""
        try:
            return os.read(self._terminal, 65536)
        except OSError:
            raise RuntimeError("the program has ended") from None
