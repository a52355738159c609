"""What the screen says, as pure functions from outcomes and changes to lines of spans; nothing here knows Textual."""

from typing import TYPE_CHECKING

from qmon_tui.late import late_names

if TYPE_CHECKING:
    from qmon_tui.tui.present.about import about_lines
    from qmon_tui.tui.present.calendars import switch_lines, unusual_entry_lines, week_lines
    from qmon_tui.tui.present.change_rows import ChangeKey, ChangeRows, change_detail
    from qmon_tui.tui.present.conflicts import ConflictRows, conflict_lines
    from qmon_tui.tui.present.copy_choices import copied_words, copy_lines
    from qmon_tui.tui.present.effective_settings import SETTING_COLUMNS, setting_rows
    from qmon_tui.tui.present.findings import FindingRows, field_finding_lines, finding_lines
    from qmon_tui.tui.present.footer import footer_line
    from qmon_tui.tui.present.formula_choices import formula_lines
    from qmon_tui.tui.present.fuzzy_search import SearchHit, SearchRows, SearchTarget, best, with_fields
    from qmon_tui.tui.present.grid_rows import BLANK, Cell, Column, GridRow, GridRows
    from qmon_tui.tui.present.header import HeaderState, count_severities, edits_made, header_line
    from qmon_tui.tui.present.help import (
        HelpEntry,
        HelpRows,
        legend,
        local_entries,
        navigation_entries,
        registry_entries,
        said_of,
    )
    from qmon_tui.tui.present.host_values import VALUE_COLUMNS, value_rows
    from qmon_tui.tui.present.hostgroups import GROUP_COLUMNS, RESOLVED_COLUMNS, group_of, group_rows, resolved_rows
    from qmon_tui.tui.present.job_explanation import job_lines
    from qmon_tui.tui.present.kinds import KindRow, KindRows, kind_rows
    from qmon_tui.tui.present.live_instances import InstanceRows
    from qmon_tui.tui.present.live_jobs import LiveJobRow, LiveJobRows, TaskCounts, Weights
    from qmon_tui.tui.present.live_pane import (
        LivePaneContent,
        live_pane_content,
        notice_lines,
        notices,
        status_lines,
        weights_of,
    )
    from qmon_tui.tui.present.number_steps import shares_problem, stepped
    from qmon_tui.tui.present.policies import POLICY_COLUMNS, SHARES_COLUMNS, policy_rows, shares_rows, shown_fields
    from qmon_tui.tui.present.quota_hit_test import (
        HIT_COLUMNS,
        NONE,
        HitTestQuestion,
        question_rows,
        verdict_rows,
        with_answer,
    )
    from qmon_tui.tui.present.quota_rule_words import clause_words
    from qmon_tui.tui.present.quotas import (
        QUOTA_USAGE_COLUMNS,
        quota_usage_rows,
        rule_columns,
        rule_lines,
        rule_rows,
        set_line,
    )
    from qmon_tui.tui.present.reference_changes import deletion_lines, renaming_lines
    from qmon_tui.tui.present.reservations import (
        ReservationRows,
        detail_lines,
        options_of,
        reservation_fields,
        reservation_trial_lines,
    )
    from qmon_tui.tui.present.sharetree import (
        FORECAST_COLUMNS,
        FORECAST_TIMES,
        TREE_COLUMNS,
        decay_lines,
        forecast_rows,
        key_of,
        node_lines,
        node_rows,
        place_of,
    )
    from qmon_tui.tui.present.spans import Line, Span, TextRole, crop, fit, left, line, plain, visible, width, wrap
    from qmon_tui.tui.present.table_rows import Rows, natural_order
    from qmon_tui.tui.present.unsaved_changes import change_lines, file_lines, summary
    from qmon_tui.tui.present.users_and_projects import (
        MEMBER_COLUMNS,
        SHARE_SUMMARY_COLUMNS,
        member_rows,
        share_summary_rows,
    )
    from qmon_tui.tui.present.versions import NOTHING_TO_RESTORE, RESTORED, VersionRows, version_lines, version_words
    from qmon_tui.tui.present.words import count, moment
else:
    __getattr__ = late_names(
        __name__,
        {
            "about": ("about_lines",),
            "calendars": ("switch_lines", "unusual_entry_lines", "week_lines"),
            "change_rows": ("ChangeKey", "ChangeRows", "change_detail"),
            "conflicts": ("ConflictRows", "conflict_lines"),
            "copy_choices": ("copied_words", "copy_lines"),
            "effective_settings": ("SETTING_COLUMNS", "setting_rows"),
            "findings": ("FindingRows", "field_finding_lines", "finding_lines"),
            "footer": ("footer_line",),
            "formula_choices": ("formula_lines",),
            "fuzzy_search": ("SearchHit", "SearchRows", "SearchTarget", "best", "with_fields"),
            "grid_rows": ("BLANK", "Cell", "Column", "GridRow", "GridRows"),
            "header": ("HeaderState", "count_severities", "edits_made", "header_line"),
            "help": (
                "HelpEntry",
                "HelpRows",
                "legend",
                "local_entries",
                "navigation_entries",
                "registry_entries",
                "said_of",
            ),
            "host_values": ("VALUE_COLUMNS", "value_rows"),
            "hostgroups": ("GROUP_COLUMNS", "RESOLVED_COLUMNS", "group_of", "group_rows", "resolved_rows"),
            "job_explanation": ("job_lines",),
            "kinds": ("KindRow", "KindRows", "kind_rows"),
            "live_instances": ("InstanceRows",),
            "live_jobs": ("LiveJobRow", "LiveJobRows", "TaskCounts", "Weights"),
            "live_pane": (
                "LivePaneContent",
                "live_pane_content",
                "notice_lines",
                "notices",
                "status_lines",
                "weights_of",
            ),
            "number_steps": ("shares_problem", "stepped"),
            "policies": ("POLICY_COLUMNS", "SHARES_COLUMNS", "policy_rows", "shares_rows", "shown_fields"),
            "quota_hit_test": (
                "HIT_COLUMNS",
                "HitTestQuestion",
                "NONE",
                "question_rows",
                "verdict_rows",
                "with_answer",
            ),
            "quota_rule_words": ("clause_words",),
            "quotas": (
                "QUOTA_USAGE_COLUMNS",
                "quota_usage_rows",
                "rule_columns",
                "rule_lines",
                "rule_rows",
                "set_line",
            ),
            "reference_changes": ("deletion_lines", "renaming_lines"),
            "reservations": (
                "ReservationRows",
                "detail_lines",
                "options_of",
                "reservation_fields",
                "reservation_trial_lines",
            ),
            "sharetree": (
                "FORECAST_COLUMNS",
                "FORECAST_TIMES",
                "TREE_COLUMNS",
                "decay_lines",
                "forecast_rows",
                "key_of",
                "node_lines",
                "node_rows",
                "place_of",
            ),
            "spans": ("Line", "Span", "TextRole", "crop", "fit", "left", "line", "plain", "visible", "width", "wrap"),
            "table_rows": ("Rows", "natural_order"),
            "unsaved_changes": ("change_lines", "file_lines", "summary"),
            "users_and_projects": ("MEMBER_COLUMNS", "SHARE_SUMMARY_COLUMNS", "member_rows", "share_summary_rows"),
            "versions": ("NOTHING_TO_RESTORE", "RESTORED", "VersionRows", "version_lines", "version_words"),
            "words": ("count", "moment"),
        },
    )

__all__ = [
    "BLANK",
    "FORECAST_COLUMNS",
    "FORECAST_TIMES",
    "GROUP_COLUMNS",
    "HIT_COLUMNS",
    "MEMBER_COLUMNS",
    "NONE",
    "NOTHING_TO_RESTORE",
    "POLICY_COLUMNS",
    "QUOTA_USAGE_COLUMNS",
    "RESOLVED_COLUMNS",
    "RESTORED",
    "SETTING_COLUMNS",
    "SHARES_COLUMNS",
    "SHARE_SUMMARY_COLUMNS",
    "TREE_COLUMNS",
    "VALUE_COLUMNS",
    "Cell",
    "ChangeKey",
    "ChangeRows",
    "Column",
    "ConflictRows",
    "FindingRows",
    "GridRow",
    "GridRows",
    "HeaderState",
    "HelpEntry",
    "HelpRows",
    "HitTestQuestion",
    "InstanceRows",
    "KindRow",
    "KindRows",
    "Line",
    "LiveJobRow",
    "LiveJobRows",
    "LivePaneContent",
    "ReservationRows",
    "Rows",
    "SearchHit",
    "SearchRows",
    "SearchTarget",
    "Span",
    "TaskCounts",
    "TextRole",
    "VersionRows",
    "Weights",
    "about_lines",
    "best",
    "change_detail",
    "change_lines",
    "clause_words",
    "conflict_lines",
    "copied_words",
    "copy_lines",
    "count",
    "count_severities",
    "crop",
    "decay_lines",
    "deletion_lines",
    "detail_lines",
    "edits_made",
    "field_finding_lines",
    "file_lines",
    "finding_lines",
    "fit",
    "footer_line",
    "forecast_rows",
    "formula_lines",
    "group_of",
    "group_rows",
    "header_line",
    "job_lines",
    "key_of",
    "kind_rows",
    "left",
    "legend",
    "line",
    "live_pane_content",
    "local_entries",
    "member_rows",
    "moment",
    "natural_order",
    "navigation_entries",
    "node_lines",
    "node_rows",
    "notice_lines",
    "notices",
    "options_of",
    "place_of",
    "plain",
    "policy_rows",
    "question_rows",
    "quota_usage_rows",
    "registry_entries",
    "renaming_lines",
    "reservation_fields",
    "reservation_trial_lines",
    "resolved_rows",
    "rule_columns",
    "rule_lines",
    "rule_rows",
    "said_of",
    "set_line",
    "setting_rows",
    "share_summary_rows",
    "shares_problem",
    "shares_rows",
    "shown_fields",
    "status_lines",
    "stepped",
    "summary",
    "switch_lines",
    "unusual_entry_lines",
    "value_rows",
    "verdict_rows",
    "version_lines",
    "version_words",
    "visible",
    "week_lines",
    "weights_of",
    "width",
    "with_answer",
    "with_fields",
    "wrap",
]
