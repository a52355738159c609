"""The YAML folder: reading with exact scalars and places, editing one field without touching the rest."""

from typing import TYPE_CHECKING

from qmon_tui.late import late_names

if TYPE_CHECKING:
    from qmon_tui.formats.yaml.field_texts import MERGE, expand_hosts, merge_sources, scalar_pairs
    from qmon_tui.formats.yaml.mapping_edit import (
        MappingEdit,
        behind_comma,
        column,
        content_end,
        insertion_of_lines,
        removals_in_line,
        rewritten,
    )
    from qmon_tui.formats.yaml.nodes import Alias, Mapping, Node, Scalar, Sequence, documents, resolve
    from qmon_tui.formats.yaml.parser_events import YamlError
    from qmon_tui.formats.yaml.reader import Section, YamlFile, read_file
    from qmon_tui.formats.yaml.shared_keys import SharedKey, regroup
    from qmon_tui.formats.yaml.yaml_edit import edited_yaml, new_section, removed_lines
    from qmon_tui.formats.yaml.yaml_writer import INDENT, scalar
else:
    __getattr__ = late_names(
        __name__,
        {
            "field_texts": ("MERGE", "expand_hosts", "merge_sources", "scalar_pairs"),
            "mapping_edit": (
                "MappingEdit",
                "behind_comma",
                "column",
                "content_end",
                "insertion_of_lines",
                "removals_in_line",
                "rewritten",
            ),
            "nodes": ("Alias", "Mapping", "Node", "Scalar", "Sequence", "documents", "resolve"),
            "parser_events": ("YamlError",),
            "reader": ("Section", "YamlFile", "read_file"),
            "shared_keys": ("SharedKey", "regroup"),
            "yaml_edit": ("edited_yaml", "new_section", "removed_lines"),
            "yaml_writer": ("INDENT", "scalar"),
        },
    )

__all__ = [
    "INDENT",
    "MERGE",
    "Alias",
    "Mapping",
    "MappingEdit",
    "Node",
    "Scalar",
    "Section",
    "Sequence",
    "SharedKey",
    "YamlError",
    "YamlFile",
    "behind_comma",
    "column",
    "content_end",
    "documents",
    "edited_yaml",
    "expand_hosts",
    "insertion_of_lines",
    "merge_sources",
    "new_section",
    "read_file",
    "regroup",
    "removals_in_line",
    "removed_lines",
    "resolve",
    "rewritten",
    "scalar",
    "scalar_pairs",
]
