"""Text to model and back: qconf files, YAML folders, qsub lines. Knows no files on disk and no clock."""

from typing import TYPE_CHECKING

from qmon_tui.late import late_names

if TYPE_CHECKING:
    from qmon_tui.formats.folder_reader import Contents, read_texts
    from qmon_tui.formats.folder_writer import JOBS_FILE, EditRefused, edited_texts, folder_texts, texts_with_state
    from qmon_tui.formats.format_findings import RULES, problem, unreadable
    from qmon_tui.formats.layout import LISTS, Layout, detect, is_yaml, kind_of_file
    from qmon_tui.formats.object_differences import differing, same_text
    from qmon_tui.formats.printed_objects import HOW_TO_TELL, Printed, read_printed
    from qmon_tui.formats.qalter_application import (
        DATES,
        altered,
        joined,
        only,
        options_given,
        overridden,
        split_options,
        with_command,
        with_years,
        without,
    )
    from qmon_tui.formats.qalter_difference import NOT_ALTERED, holds_after, merged_lines, qalter_options
    from qmon_tui.formats.qrsub import ParsedQrsub, parse_qrsub
    from qmon_tui.formats.qsub import ParsedQsub, parse_qsub, qsub_line, simulated_runtime, sleep_runtime
    from qmon_tui.formats.qsub_options import AMOUNTS, PRIORITIES
else:
    __getattr__ = late_names(
        __name__,
        {
            "folder_reader": ("Contents", "read_texts"),
            "folder_writer": ("JOBS_FILE", "EditRefused", "edited_texts", "folder_texts", "texts_with_state"),
            "format_findings": ("RULES", "problem", "unreadable"),
            "layout": ("LISTS", "Layout", "detect", "is_yaml", "kind_of_file"),
            "object_differences": ("differing", "same_text"),
            "printed_objects": ("HOW_TO_TELL", "Printed", "read_printed"),
            "qalter_application": (
                "DATES",
                "altered",
                "joined",
                "only",
                "options_given",
                "overridden",
                "split_options",
                "with_command",
                "with_years",
                "without",
            ),
            "qalter_difference": ("NOT_ALTERED", "holds_after", "merged_lines", "qalter_options"),
            "qrsub": ("ParsedQrsub", "parse_qrsub"),
            "qsub": ("ParsedQsub", "parse_qsub", "qsub_line", "simulated_runtime", "sleep_runtime"),
            "qsub_options": ("AMOUNTS", "PRIORITIES"),
        },
    )

__all__ = [
    "AMOUNTS",
    "DATES",
    "HOW_TO_TELL",
    "JOBS_FILE",
    "LISTS",
    "NOT_ALTERED",
    "PRIORITIES",
    "RULES",
    "Contents",
    "EditRefused",
    "Layout",
    "ParsedQrsub",
    "ParsedQsub",
    "Printed",
    "altered",
    "detect",
    "differing",
    "edited_texts",
    "folder_texts",
    "holds_after",
    "is_yaml",
    "joined",
    "kind_of_file",
    "merged_lines",
    "only",
    "options_given",
    "overridden",
    "parse_qrsub",
    "parse_qsub",
    "problem",
    "qalter_options",
    "qsub_line",
    "read_printed",
    "read_texts",
    "same_text",
    "simulated_runtime",
    "sleep_runtime",
    "split_options",
    "texts_with_state",
    "unreadable",
    "with_command",
    "with_years",
    "without",
]
