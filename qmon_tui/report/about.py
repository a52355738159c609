"""About the program: versions, the open cluster, and the folder of saved state."""

import platform

from qmon_tui.report.spans import Line, Span, TextRole


def about_lines(folder: str, layout: str, dialect: str, theme: str, state: str) -> tuple[Line, ...]:
    """Return one line per fact that a bug report needs: versions, folder, dialect, theme, place of saved state."""
    # Imported here because the import takes longer than the rest of the start.
    from importlib.metadata import version

    facts = (
        ("qmon-tui", version("qmon-tui")),
        ("Textual", version("textual")),
        ("Python", platform.python_version()),
        ("", ""),
        ("cluster folder", folder),
        ("layout", layout),
        ("dialect", dialect),
        ("theme", theme),
        ("kept in", state),
    )
    return tuple((Span(f"{name:<16}", TextRole.DIM), Span(value)) if name else () for name, value in facts)
