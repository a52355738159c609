"""qmon-tui: the terminal cockpit for Grid Engine."""

from typing import TYPE_CHECKING

if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        """Return a package that is imported as a whole; it is loaded when one of its names is first used."""
        from qmon_tui.late import late_names  # late: most commands import no package as a whole

        return late_names(__name__, __file__, modules=True)(name)
