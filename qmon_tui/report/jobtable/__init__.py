"""The table of all jobs: rows (an array can be opened), qstat's columns, filter, order, totals; forms of jobs."""

from typing import TYPE_CHECKING

from qmon_tui.late import late_names

if TYPE_CHECKING:
    from qmon_tui.report.jobtable.job_columns import (
        BY_KEY as BY_KEY,
        COLUMNS as COLUMNS,
        PRESETS as PRESETS,
        columns_named as columns_named,
        printed_jobs as printed_jobs,
    )
    from qmon_tui.report.jobtable.job_detail import detail_lines as detail_lines, trial_lines as trial_lines
    from qmon_tui.report.jobtable.job_drafts import (
        AnyDraft as AnyDraft,
        FormRows as FormRows,
        NewJob as NewJob,
        NewReservation as NewReservation,
        altered_job as altered_job,
    )
    from qmon_tui.report.jobtable.job_filter import (
        JobFilter as JobFilter,
        completions as completions,
        parse_filter as parse_filter,
    )
    from qmon_tui.report.jobtable.job_form import (
        FLAG_ON as FLAG_ON,
        FormField as FormField,
        Input as Input,
        choice_lines as choice_lines,
        completed as completed,
        field_named as field_named,
        form_fields as form_fields,
        is_soft as is_soft,
        resource_fields as resource_fields,
        value_of as value_of,
        verdict_lines as verdict_lines,
    )
    from qmon_tui.report.jobtable.job_rows import JobTableRow as JobTableRow, table_rows as table_rows
    from qmon_tui.report.jobtable.job_table import (
        JobTable as JobTable,
        JobTableSettings as JobTableSettings,
        Totals as Totals,
        totals as totals,
        totals_line as totals_line,
    )
else:
    __getattr__ = late_names(__name__, __file__)
