"""The YAML folder: reading with exact scalars and places, editing one field without touching the rest."""

from typing import TYPE_CHECKING

from qmon_tui.late import late_names

if TYPE_CHECKING:
    from qmon_tui.formats.yaml.field_texts import (
        MERGE as MERGE,
        expand_hosts as expand_hosts,
        merge_sources as merge_sources,
        scalar_pairs as scalar_pairs,
    )
    from qmon_tui.formats.yaml.mapping_edit import (
        MappingEdit as MappingEdit,
        behind_comma as behind_comma,
        column as column,
        content_end as content_end,
        insertion_of_lines as insertion_of_lines,
        removals_in_line as removals_in_line,
        rewritten as rewritten,
    )
    from qmon_tui.formats.yaml.nodes import (
        Alias as Alias,
        Mapping as Mapping,
        Node as Node,
        Scalar as Scalar,
        Sequence as Sequence,
        YamlError as YamlError,
        documents as documents,
        resolve as resolve,
    )
    from qmon_tui.formats.yaml.reader import Section as Section, read_file as read_file
    from qmon_tui.formats.yaml.shared_keys import SharedKey as SharedKey, regroup as regroup
    from qmon_tui.formats.yaml.yaml_edit import (
        edited_yaml as edited_yaml,
        new_section as new_section,
        removed_lines as removed_lines,
    )
    from qmon_tui.formats.yaml.yaml_writer import (
        INDENT as INDENT,
        braces as braces,
        named_lines as named_lines,
        scalar as scalar,
    )
else:
    __getattr__ = late_names(__name__, __file__)
