"""Widgets subclassed once for the whole program: they show user text literally, never as markup."""

from typing import TYPE_CHECKING

from qmon_tui.late import late_names

if TYPE_CHECKING:
    from qmon_tui.tui.base.ahead_line import Ahead, AheadLine
    from qmon_tui.tui.base.background import ASKING, LatestWorker, run_in_thread
    from qmon_tui.tui.base.bindings import action_bindings, key_hints, key_of, local_bindings
    from qmon_tui.tui.base.dialog_background import DialogBackground
    from qmon_tui.tui.base.flow_layout import Flow
    from qmon_tui.tui.base.inputs import FilterInput, QInput
    from qmon_tui.tui.base.key_queue import KeyQueue, KeySettled
    from qmon_tui.tui.base.line_table import LineTable
    from qmon_tui.tui.base.messages import (
        DayBranched,
        EditRequested,
        FieldEdited,
        FieldsEdited,
        JobChosen,
        JobRequested,
        JumpRequested,
        KindReplaced,
        LessonRequested,
        ObjectChosen,
        OpenRequested,
        SelectionMoved,
    )
    from qmon_tui.tui.base.saved_settings import ViewSettings, choose_theme, load_setting, save_setting
    from qmon_tui.tui.base.span_widgets import ControlCharFilter, Lines, OneLine, Paragraphs, QLines, text_of
    from qmon_tui.tui.base.table_panel import Grid, TablePanel
    from qmon_tui.tui.base.themes import DEFAULT_THEME, THEMES, role_styles
    from qmon_tui.tui.base.views import PageView, PanelView, View
else:
    __getattr__ = late_names(
        __name__,
        {
            "ahead_line": ("Ahead", "AheadLine"),
            "background": ("ASKING", "LatestWorker", "run_in_thread"),
            "bindings": ("action_bindings", "key_hints", "key_of", "local_bindings"),
            "dialog_background": ("DialogBackground",),
            "flow_layout": ("Flow",),
            "inputs": ("FilterInput", "QInput"),
            "key_queue": ("KeyQueue", "KeySettled"),
            "line_table": ("LineTable",),
            "messages": (
                "DayBranched",
                "EditRequested",
                "FieldEdited",
                "FieldsEdited",
                "JobChosen",
                "JobRequested",
                "JumpRequested",
                "LessonRequested",
                "KindReplaced",
                "ObjectChosen",
                "OpenRequested",
                "SelectionMoved",
            ),
            "saved_settings": ("ViewSettings", "choose_theme", "load_setting", "save_setting"),
            "span_widgets": ("ControlCharFilter", "Lines", "OneLine", "Paragraphs", "QLines", "text_of"),
            "table_panel": ("Grid", "TablePanel"),
            "themes": ("DEFAULT_THEME", "THEMES", "role_styles"),
            "views": ("PageView", "PanelView", "View"),
        },
    )

__all__ = [
    "ASKING",
    "DEFAULT_THEME",
    "THEMES",
    "Ahead",
    "AheadLine",
    "ControlCharFilter",
    "DayBranched",
    "DialogBackground",
    "EditRequested",
    "FieldEdited",
    "FieldsEdited",
    "FilterInput",
    "Flow",
    "Grid",
    "JobChosen",
    "JobRequested",
    "JumpRequested",
    "KeyQueue",
    "KeySettled",
    "KindReplaced",
    "LatestWorker",
    "LessonRequested",
    "LineTable",
    "Lines",
    "ObjectChosen",
    "OneLine",
    "OpenRequested",
    "PageView",
    "PanelView",
    "Paragraphs",
    "QInput",
    "QLines",
    "SelectionMoved",
    "TablePanel",
    "View",
    "ViewSettings",
    "action_bindings",
    "choose_theme",
    "key_hints",
    "key_of",
    "load_setting",
    "local_bindings",
    "role_styles",
    "run_in_thread",
    "save_setting",
    "text_of",
]
