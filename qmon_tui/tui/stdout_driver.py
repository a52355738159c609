"""Drawing on stdout, if stderr is redirected (`2>file`)."""

import sys

from textual.app import App
from textual.drivers.linux_driver import LinuxDriver


class StdoutDriver(LinuxDriver):
    """Textual's driver, but writing to stdout."""

    def __init__(
        self, app: App[object], *, debug: bool = False, mouse: bool = True, size: tuple[int, int] | None = None
    ) -> None:
        super().__init__(app, debug=debug, mouse=mouse, size=size)
        assert sys.__stdout__ is not None
        self._file = sys.__stdout__
