"""Text to model and back: qconf files, YAML folders, qsub lines. Knows no files on disk and no clock."""

from typing import TYPE_CHECKING

from qmon_tui.late import late_names

if TYPE_CHECKING:
    from qmon_tui.formats.folder_reader import Contents as Contents, read_texts as read_texts
    from qmon_tui.formats.folder_writer import (
        JOBS_FILE as JOBS_FILE,
        EditRefused as EditRefused,
        edited_texts as edited_texts,
        folder_texts as folder_texts,
        texts_with_state as texts_with_state,
        without_reports as without_reports,
    )
    from qmon_tui.formats.format_findings import RULES as RULES, problem as problem, unreadable as unreadable
    from qmon_tui.formats.layout import (
        LISTS as LISTS,
        Layout as Layout,
        detect as detect,
        file_of as file_of,
        is_passed_over as is_passed_over,
        is_yaml as is_yaml,
        kind_of_file as kind_of_file,
    )
    from qmon_tui.formats.nodeset import (
        expand_nodeset as expand_nodeset,
        fold_hosts as fold_hosts,
        is_nodeset as is_nodeset,
    )
    from qmon_tui.formats.object_differences import differing as differing, same_text as same_text
    from qmon_tui.formats.parsed_files import LARGEST_OBJECT as LARGEST_OBJECT
    from qmon_tui.formats.printed_objects import (
        HOW_TO_TELL as HOW_TO_TELL,
        Printed as Printed,
        read_folder_file as read_folder_file,
        read_printed as read_printed,
    )
    from qmon_tui.formats.qalter_application import (
        DATES as DATES,
        altered as altered,
        joined as joined,
        only as only,
        options_given as options_given,
        overridden as overridden,
        split_options as split_options,
        with_command as with_command,
        with_years as with_years,
        without as without,
    )
    from qmon_tui.formats.qalter_difference import (
        COMMAND as COMMAND,
        NOT_ALTERED as NOT_ALTERED,
        changed_options as changed_options,
        holds_after as holds_after,
        merged_lines as merged_lines,
        qalter_options as qalter_options,
    )
    from qmon_tui.formats.qrsub import ParsedQrsub as ParsedQrsub, parse_qrsub as parse_qrsub
    from qmon_tui.formats.qsub import (
        ParsedQsub as ParsedQsub,
        parse_qsub as parse_qsub,
        qsub_line as qsub_line,
        simulated_runtime as simulated_runtime,
        sleep_runtime as sleep_runtime,
    )
    from qmon_tui.formats.qsub_options import AMOUNTS as AMOUNTS, OPTIONS as OPTIONS, PRIORITIES as PRIORITIES
else:
    __getattr__ = late_names(__name__, __file__)
