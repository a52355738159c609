"""The table of all jobs: rows that arrays share until they are opened, qstat's columns, filter, order, totals."""

from typing import TYPE_CHECKING

from qmon_tui.late import late_names

if TYPE_CHECKING:
    from qmon_tui.tui.present.jobtable.job_columns import BY_KEY, COLUMNS, PRESETS, columns_named
    from qmon_tui.tui.present.jobtable.job_detail import detail_lines, trial_lines
    from qmon_tui.tui.present.jobtable.job_drafts import AnyDraft, NewJob, NewReservation, altered_job
    from qmon_tui.tui.present.jobtable.job_filter import completions, parse_filter
    from qmon_tui.tui.present.jobtable.job_form import (
        FormRows,
        choice_lines,
        completed,
        field_named,
        is_soft,
        value_of,
        verdict_lines,
    )
    from qmon_tui.tui.present.jobtable.job_form_fields import FLAG_ON, FormField, Input, form_fields, resource_fields
    from qmon_tui.tui.present.jobtable.job_rows import JobTableRow, table_rows
    from qmon_tui.tui.present.jobtable.job_table import JobTable, JobTableSettings, Totals, totals, totals_line
else:
    __getattr__ = late_names(
        __name__,
        {
            "job_columns": ("BY_KEY", "COLUMNS", "PRESETS", "columns_named"),
            "job_detail": ("detail_lines", "trial_lines"),
            "job_drafts": ("AnyDraft", "NewJob", "NewReservation", "altered_job"),
            "job_filter": ("completions", "parse_filter"),
            "job_form": (
                "FormRows",
                "choice_lines",
                "completed",
                "field_named",
                "is_soft",
                "value_of",
                "verdict_lines",
            ),
            "job_form_fields": ("FLAG_ON", "FormField", "Input", "form_fields", "resource_fields"),
            "job_rows": ("JobTableRow", "table_rows"),
            "job_table": ("JobTable", "JobTableSettings", "Totals", "totals", "totals_line"),
        },
    )

__all__ = [
    "BY_KEY",
    "COLUMNS",
    "FLAG_ON",
    "PRESETS",
    "AnyDraft",
    "FormField",
    "FormRows",
    "Input",
    "JobTable",
    "JobTableRow",
    "JobTableSettings",
    "NewJob",
    "NewReservation",
    "Totals",
    "altered_job",
    "choice_lines",
    "columns_named",
    "completed",
    "completions",
    "detail_lines",
    "field_named",
    "form_fields",
    "is_soft",
    "parse_filter",
    "resource_fields",
    "table_rows",
    "totals",
    "totals_line",
    "trial_lines",
    "value_of",
    "verdict_lines",
]
