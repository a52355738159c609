"""The examples of all rules, taken from configs/broken and the edits that no file shows: `python -m tests.rules`.

Each is the line that breaks the rule and what is then said, so that `qmon-tui rules` shows what really happens.
"""

import json
from collections.abc import Iterator
from pathlib import Path

from qmon_tui.checks import check
from qmon_tui.model.findings import Finding
from qmon_tui.sources import Reading, read_folder
from tests.unit.configs.announced import CONFIGS
from tests.unit.configs.edits import ONLY_EDITS

EXAMPLES_FILE = Path(__file__).resolve().parents[1] / "qmon_tui" / "cli" / "examples.json"
LONGEST = 200


def examples() -> dict[str, tuple[str, str]]:
    """Rule -> (what breaks it, the message)."""
    found: dict[str, tuple[str, str]] = {}
    for name in ("broken", "broken-qconf"):
        reading = read_folder(CONFIGS / name)
        for finding in sorted((*reading.findings, *check(reading.cluster, reading.state)), key=_place):
            found.setdefault(finding.rule, (_line(reading, finding), _short(finding.message)))
    for rule, message in _of_edits():
        found[rule] = (ONLY_EDITS[rule].label, _short(message))
    return dict(sorted(found.items()))


def _of_edits() -> Iterator[tuple[str, str]]:
    cluster = read_folder(CONFIGS / "broken").cluster
    for rule, edit in ONLY_EDITS.items():
        yield from ((rule, finding.message) for finding in edit.findings(cluster) if finding.rule == rule)


def _place(finding: Finding) -> tuple[str, int]:
    return finding.file or "", finding.line or 0


def _line(reading: Reading, finding: Finding) -> str:
    """The line itself; where it has none, or nobody can read it, the object or the file."""
    text = (Path(reading.source.location) / (finding.file or "")).read_bytes().decode("latin-1") if finding.file else ""
    lines = text.split("\n")
    number = finding.line or 0
    line = lines[number - 1].strip() if 0 < number <= len(lines) else ""
    if not line or not line.isprintable() or line.startswith("#"):
        line = " ".join(filter(None, (finding.kind, finding.name, finding.field))) or (finding.file or "")
    return _short(line)


def _short(text: str) -> str:
    plain = "".join(char if char.isprintable() else "?" for char in text)
    return plain if len(plain) <= LONGEST else plain[: LONGEST - 1] + "…"


def source() -> str:
    """The text of the file with all examples, a line for each."""
    lines = [f"  {json.dumps(rule)}: {json.dumps(list(shown))}" for rule, shown in examples().items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


if __name__ == "__main__":
    EXAMPLES_FILE.write_text(source(), encoding="utf-8")
