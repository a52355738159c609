"""docs/state.md, made from the catalogue of state: `python -m tests.state_table` writes it."""

from collections.abc import Iterator
from pathlib import Path

from qmon_tui.model.catalogue.simulation import SIMULATION_SPECS
from qmon_tui.model.catalogue.state import STATE_SPECS
from qmon_tui.model.catalogue.workload import WORKLOAD_SPECS
from qmon_tui.model.state_fields import StateField, StateSpec

PAGE = Path(__file__).resolve().parents[1] / "docs" / "state.md"
HEAD = """\
# The state of a cluster in YAML

What a file of a cluster folder says besides the configuration. Times are ISO 8601, or offsets from the
submission of the first job such as `+90s`. This page is made from the catalogue of state by
`python -m tests.state_table`; a test fails when they drift.
"""


def page() -> str:
    """The page as it should be."""
    return HEAD + "".join(
        f"\n{section}" for section in map(_section, (*STATE_SPECS, *SIMULATION_SPECS, *WORKLOAD_SPECS))
    )


def _section(spec: StateSpec) -> str:
    rows = "".join(f"| {' | '.join(_cells(field))} |\n" for field in spec.fields)
    head = "| field | what may stand there | meaning | document |\n|---|---|---|---|\n"
    return f"## {spec.title}\n\n{spec.help}\n\n{head}{rows}"


def _cells(field: StateField) -> Iterator[str]:
    yield f"`{field.key or field.name}`{' (needed)' if field.needed else ''}"
    choices = f": {' '.join(f'`{choice}`' for choice in field.choices)}" if field.choices else ""
    yield f"{field.type}{choices}" + (f", such as `{field.example}`" if field.example else "")
    yield field.help
    page, _, anchor = field.source.partition("#")
    yield f"[{page.removesuffix('.md')}](reference/{field.source})" if anchor else field.source


if __name__ == "__main__":
    PAGE.write_text(page())
