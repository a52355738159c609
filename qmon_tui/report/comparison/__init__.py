"""Several policies beside each other on the screen: measures, who gains and loses, and where their days part."""

from qmon_tui.report.comparison.policies import (
    CompareTable as CompareTable,
    PolicyHead as PolicyHead,
    head_lines as head_lines,
    letter as letter,
    table_at as table_at,
    table_line as table_line,
)
from qmon_tui.report.comparison.rows import ComparisonRows as ComparisonRows, comparison_rows as comparison_rows
from qmon_tui.report.comparison.values import value_words as value_words
