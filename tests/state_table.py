"""The table of docs/cluster-folder.md, made from the catalogue of state: `python -m tests.state_table` writes it."""

from collections.abc import Iterator
from pathlib import Path

from qmon_tui.model.catalogue.simulation import SIMULATION_SPECS, WORKLOAD_SPECS
from qmon_tui.model.catalogue.state import STATE_SPECS
from qmon_tui.model.state_fields import StateField, StateSpec

PAGE = Path(__file__).resolve().parents[1] / "docs" / "cluster-folder.md"
START = "<!-- keys of state: made from the catalogue of state; a test fails when they drift -->\n"
END = "<!-- end of keys of state -->"
_SPECS = (*STATE_SPECS, *SIMULATION_SPECS, *WORKLOAD_SPECS)


def page() -> str:
    """The page as it should be: its text as it is, with the table as it should be."""
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(START)
    _, _, after = rest.partition(END)
    return f"{before}{START}{_table()}{END}{after}"


def _table() -> str:
    places = "".join(f"- **{spec.title}**: {spec.help}\n" for spec in _SPECS)
    rows = "".join(f"| {' | '.join(_cells(spec, field))} |\n" for spec in _SPECS for field in spec.fields)
    head = "| key | in | values, an example | meaning | document |\n|---|---|---|---|---|\n"
    return f"\n{places}\n{head}{rows}"


def _cells(spec: StateSpec, field: StateField) -> Iterator[str]:
    yield f"`{field.key or field.name}`{' (needed)' if field.needed else ''}"
    yield spec.title
    choices = f": {' '.join(f'`{choice}`' for choice in field.choices)}" if field.choices else ""
    yield f"{field.type}{choices}" + (f", such as `{field.example}`" if field.example else "")
    yield field.help
    page, _, anchor = field.source.partition("#")
    yield f"[{page.removesuffix('.md')}](reference/{field.source})" if anchor else field.source


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
