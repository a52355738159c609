"""The open document: revisions, undo, findings, difference, saving, and the live re-run of the scheduler."""

from typing import TYPE_CHECKING

from qmon_tui.late import late_names

if TYPE_CHECKING:
    from qmon_tui.workspace import (
        clipboard as clipboard,
        commands as commands,
        drains as drains,
        edits as edits,
        state_edits as state_edits,
    )
    from qmon_tui.workspace.attribute_offers import (
        Offer as Offer,
        offers_of as offers_of,
        text_with_offer as text_with_offer,
    )
    from qmon_tui.workspace.baseline import BaselineTime as BaselineTime, Since as Since
    from qmon_tui.workspace.bulk import (
        add_all as add_all,
        change_all as change_all,
        host_lists as host_lists,
        named_objects as named_objects,
    )
    from qmon_tui.workspace.clipboard import (
        Copy as Copy,
        copies_of_field as copies_of_field,
        copies_of_job as copies_of_job,
        copies_of_object as copies_of_object,
    )
    from qmon_tui.workspace.commands import (
        HOLD_WORDS as HOLD_WORDS,
        Remark as Remark,
        edit_of_change as edit_of_change,
        unsaved_commands as unsaved_commands,
    )
    from qmon_tui.workspace.cross_references import (
        LinkTarget as LinkTarget,
        definitions as definitions,
        definitions_of_job as definitions_of_job,
        uses as uses,
        uses_of_job as uses_of_job,
    )
    from qmon_tui.workspace.difference import (
        ChangeKind as ChangeKind,
        FieldChange as FieldChange,
        ObjectChange as ObjectChange,
        changes_by_value as changes_by_value,
        differences as differences,
        document_changes as document_changes,
        drift as drift,
        same_letters as same_letters,
        state_changes as state_changes,
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
        parts_of as parts_of,
    )
    from qmon_tui.workspace.evaluation import (
        JobKey as JobKey,
        Result as Result,
        ScheduleChange as ScheduleChange,
        Snapshot as Snapshot,
        Trust as Trust,
        changes_of_schedule as changes_of_schedule,
        evaluate as evaluate,
    )
    from qmon_tui.workspace.events import ChangeOrigin as ChangeOrigin, DiskChange as DiskChange, Event as Event
    from qmon_tui.workspace.findings import (
        findings_of as findings_of,
        name_finding as name_finding,
        name_problem as name_problem,
        object_findings as object_findings,
        reader_findings as reader_findings,
    )
    from qmon_tui.workspace.job_trial import (
        JobTrial as JobTrial,
        ReservationTrial as ReservationTrial,
        admitted as admitted,
        try_altered as try_altered,
        try_job as try_job,
        try_reservation as try_reservation,
    )
    from qmon_tui.workspace.lesson_workspace import (
        ExplainedCluster as ExplainedCluster,
        LessonWorkspace as LessonWorkspace,
    )
    from qmon_tui.workspace.merge import (
        Conflict as Conflict,
        ConflictVersion as ConflictVersion,
        Decision as Decision,
        EditedText as EditedText,
        Side as Side,
        overlapping as overlapping,
        overlay as overlay,
    )
    from qmon_tui.workspace.policy_summary import (
        DEADLINE_USERS as DEADLINE_USERS,
        PolicyTickets as PolicyTickets,
        ShareCategory as ShareCategory,
        ShareHolder as ShareHolder,
        TermWeight as TermWeight,
        UserSetMember as UserSetMember,
        categories as categories,
        deadline_users as deadline_users,
        holders as holders,
        job_totals as job_totals,
        jobs_of as jobs_of,
        members as members,
        nodes_of as nodes_of,
        terms as terms,
        ticket_totals as ticket_totals,
        urgent_attributes as urgent_attributes,
    )
    from qmon_tui.workspace.pull import (
        Pull as Pull,
        keep_base as keep_base,
        merge_pull as merge_pull,
        pull_of as pull_of,
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
        rename_all_everywhere as rename_all_everywhere,
        rename_everywhere as rename_everywhere,
        renamed_in_state as renamed_in_state,
    )
    from qmon_tui.workspace.shown_document import Figures as Figures
    from qmon_tui.workspace.simulated_work import (
        WorkSource as WorkSource,
        day_simulator as day_simulator,
        read_work as read_work,
        read_work_source as read_work_source,
    )
    from qmon_tui.workspace.state_edits import (
        ClearUsage as ClearUsage,
        CommandEdit as CommandEdit,
        SetEntry as SetEntry,
        SetUsage as SetUsage,
        UsageOwner as UsageOwner,
        parse_usage as parse_usage,
        usage_line as usage_line,
        usage_of as usage_of,
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
    __getattr__ = late_names(__name__, __file__, modules=True)
