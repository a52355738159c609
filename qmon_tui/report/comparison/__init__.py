"""Several policies beside each other: measures, users and tasks that gain or lose, and the first difference."""

from qmon_tui.report.comparison.rows import (
    CompareTable as CompareTable,
    TaskLine as TaskLine,
    TaskRows as TaskRows,
    change_lines as change_lines,
    changed_words as changed_words,
    comparison_rows as comparison_rows,
    decision_lines as decision_lines,
    in_run_words as in_run_words,
    letter as letter,
    measure_rows as measure_rows,
    prior_words as prior_words,
    start_words as start_words,
    task_number as task_number,
    user_rows as user_rows,
    value_words as value_words,
    wait_words as wait_words,
)
from qmon_tui.report.comparison.story import (
    MEANINGS as MEANINGS,
    PolicyHead as PolicyHead,
    head_lines as head_lines,
    setting_words as setting_words,
    story as story,
)
