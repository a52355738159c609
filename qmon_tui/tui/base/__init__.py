"""Base widgets and messages of the whole program; they show user text literally, never as markup."""

from typing import TYPE_CHECKING

from qmon_tui.late import late_names

if TYPE_CHECKING:
    from qmon_tui.tui.base.background import (
        ASKING as ASKING,
        LatestWorker as LatestWorker,
        run_in_thread as run_in_thread,
    )
    from qmon_tui.tui.base.bindings import (
        action_bindings as action_bindings,
        day_begins as day_begins,
        key_hints as key_hints,
        key_of as key_of,
        local_bindings as local_bindings,
    )
    from qmon_tui.tui.base.filtered_view import FilteredView as FilteredView, KeptRows as KeptRows
    from qmon_tui.tui.base.inputs import FilterInput as FilterInput, QInput as QInput
    from qmon_tui.tui.base.key_queue import KeyQueue as KeyQueue, KeySettled as KeySettled
    from qmon_tui.tui.base.line_table import LineTable as LineTable
    from qmon_tui.tui.base.messages import (
        ClusterRequested as ClusterRequested,
        DayBranched as DayBranched,
        DialogFailed as DialogFailed,
        EditRequested as EditRequested,
        FieldEdited as FieldEdited,
        JobChosen as JobChosen,
        JobRequested as JobRequested,
        JumpRequested as JumpRequested,
        LessonRequested as LessonRequested,
        ObjectChosen as ObjectChosen,
        OpenRequested as OpenRequested,
        PageRequested as PageRequested,
        SelectionMoved as SelectionMoved,
    )
    from qmon_tui.tui.base.saved_settings import (
        ViewSettings as ViewSettings,
        choose_theme as choose_theme,
        load_setting as load_setting,
        save_setting as save_setting,
    )
    from qmon_tui.tui.base.span_widgets import (
        ControlCharFilter as ControlCharFilter,
        Lines as Lines,
        OneLine as OneLine,
        Paragraphs as Paragraphs,
        QLines as QLines,
        text_of as text_of,
    )
    from qmon_tui.tui.base.table_panel import Grid as Grid, TablePanel as TablePanel
    from qmon_tui.tui.base.themes import DEFAULT_THEME as DEFAULT_THEME, THEMES as THEMES, role_styles as role_styles
    from qmon_tui.tui.base.views import (
        Ahead as Ahead,
        AheadLine as AheadLine,
        PageView as PageView,
        PanelView as PanelView,
        TablePage as TablePage,
        View as View,
    )
else:
    __getattr__ = late_names(__name__, __file__)
