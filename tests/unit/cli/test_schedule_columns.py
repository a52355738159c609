"""`qmon-tui schedule --columns`."""

from pathlib import Path

import pytest

from qmon_tui.cli import main


@pytest.mark.parametrize(
    ("columns", "heads", "values"),
    [
        ("pri", "prior nurg npprior ntckts ppri name", {"ntckts": "0.16667", "ppri": "0"}),
        ("urg", "nurg urg rrcontr wtcontr dlcontr", {"urg": "1000", "wtcontr": "0"}),
        ("ext", "tckts ovrts otckt ftckt stckt share", {"ftckt": "83333", "share": "0.39"}),
        ("all", "ppri rrcontr ftckt share", {"ftckt": "83333", "rrcontr": "1000"}),
    ],
)
def test_columns_are_those_of_qstat(
    columns: str, heads: str, values: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    """The numbers of the study for jobC1."""
    folder = Path(__file__).parents[3] / "configs" / "seeds" / "priority-functional"
    assert main(["schedule", str(folder), "--columns", columns]) == 0
    lines = capsys.readouterr().out.splitlines()
    head = next(line for line in lines if line.startswith("job-ID"))
    assert set(heads.split()) <= set(head.split())
    (row,) = (line for line in lines if " jobC1 " in line and line.startswith(" "))
    for name, value in values.items():
        end = head.index(f" {name} ") + len(name) + 1
        assert row[:end].split()[-1] == value, (name, row)
