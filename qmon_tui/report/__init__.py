"""Texts for the screen and the command line: pure functions that turn results into styled lines, without Textual."""

from typing import TYPE_CHECKING

from qmon_tui.late import late_names

if TYPE_CHECKING:
    from qmon_tui.report import (
        attention as attention,
        header as header,
        help_topics as help_topics,
        hostgroups as hostgroups,
        job_explanation as job_explanation,
        json_report as json_report,
        lesson as lesson,
        live_jobs as live_jobs,
        live_pane as live_pane,
        plans as plans,
        policies as policies,
        quota_hit_test as quota_hit_test,
        quotas as quotas,
        reservations as reservations,
        schedule_changes as schedule_changes,
        sharetree as sharetree,
        sweeping as sweeping,
        users_and_projects as users_and_projects,
    )
    from qmon_tui.report.about import about_lines as about_lines
    from qmon_tui.report.bars import stroke as stroke
    from qmon_tui.report.calendars import (
        switch_lines as switch_lines,
        unusual_entry_lines as unusual_entry_lines,
        week_lines as week_lines,
    )
    from qmon_tui.report.change_rows import (
        ChangeKey as ChangeKey,
        ChangeRows as ChangeRows,
        change_detail as change_detail,
    )
    from qmon_tui.report.conflicts import ConflictRows as ConflictRows, conflict_lines as conflict_lines
    from qmon_tui.report.copy_choices import copied_words as copied_words, copy_lines as copy_lines
    from qmon_tui.report.drains import (
        drain_words as drain_words,
        effect_lines as effect_lines,
        host_drains as host_drains,
        instance_drains as instance_drains,
    )
    from qmon_tui.report.findings import (
        FindingRows as FindingRows,
        field_finding_lines as field_finding_lines,
        finding_lines as finding_lines,
    )
    from qmon_tui.report.finished import finished_json as finished_json, finished_lines as finished_lines
    from qmon_tui.report.fuzzy_search import (
        SearchHit as SearchHit,
        SearchRows as SearchRows,
        SearchTarget as SearchTarget,
        best as best,
        with_fields as with_fields,
    )
    from qmon_tui.report.grid_rows import (
        BLANK as BLANK,
        Cell as Cell,
        Column as Column,
        GridRow as GridRow,
        GridRows as GridRows,
        table_lines as table_lines,
    )
    from qmon_tui.report.host_values import (
        OFFER_COLUMNS as OFFER_COLUMNS,
        SETTING_COLUMNS as SETTING_COLUMNS,
        VALUE_COLUMNS as VALUE_COLUMNS,
        offer_rows as offer_rows,
        setting_rows as setting_rows,
        value_rows as value_rows,
    )
    from qmon_tui.report.json_report import picked as picked
    from qmon_tui.report.kinds import KindRow as KindRow, KindRows as KindRows, kind_rows as kind_rows
    from qmon_tui.report.live_instances import InstanceRows as InstanceRows
    from qmon_tui.report.markdown import markdown_lines as markdown_lines
    from qmon_tui.report.metrics import metric_lines as metric_lines
    from qmon_tui.report.number_steps import shares_problem as shares_problem, stepped as stepped
    from qmon_tui.report.priority import derived_lines as derived_lines
    from qmon_tui.report.quotas import filter_words as filter_words
    from qmon_tui.report.reason_text import (
        FIRST_LINES as FIRST_LINES,
        alike_reasons as alike_reasons,
        all_changes as all_changes,
        spelt_out as spelt_out,
    )
    from qmon_tui.report.reference_changes import deletion_lines as deletion_lines, renaming_lines as renaming_lines
    from qmon_tui.report.row_filter import (
        FilterField as FilterField,
        FilterFields as FilterFields,
        Groups as Groups,
        RowFilter as RowFilter,
        address_test as address_test,
        groups_of as groups_of,
        host_test as host_test,
        instance_state_test as instance_state_test,
        parse_filter as parse_filter,
    )
    from qmon_tui.report.schedule_changes import MARKS as MARKS, moves_words as moves_words, since_words as since_words
    from qmon_tui.report.shell_scripts import (
        command_lines as command_lines,
        command_script as command_script,
        script_spans as script_spans,
    )
    from qmon_tui.report.spans import (
        Line as Line,
        Span as Span,
        TextRole as TextRole,
        crop as crop,
        fit as fit,
        left as left,
        line as line,
        plain as plain,
        visible as visible,
        width as width,
        wrap as wrap,
    )
    from qmon_tui.report.table_rows import (
        ListRows as ListRows,
        Rows as Rows,
        contains as contains,
        longest as longest,
        natural_order as natural_order,
        tab_at as tab_at,
        tab_line as tab_line,
    )
    from qmon_tui.report.task_counts import TaskCounts as TaskCounts
    from qmon_tui.report.unsaved_changes import (
        change_lines as change_lines,
        file_lines as file_lines,
        recovery_lines as recovery_lines,
        summary as summary,
    )
    from qmon_tui.report.versions import (
        NOTHING_TO_RESTORE as NOTHING_TO_RESTORE,
        RESTORED as RESTORED,
        VersionRows as VersionRows,
        version_lines as version_lines,
        version_words as version_words,
    )
    from qmon_tui.report.words import (
        count as count,
        day_clock as day_clock,
        first_and_more as first_and_more,
        moment as moment,
        shown_figure as shown_figure,
        stands_still as stands_still,
        title_words as title_words,
    )
else:
    __getattr__ = late_names(__name__, __file__, modules=True)
