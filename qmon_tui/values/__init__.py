"""The grammar of Grid Engine values: numbers, patterns, ranges, lists, hosts, overrides. Knows nothing of objects."""

from typing import TYPE_CHECKING

from qmon_tui.late import late_names

if TYPE_CHECKING:
    from qmon_tui.values.c_library import double_prefix as double_prefix, integer_prefix as integer_prefix
    from qmon_tui.values.calendar import (
        DAY as DAY,
        Calendar as Calendar,
        CalendarEntry as CalendarEntry,
        CalendarState as CalendarState,
        Period as Period,
    )
    from qmon_tui.values.calendar_grammar import parse_week as parse_week, parse_year as parse_year
    from qmon_tui.values.fnmatch import compile_pattern as compile_pattern
    from qmon_tui.values.lists import (
        BLANK as BLANK,
        BLANK_OR_COMMA as BLANK_OR_COMMA,
        COMMA as COMMA,
        is_none as is_none,
        join_entries as join_entries,
        join_names as join_names,
        split_entries as split_entries,
        split_names as split_names,
    )
    from qmon_tui.values.mistyped import meant as meant, nearest_word as nearest_word
    from qmon_tui.values.names import (
        FORBIDDEN as FORBIDDEN,
        LONGEST as LONGEST,
        TOO_LONG as TOO_LONG,
        canonical as canonical,
        character_problem as character_problem,
        comparable as comparable,
        first_character_problem as first_character_problem,
        is_group as is_group,
        is_host_name as is_host_name,
        keyword_problem as keyword_problem,
        meant_host as meant_host,
        name_problem as name_problem,
        same_host as same_host,
    )
    from qmon_tui.values.number import (
        INFINITY as INFINITY,
        c_integer_prefix as c_integer_prefix,
        decimal_number as decimal_number,
        is_number as is_number,
        need_whole_number as need_whole_number,
        parse_boolean as parse_boolean,
        parse_double as parse_double,
        parse_number as parse_number,
        parse_unsigned as parse_unsigned,
        sum_in_order as sum_in_order,
        whole_number as whole_number,
    )
    from qmon_tui.values.number_ranges import (
        OPEN_END as OPEN_END,
        format_ranges as format_ranges,
        parse_ranges as parse_ranges,
        range_numbers as range_numbers,
        slots_text as slots_text,
    )
    from qmon_tui.values.overrides import (
        Overrides as Overrides,
        OverridesError as OverridesError,
        parse_overrides as parse_overrides,
    )
    from qmon_tui.values.patterns import (
        QueuePattern as QueuePattern,
        evaluate as evaluate,
        is_expression as is_expression,
        is_pattern as is_pattern,
        matches as matches,
        syntax_error as syntax_error,
    )
    from qmon_tui.values.printing import (
        format_double as format_double,
        format_number as format_number,
        format_qstat as format_qstat,
        humane_memory as humane_memory,
        humane_time as humane_time,
        pe_alg_text as pe_alg_text,
        tickets_text as tickets_text,
        tickets_words as tickets_words,
        time_text as time_text,
        urgency_text as urgency_text,
    )
    from qmon_tui.values.random_value import (
        Draw as Draw,
        RandomValue as RandomValue,
        constant as constant,
        parse_random_value as parse_random_value,
    )
    from qmon_tui.values.subordinates import (
        Subordinate as Subordinate,
        Subordinates as Subordinates,
        parse_subordinates as parse_subordinates,
    )
    from qmon_tui.values.times import (
        INFINITE as INFINITE,
        LATEST as LATEST,
        clock as clock,
        format_qsub_date as format_qsub_date,
        format_time as format_time,
        is_offset as is_offset,
        parse_moment as parse_moment,
        parse_offset as parse_offset,
        parse_qsub_date as parse_qsub_date,
        parse_time as parse_time,
        second_fraction as second_fraction,
    )
else:
    __getattr__ = late_names(__name__, __file__)
