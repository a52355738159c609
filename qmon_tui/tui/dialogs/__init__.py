"""Modal screens: each answers one question, with the safe answer focused, and Esc always leaves everything as it is."""

from typing import TYPE_CHECKING

from qmon_tui.late import late_names

if TYPE_CHECKING:
    from qmon_tui.tui.dialogs.changes import ChangesDialog, FileTexts
    from qmon_tui.tui.dialogs.conflicts import ConflictsDialog
    from qmon_tui.tui.dialogs.day_length import DayLengthDialog, day_seconds
    from qmon_tui.tui.dialogs.dialog import Answer, Dialog, paragraphs
    from qmon_tui.tui.dialogs.findings import FindingsDialog
    from qmon_tui.tui.dialogs.help import HelpDialog
    from qmon_tui.tui.dialogs.palette import PaletteDialog
    from qmon_tui.tui.dialogs.question_dialogs import ChoiceDialog, NameDialog, confirm, is_asking
    from qmon_tui.tui.dialogs.reading_dialogs import TextDialog, WhyDialog
    from qmon_tui.tui.dialogs.reference import ReferenceDialog
    from qmon_tui.tui.dialogs.save import FindingsSource, SaveDialog
    from qmon_tui.tui.dialogs.versions import VersionsDialog
else:
    __getattr__ = late_names(
        __name__,
        {
            "changes": ("ChangesDialog", "FileTexts"),
            "conflicts": ("ConflictsDialog",),
            "day_length": ("DayLengthDialog", "day_seconds"),
            "dialog": ("Answer", "Dialog", "paragraphs"),
            "findings": ("FindingsDialog",),
            "help": ("HelpDialog",),
            "palette": ("PaletteDialog",),
            "question_dialogs": ("ChoiceDialog", "NameDialog", "confirm", "is_asking"),
            "reading_dialogs": ("TextDialog", "WhyDialog"),
            "reference": ("ReferenceDialog",),
            "save": ("FindingsSource", "SaveDialog"),
            "versions": ("VersionsDialog",),
        },
    )

__all__ = [
    "Answer",
    "ChangesDialog",
    "ChoiceDialog",
    "ConflictsDialog",
    "DayLengthDialog",
    "Dialog",
    "FileTexts",
    "FindingsDialog",
    "FindingsSource",
    "HelpDialog",
    "NameDialog",
    "PaletteDialog",
    "ReferenceDialog",
    "SaveDialog",
    "TextDialog",
    "VersionsDialog",
    "WhyDialog",
    "confirm",
    "day_seconds",
    "is_asking",
    "paragraphs",
]
