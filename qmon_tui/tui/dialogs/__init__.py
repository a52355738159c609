"""Modal screens: each answers one question, with the safe answer focused, and Esc always leaves everything as it is."""

from typing import TYPE_CHECKING

from qmon_tui.late import late_names

if TYPE_CHECKING:
    from qmon_tui.tui.dialogs.changes import ChangesDialog as ChangesDialog, FileTexts as FileTexts
    from qmon_tui.tui.dialogs.conflicts import ConflictsDialog as ConflictsDialog
    from qmon_tui.tui.dialogs.dialog import Answer as Answer, Dialog as Dialog, paragraphs as paragraphs
    from qmon_tui.tui.dialogs.file_writing import (
        typed_path as typed_path,
        unreadable as unreadable,
        unwritable as unwritable,
        write_to_file as write_to_file,
    )
    from qmon_tui.tui.dialogs.findings import FindingsDialog as FindingsDialog
    from qmon_tui.tui.dialogs.help import (
        HelpDialog as HelpDialog,
        HelpEntry as HelpEntry,
        legend as legend,
        local_entries as local_entries,
        navigation_entries as navigation_entries,
        registry_entries as registry_entries,
        topic_entries as topic_entries,
    )
    from qmon_tui.tui.dialogs.palette import PaletteDialog as PaletteDialog
    from qmon_tui.tui.dialogs.question_dialogs import (
        ChoiceDialog as ChoiceDialog,
        CommandsDialog as CommandsDialog,
        NameDialog as NameDialog,
        confirm as confirm,
        is_asking as is_asking,
    )
    from qmon_tui.tui.dialogs.reading_dialogs import (
        ScriptDialog as ScriptDialog,
        TextDialog as TextDialog,
        WhyDialog as WhyDialog,
    )
    from qmon_tui.tui.dialogs.reference import ReferenceDialog as ReferenceDialog
    from qmon_tui.tui.dialogs.save import FindingsSource as FindingsSource, SaveDialog as SaveDialog
    from qmon_tui.tui.dialogs.versions import VersionsDialog as VersionsDialog
else:
    __getattr__ = late_names(__name__, __file__, modules=True)
