"""Several policies beside each other on the screen: measures, who gains and loses, and where their days part."""

from qmon_tui.tui.present.comparison.policies import CompareTable, PolicyHead, head_lines, letter, table_at, table_line
from qmon_tui.tui.present.comparison.rows import ComparisonRows, comparison_rows
from qmon_tui.tui.present.comparison.values import value_words

__all__ = [
    "CompareTable",
    "ComparisonRows",
    "PolicyHead",
    "comparison_rows",
    "head_lines",
    "letter",
    "table_at",
    "table_line",
    "value_words",
]
