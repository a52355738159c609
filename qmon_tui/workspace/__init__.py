"""The open document: revisions, undo, findings, difference, saving, and the live re-run of the scheduler."""

from typing import TYPE_CHECKING

from qmon_tui.late import late_names

if TYPE_CHECKING:
    from qmon_tui.workspace import (
        background_edit as background_edit,
        clipboard as clipboard,
        commands as commands,
        edits as edits,
        state_edits as state_edits,
    )
    from qmon_tui.workspace.attribute_offers import (
        Offer as Offer,
        offers_of as offers_of,
        text_with_offer as text_with_offer,
    )
    from qmon_tui.workspace.baseline import Moment as Moment, Since as Since
    from qmon_tui.workspace.clipboard import (
        Copy as Copy,
        copies_of_field as copies_of_field,
        copies_of_job as copies_of_job,
        copies_of_object as copies_of_object,
    )
    from qmon_tui.workspace.commands import (
        HOLD_WORDS as HOLD_WORDS,
        alter_jobs as alter_jobs,
        edit_of_change as edit_of_change,
        target_words as target_words,
    )
    from qmon_tui.workspace.cross_references import (
        LinkTarget as LinkTarget,
        definitions as definitions,
        definitions_of_job as definitions_of_job,
        uses as uses,
        uses_of_job as uses_of_job,
    )
    from qmon_tui.workspace.derivation_text import derivation_lines as derivation_lines
    from qmon_tui.workspace.difference import (
        ChangeKind as ChangeKind,
        FieldChange as FieldChange,
        ObjectChange as ObjectChange,
        differences as differences,
        document_changes as document_changes,
        same_letters as same_letters,
        with_renames as with_renames,
    )
    from qmon_tui.workspace.document import (
        AnyKind as AnyKind,
        Document as Document,
        EditError as EditError,
        WorkspaceError as WorkspaceError,
        listed_objects as listed_objects,
    )
    from qmon_tui.workspace.edits import (
        AddObject as AddObject,
        Batch as Batch,
        Edit as Edit,
        RemoveObject as RemoveObject,
        RenameObject as RenameObject,
        ReplaceDocument as ReplaceDocument,
        ReplaceKind as ReplaceKind,
        SetField as SetField,
        existing as existing,
        object_words as object_words,
        original_in as original_in,
    )
    from qmon_tui.workspace.edits_as_commands import unsaved_commands as unsaved_commands
    from qmon_tui.workspace.evaluation import Result as Result, Snapshot as Snapshot, evaluate as evaluate
    from qmon_tui.workspace.events import ChangeOrigin as ChangeOrigin, DiskChange as DiskChange, Event as Event
    from qmon_tui.workspace.findings import (
        findings_of as findings_of,
        name_finding as name_finding,
        name_problem as name_problem,
        object_findings as object_findings,
        reader_findings as reader_findings,
    )
    from qmon_tui.workspace.help_topics import (
        FoundTopics as FoundTopics,
        HelpTopic as HelpTopic,
        all_topics as all_topics,
        column_topic as column_topic,
        field_topic as field_topic,
        find_topics as find_topics,
        heading_topics as heading_topics,
        kind_topic as kind_topic,
        paragraph_at as paragraph_at,
        place_topic as place_topic,
        rule_topic as rule_topic,
        text_of as text_of,
    )
    from qmon_tui.workspace.job_trial import (
        JobTrial as JobTrial,
        ReservationTrial as ReservationTrial,
        admitted as admitted,
        try_altered as try_altered,
        try_job as try_job,
        try_reservation as try_reservation,
    )
    from qmon_tui.workspace.json_report import (
        check_json as check_json,
        derivation_json as derivation_json,
        diff_json as diff_json,
        schedule_json as schedule_json,
        why_json as why_json,
    )
    from qmon_tui.workspace.lesson_workspace import LessonWorkspace as LessonWorkspace
    from qmon_tui.workspace.merge import (
        Conflict as Conflict,
        ConflictVersion as ConflictVersion,
        Decision as Decision,
        EditedText as EditedText,
        Side as Side,
    )
    from qmon_tui.workspace.policy_summary import (
        DEADLINE_USERS as DEADLINE_USERS,
        PolicyTickets as PolicyTickets,
        ShareCategory as ShareCategory,
        ShareHolder as ShareHolder,
        TermWeight as TermWeight,
        categories as categories,
        deadline_users as deadline_users,
        holders as holders,
        terms as terms,
        ticket_totals as ticket_totals,
        urgent_attributes as urgent_attributes,
    )
    from qmon_tui.workspace.reason_text import (
        FIRST_LINES as FIRST_LINES,
        ahead_words as ahead_words,
        all_changes as all_changes,
        bound_words as bound_words,
        by_heading as by_heading,
        closing_words as closing_words,
        commands_of as commands_of,
        details_of as details_of,
        heading as heading,
        is_never as is_never,
        no_change_words as no_change_words,
        short_names as short_names,
        shown_words as shown_words,
        spelt_out as spelt_out,
        start_words as start_words,
        told_first as told_first,
        untold_reasons as untold_reasons,
        waiting_words as waiting_words,
    )
    from qmon_tui.workspace.recovery import (
        Replayed as Replayed,
        edits_text as edits_text,
        read_edits as read_edits,
        replayed as replayed,
    )
    from qmon_tui.workspace.rename_delete import (
        ReferenceUpdate as ReferenceUpdate,
        RenameInState as RenameInState,
        delete_everywhere as delete_everywhere,
        jobs_to_update as jobs_to_update,
        rename_everywhere as rename_everywhere,
    )
    from qmon_tui.workspace.schedule_changes import JobKey as JobKey, ScheduleChange as ScheduleChange
    from qmon_tui.workspace.simulated_work import (
        WorkSource as WorkSource,
        day_simulator as day_simulator,
        read_work as read_work,
        read_work_source as read_work_source,
    )
    from qmon_tui.workspace.state_edits import SetEntry as SetEntry
    from qmon_tui.workspace.usage_edits import (
        ClearUsage as ClearUsage,
        SetUsage as SetUsage,
        UsageOwner as UsageOwner,
        parse_usage as parse_usage,
        usage_line as usage_line,
        usage_of as usage_of,
    )
    from qmon_tui.workspace.user_summary import (
        UserSetMember as UserSetMember,
        job_totals as job_totals,
        jobs_of as jobs_of,
        members as members,
        nodes_of as nodes_of,
    )
    from qmon_tui.workspace.versions import (
        RestoredPart as RestoredPart,
        changes_of as changes_of,
        document_of as document_of,
        keep_saved as keep_saved,
        keep_snapshot as keep_snapshot,
        restore_edit as restore_edit,
    )
    from qmon_tui.workspace.workspace import Workspace as Workspace
else:
    __getattr__ = late_names(__name__, __file__)
